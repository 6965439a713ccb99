package artifact

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// A stage is a store on a disk in memory, with a clock of its own.
type stage struct {
	disk  *disk
	clock clock
}

// A clock stands still until it is set. The store's goroutines look at it too.
type clock struct{ at atomic.Pointer[time.Time] }

func (c *clock) now() time.Time  { return *c.at.Load() }
func (c *clock) set(t time.Time) { c.at.Store(&t) }

func newStage() *stage {
	g := &stage{}
	g.clock.set(time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC))
	g.disk = newDisk(g.clock.now)
	return g
}

// open opens the store on a disk as Open does.
func (g *stage) open(d *disk, run string) (*Store, error) {
	s := newStore(Options{Dir: "/store", Run: run, Now: g.clock.now, NoMaintenance: true}, d.volume())
	if err := s.readVersion(); err != nil {
		return nil, err
	}
	return s, s.writable()
}

func (g *stage) mustOpen(t testing.TB, d *disk, run string) *Store {
	t.Helper()
	s, err := g.open(d, run)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// store commits bytes and returns the digest.
func store(s *Store, b []byte) (string, error) {
	p, err := s.Create()
	if err != nil {
		return "", err
	}
	defer p.Discard()
	if _, err := p.Write(b); err != nil {
		return "", err
	}
	return p.Commit(Info{Kind: "text/plain", Command: "exec/test"})
}

// load returns an object's bytes.
func load(s *Store, id string) ([]byte, error) {
	o, err := s.Get(id)
	if err != nil {
		return nil, err
	}
	defer o.Close()
	return io.ReadAll(o)
}

// A callSequence is a list of calls on a store; it goes on after errors, as processes do,
// and returns the objects that were reported as stored.
type callSequence struct {
	name string
	do   func(g *stage, s *Store) (acknowledged []string)
}

// callSequences are sequences of calls on a store. Before each, an old object is there.
func callSequences() []callSequence {
	note := func(list *[]string, digest string, err error) {
		if err == nil {
			*list = append(*list, digest)
		}
	}
	return []callSequence{
		{"two objects", func(_ *stage, s *Store) (acked []string) {
			for _, text := range []string{"first", "second"} {
				d, err := store(s, []byte(text))
				note(&acked, d, err)
			}
			return acked
		}},
		{"an object that is there, and old", func(_ *stage, s *Store) (acked []string) {
			d, err := store(s, []byte(oldObject))
			note(&acked, d, err)
			return acked
		}},
		{"an object that is there, and rotten", func(g *stage, s *Store) (acked []string) {
			if n := g.disk.find(objectName(nameOf(oldObject))); n != nil {
				n.data, n.synced = []byte("rotten"), []byte("rotten")
			}
			d, err := store(s, []byte(oldObject))
			note(&acked, d, err)
			return acked
		}},
		{"an object and the collector", func(_ *stage, s *Store) (acked []string) {
			d, err := store(s, []byte("young"))
			note(&acked, d, err)
			s.Collect(DefaultPolicy())
			return acked
		}},
		{"the collector, then the same object", func(_ *stage, s *Store) (acked []string) {
			s.Collect(DefaultPolicy())
			d, err := store(s, []byte(oldObject))
			note(&acked, d, err)
			return acked
		}},
		{"a pin", func(_ *stage, s *Store) (acked []string) {
			d, err := s.Pin(nameOf(oldObject), "user", time.Time{})
			note(&acked, d, err)
			return acked
		}},
		{"packing, and the same object again", func(_ *stage, s *Store) (acked []string) {
			d, err := s.Pin(nameOf(oldObject), "user", time.Time{})
			note(&acked, d, err)
			s.Pack(1, time.Hour)
			store(s, []byte(oldObject))
			s.Pack(1, time.Hour)
			return acked
		}},
		{"recover", func(_ *stage, s *Store) (acked []string) {
			saved, _ := s.Recover()
			for _, one := range saved {
				if one.Digest != "" {
					acked = append(acked, one.Digest)
				}
			}
			return acked
		}},
		{"import", func(_ *stage, s *Store) (acked []string) {
			var tar bytes.Buffer
			entries, _ := s.List()
			if (Stores{s}).Export(&tar, entries) == nil {
				done, _ := s.Import(&tar)
				for _, one := range done.Artifacts {
					acked = append(acked, one.Digest)
				}
			}
			return acked
		}},
	}
}

var oldObject = strings.Repeat("stored three weeks ago\n", 20)

func nameOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// set makes the disk that every play begins with: an old object, and a part
// that a dead writer has left.
func (g *stage) set(t testing.TB) {
	t.Helper()
	now := g.clock.now()
	g.clock.set(now.Add(-21 * 24 * time.Hour))
	s := g.mustOpen(t, g.disk, "old")
	if _, err := store(s, []byte(oldObject)); err != nil {
		t.Fatal(err)
	}
	s.Close()
	dead := g.mustOpen(t, g.disk, "dead")
	p, err := dead.Create()
	if err != nil {
		t.Fatal(err)
	}
	p.Write([]byte("what the dead writer had"))
	p.part.Write(p.buf)
	p.part.Close() // the lock goes, the file stays
	p.mu.Lock()
	p.stopIdle() // who is dead has no clock
	p.mu.Unlock()
	g.clock.set(now)
}
