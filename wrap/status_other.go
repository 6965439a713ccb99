//go:build !windows

package wrap

// statusMeaning is for Windows: elsewhere a signal says it.
func statusMeaning(int) string { return "" }
