package job

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/envwrap/envwrap/internal/owned"
)

// Files of a job have one writer at a time: its submitter, then its
// supervisor, then, once that is dead, whoever has the lock of its directory.

// put replaces a file whole: a reader sees the old one or the new one, also
// after a power cut.
func (s *Store) put(id, file string, data []byte) error {
	name := id + "/" + file
	return s.root.WriteFile(name, name+".new", data, true)
}

// write writes a new file and forces it to disk.
func (s *Store) write(name string, data []byte) error { return s.root.WriteNew(name, data, true) }

func (s *Store) syncDir(name string) error { return s.root.Sync(name) }

// recordMost bounds what is read of a record: an argument list may be long, and
// so may the payload of an envelope that the command printed.
const recordMost = 64 << 20

// read reads a file of at most recordMost bytes. The error wraps [ErrDamaged] if the
// file is longer, or is not a regular file.
func (s *Store) read(name string) ([]byte, error) {
	data, err := s.root.ReadFile(name, recordMost)
	if errors.Is(err, owned.ErrRefused) {
		err = fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return data, err
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}

// has reports whether a job has a file.
func (s *Store) has(id, file string) bool {
	_, err := s.root.Lstat(id + "/" + file)
	return err == nil
}

// touch makes an empty file if there is none.
func (s *Store) touch(name string) error {
	f, err := s.root.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// openLock opens the file of a lock, to take the lock, and makes it if it is missing.
func (s *Store) openLock(name string) (*os.File, error) {
	return s.root.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
}

// same reports whether name still is the file that f has open.
func (s *Store) same(f *os.File, name string) bool { return s.root.Same(f, name) }

// names lists a directory; one that is missing has no names.
func (s *Store) names(dir string) ([]string, error) {
	names, err := s.root.Names(dir)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return names, err
}
