package mcpserver_test

import (
	"encoding/json"
	"os/exec"
	"testing"

	"github.com/envwrap/envwrap/internal/app/mcpserver"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A recorded is the last run on record.
type recorded struct {
	Shown                int
	Format               string
	Agent, Session, Call string
	AgentReads           bool `json:"agent_reads"`
}

// lastRecorded returns the last run on the record of a server.
func lastRecorded(t *testing.T, c mcpserver.Config) (last recorded) {
	t.Helper()
	doc := envwrap(t, c, "history", "--json", "-n", "1")
	if err := json.Unmarshal(doc, &last); err != nil {
		t.Fatalf("%v\n%s", err, doc)
	}
	return last
}

// envwrap returns what the program of a server prints in its environment.
func envwrap(t *testing.T, c mcpserver.Config, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(c.Program, args...)
	cmd.Env, cmd.Dir = c.Environ, c.Dir
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("envwrap %q: %v", args, err)
	}
	return out
}

// The record of a run has the bytes of the text that the model reads of the answer, and the
// name of its format.
func TestRecordOfACall(t *testing.T) {
	c := config(t)
	c.Structured = false
	s := connect(t, c, nil)
	for _, argv := range [][]string{
		{"echo", "hi"},
		{"printf", `\000\377`},                // is no text, and named
		{"seq", "5000"},                       // the last line names the tool that reads more
		{"sh", "-c", "echo lost >&2; exit 3"}, // fails
		{"no-such-program"},                   // is not started
	} {
		_, text, _ := call(t, s, "run", fields{"argv": argv})
		if got := lastRecorded(t, c); got != (recorded{Shown: len(text), Format: "brief/v1"}) {
			t.Errorf("%q: the record has %+v of the %d bytes\n%s", argv, got, len(text), text)
		}
	}
}

// What the call that waits for a job answers is on the record of the job's run.
func TestRecordOfAWait(t *testing.T) {
	c := config(t)
	s := connect(t, c, nil)
	_, _, submitted := call(t, s, "run", fields{"argv": []string{"echo", "hi"}, "wait": 0})
	c.Structured = false
	s = connect(t, c, nil)
	_, text, _ := call(t, s, "job", fields{"action": "wait", "id": submitted.Data.Job.ID})
	if got := lastRecorded(t, c); got.Shown != len(text) {
		t.Errorf("the record has %+v of the %d bytes\n%s", got, len(text), text)
	}
}

// Of an answer with structured content the model reads that.
func TestRecordOfAStructuredAnswer(t *testing.T) {
	c := config(t)
	result, _, _ := call(t, connect(t, c, nil), "run", fields{"argv": []string{"echo", "hi"}})
	doc, err := json.Marshal(result.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	if got := lastRecorded(t, c); got.Format != "protocol/v1" || got.Shown < len(doc) {
		t.Errorf("the record has %+v of %d bytes", got, len(doc))
	}
}

// The agent that the client is, and the ids that it tells, are on record. How much of an answer it
// shows to its model is not known: no savings are counted.
func TestRecordOfAClient(t *testing.T) {
	for _, x := range []struct {
		name, client string
		env          []string
		meta         mcp.Meta
		want         recorded
	}{
		{"call id", "claude-code", nil, mcp.Meta{"claudecode/toolUseId": "toolu_01"}, recorded{Agent: "claude", Call: "toolu_01"}},
		{"conversation", "codex-mcp-client", nil, mcp.Meta{"threadId": "t-1", "claudecode/toolUseId": "x"}, recorded{Agent: "codex", Session: "t-1"}},
		{"no agent", "claude-ai", nil, mcp.Meta{"threadId": "t-1"}, recorded{}},
		{"a secret", "codex-mcp-client", []string{"API_TOKEN=correct-horse-battery"}, mcp.Meta{"threadId": "correct-horse-battery"}, recorded{Agent: "codex"}},
		{"a variable precedes", "claude-code", []string{"CODEX_THREAD_ID=t-2"}, mcp.Meta{"claudecode/toolUseId": "toolu_01"}, recorded{Agent: "codex", Session: "t-2"}},
		{"a person says no", "claude-code", []string{"ENVWRAP_AGENT=none"}, nil, recorded{}},
	} {
		t.Run(x.name, func(t *testing.T) {
			c := config(t)
			c.Environ = append(c.Environ, x.env...)
			c.Structured = false
			s := connectAs(t, c, x.client, nil)
			result, err := s.CallTool(t.Context(), &mcp.CallToolParams{Meta: x.meta, Name: "run", Arguments: fields{"argv": []string{"sh", "-c", "echo ${ENVWRAP_TOOL_ANSWER-unset}"}}})
			if err != nil {
				t.Fatal(err)
			}
			text := result.Content[0].(*mcp.TextContent).Text
			if text != "unset\n[exit 0]\n" {
				t.Errorf("the command says %q", text)
			}
			x.want.Shown, x.want.Format = len(text), "brief/v1"
			if got := lastRecorded(t, c); got != x.want {
				t.Errorf("the record has %+v, want %+v", got, x.want)
			}
			if _, err = s.CallTool(t.Context(), &mcp.CallToolParams{Name: "read", Arguments: fields{"id": "last"}}); err != nil {
				t.Fatal(err)
			}
			var stats struct {
				Counted int `json:"counted_runs"`
				Tokens  map[string]int
			}
			if err := json.Unmarshal(envwrap(t, c, "stats", "--json"), &stats); err != nil {
				t.Fatal(err)
			}
			if stats.Counted != 0 || stats.Tokens["saved"] != 0 {
				t.Errorf("savings are counted: %+v", stats)
			}
		})
	}
}
