package cli

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"

	"github.com/envwrap/envwrap/internal/platform/safefs"
	"github.com/envwrap/envwrap/internal/shared/term"
)

// Patience is how long envwrap waits for data from a pipe or a device that was named in
// an option.
const Patience = 10 * time.Second

// readSmall reads the whole of a file that an option names. It is an error if there are
// more than limit bytes. It does not wait without end: a FIFO that no program has open
// for writing, which the substitution <(command) never is, is an error, and so is a pipe
// or a device that does not end within Patience.
func readSmall(path string, limit int64) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, safefs.Cause(err)
	case info.IsDir():
		return nil, errors.New("it is a directory")
	}
	mode, fifo := os.O_RDONLY, info.Mode()&fs.ModeNamedPipe != 0
	if fifo {
		mode |= syscall.O_NONBLOCK
	}
	f, err := os.OpenFile(path, mode, 0)
	if err != nil {
		return nil, safefs.Cause(err)
	}
	defer f.Close()
	if !info.Mode().IsRegular() {
		_ = f.SetReadDeadline(time.Now().Add(Patience)) // what has none has an end
	}
	text, err := readUpTo(f, limit)
	if errors.Is(err, os.ErrDeadlineExceeded) || err == nil && fifo && len(text) == 0 {
		return nil, errors.New("nobody writes to it")
	}
	return text, safefs.Cause(err)
}

// readRegular reads a regular file whole. The file is opened once, without
// waiting for anybody, and judged by what was opened.
func readRegular(path string, limit int64) ([]byte, error) {
	f, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readUpTo(f, limit)
}

// readUnlinked is readRegular for a path whose last component is no symbolic link.
func readUnlinked(path string, limit int64) ([]byte, error) {
	f, err := safefs.OpenPlain(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readUpTo(f, limit)
}

var errNotRegular = errors.New("it is no regular file")

// openRegular opens a regular file, without waiting for anybody.
func openRegular(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errNotRegular
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// readUpTo reads a file whole. It is an error where it has more than limit bytes.
func readUpTo(f *os.File, limit int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(text)) > limit {
		return nil, errors.New("it is larger than " + term.Bytes(limit))
	}
	return text, err
}

// ReadNamed reads a file of at most limit bytes that an option names. For a file that a
// trusted project's file names it returns the content that was hashed, not the file's
// content now.
func (env *Env) ReadNamed(path string, limit int64) ([]byte, error) {
	text, ok := env.Vouched[path]
	switch {
	case !ok:
		return readSmall(path, limit)
	case text == nil:
		return nil, fs.ErrNotExist
	case int64(len(text)) > limit:
		return nil, errors.New("it is larger than " + term.Bytes(limit))
	}
	return text, nil
}
