package envelopecmd

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/cli/clitest"
	"github.com/envwrap/envwrap/internal/exitcode"
)

func TestEveryCodeIsExplained(t *testing.T) {
	explained := codeTexts()
	if len(explained) != len(envelope.Codes()) {
		t.Fatalf("%d texts for %d codes", len(explained), len(envelope.Codes()))
	}
	for i, c := range envelope.Codes() {
		text := explained[i]
		if text.code != c {
			t.Errorf("text %d is of %s, want %s", i, text.code, c)
		}
		if text.means == "" || text.when == "" || text.do == "" || !slices.Contains([]string{"yes", "no", "sometimes"}, text.retry) {
			t.Errorf("%s: %+v", c, text)
		}
	}
}

// A pattern of the table is explained by a status that it fits.
func TestFirstStatusOfAPattern(t *testing.T) {
	rows := 0
	for _, tool := range []string{"curl", "mount", "find", "borg", "flock", "kubectl", "shell", "git"} {
		for row := range exitcode.Rows(tool) {
			rows++
			if _, ok := row.Says(tool, first(row.Status)); !ok {
				t.Errorf("%s: %d does not fit %q", tool, first(row.Status), row.Status)
			}
		}
	}
	if rows < 100 {
		t.Errorf("only %d rows", rows)
	}
}

// docs/reference/codes.md says what the tables say. UPDATE=1 writes it anew.
func TestDocsOfCodes(t *testing.T) {
	const path = "../../../docs/reference/codes.md"
	doc := clitest.Contents(t, path)
	want := clitest.ReplaceSection(t, doc, "codes", docCodes())
	if want == doc {
		return
	}
	if os.Getenv("UPDATE") == "" {
		t.Errorf("%s differs from the tables; UPDATE=1 go test ./internal/cli/... writes it", path)
		return
	}
	if err := os.WriteFile(path, []byte(want), 0o600); err != nil {
		t.Fatal(err)
	}
}

func docCodes() string {
	var b strings.Builder
	b.WriteString("| code | means | when | retryable | what to do |\n|---|---|---|---|---|\n")
	for _, c := range codeTexts() {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", c.code, clitest.DocText(c.means), clitest.DocText(c.when), c.retry, clitest.DocText(c.do))
	}
	return b.String()
}

func TestExplainKnowsEveryCode(t *testing.T) {
	for _, c := range envelope.Codes() {
		a, err := explain([]string{strings.ToLower(string(c))})
		if err != nil || len(a.Codes) != 1 || a.Codes[0].Code != envelope.Code(c) {
			t.Errorf("%s: %+v, %v", c, a, err)
		}
	}
}
