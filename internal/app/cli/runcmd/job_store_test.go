package runcmd

import (
	"testing"
	"time"
)

// When a job starts is estimated only where all that it depends on is known.
func TestStartsIn(t *testing.T) {
	for _, c := range []struct {
		usual       time.Duration
		place, most int
		want        time.Duration // 0 is not known
	}{
		{time.Second, 2, 4, 500 * time.Millisecond},
		{time.Second, 3, 1, 3 * time.Second},
		{0, 2, 4, 0},
		{time.Second, 0, 4, 0},
		{time.Second, 2, 0, 0},
	} {
		got := startsIn(c.usual, c.place, c.most)
		if (got == nil) != (c.want == 0) || got != nil && *got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
