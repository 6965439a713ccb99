//go:build unix

package spawn

import (
	"errors"
	"syscall"
)

// FailureOf returns the reason of an error of [Start].
func FailureOf(err error) Failure {
	switch {
	case errors.Is(err, syscall.ENOENT):
		return Missing
	case errors.Is(err, syscall.ENOEXEC):
		return NoFormat
	case errors.Is(err, syscall.E2BIG):
		return TooLong
	case errors.Is(err, syscall.EAGAIN), errors.Is(err, syscall.ENOMEM):
		return Exhausted
	}
	return Other
}

// isTransient reports whether starting again in a moment may work.
func isTransient(err error) bool {
	return errors.Is(err, syscall.ETXTBSY) || errors.Is(err, syscall.EAGAIN)
}
