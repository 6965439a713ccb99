//go:build unix

package cli

import (
	"errors"
	"strings"
	"testing"
)

// Descriptors are counted below a small limit only.
func TestCheckRoom(t *testing.T) {
	var usage *UsageError
	if err := checkRoom(63, 63); !errors.As(err, &usage) || !strings.Contains(usage.Text, "the limit on open files is 63, which leaves ") {
		t.Errorf("standard input is open: %v", err)
	}
	for _, c := range []struct {
		limit  uint64
		needed int
		enough bool
	}{
		{0, 0, true}, {0, 1, false}, {1, 1, false}, {63, 1, true}, {64, 1000, true}, {1 << 40, 1000, true},
	} {
		if err := checkRoom(c.limit, c.needed); (err == nil) != c.enough {
			t.Errorf("%d of %d: %v", c.needed, c.limit, err)
		}
	}
}
