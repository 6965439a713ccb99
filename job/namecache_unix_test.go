//go:build unix

package job

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/envwrap/envwrap/internal/platform/safefs"
)

// A crowd is a store with as many names as are worth their file.
type crowd struct {
	*Store
	t     *testing.T
	file  string
	count int
}

func newCrowd(t *testing.T) *crowd {
	c := &crowd{Store: newStore(t), t: t}
	c.file = filepath.Join(c.root.Name(), namesFile)
	c.add()
	for c.count < namesMin {
		check(t, os.Link(c.name(0), c.name(c.count))) // makes no file of its own
		c.count++
	}
	c.age(time.Hour)
	return c
}

// name is the nth name.
func (c *crowd) name(n int) string {
	return filepath.Join(c.root.Name(), testID(time.UnixMilli(1e12), n))
}

// add makes one more name; a file does as well as a job.
func (c *crowd) add() {
	c.t.Helper()
	check(c.t, os.WriteFile(c.name(c.count), nil, 0o600))
	c.count++
}

// state returns the state of the directory.
func (c *crowd) state() safefs.State {
	c.t.Helper()
	state, err := c.root.State(".")
	check(c.t, err)
	return state
}

// age sets the clock to some time after the last change of the directory.
func (c *crowd) age(d time.Duration) {
	c.t.Helper()
	now := time.Unix(0, c.state().Changed).Add(d)
	c.names.now = func() time.Time { return now }
}

// change waits until the clock of the file system has ticked, as [stableAfter] has us wait.
func (c *crowd) change(old safefs.State) {
	c.t.Helper()
	for c.state() == old {
		check(c.t, c.root.Mkdir("x", 0o700), c.root.Remove("x"))
	}
	c.age(time.Hour)
}

// kept reports whether the file has what the directory has.
func (c *crowd) kept() bool {
	ids, _ := c.names.known(c.state())
	return ids != nil
}

// look compares the ids that jobNames returns with those of the directory.
func (c *crowd) look(when string) {
	c.t.Helper()
	names, err := c.names.all()
	check(c.t, err)
	want, err := c.root.Names(".")
	check(c.t, err)
	ids := func(names []string) []string {
		names = slices.DeleteFunc(names, func(name string) bool { return !IsID(name) })
		slices.Sort(names)
		return names
	}
	if names, want = ids(names), ids(want); !slices.Equal(names, want) {
		c.t.Errorf("%s: %d ids, want %d", when, len(names), len(want))
	}
}

// TestNames keeps the names at the second look without a change in between, and takes
// them for those of the directory for as long as it does not change.
func TestNames(t *testing.T) {
	t.Parallel()
	c := newCrowd(t)
	c.keeps(t)
	c.damages(t)
	c.refuses(t)
}

func (c *crowd) keeps(t *testing.T) {
	for i, want := range []bool{false, true, true} {
		c.look(fmt.Sprintf("look %d", i))
		if c.kept() != want {
			t.Errorf("look %d: kept %t", i, c.kept())
		}
	}
	for name, do := range map[string]func() error{
		"a job is added":    func() error { c.add(); return nil },
		"a job is removed":  func() error { return os.Remove(c.name(7)) },
		"a job is replaced": func() error { return os.Rename(c.name(8), c.name(1<<15)) },
	} {
		old := c.state()
		check(t, do())
		c.change(old)
		for range 3 {
			c.look(name)
		}
		if !c.kept() {
			t.Errorf("%s: not kept", name)
		}
	}
}

// refuses keeps no names of the last tick of the clock, no few, and none where there is
// no place for them.
func (c *crowd) refuses(t *testing.T) {
	never := func(when string) {
		t.Helper()
		for range 3 {
			c.look(when)
		}
		if c.kept() {
			t.Errorf("%s: kept", when)
		}
	}
	for _, d := range []time.Duration{-time.Hour, 0, stableAfter} {
		c.change(c.state())
		c.age(d)
		never(fmt.Sprint(d, " after a change"))
	}
	old := c.state()
	check(t, os.Remove(c.file), os.Mkdir(c.file, 0o700))
	c.change(old)
	never("a directory")
	old = c.state()
	check(t, os.Remove(c.file), os.Symlink("elsewhere", c.file))
	c.change(old)
	never("a link")
	if _, err := c.root.Lstat("elsewhere"); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a link was followed")
	}
	old = c.state()
	check(t, os.Remove(c.file))
	for i := range 100 {
		check(t, os.Remove(c.name(100+i)))
	}
	c.change(old)
	never("few")
}

// damages cuts and changes the file, as a kill or a full disk does.
func (c *crowd) damages(t *testing.T) {
	sound, err := os.ReadFile(c.file)
	check(t, err)
	head := len(namesHead(c.state(), nil))
	damaged := func(data []byte, what string, i int) {
		t.Helper()
		check(t, os.WriteFile(c.file, data, 0o600))
		if c.kept() {
			t.Errorf("%s %d: the file is believed", what, i)
		}
	}
	for i := 0; i < len(sound); {
		damaged(sound[:i], "cut after", i)
		other := slices.Clone(sound)
		other[i] ^= 1
		damaged(other, "changed at", i)
		if i++; i > head+60 {
			i += 997
		}
	}
	damaged(append(slices.Clone(sound), '\n'), "longer than", len(sound))
	c.look("damaged")
	if !c.kept() {
		t.Error("it was not mended")
	}
}
