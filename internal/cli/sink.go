package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// A sink is where the envelope goes: a file that appears whole or not at all,
// or a stream that is written as it is (stdout, a terminal, a FIFO, a device).
type sink struct {
	path   string   // the file; "" for a stream
	stream *os.File // the stream; nil for a file
	opened bool     // the stream is ours to close

	readers *readership // of the stream
}

// openSink finds out whether name can be written, so that a command is not run
// for nothing. "" and "-" are stdout.
func (w *World) openSink(name string) (*sink, error) {
	if name == "" || name == "-" {
		return &sink{stream: w.Stdout}, nil
	}
	if f := w.standard(name); f != nil {
		return &sink{stream: f}, nil
	}
	path := w.path(name)
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return nil, errors.New("it is a directory")
	case err == nil && !info.Mode().IsRegular():
		return openStream(path, info.Mode())
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, cause(err)
	}
	if path, err = followed(path); err != nil {
		return nil, cause(err)
	}
	return &sink{path: path}, probe(filepath.Dir(path))
}

// standard knows the names of stdout and stderr. Opening them by name would
// give a second position in a file, and fails for sockets.
func (w *World) standard(name string) *os.File {
	switch filepath.Clean(name) {
	case "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1":
		return w.Stdout
	case "/dev/stderr", "/dev/fd/2", "/proc/self/fd/2":
		return w.Stderr
	}
	return nil
}

// openStream opens a device or a FIFO. A FIFO that nobody reads is an error
// rather than a wait without end.
func openStream(path string, mode fs.FileMode) (*sink, error) {
	flags := os.O_WRONLY
	if mode&fs.ModeNamedPipe != 0 {
		flags |= syscall.O_NONBLOCK
	}
	f, err := os.OpenFile(path, flags, 0)
	if errors.Is(err, syscall.ENXIO) && mode&fs.ModeNamedPipe != 0 {
		return nil, errors.New("nobody reads this FIFO")
	}
	if err != nil {
		return nil, cause(err)
	}
	return &sink{stream: f, opened: true}, nil
}

// followed resolves symbolic links, also one that leads to a file which is not
// there yet, so that the link stays and what it names is replaced.
func followed(path string) (string, error) {
	for range 40 {
		info, err := os.Lstat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return path, nil
		case err != nil:
			return "", err
		case info.Mode()&fs.ModeSymlink == 0:
			return path, nil
		}
		target, err := os.Readlink(path)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		path = target
	}
	return "", errors.New("too many symbolic links")
}

// probe makes a file in dir and removes it: permission bits do not tell of
// read-only file systems and immutable directories.
func probe(dir string) error {
	f, err := os.CreateTemp(dir, temporary)
	if err != nil {
		return cause(err)
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// temporary is the pattern of files that are being written.
const temporary = ".envwrap-*.tmp"

// write writes one envelope.
func (s *sink) write(doc []byte) error {
	return cause(s.fill(func(w io.Writer) error {
		_, err := w.Write(doc)
		return err
	}))
}

// fill has content write what there is to write. Its error is handed on as it is.
func (s *sink) fill(content func(io.Writer) error) error {
	if s.stream == nil {
		return replace(s.path, content)
	}
	return content(s.readers.writer(s.stream))
}

// close ends a stream that was opened here. What was written stays.
func (s *sink) close() error {
	if !s.opened {
		return nil
	}
	return cause(s.stream.Close())
}

// replace has content write a file beside path and renames it, so that path is
// whole or untouched, whatever happens. The file is readable by its owner only.
func replace(path string, content func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), temporary)
	if err != nil {
		return cause(err)
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name())
		}
	}()
	if err = content(f); err == nil {
		err = cause(f.Sync())
	}
	if closeErr := f.Close(); err == nil {
		err = cause(closeErr)
	}
	if err != nil {
		return err
	}
	return cause(os.Rename(f.Name(), path))
}

// cause is the bare reason of a file error; its path may be a name that the
// user did not give.
func cause(err error) error {
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

// outputError is the usage error of an -o that cannot be written.
func outputError(name string, err error) error {
	return &usageError{
		text: fmt.Sprintf("option --output: cannot write %q: %v", name, err),
		hint: "Name a file in a directory that exists and can be written.",
	}
}
