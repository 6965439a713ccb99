//go:build !unix

package runcmd

import (
	"os"
	"os/exec"
)

func endingSignals() []os.Signal { return []os.Signal{os.Interrupt} }

func otherSignals() []os.Signal { return nil }

// Unbreakable returns f: there is no SIGPIPE here.
func Unbreakable(f *os.File) *os.File { return f }

func cancelGroup(*exec.Cmd) {}
