//go:build !unix

package cli

import "os"

func endingSignals() []os.Signal { return []os.Signal{os.Interrupt} }

func otherSignals() []os.Signal { return nil }

// unbreakable is f: there is no SIGPIPE here.
func unbreakable(f *os.File) *os.File { return f }
