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
