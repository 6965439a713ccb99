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

func TestRead(t *testing.T) {
	for argv, want := range map[string]bool{
		"bash -c a|b": true, "/bin/bash -c a|b name x": true, "bash -lc a|b": true, "bash -ec a|b": true, "bash -euo pipefail -c a|b": true,
		"bash --norc -c a|b": true, "bash -c -- a|b": true, "bash -l -c a|b": true,
		"bash -xc a|b": false, "bash -vc a|b": false, "bash -pc a|b": false, "bash -ic a|b": false, "bash -o xtrace -c a|b": false, "bash --posix -c a|b": false,
		"bash -O lastpipe -c a|b": false, "bash a|b": false, "sh -c a|b": false, "zsh -c a|b": false, "bash +e -c a|b": false,
		"bash -c a": false, "bash -c a||b": false, "bash -c a|b|": false, "bash -c !a|b;c": false, "bash -c eval;a|b": false,
	} {
		p, ok := Read(strings.Fields(argv), nil)
		ok = ok && p.LastPipeline != nil
		if ok != want || ok && (len(p.Stages) != 2 || !p.Alone || !p.Certain) {
			t.Errorf("Read(%q) = %+v, %t; want %t", argv, p, ok, want)
		}
	}
}

// bash is asked which command it began last only where that shows nothing, and delays no
// command that has to come before bash learns how a job ended.
func TestReadDeciders(t *testing.T) {
	for text, want := range map[string]bool{
		"cd d; grep x f": true, "sleep 3 & kill $!; wait $!; ls": true, "sleep 3 & kill %1; wait %1; ls": false,
		"trap 'echo bye' EXIT; ls": false, "shopt -s extdebug; ls": false,
	} {
		if line, ok := Read([]string{"bash", "-c", text}, nil); (ok && line.Deciders != nil) != want {
			t.Errorf("%q: %+v, %t", text, line, ok)
		}
	}
}

// A text that makes bash show what it runs is left alone.
func TestReadVerbose(t *testing.T) {
	for text, want := range map[string]bool{
		"set -v; a | b": false, "(set -xv); a | b": false, "set -e -v\na | b": false, "set -o verbose; a | b": false, "set -o pipefail -eo verbose; a | b": false, "shopt -so verbose; a | b": false,
		"set -e; a -v | b": true, "set -o pipefail; a --verbose | b verbose": true, "npm --verbose | b -v": true, "set -x; a | b": true, "set +v; a | b": true,
	} {
		frames := map[string]string{
			"text":  text,
			"frame": "source /snap 2>/dev/null || true && eval '" + text + "' < /dev/null && pwd -P >| /pwd",
		}
		for name, text := range frames {
			if _, ok := Read([]string{"bash", "-c", text}, nil); ok != want {
				t.Errorf("%s %q is read: %t, want %t", name, text, ok, want)
			}
		}
	}
}

func TestReadsAll(t *testing.T) {
	for text, want := range map[string]bool{
		"cat": true, "cat -": true, "cat -n": true, "cat f": false, "cat - f": true, "cat < f": false, "cat <<< x": false, "cat 3< f": true,
		"/usr/bin/tail -5": true, "tail -n 5": true, "tail -n5": true, "tail -qn 5": true, "tail -f": true, "tail -n 5 f": false, "tail --lines=5": true, "tail --lin 5": true, "tail $N": false, "tail -n \"$N\"": true,
		"tee a b": true, "tee": true, "sort": true, "sort -k 2 -u": true, "sort -c": false, "sort -uc": false, "sort f": false, "wc -l": true,
		"tr a b": true, "cut -d : -f1": true, "uniq -c": true,
		"grep x": true, "grep -i x": true, "grep x f": false, "grep x -": true, "grep -q x": false, "grep -iq x": false, "grep -m1 x": false, "grep --max-count=1 x": false,
		"grep -e x": true, "grep -e x f": false, "grep -ie x": true, "grep -A 3 x": true, "grep -- -q": true, "grep \"$x\"": true, "grep $x": false, "grep --quiet x": false, "grep --qui x": false,
		"sed s/a/b/": true, "sed -n 1,5p": true, "sed 5q": false, "sed -e 5q": false, "sed -e s/a/b/": true, "sed \"$s\"": false, "sed s/a/b/ f": false, "sed -f x": false,
		"awk '{print $1}'": true, "awk '/x/ {exit}'": false, "awk -F : '{print}'": true, "awk -v a=b '{print}'": true, "awk -f x": false,
		"jq .": true, "jq -r .a": true, "jq -n .": false, "jq . f": false, "jq halt": false,
		"grep \"$@\"": false, "grep -\"$x\" y": false, "grep -- \"$@\"": false, "grep 'a'\"$x\"": true, "cat {}": false,
		"head": false, "head -5": false, "less": false, "nosuch": false, "$x": false, "gzip -c": true, "gzip -dc": false, "xz -T 0": true,
	} {
		line, _ := Read([]string{"bash", "-c", "a | " + text}, nil)
		if line == nil || line.LastPipeline == nil {
			t.Errorf("%q cannot be read", text)
			continue
		}
		s := line.Stages[1]
		if got := ReadsAll(s, s.Argv); got != want {
			t.Errorf("ReadsAll(%q) = %t, want %t", text, got, want)
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

// probe runs a text under bash with a start-up file of ours. command is the one that bash
// began last.
func probe(t *testing.T, text string, env ...string) (answer, command, output string, status int) {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed: there is nothing to probe")
	}
	dir := t.TempDir()
	file, answers := filepath.Join(dir, "it's"), Answers{Statuses: filepath.Join(dir, "answer $x"), Command: filepath.Join(dir, "command")}
	content, ok := Probe(answers, env)
	if !ok {
		t.Fatalf("no start-up file for %q", env)
	}
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(bash, "-c", text)
	cmd.Args[0] = "bash"
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "DIR=" + dir}, append(env, "BASH_ENV="+file)...)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	data, _ := os.ReadFile(answers.Statuses)
	named, _ := os.ReadFile(answers.Command)
	return string(data), LastCommand(string(named)), string(out), cmd.ProcessState.ExitCode()
}

// bash reports what Read makes of the text, with the statuses in place.
func TestProbe(t *testing.T) {
	for _, c := range []struct {
		text, answer, output string
		status               int
		command              string // "" for one that is not looked at
	}{
		{"(exit 3) | (exit 4)", "3 4 ", "", 4, ""},
		{"(exit 3) | true", "3 0 ", "", 0, "true"},
		{"set -e; (exit 3) | true; (exit 2) | false | cat", "2 1 0 ", "", 0, "cat"},
		{"set -euo pipefail; (exit 3) | true", "3 0 ", "", 3, ""},
		{"set -C; set -x 2>/dev/null; false | true", "1 0 ", "", 0, ""},
		{"shopt -s lastpipe; (exit 3) | read x", "3 1 ", "", 1, ""},
		{"false | true; exit 7", "1 0 ", "", 7, "exit 7"},
		{"exec true | false", "0 1 ", "", 1, "false"},
		{"false | true; exec true", "", "", 0, "exec true"},
		{"trap 'echo bye' EXIT; false | true", "", "bye\n", 0, ""},
		{"(trap 'echo bye' EXIT); false | true", "1 0 ", "bye\n", 0, ""},
		{"echo ${BASH_ENV-unset} $(bash -c 'echo ${BASH_ENV-unset}') | cat", "0 0 ", "unset unset\n", 0, ""},
		{"env | grep -c BASH_ENV", "0 1 ", "0\n", 1, ""},
	} {
		answer, command, output, status := probe(t, c.text)
		if strings.Contains(c.text, "set -x") {
			output = "" // the trace of the text itself, which differs
		}
		if answer != c.answer || output != c.output || status != c.status || c.command != "" && command != c.command {
			t.Errorf("%q: answer %q, command %q, output %q, status %d; want %q, %q, %q, %d", c.text, answer, command, output, status, c.answer, c.command, c.output, c.status)
		}
	}
}

// A list of thousands of commands is not slowed down by a file that each of them empties, and
// of which only the end is read.
func TestLastCommand(t *testing.T) {
	dir := t.TempDir()
	file, named := filepath.Join(dir, "env"), filepath.Join(dir, "command")
	content, _ := Probe(Answers{Command: named}, nil)
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("bash", "-c", "set -C; true; true 'a\nb'\nfalse")
	cmd.Env = []string{"BASH_ENV=" + file}
	_ = cmd.Run() // it ends with 1
	data, err := os.ReadFile(named)
	if want := "\x00set -C\x00\x00true\x00\x00true 'a\nb'\x00\x00false\x00"; err != nil || string(data) != want {
		t.Errorf("bash wrote %q (%v), want %q", data, err, want)
	}
	for answer, want := range map[string]string{
		string(data): "false", "se\x00\x00exit 3\x00": "exit 3", "ut off\x00": "", "\x00half": "", "": "",
	} {
		if got := LastCommand(answer); got != want {
			t.Errorf("LastCommand(%q) = %q, want %q", answer, got, want)
		}
	}
}

// The text sees the same shell with and without the start-up file, but for
// PIPESTATUS, which is 0 and not unset before its first command.
func TestProbeLeavesNoTrace(t *testing.T) {
	text := `f() { return 3; }; f a "b c"; echo "$? $_ $LINENO $BASH_EXECUTION_STRING ${#FUNCNAME[@]} $BASH_SUBSHELL"; (exit 3) | (exit 4); echo "${PIPESTATUS[@]} $?"
	declare -p | grep -v -e BASHPID -e SECONDS -e RANDOM -e PPID -e EPOCH -e _= -e PIPESTATUS -e BASH_ARG -e BASH_LINENO -e BASH_SOURCE -e BASH_COMMAND -e DIR=; declare -f; shopt; set -o; echo "$_ $- $? $# $LINENO" | cat; nosuchprog; ls /proc/self/fd | wc -l; env -i sh -c "exit 3" || echo $?`
	_, _, got, _ := probe(t, text)
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
	answer, _, output, _ := probe(t, `echo "$X $BASH_ENV" | cat`, "BASH_ENV="+own)
	if want := fmt.Sprintf("own\n1 %s\n", own); output != want || answer != "0 0 " {
		t.Errorf("output %q, answer %q; want %q", output, answer, want)
	}
	if _, _, output, _ := probe(t, `echo "[${BASH_ENV-unset}]" | cat`, "BASH_ENV="); output != "[]\n" {
		t.Errorf("an empty BASH_ENV became %q", output)
	}
	for _, value := range []string{"$DIR/own file", "${DIR}/own file"} {
		answer, _, output, _ := probe(t, `echo "$X $BASH_ENV" | cat`, "BASH_ENV="+value, "DIR="+filepath.Dir(own))
		if want := fmt.Sprintf("own\n1 %s\n", value); output != want || answer != "0 0 " {
			t.Errorf("output %q, answer %q; want %q", output, answer, want)
		}
	}
	for _, value := range []string{"~/x", "x", "`x`", "$", "$/x", "$HOME", "${HOME/x", "$HOME}/x", "${}/x", "${HOME:-y}/x", "$(x)/x", "$HOME/$x", "$HOME/`x`"} {
		if _, ok := Probe(Answers{Statuses: "a"}, []string{"BASH_ENV=" + value}); ok {
			t.Errorf("a start-up file was made for BASH_ENV=%q, which bash would expand", value)
		}
	}
}

// The environment may make bash print its start-up file, or name a function like a stage.
func TestReadEnvironment(t *testing.T) {
	for pair, want := range map[string]bool{
		"SHELLOPTS=braceexpand": true, "SHELLOPTS=braceexpand:xtrace": false, "SHELLOPTS=verbose": false,
		"BASH_FUNC_make%%=() { :; }": false, "BASH_FUNC_other%%=() { :; }": true,
	} {
		if _, ok := Read([]string{"bash", "-c", "make | cat"}, []string{pair}); ok != want {
			t.Errorf("%s: got %t", pair, ok)
		}
	}
}
