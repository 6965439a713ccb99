package artifact

import (
	"errors"
	"fmt"
	"time"
)

// ErrPinned means that an object is not removed because somebody pinned it.
var ErrPinned = errors.New("it is pinned: unpin it first")

// Remove takes an object away at once, whatever its age, and returns its
// digest. A pinned one stays ([ErrPinned]).
func (s *Store) Remove(id string) (string, error) {
	_, name, err := Stores{s}.find(id)
	if err == nil {
		err = s.removeNow(name)
	}
	if err != nil {
		return "", fmt.Errorf("remove artifact %q: %w", id, err)
	}
	return digestPrefix + name, nil
}

func (s *Store) removeNow(name string) error {
	if s.readOnly != nil {
		return s.readOnly
	}
	d, err := s.fs.OpenDir(shardDir(name))
	if err != nil {
		return err
	}
	defer d.Close()
	if err := s.lockPatiently(d); err != nil {
		return err
	}
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
