package spawn

import (
	"errors"
	"syscall"
)

// Error codes of Windows (winerror.h) that package syscall does not name.
const (
	errorBadExeFormat    syscall.Errno = 193
	errorFilenameTooLong syscall.Errno = 206
)

// FailureOf returns the reason of an error of [Start].
func FailureOf(err error) Failure {
	switch {
	case errors.Is(err, syscall.ERROR_FILE_NOT_FOUND), errors.Is(err, syscall.ERROR_PATH_NOT_FOUND):
		return Missing
	case errors.Is(err, errorBadExeFormat):
		return NoFormat
	case errors.Is(err, errorFilenameTooLong):
		return TooLong
	}
	return Other
}

func isTransient(error) bool { return false }
