package envelopecmd

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
	"github.com/envwrap/envwrap/internal/shared/exitcode"
	"github.com/envwrap/envwrap/internal/shared/term"
	"github.com/envwrap/envwrap/internal/test/testenv"
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
	testenv.KeepSections(t, "../../../../docs/reference/codes.md", map[string]string{"codes": docCodes()})
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

// The answer about a status has each fact on a line. What no row says is a convention, or
// not known.
func TestExplainText(t *testing.T) {
	for question, want := range map[string]string{
		"docker 125": "docker, status 125: unknown flag\n  outcome:   failure (EARG)\n  retryable: no\n  source:    docker\n\n" +
			"docker run,create, status 125: daemon/CLI error before the container ran (bad flag, image missing)\n  outcome:   failure (ERUNTIME)\n  retryable: no\n  source:    docker\n\n" +
			"docker run,exec, status 125: exit code of the contained command\n  outcome:   failure (ERUNTIME)\n  retryable: no\n  source:    docker\n\n" +
			"docker, status 125: the daemon cannot be reached\n  where it prints: Cannot connect to the Docker daemon\n  outcome:         failure (ERUNTIME)\n  retryable:       no\n  source:          docker 28", // and more kinds
		"grep 1":    "grep, status 1: no lines selected (not an error)\n  outcome: negative (ok)\n  source:  man:grep\n",
		"mytool 0":  "0 is success.\n",
		"0":         "0 is success.\n",
		"64":        "By convention (sysexits.h), 64 is EARG: EX_USAGE command line usage error.\n",
		"bash 127":  "To a shell, 127 means: command not found (also: interpreter missing).\n",
		"126":       "126 has no known meaning: it is ERUNTIME, and never ok.\n",
		"200":       "200 has no known meaning: it is ERUNTIME, and never ok.\n",
		"255":       "To a shell, 255 means: exit status out of range / -1.\n",
		"256":       "The table of known tools has no \"256\"; of its statuses only 0 is ok.\n",
		"-1":        "The table of known tools has no \"-1\"; of its statuses only 0 is ok.\n",
		"curl 256":  `"256" is not a valid exit status`,
		"curl -1":   `"-1" is not a valid exit status`,
		"mytool 8x": `"8x" is not a valid exit status`,
		"ETIMEOUT":  "ETIMEOUT: ",
	} {
		a, err := explain(strings.Fields(question))
		got := fmt.Sprint(err)
		if err == nil {
			got = a.text(term.Screen{})
		}
		if got != want && (strings.HasSuffix(want, "\n") || !strings.HasPrefix(got, want)) {
			t.Errorf("%s: got\n%s\nwant\n%s", question, got, want)
		}
	}
}
