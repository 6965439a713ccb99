// Package output writes documents to where a user wants them: a file that appears
// whole or not at all, or a stream whose readers may be slow, or gone.
package output

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/envwrap/envwrap/internal/platform/safefs"
)

// A Sink is the destination of an envelope: a file that is replaced atomically, or a
// stream (stdout, a terminal, a FIFO, a device).
type Sink struct {
	path   string   // the file; "" for a stream
	Stream *os.File // the stream; nil for a file
	opened bool     // the stream is ours to close
	room   *os.File // has room for an envelope on the disk of path, and no name; or nil

	Readers *Readers // of the stream
}

// OpenSink opens the file or stream with a name; "" and "-" are stdout. path makes a
// name absolute. It fails if the file cannot be written, so that no command is run in
// vain. On Linux it keeps room on the disk for an envelope in the file, which a command that
// fills the disk does not get.
func OpenSink(name string, path func(string) string, stdout, stderr *os.File) (*Sink, error) {
	if name == "" || name == "-" {
		return &Sink{Stream: stdout}, nil
	}
	if f := Standard(name, stdout, stderr); f != nil {
		return &Sink{Stream: f}, nil
	}
	file := path(name)
	info, err := os.Stat(file)
	switch {
	case err == nil && info.IsDir():
		return nil, errors.New("it is a directory")
	case err == nil && !info.Mode().IsRegular():
		return openStream(file, info.Mode())
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, safefs.Cause(err)
	}
	if file, err = followed(file); err != nil {
		return nil, safefs.Cause(err)
	}
	room, err := probe(filepath.Dir(file))
	return &Sink{path: file, room: room}, err
}

// Standard returns stdout or stderr if name is one of their names, such as /dev/stdout,
// else nil. Opening them by name would give a second position in a file, and fails for
// sockets.
func Standard(name string, stdout, stderr *os.File) *os.File {
	switch filepath.Clean(name) {
	case "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1":
		return stdout
	case "/dev/stderr", "/dev/fd/2", "/proc/self/fd/2":
		return stderr
	}
	return nil
}

// openStream opens a device or a FIFO. A FIFO that nobody reads is an error
// rather than a wait without end.
func openStream(path string, mode fs.FileMode) (*Sink, error) {
	flags := os.O_WRONLY
	if mode&fs.ModeNamedPipe != 0 {
		flags |= syscall.O_NONBLOCK
	}
	f, err := os.OpenFile(path, flags, 0)
	if errors.Is(err, syscall.ENXIO) && mode&fs.ModeNamedPipe != 0 {
		return nil, errors.New("nobody reads this FIFO")
	}
	if err != nil {
		return nil, safefs.Cause(err)
	}
	return &Sink{Stream: f, opened: true}, nil
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

// probe makes a file in dir and removes it: permission bits do not show
// read-only file systems and immutable directories. It returns the file if that keeps room.
func probe(dir string) (room *os.File, err error) {
	f, err := os.CreateTemp(dir, temporary)
	if err != nil {
		return nil, safefs.Cause(err)
	}
	if keepRoom(f) {
		return f, os.Remove(f.Name())
	}
	return nil, errors.Join(f.Close(), os.Remove(f.Name()))
}

// temporary is the pattern of files that are being written.
const temporary = ".envwrap-*.tmp"

// Write writes one envelope. If the disk is full it has the room that OpenSink has kept.
func (s *Sink) Write(doc []byte) error {
	content := func(w io.Writer) error {
		_, err := w.Write(doc)
		return err
	}
	err := s.fill(content)
	if s.room != nil && (errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)) {
		s.freeRoom()
		err = s.fill(content)
	}
	return safefs.Cause(err)
}

// WriteNow writes the beginning of an envelope that the stream takes without waiting for
// its reader, and returns its length: all of it, mostly, and 0 for a file. Only Write
// reports errors, so the rest is to be written by it.
func (s *Sink) WriteNow(doc []byte) int { return writeNow(s.Stream, doc) }

// Fill calls content to write the output, and returns its error unchanged.
func (s *Sink) Fill(content func(io.Writer) error) error {
	s.freeRoom()
	return s.fill(content)
}

func (s *Sink) fill(content func(io.Writer) error) error {
	if s.Stream == nil {
		return replace(s.path, content)
	}
	return content(s.Readers.Writer(s.Stream))
}

// freeRoom gives the room back that OpenSink has kept.
func (s *Sink) freeRoom() {
	if s.room != nil {
		_ = s.room.Close()
		s.room = nil
	}
}

// Close closes a stream that OpenSink opened.
func (s *Sink) Close() error {
	s.freeRoom()
	if !s.opened {
		return nil
	}
	return safefs.Cause(s.Stream.Close())
}

// replace has content write a file beside path and renames it, so that path is
// whole or untouched, whatever happens. The file is readable by its owner only.
func replace(path string, content func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), temporary)
	if err != nil {
		return safefs.Cause(err)
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name())
		}
	}()
	if err = content(f); err == nil {
		err = safefs.Cause(f.Sync())
	}
	if closeErr := f.Close(); err == nil {
		err = safefs.Cause(closeErr)
	}
	if err != nil {
		return err
	}
	return safefs.Cause(os.Rename(f.Name(), path))
}
