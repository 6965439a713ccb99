package artifact

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"
)

// looks counts the directories of objects that are read from now on.
func (g *stage) looks() *int {
	n := new(int)
	g.disk.fail = func(_ int, op, name string) error {
		if op == "readdir" && strings.HasPrefix(name, objectsDir+"/") {
			*n++
		}
		return nil
	}
	return n
}

// usage measures a store as a process that knows nothing of it yet.
func (g *stage) usage(t *testing.T) (objects int, bytes int64) {
	t.Helper()
	s := g.mustOpen(t, g.disk, "du")
	defer s.Close()
	u, err := s.Usage()
	if err != nil {
		t.Fatal(err)
	}
	return u.Objects, u.Bytes
}

// TestUsageLooksAtWhatChanged measures a store again and again.
func TestUsageLooksAtWhatChanged(t *testing.T) {
	g := newStage()
	s := g.mustOpen(t, g.disk, "run")
	var digests []string
	for i := range 50 {
		digests = append(digests, g.aged(t, s, fmt.Sprint(i), 100, time.Hour))
	}
	shards := map[string]bool{}
	for _, d := range digests {
		shards[shardDir(d[len(digestPrefix):])] = true
	}
	looks := g.looks()
	for _, step := range []struct {
		name           string
		change         func()
		objects, looks int
	}{
		{"nothing is known", func() {}, 50, len(shards)},
		{"nothing has changed", func() {}, 50, 0},
		{"one is gone", func() {
			if _, err := s.Remove(digests[0]); err != nil {
				t.Fatal(err)
			}
		}, 49, 1},
		{"that was a moment ago", func() {}, 49, 1},
		{"and comes back in the same moment", func() { g.aged(t, s, "0", 100, 0) }, 50, 1},
		{"later", func() { g.clock.set(g.clock.now().Add(2 * time.Second)) }, 50, 1},
		{"and again", func() {}, 50, 0},
		{"the clock is set back", func() { g.clock.set(g.clock.now().Add(-100 * day)) }, 50, 0},
	} {
		step.change()
		*looks = 0
		objects, bytes := g.usage(t)
		if objects != step.objects || bytes != int64(100*step.objects) || *looks != step.looks {
			t.Errorf("%s: %d objects, %d bytes, %d directories were read; not %d, %d, %d",
				step.name, objects, bytes, *looks, step.objects, 100*step.objects, step.looks)
		}
	}
}

// TestUsageWithoutLocks is of a network's file system, which may tell of a change
// too late.
func TestUsageWithoutLocks(t *testing.T) {
	g := newStage()
	s := g.mustOpen(t, g.disk, "run")
	s.fs.Locks = false
	g.aged(t, s, "a", 100, time.Hour)
	if _, err := s.Usage(); err != nil {
		t.Fatal(err)
	}
	if g.disk.find(sizesFile) != nil {
		t.Error("it was kept for others")
	}
}

// TestSizesAreDamaged has every byte of the records flipped, and the records cut,
// empty, or those of another store: the sizes are right, and verify names what is
// damaged.
func TestSizesAreDamaged(t *testing.T) {
	g := newStage()
	s := g.mustOpen(t, g.disk, "run")
	g.aged(t, s, "a", 100, time.Hour)
	g.aged(t, s, "b", 200, 2*time.Hour)
	other := newStage()
	other.clock.set(g.clock.now().Add(time.Minute))
	foreign := other.mustOpen(t, other.disk, "run")
	other.aged(t, foreign, "a", 70, time.Hour)
	other.aged(t, foreign, "b", 90, time.Hour)
	g.usage(t)
	other.usage(t)
	kept := g.disk.find(sizesFile)
	whole := string(kept.data)
	record := strings.IndexFunc(whole, func(r rune) bool { return r != 0 }) / sizeRecord * sizeRecord
	check := func(name string, faults int) {
		t.Helper()
		s := g.mustOpen(t, g.disk, "verify")
		defer s.Close()
		if v, err := s.Verify(Check{}); err != nil || len(v.Faults) != faults || faults > 0 && v.Faults[0].File != sizesFile {
			t.Errorf("%s: verify found %+v, %v", name, v.Faults, err)
		}
		if objects, bytes := g.usage(t); objects != 2 || bytes != 300 {
			t.Errorf("%s: %d objects, %d bytes", name, objects, bytes)
		}
		if !strings.Contains(string(kept.data), whole[record:record+sizeRecord]) {
			t.Errorf("%s: the record was not written anew", name)
		}
	}
	for i := range sizeRecord {
		b := []byte(whole)
		b[record+i] ^= 1 << (i % 8)
		kept.data = b
		check(fmt.Sprint("byte ", i), 1)
	}
	kept.data = []byte(whole[:record+sizeRecord/2])
	check("cut", 0)
	kept.data = nil
	check("empty", 0)
	kept.data = []byte(string(other.disk.find(sizesFile).data))
	check("foreign", 0)
}

// TestSizesCannotBeKept has a disk that takes none.
func TestSizesCannotBeKept(t *testing.T) {
	g := newStage()
	s := g.mustOpen(t, g.disk, "run")
	g.aged(t, s, "a", 100, time.Hour)
	g.disk.fail = func(_ int, op, name string) error {
		if name == sizesFile && op != "lstat" {
			return syscall.ENOSPC
		}
		return nil
	}
	if objects, bytes := g.usage(t); objects != 1 || bytes != 100 {
		t.Errorf("%d objects, %d bytes", objects, bytes)
	}
}

// TestSizesBesideAWriter has an object appear before every operation of a measuring:
// whoever measures next sees it.
func TestSizesBesideAWriter(t *testing.T) {
	for at, done := 1, false; !done; at++ {
		g := newStage()
		digest := g.aged(t, g.mustOpen(t, g.disk, "run"), "a", 100, time.Hour)
		s := g.mustOpen(t, g.disk, "measure")
		shard := g.disk.find(shardDir(digest[len(digestPrefix):]))
		begin := g.disk.ops
		g.disk.fail = func(n int, _, _ string) error {
			if n == begin+at {
				shard.names[nameOf("b")] = &node{mode: 0o400, data: []byte("b")}
				shard.mtime = g.clock.now().Add(-time.Minute)
			}
			return nil
		}
		if _, err := s.Usage(); err != nil {
			t.Fatal(err)
		}
		done = g.disk.ops < begin+at
		if objects, bytes := g.usage(t); objects != 2 && !done || int64(100+objects-1) != bytes {
			t.Errorf("operation %d: %d objects, %d bytes", at, objects, bytes)
		}
	}
}
