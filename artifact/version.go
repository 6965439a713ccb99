package artifact

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/envwrap/envwrap/artifact/internal/filesys"
	"github.com/envwrap/envwrap/artifact/internal/partial"
)

// Version is the number of the layout that this package writes. A store of
// another version is opened for reading only.
const Version = "1"

func (s *Store) readVersion() error {
	b, err := s.fs.ReadFile(versionFile, 64)
	if err != nil {
		return filesys.UnlessGone(err)
	}
	s.version = strings.TrimSpace(string(b))
	if s.version != Version {
		s.fs.ReadOnly = &VersionError{s.version}
	}
	return nil
}

// writable reports why nothing can be stored, after it has tried.
func (s *Store) writable() error {
	if s.fs.ReadOnly != nil {
		return s.fs.ReadOnly
	}
	if s.version == "" {
		if err := s.initialize(); err != nil {
			return err
		}
	}
	p, err := s.parts.Create(partial.Captured)
	if err != nil {
		return err
	}
	s.prepared.Store(p)
	return nil
}

// initialize makes an empty directory a store. The version file appears whole
// or not at all, and another process's is left as it is.
func (s *Store) initialize() error {
	p, err := s.parts.Write([]byte(Version + "\n"))
	if err != nil {
		return err
	}
	defer p.Drop()
	if err := s.fs.Place(p.Name, versionFile); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	s.version = Version
	return s.fs.SyncDir(".")
}

// A VersionError means that a store has a layout that this package does not write. It
// can be read as far as the layouts agree.
type VersionError struct{ Found string }

func (e *VersionError) Error() string {
	return fmt.Sprintf("its layout has version %q, and this envwrap writes %q: it is read only", e.Found, Version)
}
