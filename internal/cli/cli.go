// Package cli is envwrap's command line: it reads options, calls the packages
// that do the work, and prints what they say.
package cli

import "os"

// Main runs envwrap with args (args[0] is the program) and returns its exit
// status.
func Main(args []string, stdin, stdout, stderr *os.File) int {
	return 125
}
