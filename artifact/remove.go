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

// Remove removes an object at once, whatever its age, and returns its digest. The error
// wraps ErrPinned, and names the owners of the pins, if it is pinned.
func (s *Store) Remove(id string) (string, error) {
	name, err := s.removeNow(id)
	if err != nil {
		return "", fmt.Errorf("remove artifact %q: %w", id, err)
	}
	return digestPrefix + name, nil
}

func (s *Store) removeNow(id string) (string, error) {
	name, d, err := s.shardOf(id)
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
	gone, err := s.objects.take(name, s.now().Add(farAway))
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

// shardOf finds an object that is to be changed, and opens its shard.
func (s *Store) shardOf(id string) (name string, d filesys.File, err error) {
	if _, name, err = (Stores{s}).find(id); err != nil {
		return "", nil, err
	}
	if s.fs.ReadOnly != nil {
		return "", nil, s.fs.ReadOnly
	}
	d, err = s.fs.OpenDir(shardDir(name))
	return name, d, err
}

// farAway makes every object old.
const farAway = 100 * 365 * 24 * time.Hour

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
	name, d, err := s.shardOf(id)
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

// removingPrefix begins the names of objects in run/ that the collector has
// taken out of sight and not yet removed.
const removingPrefix = "gone-"

// take removes an object that was last stored before limit. False means that
// it is younger, or gone.
//
// It is moved aside first, and looked at there. So it is safe even where a
// writer has no lock: if the writer renewed the object before the move, the
// collector sees that and puts it back; if after, the writer finds nothing,
// and stores its own bytes.
func (obs *objects) take(name string, limit time.Time) (bool, error) {
	taken := false
	for _, suffix := range suffixes {
		ok, err := obs.takeFile(name+suffix, limit)
		if err != nil {
			return false, err
		}
		taken = taken || ok
	}
	return taken, nil
}

func (obs *objects) takeFile(file string, limit time.Time) (bool, error) {
	object := objectName(file)
	fi, err := obs.fs.Lstat(object)
	if err != nil || fi.ModTime().After(limit) {
		return false, filesys.UnlessGone(err)
	}
	if err := obs.fs.Ensure(runDir); err != nil {
		return false, err
	}
	if err := obs.fs.Rename(object, runDir+"/"+removingPrefix+file); err != nil {
		return false, filesys.UnlessGone(err)
	}
	return obs.decide(file, limit)
}

// decide removes a file that was moved aside, or puts it back.
func (obs *objects) decide(file string, limit time.Time) (bool, error) {
	moved := runDir + "/" + removingPrefix + file
	fi, err := obs.fs.Lstat(moved)
	if err != nil {
		return false, filesys.UnlessGone(err)
	}
	young := fi.ModTime().After(limit)
	if young {
		if err := obs.putBack(moved, file); err != nil {
			return false, err
		}
	}
	err = filesys.UnlessGone(obs.fs.Remove(moved))
	return !young && err == nil, err
}

// putBack moves a file back that turned out to be young enough to stay.
func (obs *objects) putBack(moved, file string) error {
	err := obs.fs.Place(moved, objectName(file))
	if errors.Is(err, fs.ErrNotExist) {
		if _, gone := obs.fs.Lstat(moved); errors.Is(gone, fs.ErrNotExist) {
			return nil // another process was faster
		}
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return obs.fs.SyncDir(shardDir(file))
}

// settleTaken completes what a collector that was killed has left in run/.
func (obs *objects) settleTaken() error {
	names, err := obs.fs.NamesIn(runDir)
	if err != nil {
		return err
	}
	for _, file := range names {
		name, ok := strings.CutPrefix(file, removingPrefix)
		if object, _ := cutSuffix(name); !ok || !isObject(object) {
			continue
		}
		if _, err := obs.decide(name, obs.now().Add(-DefaultGrace)); err != nil {
			return err
		}
	}
	return nil
}
