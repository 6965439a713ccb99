package artifact

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// aged stores an object of size bytes that was last stored so long ago.
func (g *stage) aged(t testing.TB, s *Store, name string, size int, age time.Duration) string {
	t.Helper()
	now := g.clock.now()
	g.clock.set(now.Add(-age))
	defer func() { g.clock.set(now) }()
	text := (name + strings.Repeat(".", size))[:size]
	digest, err := store(s, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return digest
}

const day = 24 * time.Hour

func removals(c *Collection) []string {
	var found []string
	for _, r := range c.Removed {
		found = append(found, r.Digest+" "+r.Reason)
	}
	slices.Sort(found)
	return found
}

func sorted(list ...string) []string {
	slices.Sort(list)
	return list
}

func TestCollect(t *testing.T) {
	g := newStage()
	s := g.mustOpen(t, g.disk, "run")
	var d [5]string // the oldest first, 100 bytes each
	for i := range d {
		d[i] = g.aged(t, s, fmt.Sprint("object ", i), 100, time.Duration(len(d)-i)*5*day-4*day)
	} // 21, 16, 11, 6 and 1 day old
	for _, c := range []struct {
		name string
		p    Policy
		want []string
		kept Kept
	}{
		{"age", Policy{MaxAge: 14 * day, Grace: day}, []string{d[0] + " age", d[1] + " age"}, Kept{}},
		{"size, the oldest first", Policy{MaxSize: 250, Grace: day}, []string{d[0] + " size", d[1] + " size", d[2] + " size"}, Kept{}},
		{"grace before any limit", Policy{MaxAge: time.Hour, MaxSize: 1, Grace: 12 * day}, []string{d[0] + " age", d[1] + " age"}, Kept{Young: 3}},
		{"no limit", Policy{}, nil, Kept{}},
		{"what nobody set", DefaultPolicy(), []string{d[0] + " age", d[1] + " age"}, Kept{}},
	} {
		c.p.DryRun = true
		said, err := s.Collect(c.p)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(removals(said), sorted(c.want...)) || said.Kept != c.kept {
			t.Errorf("%s: %q, kept %+v", c.name, removals(said), said.Kept)
		}
		if list, err := s.List(); err != nil || len(list) != len(d) {
			t.Fatalf("%s: a dry run left %d objects, %v", c.name, len(list), err)
		}
		again := g.disk.reboot(crashOutcomes(nil)[0])
		c.p.DryRun = false
		did, err := g.mustOpen(t, again, "again").Collect(c.p)
		if err != nil || !slices.Equal(removals(did), removals(said)) || did.Freed != said.Freed || did.Bytes != 500 {
			t.Errorf("%s: the dry run said %+v, and the run did %+v, %v", c.name, said, did, err)
		}
	}
}

func TestCollectLeavesPinned(t *testing.T) {
	g := newStage()
	s := g.mustOpen(t, g.disk, "run")
	kept := g.aged(t, s, "kept", 10, 30*day)
	until := g.aged(t, s, "until", 10, 30*day)
	if _, err := s.Pin(kept, "user", time.Time{}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Pin(until, "job-1", g.clock.now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if c, err := s.Collect(DefaultPolicy()); err != nil || len(c.Removed) > 0 || c.Kept.Pinned != 2 {
		t.Errorf("collected %+v, %v", c, err)
	}
	if u, err := s.Usage(); err != nil || u.Pinned != 2 {
		t.Errorf("usage %+v, %v", u, err)
	}
	if _, err := s.Remove(until); !errors.Is(err, ErrPinned) {
		t.Errorf("removing it gave %v", err)
	}
	g.clock.set(g.clock.now().Add(2 * time.Hour))
	if c, err := s.Collect(DefaultPolicy()); err != nil || len(c.Removed) != 1 || c.Removed[0].Digest != until {
		t.Errorf("when the pin had ended: %+v, %v", c, err)
	}
	if done, err := s.Unpin(kept, "job-1"); done || err != nil {
		t.Errorf("the pin of another was taken: %v, %v", done, err)
	}
	if done, err := s.Unpin(kept, "user"); !done || err != nil {
		t.Errorf("unpin: %v, %v", done, err)
	}
	if c, err := s.Collect(DefaultPolicy()); err != nil || len(c.Removed) != 1 {
		t.Errorf("unpinned: %+v, %v", c, err)
	}
	if _, err := s.Pin(kept, "user", time.Time{}); !errors.Is(err, ErrNotFound) {
		t.Errorf("pinning what is gone gave %v", err)
	}
}

// TestGraceBeginsAnew stores an old object again, and its part's last byte is
// older than the grace, too.
func TestGraceBeginsAnew(t *testing.T) {
	g := newStage()
	s := g.mustOpen(t, g.disk, "run")
	old := g.aged(t, s, "old", 10, 30*day)
	p, err := s.Create()
	if err != nil {
		t.Fatal(err)
	}
	defer p.Discard()
	if _, err := p.Write(make([]byte, bufferSize)); err != nil { // a whole buffer: nothing is left for Commit
		t.Fatal(err)
	}
	g.clock.set(g.clock.now().Add(30 * day))
	slow, err := p.Commit(Info{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store(s, []byte("old.......")); err != nil {
		t.Fatal(err)
	}
	if c, err := s.Collect(DefaultPolicy()); err != nil || len(c.Removed) > 0 {
		t.Errorf("collected %+v, %v", c, err)
	}
	for _, digest := range []string{old, slow} {
		if _, err := load(s, digest); err != nil {
			t.Error(err)
		}
	}
}

func TestCollectTidiesUp(t *testing.T) {
	g := newStage()
	g.set(t) // an old object, and a part of a dead writer
	s := g.mustOpen(t, g.disk, "run")
	g.disk.find(partDir).names["tmp-dead.1"] = &node{mode: 0o600, mtime: g.clock.now()}
	g.disk.find(".").names[quarantineDir] = newDirNode(g.clock.now())
	g.disk.find(quarantineDir).names[nameOf("x")] = &node{mode: 0o400, mtime: g.clock.now().Add(-30 * day)}
	c, err := s.Collect(DefaultPolicy())
	if err != nil || c.Parts != 2 {
		t.Errorf("collected %+v, %v", c, err)
	}
	if left, _ := s.fs.Names(quarantineDir); len(left) > 0 {
		t.Errorf("quarantine has %v", left)
	}
	if left, _ := s.fs.Names(indexDir); len(left) > 0 {
		t.Errorf("the index has %v, of which no object is left", left)
	}
	if left, _ := s.fs.Names(partDir); len(left) != 1 { // our own
		t.Errorf("part has %v", left)
	}
}

// TestLiveWritersAreLeftAlone has parts of any age, whose writers live.
func TestLiveWritersAreLeftAlone(t *testing.T) {
	g := newStage()
	s := g.mustOpen(t, g.disk, "run")
	p, err := s.Create()
	if err != nil {
		t.Fatal(err)
	}
	defer p.Discard()
	if _, err := p.Write([]byte("slow")); err != nil {
		t.Fatal(err)
	}
	g.clock.set(g.clock.now().Add(100 * day))
	other := g.mustOpen(t, g.disk, "other")
	if c, err := other.Collect(DefaultPolicy()); err != nil || c.Parts != 0 {
		t.Errorf("collected %+v, %v", c, err)
	}
	if saved, err := other.Recover(); err != nil || len(saved) > 0 {
		t.Errorf("recovered %+v, %v", saved, err)
	}
	if digest, err := p.Commit(Info{}); err != nil {
		t.Error(err)
	} else if b, err := load(other, digest); err != nil || string(b) != "slow" {
		t.Errorf("got %q, %v", b, err)
	}
}

func TestWithoutLocksDeadIsWhatIsOld(t *testing.T) {
	g := newStage()
	s := g.mustOpen(t, g.disk, "run")
	s.fs.Locks = false
	if _, err := s.Create(); err != nil {
		t.Fatal(err)
	}
	if saved, err := s.Recover(); err != nil || len(saved) > 0 {
		t.Errorf("recovered %+v, %v", saved, err)
	}
	g.clock.set(g.clock.now().Add(2 * time.Hour))
	if saved, err := s.Recover(); err != nil || len(saved) != 1 {
		t.Errorf("later, recovered %+v, %v", saved, err)
	}
}

func TestCollectSkipsBusyShard(t *testing.T) {
	g := newStage()
	s := g.mustOpen(t, g.disk, "run")
	old := g.aged(t, s, "old", 10, 30*day)
	d, err := g.disk.OpenDir(shardDir(old[len(digestPrefix):]))
	if err != nil {
		t.Fatal(err)
	}
	if err := d.TryLock(false); err != nil {
		t.Fatal(err)
	}
	if c, err := s.Collect(DefaultPolicy()); err != nil || c.Kept.Busy != 1 || len(c.Removed) > 0 {
		t.Errorf("collected %+v, %v", c, err)
	}
	d.Close()
	if c, err := s.Collect(DefaultPolicy()); err != nil || len(c.Removed) != 1 {
		t.Errorf("then %+v, %v", c, err)
	}
}

// maintain does what the automatic collector does, with a policy.
func maintain(s *Store, p Policy) (*Collection, error) {
	c := &collector{s: s, Policy: p}
	err := c.collectOldest()
	return &c.Collection, err
}

// TestMaintain has the automatic collector look at one shard a call, each once a
// day.
func TestMaintain(t *testing.T) {
	g := newStage()
	s := g.mustOpen(t, g.disk, "run")
	const objects = 600
	for i := range objects {
		g.aged(t, s, fmt.Sprint(i), 20, 30*day)
	}
	left := objects
	for range shardCount {
		c, err := maintain(s, DefaultPolicy())
		if err != nil {
			t.Fatal(err)
		}
		shards := map[string]bool{}
		for _, r := range c.Removed {
			shards[r.Digest[:len(digestPrefix)+2]] = true
		}
		if len(shards) > 1 {
			t.Fatalf("took from %d shards at once", len(shards))
		}
		left -= len(c.Removed)
	}
	if list, _ := s.List(); left != 0 || len(list) != 0 {
		t.Errorf("%d objects are left, the list has %d", left, len(list))
	}
	g.aged(t, s, "one more", 20, 30*day)
	for range shardCount {
		if c, err := maintain(s, DefaultPolicy()); err != nil || len(c.Removed) > 0 {
			t.Fatalf("a shard was looked at twice in a day: %+v, %v", c, err)
		}
	}
	g.clock.set(g.clock.now().Add(25 * time.Hour))
	for range shardCount {
		c, err := maintain(s, DefaultPolicy())
		if err != nil {
			t.Fatal(err)
		}
		left -= len(c.Removed)
	}
	if left != -1 {
		t.Errorf("the next day took %d objects", -left)
	}
}

// TestMaintainKeepsTheSize has each shard give its part where all are too much.
func TestMaintainKeepsTheSize(t *testing.T) {
	g := newStage()
	s := g.mustOpen(t, g.disk, "run")
	for i := range 1000 {
		g.aged(t, s, fmt.Sprint(i), 100, 3*day)
	}
	p := Policy{MaxSize: 50_000, Grace: day}
	for round := range 3 { // the first one only learns the sizes
		for range shardCount {
			if _, err := maintain(s, p); err != nil {
				t.Fatal(err)
			}
		}
		g.clock.set(g.clock.now().Add(25 * time.Hour))
		u, err := s.Usage()
		if err != nil {
			t.Fatal(err)
		}
		if round > 0 && (u.Bytes > p.MaxSize || u.Bytes < p.MaxSize/4) {
			t.Errorf("round %d: %d bytes are left of 100000, with a limit of %d", round, u.Bytes, p.MaxSize)
		}
	}
}

// TestClockThatWasWrong has the automatic collector find times to come.
func TestClockThatWasWrong(t *testing.T) {
	g := newStage()
	s := g.mustOpen(t, g.disk, "run")
	g.clock.set(g.clock.now().Add(1000 * day))
	for range shardCount {
		maintain(s, DefaultPolicy())
	}
	g.clock.set(g.clock.now().Add(-1000 * day))
	g.aged(t, s, "old", 20, 30*day)
	n := 0
	for range shardCount {
		c, err := maintain(s, DefaultPolicy())
		if err != nil {
			t.Fatal(err)
		}
		n += len(c.Removed)
	}
	if n != 1 {
		t.Errorf("%d objects were taken", n)
	}
}

// TestCreateMaintains looks whether the collector runs beside the first object.
func TestCreateMaintains(t *testing.T) {
	s := openTemp(t)
	put(t, s, []byte("one"))
	<-s.maintenance.done
	if _, err := s.fs.Lstat(shardsFile); err != nil {
		t.Error(err)
	}
	quiet, err := Open(Options{Dir: s.Dir(), NoMaintenance: true})
	if err != nil {
		t.Fatal(err)
	}
	defer quiet.Close()
	put(t, quiet, []byte("two"))
	if quiet.maintenance.running.Load() {
		t.Error("it ran all the same")
	}
}
