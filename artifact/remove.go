package artifact

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/envwrap/envwrap/artifact/internal/filesys"
)

// ErrPinned means that an object is not removed because somebody pinned it.
var ErrPinned = errors.New("it is pinned")

// Remove removes an object at once, whatever its age, and returns its digest. If the
// object is pinned, the error wraps ErrPinned and names the owners of the pins.
func (s *Store) Remove(id string) (string, error) {
	name, err := s.removeNow(id)
	if err != nil {
		return "", fmt.Errorf("remove artifact %q: %w", id, err)
	}
	return digestPrefix + name, nil
}

func (s *Store) removeNow(id string) (string, error) {
	name, d, err := s.openShardOf(id)
	if err != nil {
		return "", err
	}
	defer d.Close()
	if err := s.fs.Lock(d); err != nil {
		return "", err
	}
	pins, err := s.pins.of(name)
	if err != nil {
		return "", err
	}
	if len(pins) > 0 {
		return "", fmt.Errorf("%w by %s", ErrPinned, owners(pins))
	}
	gone, err := s.objects.evict(name, s.now().Add(anyAge))
	if err == nil && !gone {
		err = ErrNotFound
	}
	return name, err
}

// owners returns the owners of pins, separated by commas.
func owners(pins []Pin) string {
	var list []string
	for _, p := range pins {
		list = append(list, p.Owner)
	}
	return strings.Join(list, ", ")
}

// openShardOf returns the name of the object that id names, and opens its shard.
func (s *Store) openShardOf(id string) (name string, d filesys.File, err error) {
	if _, name, err = (Stores{s}).find(id); err != nil {
		return "", nil, err
	}
	if s.fs.ReadOnly != nil {
		return "", nil, s.fs.ReadOnly
	}
	d, err = s.fs.OpenDir(shardDir(name))
	return name, d, err
}

// anyAge in the future is a limit that every object is older than.
const anyAge = 100 * 365 * 24 * time.Hour

// Renew resets an object's age to zero, as storing it again would, so that its grace
// begins anew. It takes an id as Get does. An error other than ErrNotFound means that
// the object exists and has its old age.
func (s *Store) Renew(id string) error {
	if err := s.renew(id); err != nil {
		return fmt.Errorf("renew artifact %q: %w", id, err)
	}
	return nil
}

func (s *Store) renew(id string) error {
	name, d, err := s.openShardOf(id)
	if err != nil {
		return err
	}
	defer d.Close()
	s.fs.Share(d)
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
