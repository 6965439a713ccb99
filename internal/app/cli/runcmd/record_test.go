package runcmd

import (
	"strings"
	"testing"

	"github.com/envwrap/envwrap/envelope"
)

// The record of a failure has the end of stderr or, if that is empty, of stdout: 1 KiB.
func TestLastText(t *testing.T) {
	stream := func(tail string) *envelope.Stream { return &envelope.Stream{Tail: []byte(tail)} }
	long := strings.Repeat("a", 100) + strings.Repeat("b", 1<<10)
	for _, c := range []struct{ stderr, stdout, want string }{
		{"e", "o", "e"}, {"", "o", "o"}, {" \n", "o", "o"}, {"", "", ""}, {long, "o", long[100:]}, {"", long, long[100:]},
	} {
		if got := string(lastText(stream(c.stderr), stream(c.stdout))); got != c.want {
			t.Errorf("%.20q, %.20q: got %d bytes %.20q", c.stderr, c.stdout, len(got), got)
		}
	}
}
