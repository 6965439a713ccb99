//go:build unix

package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/envwrap/envwrap/envelope"
)

// A salt is 32 bytes in hexadecimal. One that is anything else is an error, and
// is not replaced: all keys would be others.
func TestDamagedSalt(t *testing.T) {
	whole := strings.Repeat("0f", sha256.Size)
	for text, good := range map[string]bool{
		whole: true, whole + "\n": true, "": false, whole[2:]: false, whole + "00": false, whole + "zz": false, "zz" + whole[2:]: false,
	} {
		store := t.TempDir()
		write(t, filepath.Join(store, dirName, saltFile), text)
		must(t, os.Chmod(store, 0o700))
		c, err := Open(Options{Store: store})
		if (err == nil) != good {
			t.Errorf("salt %q: %v", text, err)
		}
		if c != nil {
			must(t, c.Close())
		}
		if got := contents(t, filepath.Join(store, dirName, saltFile)); got != text {
			t.Errorf("salt %q became %q", text, got)
		}
	}
}

// A salt that another process has written meanwhile stays.
func TestSaltIsWrittenOnce(t *testing.T) {
	c := newCache(t)
	name := filepath.Join(c.dir.Name(), saltFile)
	before := contents(t, name)
	must(t, newSalt(c.dir))
	if contents(t, name) != before {
		t.Error("the salt is another")
	}
	must(t, os.Remove(name))
	must(t, newSalt(c.dir))
	if again := contents(t, name); again == before || len(again) != len(before) {
		t.Error("the salt is not made anew")
	}
	names, err := c.dir.Names(".")
	must(t, err)
	for _, name := range names {
		if strings.HasPrefix(name, temporary) {
			t.Errorf("%s is left", name)
		}
	}
}

// An error names the operation that failed.
func TestFaults(t *testing.T) {
	in := func(c *Cache, name string) string { return filepath.Join(c.dir.Name(), name) }
	for _, f := range []struct {
		want string
		do   func(t *testing.T, c *Cache, e *Entry) error
	}{
		{"make the cache of remembered runs: ", func(t *testing.T, c *Cache, _ *Entry) error {
			_, err := Open(Options{Store: in(c, "gone")})
			return err
		}},
		{"open the cache of remembered runs: ", func(t *testing.T, c *Cache, _ *Entry) error {
			_, err := OpenRead(Options{Store: c.dir.Name()}) // a store without a cache
			if !errors.Is(err, fs.ErrNotExist) {
				t.Error("no cache is not that no file exists")
			}
			return err
		}},
		{"open the cache of remembered runs: ", func(t *testing.T, c *Cache, _ *Entry) error {
			write(t, in(c, dirName), "")
			_, err := Open(Options{Store: c.dir.Name()})
			return err
		}},
		{"remember the run: ", func(t *testing.T, c *Cache, e *Entry) error {
			must(t, os.RemoveAll(in(c, entriesDir)))
			return c.Put(e)
		}},
		{"remember the run: ", func(t *testing.T, c *Cache, e *Entry) error {
			must(t, os.MkdirAll(in(c, entryName(e.Key)+"/x"), 0o700))
			err := c.Put(e)
			if names, _ := c.dir.Names(entriesDir); len(names) != 1 {
				t.Errorf("left: %q", names)
			}
			return err
		}},
		{"forget the run sha256:", func(t *testing.T, c *Cache, e *Entry) error {
			must(t, os.MkdirAll(in(c, entryName(e.Key)+"/x"), 0o700))
			done, err := c.Remove(e.Key)
			if done {
				t.Error("it is said to be gone")
			}
			return err
		}},
		{"list the remembered runs: ", func(t *testing.T, c *Cache, _ *Entry) error {
			must(t, os.RemoveAll(in(c, entriesDir)))
			_, err := c.All()
			return err
		}},
		{"wait for the same run: ", func(t *testing.T, c *Cache, e *Entry) error {
			must(t, os.RemoveAll(in(c, locksDir)))
			_, err := c.Lock(e.Key)
			return err
		}},
		{"read the program: ", func(t *testing.T, c *Cache, _ *Entry) error {
			call := sample(t)
			call.Program += "gone"
			_, _, err := c.Key(call)
			if strings.Contains(err.Error(), "gone") {
				t.Errorf("%v: the caller names the file", err)
			}
			return err
		}},
		{`read input "a\x00b": `, func(t *testing.T, c *Cache, _ *Entry) error {
			call := sample(t)
			call.Inputs = append(call.Inputs, "a\x00b")
			_, _, err := c.Key(call)
			return err
		}},
		{"read input ", func(t *testing.T, c *Cache, _ *Entry) error {
			_, _, err := c.inputs([]string{in(c, saltFile+"/below")}) // a file is no directory
			return err
		}},
		{"read input ", func(t *testing.T, c *Cache, _ *Entry) error {
			_, _, err := c.inputs([]string{in(c, "[")})
			return err
		}},
		{"read input ", func(t *testing.T, c *Cache, _ *Entry) error {
			must(t, os.Symlink("circle", in(c, "circle")))
			_, _, err := c.inputs([]string{in(c, "c*")})
			return err
		}},
		{"lstat ", func(_ *testing.T, c *Cache, _ *Entry) error { // it was a directory a moment before
			return c.tree(map[string]string{}, in(c, saltFile))
		}},
		{"readlink ", func(_ *testing.T, c *Cache, _ *Entry) error { // it was a link
			return c.link(map[string]string{}, in(c, saltFile))
		}},
		{"torn", func(*testing.T, *Cache, *Entry) error {
			_, err := Digest(iotest.ErrReader(errors.New("torn")), 1)
			return err
		}},
	} {
		c := newCache(t)
		if err := f.do(t, c, sampleEntry(t, c)); err == nil || !strings.HasPrefix(err.Error(), f.want) {
			t.Errorf("got %v, want %s", err, f.want)
		}
	}
}

// A file whose lines fit together and whose checksum is right is still no entry
// unless its header and its sizes are.
func TestEntriesThatFitNothing(t *testing.T) {
	spell := func(begin, body string) []byte {
		sum := sha256.Sum256([]byte(body))
		return []byte(begin + hex.EncodeToString(sum[:]) + "\n" + body)
	}
	header := func(out, err string) string {
		return `{"parts":{},"tape":{"Stdout":` + out + `,"Stderr":` + err + `}}` + "\n"
	}
	for _, c := range []struct {
		begin, body string
		good        bool
	}{
		{magic, header(`{"Size":2}`, `{"Size":1}`) + "abc", true},
		{magic, header(`{"Size":2,"Artifact":"x"}`, `{"Size":1}`) + "c", true},
		{magic, header(`{"Size":0}`, `{"Size":0}`), true},
		{"", header(`{"Size":2}`, `{"Size":1}`) + "abc", false},
		{magic, header(`{"Size":2}`, `{"Size":2}`) + "abc", false},
		{magic, header(`{"Size":2}`, `{"Size":-1}`) + "abc", false},
		{magic, header(`{"Size":2}`, `{"Size":0}`) + "abc", false},
		{magic, `{"parts":null}` + "\n", false},
		{magic, `{"parts":{},"argv":3}` + "\n", false},
	} {
		e, err := decode(spell(c.begin, c.body))
		if (err == nil) != c.good || err != nil && !errors.Is(err, errDamaged) {
			t.Errorf("%q: %v", c.body, err)
		}
		if e != nil && e.Recording.Stderr.Size == 1 && string(e.Recording.Stderr.Bytes) != "c" {
			t.Errorf("%q: stderr is %q", c.body, e.Recording.Stderr.Bytes)
		}
	}
}

// Artifacts returns the streams that have a digest, and what was kept of pipelines.
func TestArtifacts(t *testing.T) {
	for want, digests := range map[string][3]string{"": {}, "a": {"a"}, "b": {"", "b"}, "a b k": {"a", "b", "k"}, "k": {"", "", "k"}} {
		var e Entry
		e.Recording.Stdout.Artifact, e.Recording.Stderr.Artifact = digests[0], digests[1]
		if digests[2] != "" {
			e.Recording.Kept = []envelope.Kept{{Artifact: digests[2]}}
		}
		if got := strings.Join(e.Artifacts(), " "); got != want {
			t.Errorf("%q: %q", digests, got)
		}
	}
}

// Files with other names are not listed, and a damaged entry is its key.
func TestAll(t *testing.T) {
	c := newCache(t)
	e := sampleEntry(t, c)
	must(t, c.Put(e))
	for _, name := range []string{"abc", strings.Repeat("g", 64), strings.Repeat("0", 63) + "G"} {
		write(t, filepath.Join(c.dir.Name(), entriesDir, name), "x")
	}
	damaged := Key("sha256:" + strings.Repeat("f", 64))
	write(t, filepath.Join(c.dir.Name(), entryName(damaged)), "x")
	all, err := c.All()
	must(t, err)
	if len(all) != 2 {
		t.Fatalf("%d entries", len(all))
	}
	for _, got := range all {
		if (got.Key == e.Key) != (got.Parts != nil) || got.Key != e.Key && got.Key != damaged {
			t.Errorf("%+v", got)
		}
	}
}

// Two calls are related by their command line, or by a command in a directory.
func TestRelated(t *testing.T) {
	a := &Parts{Argv: "a", Command: "c", Dir: "d"}
	for _, c := range []struct {
		b    Parts
		want bool
	}{
		{Parts{Argv: "a"}, true},
		{Parts{Command: "c", Dir: "d"}, true},
		{Parts{Command: "c"}, false},
		{Parts{Dir: "d"}, false},
	} {
		if got := related(a, &c.b); got != c.want {
			t.Errorf("%+v: %t", c.b, got)
		}
	}
}

// Files whose name is no key's, and those of this hour, stay among the locks.
func TestSweepLocksSpares(t *testing.T) {
	c := newCache(t)
	now := c.now()
	old, young, other := strings.Repeat("0", 64), strings.Repeat("1", 64), "other"
	for name, at := range map[string]time.Time{old: now.Add(-time.Hour), young: now.Add(1 - time.Hour), other: now.Add(-time.Hour)} {
		path := filepath.Join(c.dir.Name(), locksDir, name)
		write(t, path, "")
		must(t, os.Chtimes(path, at, at))
	}
	c.locks = false
	c.sweepLocks()
	if names, err := c.dir.Names(locksDir); err != nil || len(names) != 3 {
		t.Errorf("without locks: %q, %v", names, err)
	}
	c.locks = true
	c.sweepLocks()
	names, err := c.dir.Names(locksDir)
	must(t, err)
	if left := strings.Join(names, " "); lockable && (len(names) != 2 || strings.Contains(left, old)) {
		t.Errorf("left: %s", left)
	}
}
