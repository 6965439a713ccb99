//go:build unix

package blackbox

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/envwrap/envwrap/internal/test/testenv"
)

// A fence is a block of code in a document.
type fence struct {
	file  string
	line  int    // of its first line of code
	lang  string // "sh", "console", "make", ...
	code  string
	notes []string // the comments right above it
}

func (f *fence) String() string { return fmt.Sprintf("%s:%d (%s)", f.file, f.line, f.lang) }

// fences are the blocks of code of a document. A block that is merely indented
// may show no command: nobody would run it.
func fences(t *testing.T, file string) []*fence {
	t.Helper()
	var list []*fence
	var open *fence
	var notes []string
	mark := ""
	for i, line := range strings.Split(contents(t, file), "\n") {
		trimmed := strings.TrimSpace(line)
		ticks := len(trimmed) - len(strings.TrimLeft(trimmed, "`"))
		switch {
		case open != nil && trimmed == mark:
			open = nil
		case open != nil:
			open.code += line + "\n"
		case ticks >= 3:
			mark = trimmed[:ticks]
			open = &fence{file, i + 2, trimmed[ticks:], "", notes}
			list = append(list, open)
			notes = nil
		case strings.HasPrefix(trimmed, "<!--"):
			notes = append(notes, strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(trimmed, "<!--"), "-->")))
		case trimmed != "":
			notes = nil
			if indentedCommand.MatchString(line) {
				t.Errorf("%s:%d: a command in an indented block is not run; fence it as sh", file, i+1)
			}
		}
	}
	return list
}

var indentedCommand = regexp.MustCompile(`^ {4,}(\$ |(envwrap|go|make|python3|npm|source|export|git) )`)

// note returns what a comment above the block says after a word.
func (f *fence) note(word string) string {
	for _, n := range f.notes {
		if rest, ok := strings.CutPrefix(n, word); ok {
			return strings.TrimSpace(rest)
		}
	}
	return ""
}

// The documents of which every command is run. The blocks of a document are run
// from its top to its end in one directory, as a reader would.
func documents(t *testing.T) []string {
	t.Helper()
	list := []string{"README.md", "examples/README.md"}
	for _, pattern := range []string{"docs/*.md", "docs/reference/*.md"} {
		docs, err := filepath.Glob(pattern)
		if err != nil || len(docs) < 5 {
			t.Fatalf("%s: %d documents, %v", pattern, len(docs), err)
		}
		list = append(list, docs...)
	}
	return list
}

// Every command that the documents show runs, and prints what they show. What
// is not run here says so above it: `run by TEST`, or `not run:` and why.
func TestDocumentedCommands(t *testing.T) {
	t.Parallel()
	for _, file := range documents(t) {
		if file == waitsForJobs || file == waitsForLimits {
			continue
		}
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			checkDocument(t, file)
		})
	}
}

// The documents whose commands wait for several seconds have tests of their own, which begin
// before the parts of other tests do.
const waitsForJobs, waitsForLimits = "docs/jobs.md", "docs/child.md"

func TestDocumentedCommandsOfJobs(t *testing.T) {
	t.Parallel()
	checkDocument(t, waitsForJobs)
}

func TestDocumentedCommandsOfLimits(t *testing.T) {
	t.Parallel()
	checkDocument(t, waitsForLimits)
}

// checkDocument runs the commands of a document.
func checkDocument(t *testing.T, file string) {
	t.Helper()
	dir := sync.OnceValue(func() string { return docsDir(t, file) })
	list := fences(t, file)
	for i, f := range list {
		f.check(t, dir, following(list, i))
	}
}

// Few blocks are not run, and each says why.
func TestDocumentedCommandsRun(t *testing.T) {
	run, not := 0, 0
	for _, file := range documents(t) {
		for _, f := range fences(t, file) {
			switch {
			case f.note("not run:") != "":
				t.Logf("%v is not run: %s", f, f.note("not run:"))
				not++
			case slices.Contains([]string{"sh", "bash", "zsh", "fish", "console", "make", "go"}, f.lang):
				run++
			}
		}
	}
	t.Logf("%d blocks are run, %d are not", run, not)
	if run < 30 || not > 6 {
		t.Errorf("%d blocks are run, %d are not", run, not)
	}
}

// following is the block of JSON that shows what block i printed.
func following(list []*fence, i int) string {
	if i+1 < len(list) && list[i+1].lang == "json" && slices.Contains(list[i+1].notes, "begin run") {
		return list[i+1].code
	}
	return ""
}

func (f *fence) check(t *testing.T, dir func() string, shown string) {
	t.Helper()
	if why := f.note("not run:"); why != "" {
		t.Logf("%v is not run: %s", f, why)
		return
	}
	for program := range strings.FieldsSeq(f.note("needs ")) {
		if _, err := exec.LookPath(program); err != nil {
			t.Logf("%v is not run: %s is not here", f, program)
			return
		}
	}
	if by := f.note("run by "); by != "" {
		f.checkTest(t, by)
		return
	}
	name, isFile := f.fileName()
	switch {
	case isFile:
		writeFile(t, filepath.Join(dir(), name), f.code)
	case f.lang == "sh":
		f.runScript(t, dir(), "sh", "-e")
	case f.lang == "bash", f.lang == "zsh":
		f.runScript(t, dir(), f.lang, "-e")
	case f.lang == "fish":
		f.runScript(t, dir(), "fish", "--no-config")
	case f.lang == "console":
		f.runSession(t, dir(), shown)
	case f.lang == "text", f.lang == "json", f.lang == "markdown": // pictures
	case f.note("begin ") != "": // another test takes it by that name
	default:
		t.Errorf("%v: nothing runs it; name the test above it (<!-- run by TestName -->), or why not (<!-- not run: why -->)", f)
	}
}

// fileName is the name that the first line of a block gives it, as a comment.
func (f *fence) fileName() (string, bool) {
	first, _, _ := strings.Cut(f.code, "\n")
	name, ok := strings.CutPrefix(first, "# ")
	if !ok || strings.ContainsRune(name, ' ') || f.lang == "sh" || f.lang == "console" {
		return "", false
	}
	return strings.Replace(name, "~", "home", 1), true
}

// checkTest looks for the test that runs a block. Code of Go must be part of its
// file, line by line.
func (f *fence) checkTest(t *testing.T, name string) {
	t.Helper()
	for _, pattern := range []string{"*_test.go", "*/*_test.go", "*/*/*_test.go", "*/*/*/*_test.go", "*/*/*/*/*_test.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			source := contents(t, file)
			if !strings.Contains(source, "func "+name+"(") {
				continue
			}
			if f.lang == "go" && !strings.Contains(unindented(source), unindented(f.code)) {
				t.Errorf("%v: %s in %s has other code", f, name, file)
			}
			return
		}
	}
	t.Errorf("%v: there is no test %s", f, name)
}

func unindented(code string) string {
	return regexp.MustCompile(`(?m)^[ \t]+`).ReplaceAllString(code, "")
}

// runScript runs a block as a whole; every line of it must end with 0.
func (f *fence) runScript(t *testing.T, dir, shell string, options ...string) {
	t.Helper()
	if _, err := exec.LookPath(shell); err != nil {
		t.Logf("%v is not run: %s is not here", f, shell)
		return
	}
	path := filepath.Join(dir, ".script")
	writeFile(t, path, f.code)
	if out, err := inDocs(t, dir, shell, append(options, path)...); err != nil {
		t.Errorf("%v: %v\n%s", f, err, out)
	}
}

// inDocs runs a program as a reader of the documents would.
func inDocs(t *testing.T, dir, name string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	cmd.Env = []string{
		"PATH=" + filepath.Join(dir, "bin") + ":" + os.Getenv("PATH"), "HOME=" + filepath.Join(dir, "home"),
		"ENVWRAP_AGENT=none", "LC_ALL=C", "PWD=" + dir, "GORACE=" + os.Getenv("GORACE"),
	}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.String(), err
}

// A step of a session is a command, and what it is shown to print.
type step struct{ command, output string }

func (f *fence) steps() []step {
	var list []step
	for line := range strings.Lines(f.code) {
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			list = append(list, step{command: command})
		} else if len(list) > 0 {
			list[len(list)-1].output += line
		}
	}
	return list
}

// runSession runs the commands of a block in one shell, and compares what each
// prints with what is shown, where that is.
func (f *fence) runSession(t *testing.T, dir, shown string) {
	t.Helper()
	const end = "\x01end\x01"
	steps := f.steps()
	if len(steps) == 0 {
		t.Fatalf("%v: no command begins with $", f)
	}
	for _, name := range []string{"git", "jq", "make"} {
		if _, err := exec.LookPath(name); err != nil && regexp.MustCompile(`\b`+name+`\b`).MatchString(f.code) {
			t.Logf("%v is not run: %s is not here", f, name)
			return
		}
	}
	var script strings.Builder
	for _, s := range steps {
		script.WriteString(s.command + "printf '" + end + "'\n")
	}
	path := filepath.Join(dir, ".script")
	writeFile(t, path, script.String())
	out, err := inDocs(t, dir, "sh", path)
	if err != nil {
		t.Errorf("%v: %v", f, err)
	}
	printed := strings.Split(out, end)
	if len(printed) != len(steps)+1 {
		t.Fatalf("%v: %d commands ended, want %d: %s", f, len(printed)-1, len(steps), out)
	}
	for i, s := range steps {
		if want := s.output; want == "" && i == len(steps)-1 {
			s.output = shown
		}
		if s.output != "" && !fits(s.output, printed[i]) {
			t.Errorf("%v: %s printed\n%s\nwhich is not\n%s", f, s.command, printed[i], s.output)
		}
	}
}

// fits compares what was printed with what is shown: blanks and line ends do not
// count, "..." stands for anything, and times, sizes and the like for each other.
func fits(shown, printed string) bool {
	var pattern strings.Builder
	for i, part := range strings.Split(settled(shown), "...") {
		if i > 0 {
			pattern.WriteString(".*")
		}
		pattern.WriteString(regexp.QuoteMeta(part))
	}
	return regexp.MustCompile("^(?s)" + pattern.String() + "$").MatchString(settled(printed))
}

var volatile = []struct {
	what *regexp.Regexp
	as   string
}{
	{regexp.MustCompile(`\s`), ""},
	{regexp.MustCompile(`"(duration_ms|waited_ms|elapsed_ms|user_ms|sys_ms|max_rss_bytes|pid)":\d+`), `"$1":0`},
	{regexp.MustCompile(`"(ts|trace_id|workspace|agent)":"[^"]*"`), `"$1":""`},
	{regexp.MustCompile(`(heldby|leftrunning:)\d+`), "${1}0"},
	{regexp.MustCompile(`'(/[^']*)'`), "$1"}, // a path below a TMPDIR that a shell has to have quoted
}

func settled(text string) string {
	for _, v := range volatile {
		text = v.what.ReplaceAllString(text, v.as)
	}
	return text
}

// docsDir is a directory with what the documents take for granted: a repository,
// programs of other people's, some files, an artifact.
func docsDir(t *testing.T, file string) string {
	t.Helper()
	dir := testenv.TempDir(t)
	archive, err := txtar.ParseFile("testdata/docs.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		writeFile(t, filepath.Join(dir, f.Name), string(f.Data))
	}
	if strings.HasPrefix(file, "examples/") {
		for _, name := range []string{"consumer.mjs", "consumer.py"} {
			writeFile(t, filepath.Join(dir, name), contents(t, filepath.Join("examples", name)))
		}
	}
	if out, err := inDocs(t, dir, "envwrap", "artifact", "put", "foo"); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return dir
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	mode := os.FileMode(0o600)
	if strings.HasPrefix(text, "#!") {
		mode = 0o700
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// A block that does not do what it shows is found.
func TestDocumentedCommandsAreCompared(t *testing.T) {
	for _, c := range []struct {
		shown, printed string
		want           bool
	}{
		{`{"a":1, ... "ts":"2026"}`, `{"a":1,"b":2,"ts":"2027"}` + "\n", true},
		{`{"a":1}`, `{"a":2}`, false},
		{`{"a":1, ...`, `{"a":1,"b":2}`, true},
		{`{"a":1}`, `{"a":1,"b":2}`, false},
		{`"pid":1, "x":1`, `"pid":22,"x":1`, true},
		{`a.c`, `abc`, false},
	} {
		if got := fits(c.shown, c.printed); got != c.want {
			t.Errorf("%q, %q: %v", c.shown, c.printed, got)
		}
	}
}
