// Package scratch makes directories for the temporary files of one run, and removes those
// that were left by runs which SIGKILL ended.
//
// A directory is locked (flock(2)) for as long as the process that made it lives. One whose
// lock is free is left over: Sweep removes it after an hour, since commands of the killed run
// may still use its files. On systems where a directory cannot be locked, such as Windows,
// nothing is swept.
package scratch

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/envwrap/envwrap/internal/platform/filelock"
	"github.com/envwrap/envwrap/internal/platform/safefs"
)

const (
	prefix = "envwrap-run-" // of the names of the directories

	// second is where directories are made if the usual place takes none: some sandboxes
	// leave no other.
	second = "/dev/shm"

	leftFor   = time.Hour
	sweepMost = 4096 // entries of a place that Sweep looks at
)

// A Dir is a directory of this process, mode 0700.
type Dir struct {
	Path string
	held *os.File // has the lock; nil where there are none
}

// New makes a directory in the place for temporary files.
func New() (*Dir, error) { return newIn("", second) }

// newIn makes a directory in one of two places, and returns the error of the first.
func newIn(first, second string) (*Dir, error) {
	path, err := os.MkdirTemp(first, prefix)
	if err != nil {
		var again error
		if path, again = os.MkdirTemp(second, prefix); again != nil {
			return nil, err
		}
	}
	d := &Dir{Path: path}
	if held, err := os.Open(path); err == nil {
		if locked, _ := filelock.Shared.Try(held); locked {
			d.held = held
		} else {
			held.Close()
		}
	}
	return d, nil
}

// Remove removes the directory and its files.
func (d *Dir) Remove() error {
	err := os.RemoveAll(d.Path)
	if d.held != nil {
		err = errors.Join(err, d.held.Close())
	}
	return err
}

// Sweep removes what was left where New makes directories, and returns how many
// directories that were.
func Sweep(now time.Time) int {
	return sweepPlace(os.TempDir(), now) + sweepPlace(second, now)
}

func sweepPlace(place string, now time.Time) (n int) {
	f, err := os.Open(place)
	if err != nil {
		return 0
	}
	entries, _ := f.ReadDir(sweepMost)
	f.Close()
	for _, e := range entries {
		if e.IsDir() && strings.HasPrefix(e.Name(), prefix) && sweep(filepath.Join(place, e.Name()), now) {
			n++
		}
	}
	return n
}

// sweep removes a directory of this user that was left, and reports whether it did.
func sweep(path string, now time.Time) bool {
	d, err := safefs.Open(path)
	if err != nil {
		return false // another user's
	}
	defer d.Close()
	info, err := d.File().Stat()
	if err != nil || now.Sub(info.ModTime()) < leftFor {
		return false
	}
	free, _ := filelock.Exclusive.Try(d.File())
	return free && os.RemoveAll(path) == nil
}
