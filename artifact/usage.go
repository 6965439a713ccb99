package artifact

import (
	"errors"
	"fmt"
	"time"
)

// A Usage is the disk space that a store takes, in bytes.
type Usage struct {
	Objects     int   `json:"objects"`
	Bytes       int64 `json:"bytes"`  // of the objects, on disk
	Packed      int   `json:"packed"` // objects that maintenance packed
	PackedBytes int64 `json:"packed_bytes"`
	Parts       int   `json:"parts"` // output being written, or left by a dead writer
	PartBytes   int64 `json:"part_bytes"`
	Index       int64 `json:"index_bytes"`
	Quarantine  int64 `json:"quarantine_bytes"`
	Pinned      int   `json:"pinned"`     // objects
	Free        int64 `json:"free_bytes"` // left on the disk for this user; -1 if unknown
}

// Usage measures the disk space that the store takes.
func (s *Store) Usage() (*Usage, error) {
	held, err := s.sizes.measure()
	u := &Usage{Objects: int(held.objects), Bytes: held.bytes, Packed: int(held.packed), PackedBytes: held.packedBytes}
	if err = errors.Join(err, s.addRest(u)); err != nil {
		return u, fmt.Errorf("measure artifact store %q: %w", s.dir, err)
	}
	return u, nil
}

func (s *Store) addRest(u *Usage) error {
	parts, err := s.Parts()
	if err != nil {
		return err
	}
	u.Parts = len(parts)
	for _, p := range parts {
		u.PartBytes += p.Size
	}
	if u.Index, err = s.fs.SizeOf(indexDir); err != nil {
		return err
	}
	if u.Quarantine, err = s.fs.SizeOf(quarantineDir); err != nil {
		return err
	}
	held, err := s.pins.pinned()
	u.Pinned = len(held)
	u.Free = -1
	if free, freeErr := s.fs.Free(); freeErr == nil {
		u.Free = free
	}
	return err
}

// A Detail describes one object: its entry, its file and its pins.
type Detail struct {
	Entry
	Store    string    // the directory of its store
	Modified time.Time // when its age began
	Disk     int64     // bytes on disk
	Packed   bool
	Pins     []Pin
}

// Stat returns the Detail of an object, without reading its bytes.
func (s *Store) Stat(id string) (*Detail, error) { return Stores{s}.Stat(id) }

// Stat is [Store.Stat] for several stores.
func (a Stores) Stat(id string) (*Detail, error) {
	s, name, err := a.findOrFetch(id)
	if err != nil {
		return nil, err
	}
	d, err := s.stat(name)
	if err != nil {
		return nil, fmt.Errorf("look at artifact %q: %w", id, err)
	}
	return d, nil
}

func (s *Store) stat(name string) (*Detail, error) {
	e, err := s.objects.entry(name)
	if err != nil {
		return nil, err
	}
	d := &Detail{Entry: e, Store: s.dir, Modified: e.Time}
	for _, file := range s.objects.files(name) {
		if fi, err := s.fs.Lstat(objectName(file)); err == nil {
			d.Disk += fi.Size()
			d.Packed = file != name
		}
	}
	known := false
	err = s.index.eachLine(func(_ string, line *Entry) {
		if line.Digest != e.Digest {
			return
		}
		if !known {
			d.Entry, known = *line, true
		} else {
			d.Entry.merge(line)
		}
	}, nil)
	if err := s.fs.IgnoreForeign(indexDir, err); err != nil {
		return nil, err
	}
	d.Pins, err = s.pins.of(name)
	return d, err
}
