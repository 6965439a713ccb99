//go:build !windows

package exitcode

// SystemMeaning returns "": on these systems a signal says why a program was ended.
func SystemMeaning(int) string { return "" }
