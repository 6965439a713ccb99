package artifact

import (
	"fmt"
	"time"

	"github.com/envwrap/envwrap/artifact/internal/filesys"
)

// DefaultOwner is the owner of pins that a person sets.
const DefaultOwner = "user"

// Pin protects an object from the collector until Unpin, or until a time unless that is
// zero. It takes an id as Get does and returns the digest.
func (s *Store) Pin(id, owner string, until time.Time) (string, error) {
	digest, err := s.pin(id, owner, until)
	if err != nil {
		return "", fmt.Errorf("pin artifact %q: %w", id, err)
	}
	return digest, nil
}

func (s *Store) pin(id, owner string, until time.Time) (string, error) {
	if s.fs.ReadOnly != nil {
		return "", s.fs.ReadOnly
	}
	if !isOwner(owner) {
		return "", fmt.Errorf("an owner is 1 to 64 letters, digits, - and _, not %q", owner)
	}
	_, name, err := Stores{s}.find(id)
	if err != nil {
		return "", err
	}
	d, err := s.fs.OpenDir(shardDir(name))
	if err != nil {
		return "", err
	}
	defer d.Close()
	s.fs.Share(d)
	if err := s.pins.write(name, owner, until); err != nil {
		return "", err
	}
	// The collector may have been faster, before the lock.
	found, err := s.objects.names(name)
	if err == nil && len(found) == 0 {
		_ = s.fs.Remove(pinName(name, owner))
		err = ErrNotFound
	}
	return digestPrefix + name, err
}

// Unpin removes an owner's pin from an object. It returns false if there was none.
func (s *Store) Unpin(id, owner string) (bool, error) {
	prefix, err := parseID(id)
	if err != nil {
		return false, err
	}
	pins, err := s.pins.of(prefix)
	if err != nil {
		return false, fmt.Errorf("unpin artifact %q: %w", id, err)
	}
	done := false
	for _, p := range pins {
		if p.Owner != owner {
			continue
		}
		if err := filesys.IgnoreNotExist(s.fs.Remove(pinName(p.Digest[len(digestPrefix):], owner))); err != nil {
			return false, fmt.Errorf("unpin artifact %q: %w", id, err)
		}
		done = true
	}
	return done, nil
}

// Pins returns all pins that have not expired.
func (s *Store) Pins() ([]Pin, error) { return s.pins.of("") }
