//go:build unix

package wrap_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/envelope"
)

// TestClippedSummary looks whether the summary of an artifact that is less
// than the stream says of the artifact, and the rest of the stream.
func TestClippedSummary(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"text":             `seq 1 30000`,
		"half a character": `printf x; yes äöü | head -n 30000`,
		"array":            `printf '[1'; seq 2 30000 | sed s/^/,/; echo ]`,
		"NDJSON":           `yes '{"ab":1}' | head -n 30000`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := command(t, "exit")
			c.Argv = []string{"sh", "-c", script}
			c.MaxArtifact = 50_000
			res := run(t, c)
			want(t, res, envelope.Success, "", 0)
			text := stored(t, c, res.Stdout.Artifact)
			y := res.Stdout.Summary
			if y.SizeBytes != int64(len(text)) || len(text) != 50_000 || y.RecordCount != nil || y.Lines == nil {
				t.Fatalf("%d bytes are stored, and the summary is %+v", len(text), y)
			}
			whole, end := strings.Count(string(text), "\n"), 0
			if text[len(text)-1] != '\n' {
				end = 1
			}
			if *y.Lines != int64(whole+end) || !strings.HasPrefix(y.Kind, "text/plain") {
				t.Errorf("%d lines are stored, and the summary says %d of %s", whole+end, *y.Lines, y.Kind)
			}
			store, _, err := c.Store()
			if err != nil {
				t.Fatal(err)
			}
			e, err := store.List()
			if err != nil || len(e) != 1 || e[0].Kind != y.Kind {
				t.Errorf("the list says %+v, %v", e, err)
			}
			lost := fmt.Sprintf("the other %d bytes are lost", res.Stdout.Bytes-y.SizeBytes)
			if len(res.Warnings) != 1 || !strings.Contains(res.Warnings[0], lost) || !res.Stdout.Truncated {
				t.Errorf("warnings %q", res.Warnings)
			}
		})
	}
}
