package artifact

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/envwrap/envwrap/artifact/internal/filesys"
	"github.com/envwrap/envwrap/artifact/internal/partial"
	"github.com/envwrap/envwrap/internal/platform/safefs"
)

// A Pin keeps an object from the collector. An object may have pins of several
// owners: people, jobs, remembered runs.
type Pin struct {
	Digest string    // sha256:<hex>
	Owner  string    // 1 to 64 letters, digits, - and _
	Until  time.Time // zero: for ever
}

// pins are the pins of a store: a file for each.
type pins struct {
	fs    *filesys.Volume
	parts *partial.Files
	now   func() time.Time
}

// DefaultOwner is the owner of pins that a person sets.
const DefaultOwner = "user"

// forEver is what the file of a pin without an end says.
const forEver = "for ever"

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

// write makes a pin's file, which is there in one step: its name says all
// but the time. An older one is replaced.
func (ps *pins) write(name, owner string, until time.Time) error {
	if err := ps.fs.Ensure(pinsDir); err != nil {
		return err
	}
	text := forEver
	if !until.IsZero() {
		text = until.UTC().Format(time.RFC3339)
	}
	p, err := ps.parts.Write(appendChecksummed(nil, []byte(text)))
	if err != nil {
		return err
	}
	defer p.Drop()
	if err := ps.fs.Rename(p.Name, pinName(name, owner)); err != nil {
		return err
	}
	return ps.fs.SyncDir(pinsDir)
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
		if err := filesys.UnlessGone(s.fs.Remove(pinName(p.Digest[len(digestPrefix):], owner))); err != nil {
			return false, fmt.Errorf("unpin artifact %q: %w", id, err)
		}
		done = true
	}
	return done, nil
}

// Pins returns all pins that have not expired.
func (s *Store) Pins() ([]Pin, error) { return s.pins.of("") }

// of returns the pins of the objects whose names begin with prefix. A pin that
// cannot be read counts, since it is better to keep too much.
func (ps *pins) of(prefix string) ([]Pin, error) {
	names, err := ps.fs.NamesIn(pinsDir)
	if err != nil {
		return nil, err
	}
	var pins []Pin
	for _, file := range names {
		name, owner, ok := strings.Cut(file, ".")
		if !ok || !isObject(name) || !strings.HasPrefix(name, prefix) {
			continue
		}
		p := Pin{Digest: digestPrefix + name, Owner: owner}
		p.Until, _ = ps.read(file)
		if p.Until.IsZero() || p.Until.After(ps.now()) {
			pins = append(pins, p)
		}
	}
	return pins, nil
}

// read returns until when a pin holds.
func (ps *pins) read(file string) (time.Time, error) {
	b, err := ps.fs.ReadFile(pinsDir+"/"+file, 64)
	if err != nil {
		return time.Time{}, err
	}
	text, ok := parseChecksummed(bytes.TrimSuffix(b, []byte("\n")))
	switch {
	case !ok:
		return time.Time{}, errors.New("the pin is damaged and holds for ever: pin again")
	case string(text) == forEver:
		return time.Time{}, nil
	}
	return time.Parse(time.RFC3339, string(text))
}

// held returns the objects that pins hold.
func (ps *pins) held() (map[key]bool, error) {
	pins, err := ps.of("")
	if err != nil {
		return nil, err
	}
	held := map[key]bool{}
	for _, p := range pins {
		if k, ok := keyOf(p.Digest[len(digestPrefix):]); ok {
			held[k] = true
		}
	}
	return held, nil
}

func pinName(name, owner string) string { return pinsDir + "/" + name + "." + owner }

func isOwner(s string) bool {
	return s != "" && len(s) <= 64 && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") == ""
}

// Path returns the absolute path of an object's file, for programs that need one. The
// file is read-only and exists until the collector removes the object. For a packed
// object, which has no plain file, Path returns an error.
func (s *Store) Path(id string) (string, error) { return Stores{s}.Path(id) }

// Path is [Store.Path] for several stores.
func (a Stores) Path(id string) (string, error) {
	s, name, err := a.bring(id)
	if err != nil {
		return "", err
	}
	fi, err := s.fs.Lstat(objectName(name))
	if err != nil {
		return "", fmt.Errorf("artifact %q is packed: use artifact cat %s", id, digestPrefix+name)
	}
	if !fi.Mode().IsRegular() {
		return "", fmt.Errorf("artifact %q: it is no regular file but %s", id, safefs.KindOf(fi.Mode()))
	}
	return s.dir + string(os.PathSeparator) + objectsDir + string(os.PathSeparator) +
		name[:2] + string(os.PathSeparator) + name, nil
}

// dropEnded removes the files of pins that have expired.
func (ps *pins) dropEnded() error {
	files, err := ps.fs.NamesIn(pinsDir)
	if err != nil {
		return err
	}
	for _, file := range files {
		name, _, ok := strings.Cut(file, ".")
		if !ok || !isObject(name) || !ps.ended(file) {
			continue
		}
		if err := filesys.UnlessGone(ps.dropIfEnded(name, file)); err != nil {
			return err
		}
	}
	return nil
}

// dropIfEnded removes a pin under the lock that keeps others from setting it again. If
// the lock is taken the pin is left for another time.
func (ps *pins) dropIfEnded(name, file string) error {
	d, err := ps.fs.OpenDir(shardDir(name))
	if err != nil {
		return err
	}
	defer d.Close()
	if ps.fs.TryLock(d) != nil || !ps.ended(file) {
		return nil
	}
	return ps.fs.Remove(pinsDir + "/" + file)
}

// ended reports whether a pin has expired.
func (ps *pins) ended(file string) bool {
	until, err := ps.read(file)
	return err == nil && !until.IsZero() && !until.After(ps.now())
}
