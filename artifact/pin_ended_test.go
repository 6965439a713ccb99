package artifact

import (
	"testing"
	"time"
)

// A pin whose time is over goes with the next collection; one that holds, or that
// nobody can read, stays.
func TestEndedPinsGo(t *testing.T) {
	now := time.Now()
	// The automatic collector would read the clock that is changed here.
	s := openWith(t, Options{Now: func() time.Time { return now }, NoMaintenance: true})
	digest := put(t, s, []byte("pinned"))
	for owner, until := range map[string]time.Time{
		"ended": now.Add(time.Hour), "holds": now.Add(3 * time.Hour), "ever": {}, "damaged": now.Add(time.Hour),
	} {
		if _, err := s.Pin(digest, owner, until); err != nil {
			t.Fatal(err)
		}
	}
	damaged := pinName(digest[len(digestPrefix):], "damaged")
	f, err := s.fs.OpenFile(damaged, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt([]byte("x"), 0); err != nil {
		t.Fatal(err)
	}
	f.Close()
	now = now.Add(2 * time.Hour)
	if _, err := s.Collect(Policy{DryRun: true}); err != nil {
		t.Fatal(err)
	}
	if left, _ := s.fs.NamesIn(pinsDir); len(left) != 4 {
		t.Errorf("a dry run removed pins: %q", left)
	}
	if _, err := s.Collect(DefaultPolicy()); err != nil {
		t.Fatal(err)
	}
	if left, _ := s.fs.NamesIn(pinsDir); len(left) != 3 {
		t.Errorf("left: %q", left)
	}
	if pins, err := s.Pins(); err != nil || len(pins) != 3 {
		t.Errorf("pins: %v, %v", pins, err)
	}
}
