package artifact

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path"
	"strconv"
	"syscall"
	"testing"

	"github.com/envwrap/envwrap/internal/test/matrix"
)

// TestCrash lets the machine go down at every operation of every play, with
// every aftermath, and looks at what is left.
func TestCrash(t *testing.T)        { crash(t, false) }
func TestCrashOrdered(t *testing.T) { crash(t, true) }

func crash(t *testing.T, ordered bool) {
	t.Parallel()
	states := 0
	for _, p := range callSequences() {
		r := rand.New(rand.NewPCG(1, 2))
		for crashAt := 1; ; crashAt++ {
			g := newStage()
			g.disk.ordered = ordered
			g.set(t)
			g.disk.ops, g.disk.crashAt = 0, crashAt
			var acked []string
			if s, err := g.open(g.disk, "run"); err == nil {
				acked = p.do(g, s)
			}
			if g.disk.ops < crashAt {
				break // it came to its end
			}
			for left, d := range g.disk.reboots(r) {
				if states++; states%matrix.Every(16) > 0 {
					continue
				}
				name := fmt.Sprintf("%s: down at operation %d, left %s", p.name, crashAt, left)
				checkAftermath(t, g, d, acked, name)
			}
		}
	}
	if states < 1000 {
		t.Errorf("looked at %d states only", states)
	}
}

// checkAftermath looks at a disk after a power cut: what was acknowledged is
// there and sound, before and after recovery and collection, and nothing that
// is visible is corrupt.
func checkAftermath(t *testing.T, g *stage, d *disk, acked []string, name string) {
	t.Helper()
	s, err := g.open(d, "after")
	if err != nil {
		t.Errorf("%s: open: %v", name, err)
		return
	}
	check := func(when string) {
		t.Helper()
		for _, digest := range acked {
			if _, err := load(s, digest); err != nil {
				t.Errorf("%s: %s: %s was acknowledged: %v", name, when, digest, err)
			}
		}
	}
	check("at once")
	v, err := s.Verify(Check{})
	if err != nil {
		t.Errorf("%s: verify: %v", name, err)
	}
	for _, f := range v.Faults {
		if damagedByPlan(f.File) {
			continue
		}
		t.Errorf("%s: %s: %s", name, f.File, f.Text)
	}
	if _, err := s.Recover(); err != nil {
		t.Errorf("%s: recover: %v", name, err)
	}
	check("recovered")
	if _, err := s.Collect(DefaultPolicy()); err != nil {
		t.Errorf("%s: collect: %v", name, err)
	}
	check("collected")
	if _, _, err := s.Reindex(); err != nil {
		t.Errorf("%s: reindex: %v", name, err)
	}
	if _, err := store(s, []byte("one more")); err != nil {
		t.Errorf("%s: store: %v", name, err)
	}
}

// TestSyncs counts the syncs before an object is acknowledged, in a new shard, in one
// that is there, and for an object that is there.
func TestSyncs(t *testing.T) {
	inShard := func(n int) string { // bytes whose object is in the shard of oldObject
		for i := 0; ; i++ {
			if text := strconv.Itoa(i); nameOf(text)[:2] == nameOf(oldObject)[:2] {
				if n--; n == 0 {
					return text
				}
			}
		}
	}
	for _, c := range []struct {
		ordered bool
		sync    Sync
		want    [3]int
	}{
		{true, SyncFull, [3]int{1, 1, 1}},
		{false, SyncFull, [3]int{3, 2, 3}},
		{true, SyncData, [3]int{1, 1, 2}},
		{true, SyncOff, [3]int{0, 0, 0}},
	} {
		for i, text := range []string{"a new shard", inShard(1), oldObject} {
			g := newStage()
			g.disk.ordered = c.ordered
			g.set(t)
			s := g.mustOpen(t, g.disk, "run")
			s.fs.SyncFiles, s.fs.SyncNames = c.sync != SyncOff, c.sync == SyncFull
			syncs := 0
			g.disk.fail = func(_ int, op, _ string) error {
				if op == "sync" {
					syncs++
				}
				return nil
			}
			if _, err := store(s, []byte(text)); err != nil || syncs != c.want[i] {
				t.Errorf("ordered %v, policy %d, object %d: %d syncs, not %d; %v", c.ordered, c.sync, i, syncs, c.want[i], err)
			}
		}
	}
}

// damagedByPlan is true for files that are advisory, and for those that a play
// damaged itself.
func damagedByPlan(file string) bool {
	return path.Dir(file) == indexDir || path.Dir(file) == quarantineDir || file == shardsFile ||
		file == objectName(nameOf(oldObject))
}

// TestEveryOperationFails lets every operation of every play fail once, with
// every error that disks are known for. Nothing is lost, nothing corrupt, and
// the error is the disk's.
func TestEveryOperationFails(t *testing.T) {
	t.Parallel()
	errnos := []syscall.Errno{
		syscall.ENOSPC, syscall.EIO, syscall.EMFILE, syscall.EROFS,
		syscall.EACCES, syscall.EFBIG, syscall.EDQUOT,
	}
	failures := 0
	for i, p := range callSequences() {
		for j, errno := range errnos {
			for at := 1; ; at++ {
				if (j+at)%matrix.Every(10) > 0 {
					continue
				}
				g := newStage()
				g.disk.ordered = (i+j)%2 == 0
				g.set(t)
				g.disk.ops = 0
				g.disk.fail = func(n int, _, _ string) error {
					if n == at {
						return errno
					}
					return nil
				}
				var acked []string
				s, err := g.open(g.disk, "run")
				if err == nil {
					acked = p.do(g, s)
				}
				if g.disk.ops < at {
					break
				}
				failures++
				g.disk.fail = nil
				checkAftermath(t, g, g.disk.reboot(crashOutcomes(nil)[0]), acked, fmt.Sprintf("%s: %v at operation %d", p.name, errno, at))
			}
		}
	}
	if failures*matrix.Every(5) < 1000 {
		t.Errorf("only %d failures", failures)
	}
}

// TestErrorsNameTheirCause stores an object while one operation fails: either
// it is stored, or the caller can tell why not.
func TestErrorsNameTheirCause(t *testing.T) {
	for at := 1; ; at++ {
		g := newStage()
		g.disk.ordered = true
		g.set(t)
		s := g.mustOpen(t, g.disk, "run")
		g.disk.ops = 0
		g.disk.fail = func(n int, _, _ string) error {
			if n == at {
				return syscall.ENOSPC
			}
			return nil
		}
		digest, err := store(s, bytes.Repeat([]byte("0123456789"), bufferSize))
		ops := g.disk.ops
		g.disk.fail = nil
		switch {
		case err == nil:
			if _, err := load(s, digest); err != nil {
				t.Errorf("operation %d failed unseen: %v", at, err)
			}
		case !errors.Is(err, syscall.ENOSPC):
			t.Errorf("operation %d: %v", at, err)
		}
		if ops < at {
			return
		}
	}
}

// TestWithoutHardLinks stores where links are forbidden.
func TestWithoutHardLinks(t *testing.T) {
	g := newStage()
	g.disk.noLinks = true
	s := g.mustOpen(t, g.disk, "run")
	for range 2 {
		digest, err := store(s, []byte("text"))
		if err != nil {
			t.Fatal(err)
		}
		if b, err := load(s, digest); err != nil || string(b) != "text" {
			t.Errorf("got %q, %v", b, err)
		}
	}
	if names, _ := s.fs.NamesIn(partDir); len(names) > 0 {
		t.Errorf("%v was left behind", names)
	}
	if _, err := g.disk.Lstat(versionFile); err != nil {
		t.Error(err)
	}
}

// TestWriterBesideAStoppedCollector has a shard locked by a collector that
// does not go on: the writer does.
func TestWriterBesideAStoppedCollector(t *testing.T) {
	t.Parallel()
	g := newStage()
	g.set(t)
	s := g.mustOpen(t, g.disk, "run")
	d, err := g.disk.OpenDir(shardDir(nameOf(oldObject)))
	if err != nil {
		t.Fatal(err)
	}
	if err := d.TryLock(true); err != nil {
		t.Fatal(err)
	}
	// The collector has looked, found the object old, and been stopped.
	digest, err := store(s, []byte(oldObject))
	if err != nil {
		t.Fatal(err)
	}
	// It wakes, and takes the object by what it knew.
	if _, err := s.objects.evict(nameOf(oldObject), g.clock.now().Add(-DefaultGrace)); err != nil {
		t.Fatal(err)
	}
	if _, err := load(s, digest); err != nil {
		t.Error(err)
	}
}

// TestRenewFails stores what is there, and cannot make it young again: because it
// has just been taken, or because the disk does not let it.
func TestRenewFails(t *testing.T) {
	for _, c := range []struct{ fault, want error }{{syscall.ENOENT, nil}, {syscall.EIO, syscall.EIO}} {
		g := newStage()
		s := g.mustOpen(t, g.disk, "run")
		if _, err := store(s, []byte("text")); err != nil {
			t.Fatal(err)
		}
		failed := false
		g.disk.fail = func(_ int, op, name string) error {
			if op != "chtimes" || path.Dir(name) == partDir || failed {
				return nil
			}
			failed = true
			return c.fault
		}
		if _, err := store(s, []byte("text")); !errors.Is(err, c.want) || !failed {
			t.Errorf("%v: got %v", c.fault, err)
		}
	}
}

// TestCollectorLooksAgainAside renews an object between the collector's look
// and its move: the object is put back.
func TestCollectorLooksAgainAside(t *testing.T) {
	g := newStage()
	g.set(t)
	s := g.mustOpen(t, g.disk, "run")
	object := objectName(nameOf(oldObject))
	g.disk.fail = func(_ int, op, name string) error {
		if op == "rename" && path.Dir(name) == runDir {
			g.disk.find(object).mtime = g.clock.now() // the disk's lock is held
		}
		return nil
	}
	gone, err := s.objects.evict(nameOf(oldObject), g.clock.now().Add(-DefaultGrace))
	if gone || err != nil {
		t.Errorf("taken: %v, %v", gone, err)
	}
	if b, err := load(s, nameOf(oldObject)); err != nil || string(b) != oldObject {
		t.Errorf("got %q, %v", b, err)
	}
	if names, _ := s.fs.Names(runDir); len(names) > 0 {
		t.Errorf("%v stays in run/", names)
	}
	if _, err := g.disk.Lstat(object); errors.Is(err, fs.ErrNotExist) {
		t.Error("it was not put back")
	}
}
