//go:build !linux

package wrap

// BecomeSubreaper is for Linux only; it returns false.
func BecomeSubreaper() bool { return false }
