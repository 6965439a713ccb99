//go:build !unix

package session

// umask is empty where there is no such thing.
func umask() string { return "" }
