package artifact

import (
	"errors"
	"testing"
	"time"
)

// stored adds up the objects and the part files of a disk.
func (d *disk) stored() (n int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	var add func(at *node)
	add = func(at *node) {
		n += int64(len(at.data))
		for _, child := range at.names {
			add(child)
		}
	}
	add(d.find(objectsDir))
	add(d.find(partDir))
	return n
}

// limited opens a store with a limit.
func (g *stage) limited(t *testing.T, run string, most int64) *Store {
	t.Helper()
	s := g.mustOpen(t, g.disk, run)
	s.quota.limit = most
	return s
}

// TestQuotaOfWriters has many processes write at once until none finds room: together
// they stay within a hundredth of the limit, and leave little of it.
func TestQuotaOfWriters(t *testing.T) {
	const limit, step, writers = 32 << 20, 20_000, 12
	g := newStage()
	g.set(t)
	var all []*Pending
	for i := range writers {
		p, err := g.limited(t, string(rune('a'+i)), limit).Create()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.Discard)
		all = append(all, p)
	}
	b := make([]byte, step)
	for full := 0; full < writers; {
		full = 0
		for _, p := range all {
			n := p.Reserve(step, 1)
			if n < step {
				full++
			}
			if _, err := p.part.Write(b[:n]); err != nil { // as the pipe does
				t.Fatal(err)
			}
			if n := g.disk.stored(); n > limit*101/100 {
				t.Fatalf("%d bytes are stored", n)
			}
		}
	}
	if n := g.disk.stored(); n < limit*99/100 {
		t.Errorf("%d bytes are stored only", n)
	}
}

// TestQuotaCollects has an old object in the way: it goes. A young one stays, and
// what does not fit beside it is refused, with nothing left of it.
func TestQuotaCollects(t *testing.T) {
	g := newStage()
	g.set(t)
	s := g.limited(t, "run", 1000)
	if _, err := store(s, make([]byte, 900)); err != nil {
		t.Fatal(err)
	}
	if _, err := load(s, nameOf(oldObject)); !errors.Is(err, ErrNotFound) {
		t.Errorf("the old object: %v", err)
	}
	if _, err := store(s, make([]byte, 101)); !errors.Is(err, ErrFull) {
		t.Errorf("over the limit: %v", err)
	}
	if _, err := store(s, make([]byte, 50)); err != nil {
		t.Errorf("what fits: %v", err)
	}
	g.clock.set(g.clock.now().Add(48 * time.Hour))
	if _, err := store(g.limited(t, "later", 1000), make([]byte, 901)); err != nil {
		t.Errorf("after their grace: %v", err)
	}
	if n := g.disk.stored(); n > 1000 {
		t.Errorf("%d bytes are stored", n)
	}
}
