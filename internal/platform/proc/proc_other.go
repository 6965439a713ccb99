//go:build !linux

package proc

import "os"

// Visible reports false: this system has no /proc that envwrap reads.
func Visible() bool { return false }

// ReadStat knows no process here.
func ReadStat(int) (Stat, bool) { return Stat{}, false }

// Start returns "": a process is known by its id alone.
func Start(int) string { return "" }

// Gone reports false: it cannot be known.
func Gone(int, string) bool { return false }

// Namespace returns "".
func Namespace() string { return "" }

// OOMKills counts none here.
func OOMKills() (int, bool) { return 0, false }

// BootID returns "".
func BootID() string { return "" }

// Parent knows no process here.
func Parent(int) (int, bool) { return 0, false }

// Environ knows no process here.
func Environ(int) ([]string, bool) { return nil, false }

// HasVariable knows no process here.
func HasVariable(int, string) bool { return false }

// HasArguments knows no process here.
func HasArguments(int, ...string) bool { return false }

// Descriptor returns no path here.
func Descriptor(int, int) string { return "" }

// Link returns "".
func Link(*os.File) string { return "" }

// Links knows no process here.
func Links(int, func(string) bool) bool { return false }
