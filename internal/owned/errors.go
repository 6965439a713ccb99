package owned

import (
	"fmt"
	"io/fs"
)

// A refusal says why something is not used, and what to do.
type refusal string

// wrongKind refuses what has a name that a file or directory should have.
func wrongKind(m fs.FileMode, want string) error {
	if m&fs.ModeSymlink != 0 {
		return refusal("it is a symbolic link, and none is followed there: move it away")
	}
	return refusef("it is no %s but %s: move it away", want, KindOf(m))
}

func (r refusal) Error() string { return string(r) }

func (r refusal) Is(target error) bool { return target == ErrRefused }

func refusef(format string, args ...any) error {
	return refusal(fmt.Sprintf(format, args...))
}
