package runcmd

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/envwrap/envwrap/envelope"
)

type broken struct{ err error }

func (b broken) Write([]byte) (int, error) { return 0, b.err }

// An error of one of two writers does not keep the data from the other.
func TestBoth(t *testing.T) {
	full, gone := broken{errors.New("full")}, broken{errors.New("gone")}
	for name, c := range map[string]struct {
		w    func(good *strings.Builder) both
		want error
		text string
	}{
		"one":   {func(s *strings.Builder) both { return both{full, s} }, nil, "text"},
		"other": {func(s *strings.Builder) both { return both{s, full} }, nil, "text"},
		"two":   {func(*strings.Builder) both { return both{full, gone} }, full.err, ""},
	} {
		var s strings.Builder
		if _, err := c.w(&s).Write([]byte("text")); !errors.Is(err, c.want) || (err != nil) != (c.want != nil) || s.String() != c.text {
			t.Errorf("%s: %v, %q", name, err, s.String())
		}
	}
}

// The live line shows a percentage and a message where there are any.
func TestProgressText(t *testing.T) {
	p := envelope.Progress{Elapsed: 1700 * time.Millisecond, StdoutBytes: 2, StderrBytes: 3}
	if got := progressText("make", p); got != "make  1s  5 B" {
		t.Errorf("%q", got)
	}
	p.Pct, p.Message = new(49.6), "linking"
	if got := progressText("make", p); got != "make  1s  5 B  50%  linking" {
		t.Errorf("%q", got)
	}
}
