package envelopecmd

import (
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/app/stats"
	"github.com/envwrap/envwrap/internal/shared/term"
)

// The tokens saved of a group are known if its runs were counted, or read on later.
func TestGroupsTable(t *testing.T) {
	for _, c := range []struct {
		counted int
		later   int64
		saved   string
	}{
		{0, 0, "-"},
		{1, 0, "-1,200"},
		{0, 1200, "-1,200"},
	} {
		g := stats.Group{Key: "k"}
		g.Counted, g.Tokens.Later, g.Tokens.Saved = c.counted, c.later, -1200
		var b strings.Builder
		groupsTable([]stats.Group{g}).Write(&b, term.Screen{})
		if fields := strings.Fields(b.String()); len(fields) < 2 || fields[len(fields)-2] != c.saved {
			t.Errorf("counted %d, later %d: %q, want %s saved", c.counted, c.later, b.String(), c.saved)
		}
	}
}
