package pipeline

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// readCases are texts and the names of the stages of their last pipeline;
// "?" stands for a stage whose program is not known, and no names for a text
// of which nothing is said.
var readCases = []struct{ text, want string }{
	{"make | tail -5", "make tail"},
	{"make 2>&1 | tail -5", "make tail"},
	{"make |& tail", "make tail"},
	{"cd /x && make 2>&1 | tee log | grep -i error", "make tee grep"},
	{"cd x; go test ./... | cat", "go cat"},
	{"a | b\n", "a b"},
	{"a | b; ", "a b"},
	{"a |\n b # end", "a b"},
	{"a \\\n | b", "a b"},
	{"a|b|c|d", "a b c d"},
	{"FOO=1 BAR=\"$x\" make V=1 | tail", "make tail"},
	{"X=(a b) make | tail", "make tail"},
	{"'/usr/bin/ma'ke | \"tail\"", "/usr/bin/make tail"},
	{"echo 'a | b' \"c | d\" | wc", "echo wc"},
	{"echo $(a | b; c) | wc", "echo wc"},
	{"echo `a | b` | wc", "echo wc"},
	{"echo \"$(cat \"$f\" | x)\" | wc", "echo wc"},
	{"echo ${x:-y} $((1|2)) $'a\\'|b' | wc", "echo wc"},
	{"cat <<X | tail -1\na | b\nX", "cat tail"},
	{"cat <<-'X' | tail -1\na | b\n\tX\n", "cat tail"},
	{"cat <<X\nx\nX\nmake | tail", "make tail"},
	{"for i in 1 2; do a | b; done; make | tail", "make tail"},
	{"if a | b; then c; elif d; then e; else f; fi\nmake | tail", "make tail"},
	{"while read x; do echo $x; done | tail", "? tail"},
	{"(a; b) | { c; } | tail > f", "? ? tail"},
	{"[[ a && b =~ (x|y) ]] && make | tail", "make tail"},
	{"[ -f x ] && make | tail", "make tail"},
	{"$CC x.c | tail", "? tail"},
	{"diff <(sort a) <(sort b) | tail", "diff tail"},
	{"time make | tail", "make tail"},
	{"time -p make | tail", "make tail"},
	{"exec 2>&1; make | tail", "make tail"},
	{"a &\nb | c", "b c"},
	{">log make | 2>/dev/null tail", "make tail"},
	{"set -o pipefail; make | tail", "make tail"},
	{"{ make | tail; }", "make tail"},
	{"cd x && { make; make test | tail; } > log 2>&1", "make tail"},
	{"time { { make | tail; }; }", "make tail"},
	{"if x; then make | tail; fi", "make tail"},
	{"if x; then a; elif y; then make | tail; else b; fi", "make tail"},
	{"if x; then\n\ta | b\nelse\n\techo no\nfi\n", "a b"},
	{"for i in 1; do make $i | tail; done", "make tail"},
	{"for i in a b\ndo\n\tif [ -f $i ]; then wc $i | cat; fi\ndone", "wc cat"},
	{"{ make | tail; } | cat", "? cat"},
	{"source .venv/bin/activate && pytest -q | tail -5", "pytest tail"},
	{". \"/a b/bin/activate\"; pytest | tail", "pytest tail"},
	{"(trap 'x' EXIT; . ./env; eval y); make | tail", "make tail"},
	{"v=$(. ./env; echo $V); make | tail", "make tail"},

	{"", ""},
	{"make", ""},
	{"make | tail &", ""},
	{"make | tail && echo ok", ""},
	{"make | tail || true", ""},
	{"! make | tail", ""},
	{"make | tail; echo $?", ""},
	{"(make | tail)", ""},
	{"! { make | tail; }", ""},
	{"{ make | tail; } &", ""},
	{"{ make | tail & }", ""},
	{"{ make | tail; } && echo ok", ""},
	{"{ make; }", ""},
	{"if x; then a | b; else c | d; fi", ""},
	{"if x; then a | b; elif y; then c | d | e; fi", ""},
	{"if a | b; then c; fi", ""},
	{"while x; do make | tail; done", ""},
	{"for i in 1; do make | tail && break; done", ""},
	{"case x in x) make | tail ;; esac", ""},
	{"trap 'x' EXIT; make | tail", ""},
	{"eval x; make | tail", ""},
	{". ./bin/activate x; make | tail", ""},
	{". $V/bin/activate; make | tail", ""},
	{"(eval x); eval y; make | tail", ""},
	{"(case x in x) ;; esac); make | tail", ""},
	{". x; make | tail", ""},
	{"tail() { head; }; make | tail", ""},
	{"function tail { head; }; make | tail", ""},
	{"alias a=b; a | tail", ""},
	{"case x in x) ;; esac; make | tail", ""},
	{"make | tail 'x", ""},
	{"make | tail \"x", ""},
	{"make | tail $(", ""},
	{"make | | tail", ""},
	{"make | tail )", ""},
	{"make | (tail", ""},
	{"| tail", ""},
	{"a `b | c", ""},
	{"a $((1 | b", ""},
	{"a $((1+'2')) | b", ""},
	{"a ${x | b", ""},
	{"a $'x | b", ""},
	{"a $'x\\' | b", ""},
	{"make |", ""},
	{"make | tail; fi", ""},
	{"cat <<X | tail", ""},
	{"cat <<X | tail\nno end", ""},
	{"((1)); a | b", ""},
	{"echo ${x:-'y'} | b", ""},
	{"coproc x; a | b", ""},
	{strings.Repeat("(", 1000), ""},
}

func TestRead(t *testing.T) {
	for _, c := range readCases {
		p, ok := Read(c.text)
		var names []string
		for _, s := range p.Stages {
			if s.Argv == nil {
				names = append(names, "?")
			} else {
				names = append(names, s.Name())
			}
		}
		if got := strings.Join(names, " "); got != c.want || ok != (c.want != "") {
			t.Errorf("Read(%q) = %q, %t; want %q", c.text, got, ok, c.want)
		}
	}
}

// What could have been another pipeline's answer is known for such.
func TestReadOtherPipelines(t *testing.T) {
	for _, c := range []struct {
		text           string
		alone, certain bool
	}{
		{"a | b", true, true},
		{"a; b && c | d", true, true},
		{"a | b; c | d", false, true},
		{"a | b && c | d", false, true},
		{"a | b || c | d", false, false},
		{"if x; then a | b; exit; fi; c | d", false, false},
		{"if x; then a | b | c; exit; fi; c | d", true, true},
		{"x=$(a | b); c | d", true, true},
		{"(a | b; exit); c | d", true, true},
		{"$MAYBE; a | b; c | d", false, false},
		{"{ a | b; }", true, true},
		{"a | b; { c | d; }", false, true},
		{"if a | b; then c | d; fi", false, false},
		{"a | b; for x in $none; do c | d; done", false, false},
		{"if x; then a | b; fi", true, true},
	} {
		p, ok := Read(c.text)
		if !ok || p.Alone != c.alone || p.Certain != c.certain {
			t.Errorf("Read(%q) = alone %t, certain %t, %t; want %t, %t", c.text, p.Alone, p.Certain, ok, c.alone, c.certain)
		}
	}
}

func TestReadsAll(t *testing.T) {
	for text, want := range map[string]bool{
		"cat": true, "cat -": true, "cat -n": true, "cat f": false, "cat - f": true, "cat < f": false, "cat <<< x": false, "cat 3< f": true,
		"/usr/bin/tail -5": true, "tail -n 5": true, "tail -n5": true, "tail -f": true, "tail -n 5 f": false, "tail --lines=5": true, "tail --lin 5": true, "tail $N": false, "tail -n \"$N\"": true,
		"tee a b": true, "tee": true, "sort": true, "sort -k 2 -u": true, "sort -c": false, "sort -uc": false, "sort f": false, "wc -l": true,
		"tr a b": true, "cut -d : -f1": true, "uniq -c": true,
		"grep x": true, "grep -i x": true, "grep x f": false, "grep x -": true, "grep -q x": false, "grep -iq x": false, "grep -m1 x": false, "grep --max-count=1 x": false,
		"grep -e x": true, "grep -e x f": false, "grep -ie x": true, "grep -A 3 x": true, "grep -- -q": true, "grep \"$x\"": true, "grep $x": false, "grep --quiet x": false, "grep --qui x": false,
		"sed s/a/b/": true, "sed -n 1,5p": true, "sed 5q": false, "sed -e 5q": false, "sed -e s/a/b/": true, "sed \"$s\"": false, "sed s/a/b/ f": false, "sed -f x": false,
		"awk '{print $1}'": true, "awk '/x/ {exit}'": false, "awk -F : '{print}'": true, "awk -v a=b '{print}'": true, "awk -f x": false,
		"jq .": true, "jq -r .a": true, "jq -n .": false, "jq . f": false, "jq halt": false,
		"head": false, "head -5": false, "less": false, "nosuch": false, "$x": false, "gzip -c": true, "gzip -dc": false, "xz -T 0": true,
	} {
		p, ok := Read("a | " + text)
		if !ok {
			t.Errorf("%q cannot be read", text)
			continue
		}
		s := p.Stages[1]
		if got := ReadsAll(s, s.Argv); got != want {
			t.Errorf("ReadsAll(%q) = %t, want %t", text, got, want)
		}
	}
}

func TestText(t *testing.T) {
	for argv, want := range map[string]string{
		"bash -c T": "T", "/bin/bash -c T name x": "T", "bash -lc T": "T", "bash -ec T": "T", "bash -euo pipefail -c T": "T",
		"bash --norc -c T": "T", "bash -c -- T": "T", "bash -l -c T": "T",
		"bash -xc T": "", "bash -vc T": "", "bash -pc T": "", "bash -ic T": "", "bash -o xtrace -c T": "", "bash --posix -c T": "",
		"bash T": "", "bash -c": "", "sh -c T": "", "zsh -c T": "", "bash --rcfile x -c T": "", "bash +e -c T": "",
	} {
		if got, ok := Text(strings.Fields(argv)); got != want || ok != (want != "") {
			t.Errorf("Text(%q) = %q, %t; want %q", argv, got, ok, want)
		}
	}
}

func TestStatuses(t *testing.T) {
	if got, ok := Statuses("2 0 141 ", 3); !ok || !slices.Equal(got, []int{2, 0, 141}) {
		t.Errorf("three statuses are %v, %t", got, ok)
	}
	for _, answer := range []string{"", "0", "0 0 0", "0 x", "0 -1", "0 256", "0 +1"} {
		if got, ok := Statuses(answer, 2); ok {
			t.Errorf("Statuses(%q, 2) = %v", answer, got)
		}
	}
}

// probe runs a text under bash with a start-up file of ours.
func probe(t *testing.T, text string, env ...string) (answer, output string, status int) {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed: there is nothing to probe")
	}
	dir := t.TempDir()
	file, answerFile := filepath.Join(dir, "it's"), filepath.Join(dir, "answer $x")
	own, set := "", false
	for _, pair := range env {
		if value, ok := strings.CutPrefix(pair, "BASH_ENV="); ok {
			own, set = value, true
		}
	}
	content, ok := Probe(answerFile, own, set)
	if !ok {
		t.Fatalf("no start-up file for BASH_ENV=%q", own)
	}
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(bash, "-c", text)
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "DIR=" + dir}, append(env, "BASH_ENV="+file)...)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	data, _ := os.ReadFile(answerFile)
	return string(data), string(out), cmd.ProcessState.ExitCode()
}

// bash reports what Read makes of the text, with the statuses in place.
func TestProbe(t *testing.T) {
	for _, c := range []struct {
		text, answer, output string
		status               int
	}{
		{"(exit 3) | (exit 4)", "3 4 ", "", 4},
		{"(exit 3) | true", "3 0 ", "", 0},
		{"set -e; (exit 3) | true; (exit 2) | false | cat", "2 1 0 ", "", 0},
		{"set -euo pipefail; (exit 3) | true", "3 0 ", "", 3},
		{"set -C; set -x 2>/dev/null; false | true", "1 0 ", "", 0},
		{"shopt -s lastpipe; (exit 3) | read x", "3 1 ", "", 1},
		{"false | true; exit 7", "1 0 ", "", 7},
		{"exec true | false", "0 1 ", "", 1},
		{"false | true; exec true", "", "", 0},
		{"trap 'echo bye' EXIT; false | true", "", "bye\n", 0},
		{"(trap 'echo bye' EXIT); false | true", "1 0 ", "bye\n", 0},
		{"echo ${BASH_ENV-unset} $(bash -c 'echo ${BASH_ENV-unset}') | cat", "0 0 ", "unset unset\n", 0},
		{"env | grep -c BASH_ENV", "0 1 ", "0\n", 1},
	} {
		answer, output, status := probe(t, c.text)
		if strings.Contains(c.text, "set -x") {
			output = "" // the trace of the text itself, which differs
		}
		if answer != c.answer || output != c.output || status != c.status {
			t.Errorf("%q: answer %q, output %q, status %d; want %q, %q, %d", c.text, answer, output, status, c.answer, c.output, c.status)
		}
	}
}

// The text sees the same shell with and without the start-up file, but for
// PIPESTATUS, which is 0 and not unset before its first command.
func TestProbeLeavesNoTrace(t *testing.T) {
	text := `declare -p | grep -v -e BASHPID -e SECONDS -e RANDOM -e PPID -e EPOCH -e _= -e PIPESTATUS -e BASH_ARG -e BASH_LINENO -e BASH_SOURCE -e DIR=; declare -f; shopt; set -o; echo "$_ $- $? $#" | cat`
	_, got, _ := probe(t, text)
	cmd := exec.Command("bash", "-c", text)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "DIR=x"}
	want, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		before := strings.Split(string(want), "\n")
		for line := range strings.SplitSeq(got, "\n") {
			if !slices.Contains(before, line) {
				t.Errorf("only with the start-up file: %s", line)
			}
		}
		t.Errorf("%d bytes with the start-up file, %d without", len(got), len(want))
	}
}

// The user's own start-up file is read as before, and its trap stands.
func TestProbeWithOwnFile(t *testing.T) {
	own := filepath.Join(t.TempDir(), "own file")
	if err := os.WriteFile(own, []byte("echo own; X=1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	answer, output, _ := probe(t, `echo "$X $BASH_ENV" | cat`, "BASH_ENV="+own)
	if want := fmt.Sprintf("own\n1 %s\n", own); output != want || answer != "0 0 " {
		t.Errorf("output %q, answer %q; want %q", output, answer, want)
	}
	if _, output, _ := probe(t, `echo "[${BASH_ENV-unset}]" | cat`, "BASH_ENV="); output != "[]\n" {
		t.Errorf("an empty BASH_ENV became %q", output)
	}
	for _, value := range []string{"$HOME/x", "~/x", "x", "`x`"} {
		if _, ok := Probe("a", value, true); ok {
			t.Errorf("a start-up file was made for BASH_ENV=%q, which bash would expand", value)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, c := range readCases {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, ok := Read(text)
		if ok && len(p.Stages) < 2 {
			t.Fatalf("a pipeline of %d stages", len(p.Stages))
		}
		for _, s := range p.Stages {
			ReadsAll(s, s.Argv)
		}
	})
}

func BenchmarkRead(b *testing.B) {
	const text = `cd "$ROOT" && make -j8 2>&1 | tee build.log | grep -iE 'error|warning' | tail -n 40`
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := Read(text); !ok {
			b.Fatal("not read")
		}
	}
}
