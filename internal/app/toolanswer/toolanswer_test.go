package toolanswer

import (
	"strings"
	"testing"
	"time"

	"github.com/envwrap/envwrap/envelope"
)

func dialect(t *testing.T, name string) envelope.Dialect {
	t.Helper()
	d, ok := envelope.Lookup(name)
	if !ok {
		t.Fatalf("no dialect %q", name)
	}
	return d
}

// The variable of a call describes its caller, and nothing else does.
func TestCallerOf(t *testing.T) {
	brief := dialect(t, "brief")
	for _, c := range []Caller{
		{Format: brief, Agent: "claude", Session: "s1", Call: "c1"},
		{Format: brief, Call: "c1"},
		{Format: dialect(t, "protocol/v1")},
	} {
		name, value, _ := strings.Cut(c.Variable(), "=")
		got, ok := CallerOf(func(n string) (string, bool) { return value, n == name })
		if !ok || got != c {
			t.Errorf("%q: got %+v, %t", value, got, ok)
		}
	}
	for value, want := range map[string]bool{"brief": true, "brief codex": true, "": false, "x codex s c": false} {
		if got, ok := CallerOf(func(string) (string, bool) { return value, true }); ok != want || !ok && got != (Caller{}) {
			t.Errorf("%q: got %+v, %t", value, got, ok)
		}
	}
	if _, ok := CallerOf(func(string) (string, bool) { return "brief", false }); ok {
		t.Error("a caller without the variable")
	}
}

// The last line of a brief answer names tools instead of command lines, and the hint of an
// outcome their arguments instead of options. The command's own output stays.
func TestNameTools(t *testing.T) {
	hinted := &envelope.Result{Outcome: envelope.Outcome{Hint: "h"}}
	jobs := &envelope.Result{Jobs: &envelope.Jobs{List: []envelope.Job{{ID: "01A"}, {ID: "01B"}}}}
	for _, c := range []struct {
		name, text, want string
		r                *envelope.Result
	}{
		{"an artifact", "out\n[2 KB left out: envwrap artifact cat sha256:ab; 3 warnings]\n", "out\n[2 KB left out: call read with id sha256:ab; 3 warnings]\n", &envelope.Result{}},
		{"lines of one", "[left out: envwrap artifact cat --lines 1-9 sha256:ab]", "[left out: call read with id sha256:ab, lines 1-9]", &envelope.Result{}},
		{"other options", "[left out: envwrap artifact cat --bytes 1-9 sha256:ab]", "[left out: envwrap artifact cat --bytes 1-9 sha256:ab]", &envelope.Result{}},
		{"no end", "[left out: envwrap artifact cat sha256:ab", "[left out: envwrap artifact cat sha256:ab", &envelope.Result{}},
		{"an earlier line", "x: envwrap artifact cat sha256:ab]\nlast\n", "x: envwrap artifact cat sha256:ab]\nlast\n", &envelope.Result{}},
		{"a hint", "Give --cwd a directory\n[failed. Give --cwd a directory]\n", "Give --cwd a directory\n[failed. Give cwd a directory]\n", hinted},
		{"no hint", "[failed. Give --cwd a directory]\n", "[failed. Give --cwd a directory]\n", &envelope.Result{}},
		{"jobs", "[a; envwrap job wait 01A]\n[b; envwrap job wait 01B]\n", "[a; call job with action wait, id 01A]\n[b; call job with action wait, id 01B]\n", jobs},
	} {
		if got := nameTools(c.text, c.r); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// Output that is no text names its artifact only in a text, and only if the store has it.
func TestBlocksOfBinaryOutput(t *testing.T) {
	const digest = "sha256:6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d" // of the byte 0
	for _, c := range []struct {
		format string
		stored bool
		named  bool
	}{{"brief", true, true}, {"brief", false, false}, {"protocol/v1", true, false}} {
		r := result(envelope.Stream{Bytes: 1, Lines: 1, Binary: []byte{0}})
		var asked []string
		blocks, err := Blocks(dialect(t, c.format), r, func(d string) bool { asked = append(asked, d); return c.stored })
		if err != nil {
			t.Fatal(err)
		}
		if named := strings.Contains(strings.Join(blocks, ""), digest[len("sha256:"):][:12]); named != c.named || (len(asked) == 1 && asked[0] == digest) != (c.format == "brief") {
			t.Errorf("%+v: asked for %q, got %q", c, asked, blocks)
		}
	}
}

// Only a text names tools: an envelope keeps its hint. A record that has no envelope has an error.
func TestBlocksOfEnvelope(t *testing.T) {
	protocol := dialect(t, "protocol/v1")
	r := result(envelope.Stream{})
	r.Outcome = envelope.Outcome{Kind: envelope.Failure, Code: envelope.EARG, Message: "m", Hint: "Give --cwd a directory that exists."}
	r.Stderr = envelope.Stream{Bytes: 37, Lines: 1, Text: "left out: envwrap artifact cat sha256]"}
	doc, err := envelope.Encode(protocol, r, envelope.EncodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	blocks, err := Blocks(protocol, r, func(string) bool { return true })
	if got := strings.Join(blocks, ""); err != nil || got != string(doc) {
		t.Errorf("got %s, %v, want %s", got, err, doc)
	}
	r.Stdout = envelope.Stream{Bytes: 1, JSON: []byte("{")}
	if blocks, err := Blocks(protocol, r, func(string) bool { return true }); err == nil {
		t.Errorf("output that is not JSON: %q", blocks)
	}
}

// result returns the record of a run that printed stdout.
func result(stdout envelope.Stream) *envelope.Result {
	at := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	return &envelope.Result{
		Command: "exec/x", Tool: "x", Argv: []string{"x"}, Started: at, Ended: at, TraceID: strings.Repeat("a", 32), Workspace: "/",
		Outcome: envelope.Outcome{Kind: envelope.Success}, Stdout: stdout,
	}
}

// Of an envelope the model reads the text that is made of it; of any other text, all.
func TestShown(t *testing.T) {
	brief, protocol := dialect(t, "brief"), dialect(t, "protocol/v1")
	for _, stdout := range []envelope.Stream{{Bytes: 6, Lines: 1, Text: "hello\n"}, {Bytes: 1, Lines: 1, Binary: []byte{0}}} {
		doc, err := envelope.Encode(protocol, result(stdout), envelope.EncodeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		blocks, err := Blocks(brief, result(stdout), func(string) bool { return true }) // a job stores its output
		if err != nil {
			t.Fatal(err)
		}
		if got, want := Shown(brief, doc), len(strings.Join(blocks, "")); got != want || got >= len(doc) {
			t.Errorf("of an envelope of %d bytes %d are shown as brief, want %d", len(doc), got, want)
		}
		if got := Shown(protocol, doc); got != len(doc) {
			t.Errorf("of an envelope of %d bytes %d are shown as it is", len(doc), got)
		}
	}
	if got := Shown(brief, []byte("no envelope")); got != len("no envelope") {
		t.Errorf("of a text %d bytes are shown", got)
	}
}
