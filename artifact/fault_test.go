package artifact

import (
	"errors"
	"io/fs"
	"testing"
	"testing/synctest"
	"time"
)

// TestCloseWaits waits a moment for the automatic collector, where there is one.
func TestCloseWaits(t *testing.T) {
	for _, c := range []struct {
		on, done bool
		want     time.Duration
	}{{false, false, 0}, {true, false, maintainWait}, {true, true, 0}} {
		synctest.Test(t, func(t *testing.T) {
			g := newStage()
			s := g.mustOpen(t, g.disk, "run")
			s.maintenance.running.Store(c.on)
			if c.done {
				close(s.maintenance.done)
			}
			began := time.Now()
			s.Close()
			if took := time.Since(began); took != c.want {
				t.Errorf("on %v, done %v: waited %v, not %v", c.on, c.done, took, c.want)
			}
		})
	}
}

// TestClosedObject reads an object after Close, which may be called again.
func TestClosedObject(t *testing.T) {
	g := newStage()
	s := g.mustOpen(t, g.disk, "run")
	id, err := store(s, []byte("text"))
	if err != nil {
		t.Fatal(err)
	}
	o, err := s.Get(id)
	if err != nil {
		t.Fatal(err)
	}
	o.Close()
	o.Close()
	if n, err := o.Read(make([]byte, 4)); n != 0 || !errors.Is(err, fs.ErrClosed) {
		t.Errorf("got %d bytes, %v", n, err)
	}
}

// TestClauses lists the texts that an expression is looked for by.
