//go:build unix

package verbs

import (
	"encoding/base64"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
	"github.com/envwrap/envwrap/internal/app/session"
	"github.com/envwrap/envwrap/internal/test/matrix"
)

// Outputs of commands, of n bytes or slightly more.
var budgetTexts = []struct {
	name string
	make func(n int) string
}{
	{"lines", func(n int) string { return strings.Repeat("a line of some length that says nothing\n", n/40+1) }},
	{"quotes", func(n int) string { return strings.Repeat(`"\`+"\t\x01", n/4+1) }},
	{"one line", func(n int) string { return strings.Repeat("größer 日本語 🙂 ", n/26+1) }},
	{"bytes", func(n int) string { return strings.Repeat("\xff\x00\xfe", n/3+1) }},
	{"json", func(n int) string {
		return `[` + strings.Repeat(`{"id":1,"name":"one"},`, n/22+1) + `{"id":0,"name":"last"}]`
	}},
}

// For any output and end of a command, the envelope has at most the characters that the
// calling agent accepts, is valid, says how the command ended, and names where the rest is.
func TestBudgetOfAgents(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	agents := []struct {
		variable string
		most     int
	}{
		{"CLAUDECODE=1", 28_000},
		{"CODEX_THREAD_ID=x", 9_000},
		{"GEMINI_CLI=1", 36_000},
		{"PI_CODING_AGENT=1", 45_000},
		{"OPENCODE=1", 45_000},
	}
	dialects, dir := envelope.Dialects(), t.TempDir()
	for _, at := range matrix.Cases(len(agents)*len(dialects), len(budgetTexts)) {
		a, d, text := agents[at[0]/len(dialects)], dialects[at[0]%len(dialects)], budgetTexts[at[1]]
		n := a.most - 2000 + random.IntN(4000) // about the edge, or anywhere
		if at[1] == random.IntN(len(budgetTexts)) {
			n = 1 << (8 + random.IntN(13))
		}
		checkBudget(t, dir, a.variable, a.most, d, text.name, text.make(n), random.IntN(2)*3)
	}
}

func checkBudget(t *testing.T, dir, agent string, most int, d envelope.Dialect, name, text string, status int) {
	t.Helper()
	file := filepath.Join(dir, "text")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	env := fullEnv(t, dir, "-f", d.Name(), "--include-output", "--", "sh", "-c", `cat "$0"; cat "$0" >&2; exit $1`, file, string(rune('0'+status)))
	env.Environ = session.SetAll(env.Environ, agent, "ENVWRAP_STORE_SYNC=off")
	env.AgentReads = new(true)
	if got := cli.Main(env); got != status {
		t.Errorf("%s, %s, %s: exit status %d, want %d", agent, d.Name(), name, got, status)
	}
	doc := clitest.Contents(t, env.Stdout.Name())
	if n := len(utf16.Encode([]rune(doc))); n > most {
		t.Errorf("%s, %s, %s of %d bytes: %d characters, at most %d", agent, d.Name(), name, len(text), n, most)
	}
	if faults := envelope.Validate(d, []byte(doc), envelope.ValidateOptions{}); faults != nil {
		t.Errorf("%s, %s, %s: %v", agent, d.Name(), name, faults[0])
		return
	}
	r, err := envelope.Decode(d, []byte(doc))
	if err != nil {
		t.Fatal(err)
	}
	if ok := r.Outcome.Code == ""; ok != (status == 0 && len(text) <= 1<<20) {
		t.Errorf("%s, %s, %s: code %q for status %d", agent, d.Name(), name, r.Outcome.Code, status)
	}
	if len(text) > most && len(artifactIDs(doc)) == 0 {
		t.Errorf("%s, %s, %s of %d bytes: nothing names the rest in %s", agent, d.Name(), name, len(text), doc)
	}
}

// artifactIDs are the digests in an envelope.
func artifactIDs(doc string) []string {
	if _, coded, ok := strings.Cut(doc, "__ENVELOPE_V1__:"); ok {
		text, _ := base64.StdEncoding.DecodeString(strings.TrimSpace(coded)) // it is valid
		doc = string(text)
	}
	var ids []string
	for _, word := range strings.FieldsFunc(doc, func(r rune) bool { return !strings.ContainsRune("0123456789abcdef", r) }) {
		if len(word) == 64 {
			ids = append(ids, word)
		}
	}
	return ids
}

// The decisive members precede the output, so that an agent that truncates an envelope
// cuts output only.
func TestDecisiveMembersFirst(t *testing.T) {
	dir := t.TempDir()
	env := fullEnv(t, dir, "--", "sh", "-c", "echo out; echo err >&2; exit 3")
	cli.Main(env)
	doc := clitest.Contents(t, env.Stdout.Name())
	at := 0
	for _, member := range []string{`"version"`, `"status"`, `"command"`, `"argv"`, `"exit_code"`, `"outcome"`, `"stdout"`, `"stderr"`} {
		i := strings.Index(doc, member)
		if i < at {
			t.Errorf("%s is too early or missing in %s", member, doc)
		}
		at = i
	}
}
