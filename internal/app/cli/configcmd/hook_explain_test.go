package configcmd

import (
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/app/below"
)

// What is known of a command's stages depends on what it ends with.
func TestExplanation(t *testing.T) {
	client, _ := below.Lookup(below.ClaudeCode)
	const ofLs = "The status is read as that of ls (envwrap explain ls N)."
	for command, c := range map[string]struct{ want, without string }{
		"make 2>&1 | tail -5":   {"It ends with a pipeline: how each stage ends is known (make | tail).", "The status is read"},
		"(cd x; make) | tail":   {"((...) | tail)", ""},
		"ls":                    {"It has no pipeline: it has the status of its last command.\n" + ofLs, "It ends"},
		"ls 'a|b'":              {"It does not end with a pipeline: it has the status of its last command.\n" + ofLs, "It ends"},
		"make | tail; ls":       {"It does not end with a pipeline", "The status is read"},
		"$TOOL a":               {"It has no pipeline", "The status is read"},
		"echo 'unclosed | tail": {"It cannot be read for certain (", "It ends"},
	} {
		got := explanation(client, command)
		if !strings.Contains(got, c.want) || c.without != "" && strings.Contains(got, c.without) {
			t.Errorf("%s:\n%s", command, got)
		}
	}
}
