//go:build !unix

package cli

// umask is empty where there is no such thing.
func umask() string { return "" }
