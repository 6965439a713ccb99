package envelopecmd

import (
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
	"github.com/envwrap/envwrap/internal/app/runlog"
	"github.com/envwrap/envwrap/internal/shared/term"
)

// A command line cannot write control characters into the list.
func TestHostileCommandInList(t *testing.T) {
	hostile := cli.Recorded{Run: &runlog.Run{Argv: []string{"run", "\x1b[2J\a\u202e\x9b"}}, N: 1}
	var list strings.Builder
	runsTable([]cli.Recorded{hostile}, clitest.Now()).Write(&list, term.Screen{})
	if got := strings.TrimSuffix(list.String(), "\n"); term.Visible(got) != got {
		t.Errorf("the list has control characters: %q", got)
	}
}

// The end of what a failed run printed is no stream; what an unfinished one showed first is.
func TestResultOf(t *testing.T) {
	for _, c := range []struct {
		outcome, excerpt, want string
		bytes                  int64
	}{
		{"failure", "the end\n", "", 5000},
		{cli.Unfinished, "shown\n", "shown\n", 6},
		{cli.Unfinished, "", "", 5000},
	} {
		out := resultOf(&runlog.Run{Outcome: c.outcome, Excerpt: c.excerpt, StdoutBytes: 5000}).Stdout
		if out.Text != c.want || out.Bytes != c.bytes {
			t.Errorf("%s %q: %q, %d bytes", c.outcome, c.excerpt, out.Text, out.Bytes)
		}
	}
}
