package job

import (
	"testing"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/test/testenv"
)

func TestEveryTextIsMasked(t *testing.T) {
	r := new(Record)
	testenv.Fill(t, r)
	r.MaskTexts(envelope.Mask{Text: testenv.MaskSecret, Args: testenv.MaskSecrets})
	testenv.Unmasked(t, r, map[string]string{
		"Record.ID": "a ULID", "Record.RequestID": "a UUID", "Record.DedupeKey": "a digest", "State": "a fixed list",
		"Kind": "a fixed list", "Code": "a fixed list", "Outcome.Signal": "a signal's name", "Outcome.Within": "digests", "Output.Artifact": "a digest",
		"Redactions.ByRule": "names of rules", "View.Format": "a dialect's name", "View.ExitCode": "one of three words",
		"Far.Runner": "by which the runner is found in the configuration", "Far.ID": "a ULID", "Far.Mark": "a ULID", "Far.State": "a word",
		"Process.Started": "a number", "Process.Boot": "an id of the system", "Process.Space": "an id of the system",
	})
}
