package artifact

import (
	"bytes"
	"errors"
	"strings"
	"time"

	"github.com/envwrap/envwrap/artifact/internal/filesys"
	"github.com/envwrap/envwrap/artifact/internal/partial"
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

// forEver is the content of a pin's file without an end.
const forEver = "for ever"

// write makes a pin's file atomically: its name has all but the time. It replaces an
// older one.
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

// of returns the pins of the objects whose names begin with prefix. An unreadable pin
// counts, so that rather too much is kept.
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

// pinned returns the objects that pins hold.
func (ps *pins) pinned() (map[key]bool, error) {
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

// dropExpired removes the files of pins that have expired.
func (ps *pins) dropExpired() error {
	files, err := ps.fs.NamesIn(pinsDir)
	if err != nil {
		return err
	}
	for _, file := range files {
		name, _, ok := strings.Cut(file, ".")
		if !ok || !isObject(name) || !ps.expired(file) {
			continue
		}
		if err := filesys.IgnoreNotExist(ps.dropIfExpired(name, file)); err != nil {
			return err
		}
	}
	return nil
}

// dropIfExpired removes a pin under the lock without which no process sets it again. If
// the lock is taken, a later call removes the pin.
func (ps *pins) dropIfExpired(name, file string) error {
	d, err := ps.fs.OpenDir(shardDir(name))
	if err != nil {
		return err
	}
	defer d.Close()
	if ps.fs.TryLock(d) != nil || !ps.expired(file) {
		return nil
	}
	return ps.fs.Remove(pinsDir + "/" + file)
}

// expired reports whether a pin has expired.
func (ps *pins) expired(file string) bool {
	until, err := ps.read(file)
	return err == nil && !until.IsZero() && !until.After(ps.now())
}
