package artifact

import (
	"errors"
	"fmt"
	"io/fs"
	"time"
)

// ErrPinned means that an object is not removed because somebody pinned it.
var ErrPinned = errors.New("it is pinned: unpin it first")

// Remove takes an object away at once, whatever its age, and returns its
// digest. A pinned one stays ([ErrPinned]).
func (s *Store) Remove(id string) (string, error) {
	name, err := s.change(id, s.lockWaiting, s.removeNow)
	if err != nil {
		return "", fmt.Errorf("remove artifact %q: %w", id, err)
	}
	return digestPrefix + name, nil
}

// change does something with an object while its shard is locked by lock.
func (s *Store) change(id string, lock func(file) error, do func(name string) error) (string, error) {
	_, name, err := Stores{s}.find(id)
	if err != nil {
		return "", err
	}
	if s.readOnly != nil {
		return "", s.readOnly
	}
	d, err := s.fs.OpenDir(shardDir(name))
	if err != nil {
		return "", err
	}
	defer d.Close()
	if err := lock(d); err != nil {
		return "", err
	}
	return name, do(name)
}

func (s *Store) removeNow(name string) error {
	pins, err := s.pinsOf(name)
	if err != nil {
		return err
	}
	if len(pins) > 0 {
		return ErrPinned
	}
	gone, err := s.take(name, s.now().Add(farAway))
	if err == nil && !gone {
		err = ErrNotFound
	}
	return err
}

// farAway makes every object old.
const farAway = 100 * 365 * 24 * time.Hour

// Renew makes an object as young as if it were stored now, so that its grace
// begins anew: for those who name it again. It takes an id as Get does. An error
// other than [ErrNotFound] means that the object is there and has its old age.
func (s *Store) Renew(id string) error {
	shared := func(d file) error { return s.lock(d, false) }
	if _, err := s.change(id, shared, s.renew); err != nil {
		return fmt.Errorf("renew artifact %q: %w", id, err)
	}
	return nil
}

func (s *Store) renew(name string) error {
	there := false
	for _, suffix := range suffixes {
		err := s.fs.Chtimes(objectName(name)+suffix, s.now())
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return err
		default:
			there = true
		}
	}
	if !there {
		return ErrNotFound
	}
	return nil
}
