package safefs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// ErrRefused means that a directory or file cannot be trusted: it belongs to another
// user, others can write to it, or it is of another kind than expected.
var ErrRefused = errors.New("refused")

// A refusal says why something is not used, and what to do.
type refusal string

func (r refusal) Error() string { return string(r) }

func (r refusal) Is(target error) bool { return target == ErrRefused }

func refusef(format string, args ...any) error {
	return refusal(fmt.Sprintf(format, args...))
}

// An Exposed is the error of [StrictModes] for a path that another user can change.
type Exposed struct {
	Path string // the file, directory or link that the user can change or replace
	Why  string // a clause
	Mend string // the command that changes that
}

// Error names the path, the reason, and the command.
func (e *Exposed) Error() string {
	return fmt.Sprintf("%q: %s; if all that is in it is yours, run: %s", e.Path, e.Why, e.Mend)
}

// Is reports whether target is [ErrRefused].
func (e *Exposed) Is(target error) bool { return target == ErrRefused }

// wrongKind returns the error for a file of mode m where a file of kind want was expected.
func wrongKind(m fs.FileMode, want string) error {
	if m&fs.ModeSymlink != 0 {
		return refusal("it is a symbolic link, which is not followed here: remove it")
	}
	return refusef("it is no %s but %s: move it away", want, KindOf(m))
}

func pathError(op, name string, err error) error {
	return &fs.PathError{Op: op, Path: name, Err: err}
}

// KindOf returns the name of a file type for messages, such as "directory".
func KindOf(m fs.FileMode) string {
	switch {
	case m.IsRegular():
		return "a file"
	case m&fs.ModeNamedPipe != 0:
		return "a pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeDevice != 0:
		return "a device"
	case m&fs.ModeSymlink != 0:
		return "a symbolic link"
	case m.IsDir():
		return "a directory"
	}
	return "a special file"
}

func tooLarge(name string, limit int64) error {
	return &fs.PathError{Op: "read", Path: name, Err: refusef("it is larger than %d bytes", limit)}
}

// Cause returns the reason of a file error without the path, which may be a name that
// the user did not give.
func Cause(err error) error {
	var pathErr *fs.PathError
	var linkErr *os.LinkError
	switch {
	case errors.As(err, &pathErr):
		return pathErr.Err
	case errors.As(err, &linkErr):
		return linkErr.Err
	}
	return err
}
