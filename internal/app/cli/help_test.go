package cli

import (
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/shared/term"
)

// In help a name and its text never touch, however long the name is.
func TestHelpColumns(t *testing.T) {
	var b strings.Builder
	writeOptions(&b, []*Option{
		{Name: "a", Help: "first"},
		{Name: "a-name-that-is-longer-than-most", Value: "DURATION", Help: "second"},
	}, term.Screen{})
	lines := strings.Split(b.String(), "\n")
	at := strings.Index(lines[1], "first")
	if at < 0 || at != strings.Index(lines[2], "second") || lines[2][at-2:at] != "  " {
		t.Errorf("got\n%s", b.String())
	}
}
