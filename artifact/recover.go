package artifact

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/envwrap/envwrap/artifact/internal/filesys"
	"github.com/envwrap/envwrap/artifact/internal/partial"
)

// A Part is a part file: output that is being written, or that a dead writer left.
type Part struct {
	Name  string    // inside part/
	Size  int64     // bytes so far
	Time  time.Time // of the last write
	Alive bool      // its writer lives
}

// Parts returns the part files, in no particular order.
func (s *Store) Parts() ([]Part, error) {
	if err := s.fs.Check(partDir); err != nil {
		return nil, filesys.IgnoreNotExist(err)
	}
	files, err := s.fs.ReadDir(partDir)
	if err != nil {
		return nil, err
	}
	var parts []Part
	for _, fi := range files {
		if !fi.Mode().IsRegular() || partial.Scratch.Matches(fi.Name()) {
			continue
		}
		f, err := s.parts.Claim(fi.Name())
		if err == nil {
			f.Close()
		}
		parts = append(parts, Part{fi.Name(), fi.Size(), fi.ModTime(), err != nil})
	}
	return parts, nil
}

// A Salvage is the object that [Store.Recover] made of a dead writer's part file.
type Salvage struct {
	Part   string `json:"part"`             // its name
	Digest string `json:"digest,omitempty"` // of the object made of it; "" if it was empty
	Size   int64  `json:"size_bytes"`
}

// Recover makes objects of the part files of dead writers: output that was captured until
// a kill or a power cut. It skips parts that are being written. It continues after an
// error and joins the errors.
func (s *Store) Recover() ([]Salvage, error) {
	if s.fs.ReadOnly != nil {
		return nil, s.fs.ReadOnly
	}
	err := s.objects.finishEvictions()
	names, listErr := s.fs.NamesIn(partDir)
	err = errors.Join(err, listErr)
	var done []Salvage
	for _, base := range names {
		saved, partErr := s.salvage(base)
		if filesys.IgnoreNotExist(partErr) != nil && !errors.Is(partErr, filesys.ErrBusy) {
			err = errors.Join(err, fmt.Errorf("recover %q: %w", base, partErr))
		}
		if partErr == nil && saved != nil {
			done = append(done, *saved)
		}
	}
	return done, err
}

// salvage makes an object of a dead writer's part file, or removes an empty one.
func (s *Store) salvage(base string) (*Salvage, error) {
	f, err := s.parts.Claim(base)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if partial.Scratch.Matches(base) {
		return nil, s.fs.Remove(f.Name)
	}
	h := sha256.New()
	size, err := io.Copy(h, f)
	if err != nil {
		return nil, err
	}
	if size == 0 {
		return &Salvage{Part: base}, s.fs.Remove(f.Name)
	}
	later, err := s.objects.finishPart(f)
	if err != nil {
		return nil, err
	}
	object := hex.EncodeToString(h.Sum(nil))
	if err := s.objects.publish(f, later, object, size); err != nil {
		return nil, err
	}
	s.index.add(object, size, base, Info{Stream: "salvaged"})
	err = filesys.IgnoreNotExist(s.fs.Remove(f.Name)) // moved, where there are no hard links
	return &Salvage{base, digestPrefix + object, size}, err
}
