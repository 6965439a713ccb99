//go:build !windows

package wrap

// statusMeaning returns "": on these systems a signal says why a program was ended.
func statusMeaning(int) string { return "" }
