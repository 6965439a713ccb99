package artifact

import (
	"testing"
	"time"
)

// TestStoredAgain looks what is known of an object that comes a second time.
func TestStoredAgain(t *testing.T) {
	at := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	run := Entry{Time: at, Kind: "text/plain", Command: "exec/go", Stream: "stdout", Run: "a", Part: "1"}
	for _, c := range []struct {
		name        string
		then        Entry
		kind        string
		command     string
		stream, run string
	}{
		{"by another run", Entry{Kind: "text/html", Command: "exec/cat", Stream: "stderr", Run: "b"}, "text/html", "exec/cat", "stderr", "b"},
		{"by hand", Entry{Kind: "text/html", Stream: "put", Run: "b"}, "text/html", "exec/go", "stdout", "a"},
		{"by hand, without a type", Entry{Stream: "put", Run: "b"}, "text/plain", "exec/go", "stdout", "a"},
	} {
		for _, late := range []bool{true, false} {
			e, other := run, c.then
			other.Time = at.Add(time.Hour)
			if !late { // the lines may stand in any order
				e, other = other, e
			}
			e.merge(&other)
			if e.Kind != c.kind || e.Command != c.command || e.Stream != c.stream || e.Run != c.run || !e.Time.Equal(at.Add(time.Hour)) {
				t.Errorf("%s: got %+v", c.name, e)
			}
		}
	}
}

// TestOfPart follows a part to the object that it became.
func TestOfPart(t *testing.T) {
	s := openTemp(t)
	p, err := s.Create()
	if err != nil {
		t.Fatal(err)
	}
	defer p.Discard()
	if _, err := p.Write([]byte("text")); err != nil {
		t.Fatal(err)
	}
	parts, err := s.Parts()
	if err != nil || len(parts) != 1 {
		t.Fatalf("%v, %v", parts, err)
	}
	digest, err := p.Commit(Info{})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := (Stores{s}).OfPart(parts[0].Name); err != nil || got != digest {
		t.Errorf("got %q, %v", got, err)
	}
	for _, name := range []string{"", ".", "4711", "4711.1", parts[0].Name + "1"} {
		if got, err := (Stores{s}).OfPart(name); err == nil {
			t.Errorf("%q became %q", name, got)
		}
	}
}
