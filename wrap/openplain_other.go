//go:build !unix

package wrap

import "os"

// openPlain opens a file for reading.
func openPlain(name string) (*os.File, error) { return os.Open(name) }
