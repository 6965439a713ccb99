package runcmd

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
)

// A request has an id, which is a UUID; else the error says what is wrong with it.
func TestRequestID(t *testing.T) {
	const id = "32ecfadc-2b66-4daa-a7c0-a03c449fcea5"
	dir := t.TempDir()
	env := clitest.EnvIn(t, dir)
	for text, want := range map[string]string{
		`{"request_id":"` + id + `","more":[1]}`: "",
		`{}`:                                     "it has none",
		`{"Request_ID":"` + id + `"}`:            "it has none",
		`{"request_id":null}`:                    "it has none",
		`{"request_id":""}`:                      "it has none",
		`{"request_id":7}`:                       "it is not a string",
		`{"request_id":"7"}`:                     "is not a UUID",
		`[]`:                                     "it is not such a JSON object",
	} {
		if err := os.WriteFile(filepath.Join(dir, "request"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := agentRequestID(env, "request")
		_, usage := errors.AsType[*cli.UsageError](err)
		if want == "" && (err != nil || got != id) || want != "" && (!usage || !strings.Contains(err.Error(), want+"\n") || got != "") {
			t.Errorf("%s: %q, %v", text, got, err)
		}
	}
	if _, err := agentRequestID(env, "nowhere"); err == nil {
		t.Error("of no file")
	}
}
