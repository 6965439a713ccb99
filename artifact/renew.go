package artifact

import (
	"errors"
	"fmt"
	"io/fs"
)

// Renew makes an object as young as if it were stored now, so that its grace
// begins anew: for those who name it again. It takes an id as Get does. An error
// other than [ErrNotFound] means that the object is there and has its old age.
func (s *Store) Renew(id string) error {
	_, name, err := Stores{s}.find(id)
	if err == nil {
		err = s.renew(name)
	}
	if err != nil {
		return fmt.Errorf("renew artifact %q: %w", id, err)
	}
	return nil
}

func (s *Store) renew(name string) error {
	if s.readOnly != nil {
		return s.readOnly
	}
	d, err := s.fs.OpenDir(shardDir(name))
	if err != nil {
		return err
	}
	defer d.Close()
	if err := s.lock(d, false); err != nil {
		return err
	}
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
