package exitcode

import (
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/shared/outcome"
)

func allTextRows(t *testing.T) []TextRow {
	t.Helper()
	var rows []TextRow
	for line := range strings.Lines(texts) {
		row, ok := parseTextRow(line)
		if !ok {
			t.Fatalf("not a row: %q", line)
		}
		rows = append(rows, row)
	}
	if len(rows) < 80 {
		t.Fatalf("only %d rows", len(rows))
	}
	return rows
}

// Every row has known words, and is found by its text where no row before it is.
func TestEveryTextRowIsFound(t *testing.T) {
	for _, row := range allTextRows(t) {
		if _, ok := classOf(row.Class); !ok || row.Meaning == "" || row.Source == "" || !inList("D M DM", ' ', row.Evidence) {
			t.Errorf("not a good row: %v", row)
		}
		for tool := range strings.SplitSeq(strings.ReplaceAll(row.Tools, "*", "pre-commit"), ",") {
			text := strings.ReplaceAll(strings.Trim(row.Text, "^$"), "{tool}", "pre_commit")
			line := "x " + text + " x"
			if strings.HasPrefix(row.Text, "^") {
				line = text + " x"
			}
			if strings.HasSuffix(row.Text, "$") {
				line = "x " + text
			}
			for _, scope := range scopes(row.Scope) {
				argv := append([]string{tool}, strings.Fields(scope)...)
				for _, status := range samples(row.Status) {
					m, ok := LookupText(argv, status, nil, []byte("before\n"+line+"\nafter\n"))
					if !ok || m.Row != row.Row && !strings.Contains(text, earlier(t, m.Row)) {
						t.Errorf("%v, status %d, %q: found %v", argv, status, line, m.Row)
					}
				}
			}
		}
	}
}

// earlier is the text of a row that comes before others that it fits as well.
func earlier(t *testing.T, row Row) string {
	for _, r := range allTextRows(t) {
		if r.Row == row {
			return strings.Trim(r.Text, "^$")
		}
	}
	return "no such row"
}

func TestLookupText(t *testing.T) {
	for _, c := range []struct {
		argv, output string
		status       int
		kind         outcome.Kind // "" where nothing is found
		code         outcome.Code
		retryable    bool
	}{
		{"python3 -m pytest", "/usr/bin/python3: No module named pytest\n", 1, outcome.Failure, outcome.ENOTFOUND, false},
		{"python3 -m pytest", "E   ModuleNotFoundError: No module named 'pytest'\n", 1, "", "", false},
		{"python3 -m nosuch", "/usr/bin/python3: No module named nosuch", 1, outcome.Failure, outcome.ENOTFOUND, false},
		{"python3 -m pre_commit", "python3: No module named pre_commit\n", 1, outcome.Failure, outcome.ENOTFOUND, false},
		{"pytest", "python3: No module named pytests\n", 1, "", "", false},
		{"go test ./x", "go: go.mod file not found in current directory or any parent directory; see 'go help modules'\n", 1, outcome.Failure, outcome.EARG, false},
		{"go test ./...", "FAIL\tm [build failed]\nFAIL\n", 1, outcome.Failure, outcome.ERUNTIME, false},
		{"go test -json ./...", `{"ImportPath":"m [m.test]","Action":"build-fail"}` + "\n", 1, outcome.Failure, outcome.ERUNTIME, false},
		{"go test ./...", "--- FAIL: TestX\nFAIL\tm\t0.1s\n", 1, "", "", false},
		{"go fmt", "FAIL\tm [build failed]\n", 1, "", "", false},
		{"curl -f u", "curl: (22) The requested URL returned error: 503\n", 22, outcome.Failure, outcome.ERUNTIME, true},
		{"curl -f u", "curl: (22) The requested URL returned error: 408\n", 22, outcome.Failure, outcome.ERUNTIME, true},
		{"curl -f u", "curl: (22) The requested URL returned error: 404\n", 22, outcome.Failure, outcome.ERUNTIME, false},
		{"sudo -u x git checkout y", "error: pathspec 'y' did not match any file(s) known to git\n", 1, outcome.Failure, outcome.ENOTFOUND, false},
		{"git checkout y", "x error: pathspec 'y'\n", 1, "", "", false},
		{"git diff --no-index a y", "error: Could not access 'y'\n", 1, outcome.Failure, outcome.ENOTFOUND, false},
		{"npm install x", "npm error code E404\r\n", 1, outcome.Failure, outcome.ENOTFOUND, false},
		{"npm install x", "npm ERR! code ETIMEDOUT\n", 1, outcome.Timeout, outcome.ETIMEOUT, true},
		{"cargo test", "error: test failed, to rerun pass `--lib`\n", 101, outcome.Findings, outcome.ERUNTIME, false},
		{"gcc-14 x.c", "gcc: fatal error: no input files\n", 1, outcome.Failure, outcome.EARG, false},
		{"gcc x.c", "x.c:1:2: error: 'x' undeclared\n", 1, "", "", false},
		{"sudo -n grep x f", "sudo: a password is required\n", 1, outcome.Failure, outcome.EAUTH, false},
		{"sudo -n grep x f", "x sudo: a password is required\n", 1, "", "", false},
		{"npx tsc -p .", "npm error npx canceled due to missing packages and no YES option: [\"tsc@2.0.4\"]\n", 1, outcome.Failure, outcome.ENOTFOUND, false},
		{"npx --no-install tsc", "npm error code ECONNREFUSED\nnpm error syscall connect\n", 1, outcome.Failure, outcome.ERUNTIME, true},
		{"npx tsc@99", "npm error code ETARGET\n", 1, outcome.Failure, outcome.ENOTFOUND, false},
		{"npx tsc", "x.ts(3,7): error TS2322: npm error code E404\n", 1, "", "", false},
		{"/bin/ls -9", "/bin/ls: invalid option -- '9'\nTry '/bin/ls --help' for more information.\n", 2, outcome.Failure, outcome.EARG, false},
		{"tmux new -s a", "duplicate session: a\n", 1, outcome.Failure, outcome.ERUNTIME, false},
		{"tmux has -t a", "can't find session: a\n", 1, outcome.Negative, "", false},
		{"dpkg -i x.deb", "Errors were encountered while processing:\n x.deb\n", 1, outcome.Failure, outcome.ERUNTIME, false},
		{"gpg --verify x.sig x", "gpg: BAD signature from \"Ada\" [unknown]\n", 1, outcome.Findings, outcome.ERUNTIME, false},
		{"node --test a.js", "# fail 1\n", 1, outcome.Findings, outcome.ERUNTIME, false},
		{"", "anything", 1, "", "", false},
		{"git", "is not a git command", 0, "", "", false},
	} {
		m, ok := LookupText(strings.Fields(c.argv), c.status, []byte(c.output))
		if ok != (c.kind != "") || m.Kind != c.kind || m.Code != c.code || m.Retryable != c.retryable {
			t.Errorf("%s, %q: %s %s, retryable %t; want %s %s, %t", c.argv, c.output, m.Kind, m.Code, m.Retryable, c.kind, c.code, c.retryable)
		}
	}
}

// A flag is set as it is, as words in Go programs with one dash or two, and a letter as
// one of several.
func TestIsFlag(t *testing.T) {
	for arg, flags := range map[string]map[string]bool{
		"-q":              {"-q": true, "-v": false, "--quiet": false},
		"--q":             {"-q": false},
		"-vq":             {"-q": true, "-v": true, "-x": false},
		"-Vq":             {"-q": true},
		"-v1q":            {"-q": false},
		"-":               {"-q": false, "--": false},
		"--exit-code":     {"--exit-code": true, "-e": false},
		"--exit-code=1":   {"--exit-code": true},
		"-exit-code":      {"--exit-code": false},
		"-detailed":       {"-detailed": true},
		"--detailed":      {"-detailed": true},
		"--detailed=true": {"-detailed": true},
		"-detailed=false": {"-detailed": false},
		"-detaile":        {"-detailed": false},
	} {
		for flag, want := range flags {
			if got := isFlag(arg, flag); got != want {
				t.Errorf("%s in %s: %t", flag, arg, got)
			}
		}
	}
}

// A row for a tool is about the calls in its scope, also through programs that start others.
func TestRowOfCall(t *testing.T) {
	scoped := TextRow{Row: Row{Tools: "go", Scope: "test,build"}}
	for line, want := range map[string]bool{
		"go test ./...": true, "env A=1 go build": true, "go version": false, "": false,
	} {
		if got := scoped.Of(strings.Fields(line)); got != want {
			t.Errorf("%q: got %t, want %t", line, got, want)
		}
	}
	if every := (&TextRow{Row: Row{Tools: EveryTool}}); every.Of([]string{"go", "test"}) {
		t.Error("a row for every tool is taken for one about go")
	}
}
