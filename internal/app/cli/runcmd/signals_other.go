//go:build !unix

package runcmd

import (
	"errors"
	"os"
	"syscall"
)

func endingSignals() []os.Signal { return []os.Signal{os.Interrupt} }

func otherSignals() []os.Signal { return nil }

// Unbreakable returns f: there is no SIGPIPE here.
func Unbreakable(f *os.File) *os.File { return f }

// duplicate is not needed where no client runs commands below it.
func duplicate(*os.File) (*os.File, error) { return nil, errors.ErrUnsupported }

func ownSession() *syscall.SysProcAttr { return nil }

func dieBy(string) {}
