package artifact

import (
	"bytes"
	"fmt"
	"os"
	"testing"
)

// TestIndexLinesKeepToTheirBlock looks whether a SIGKILL between two blocks of
// a write could cut a line.
func TestIndexLinesKeepToTheirBlock(t *testing.T) {
	t.Parallel()
	s, index := openIndex(t)
	for i := range 110 {
		put(t, s, fmt.Appendf(nil, "%*d", i+1, i))
	}
	text, err := os.ReadFile(index)
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for at := 0; at < len(text); {
		end := at + bytes.IndexByte(text[at:], '\n') + 1
		if end > at+1 {
			lines++
			if at/indexBlock != (end-1)/indexBlock {
				t.Errorf("line %d goes from byte %d to byte %d", lines, at, end)
			}
		}
		at = end
	}
	if lines != 110 || len(text) < 3*indexBlock {
		t.Errorf("%d lines in %d bytes", lines, len(text))
	}
}

// TestAppendHeals adds a line after a torn one, which stays the only one that
// is damaged.
func TestAppendHeals(t *testing.T) {
	s, path := openIndex(t)
	put(t, s, []byte("one"))
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, whole[:len(whole)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	put(t, s, []byte("two"))
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	last := text[len(whole)/2:]
	var e Entry
	if last[0] != '\n' || !parseEntry(last[1:len(last)-1], &e, interner{}) {
		t.Errorf("after the torn line: %q", last)
	}
	v, err := s.Verify(Check{})
	if err != nil || len(v.Faults) != 1 {
		t.Errorf("verify found %v, %v", v.Faults, err)
	}
	if added, dropped, err := s.Reindex(); added != 1 || dropped != 1 || err != nil {
		t.Errorf("reindex added %d, dropped %d, %v", added, dropped, err)
	}
	if v, err := s.Verify(Check{}); err != nil || len(v.Faults) != 0 {
		t.Errorf("then verify found %v, %v", v.Faults, err)
	}
}
