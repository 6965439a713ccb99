package wrap_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/test/matrix"
	"github.com/envwrap/envwrap/internal/test/testenv"
	"github.com/envwrap/envwrap/wrap"
)

// keeping makes a command of bash whose pipelines are kept.
func keeping(t *testing.T, text string) *wrap.Command {
	t.Helper()
	c := shell(t, text)
	c.KeepPipes, c.InlineLimit, c.MaxCapture, c.Timeout = true, 16<<20, 0, 30*time.Second
	return c
}

// What the first stage prints is stored, masked, and named unless all of it is shown.
func TestKeptPipelines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text  string
		stdin bool
		want  []envelope.Kept
	}{
		{text: "cat words | tail -1", want: []envelope.Kept{{Program: "cat", Bytes: 6, Lines: 3}}},
		{text: "cd . && cat words words 2>&1 | grep c | wc -l; seq 4 | sed -n 2p", want: []envelope.Kept{{Program: "cat", Bytes: 12, Lines: 6}, {Program: "seq", Bytes: 8, Lines: 4}}},
		{text: "seq 3 | sh -c 'cat; echo password=hunter2' | grep -v word", want: []envelope.Kept{{Program: "sh", Bytes: 19, Lines: 4}}},
		{text: "(cat words; echo e >&2) |& tail -1", want: []envelope.Kept{{Bytes: 8, Lines: 4}}},
		{text: "set -x; ! cat words | tail -1", want: []envelope.Kept{{Program: "cat", Bytes: 6, Lines: 3}}},
		{text: "printf abc | wc -c", want: []envelope.Kept{{Program: "printf", Bytes: 3, Lines: 1}}},
		{text: "cat words | tail -5"},
		{text: "cat nosuch | tail -5"},
		{text: "cat words | tail -1; echo ${PIPESTATUS[0]}"},
		{text: "cat words | tail -1 > out; cat out"},
		{text: "cat words | sed -i -n 1p other"},
		{text: "cat words | xargs echo; cat words | sort -o out"},
		{text: "cat words | tail -1 & wait"},
		{text: "for i in 1 2; do cat words | tail -1; done"},
		{text: "tail() { cat; }; eval 'cat words | tail -1'"},
		{text: "cat words | tail -1 < other"},
		{text: "set -v; cat words | tail -1"},
	} {
		cmd := keeping(t, c.text)
		res := run(t, cmd)
		got := slices.Clone(res.Kept)
		for i := range got {
			text := string(stored(t, cmd, got[i].Artifact))
			if strings.Contains(text, "hunter2") || !strings.Contains(c.text, "hunter2") && int64(len(text)) != got[i].Bytes {
				t.Errorf("%s: the store has %q", c.text, text)
			}
			if got[i].Read != "envwrap artifact cat "+envelope.ShortDigest(got[i].Artifact) {
				t.Errorf("%s: read is %q", c.text, got[i].Read)
			}
			got[i].Artifact, got[i].Read = "", ""
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: kept %+v, want %+v", c.text, got, c.want)
		}
	}
}

// Secrets that only the store got are counted, and a replayed run names and counts the same.
func TestKeptSecrets(t *testing.T) {
	t.Parallel()
	cmd := keeping(t, "printf 'password=hunter2\\nb\\n' | wc -l")
	cmd.Recording = new(wrap.Recording)
	for _, do := range []func() *envelope.Result{
		func() *envelope.Result { return run(t, cmd) },
		func() *envelope.Result {
			replayed, err := wrap.Replay(cmd, cmd.Recording, nil)
			if err != nil {
				t.Fatal(err)
			}
			return replayed.Result
		},
	} {
		res := do()
		if len(res.Kept) != 1 || res.Redactions.Total != 2 || res.Kept[0].Read == "" || string(stored(t, cmd, res.Kept[0].Artifact)) != "password=***\nb\n" {
			t.Errorf("kept %+v, masked %+v", res.Kept, res.Redactions)
		}
	}
	if again := run(t, keeping(t, "printf 'password=hunter2\\n' | cat")); len(again.Kept) != 0 || again.Redactions.Total != 2 {
		t.Errorf("kept %+v, masked %+v; want argv and stdout only", again.Kept, again.Redactions)
	}
}

// What the first stage is asked for is masked in the store.
func TestKeptAnswer(t *testing.T) {
	t.Parallel()
	pass := filepath.Join(t.TempDir(), "pass")
	if err := testenv.WriteProgram(pass, "#!/bin/sh\necho hunter2x9\n"); err != nil {
		t.Fatal(err)
	}
	cmd := keeping(t, "true; "+pass+" show prod/db | wc -c")
	res := run(t, cmd)
	if len(res.Kept) != 1 || string(stored(t, cmd, res.Kept[0].Artifact)) != "***\n" {
		t.Errorf("kept %+v", res.Kept)
	}
}

// What an early stage has printed is in the store while the command runs, where a kill of this
// process leaves it.
func TestKeptWhileItRuns(t *testing.T) {
	t.Parallel()
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	defer writer.Close()
	cmd := keeping(t, "{ echo password=hunter2; read x; echo $x; } | tail -1")
	cmd.Stdin = wrap.Stdin{Mode: wrap.StdinInherit, File: reader}
	store, _, err := cmd.Store()
	if err != nil {
		t.Fatal(err)
	}
	cmd.LiveAfter = time.Nanosecond
	var kept []byte
	cmd.Kept = func(stream, _, part string) {
		if stream != "pipeline" {
			return
		}
		if o, err := store.Get(part); err == nil {
			kept, _ = io.ReadAll(o)
			_ = o.Close()
		}
		_, _ = writer.WriteString("end\n")
	}
	res := run(t, cmd)
	if string(kept) != "password=***\n" || res.Stdout.Text != "end\n" || len(res.Kept) != 1 || string(stored(t, cmd, res.Kept[0].Artifact)) != "password=***\nend\n" {
		t.Errorf("kept %q, then %+v; printed %q", kept, res.Kept, res.Stdout.Text)
	}
}

// A reader that stops early stops the writer, with no more than one pipe's buffer written in
// addition.
func TestKeptEarly(t *testing.T) {
	t.Parallel()
	cmd := keeping(t, "yes ab | head -2") // 64 KiB end within a line
	res := run(t, cmd)
	if len(res.Kept) != 1 || !strings.HasSuffix(string(stored(t, cmd, res.Kept[0].Artifact)), "ab\n") || !res.Kept[0].Early || res.Kept[0].Bytes > 3*64<<10 || !slices.Equal(res.Pipeline, []int{141, 0}) {
		t.Errorf("kept %+v, statuses %v", res.Kept, res.Pipeline)
	}
}

// A store that fails leaves the pipeline as it is, with a warning.
func TestKeptWithoutStore(t *testing.T) {
	t.Parallel()
	cmd := keeping(t, "seq 100000 | tail -1")
	cmd.Store = func() (*artifact.Store, string, error) { return nil, "", errors.New("no space left on device") }
	res := run(t, cmd)
	if res.Stdout.Text != "100000\n" || !res.Outcome.OK() || len(res.Kept) != 0 || !slices.ContainsFunc(res.Warnings, func(w string) bool { return strings.Contains(w, "no space left") }) {
		t.Errorf("%q, %+v, kept %+v, warnings %q", res.Stdout.Text, res.Outcome, res.Kept, res.Warnings)
	}
}

// Parts of random texts.
var (
	keptBefore = []string{"", "", "cd . && ", "set -e; ", "set -o pipefail; ", "set -x; ", "! ", "set -u; ", "cat words | tail -1; ", "f() { cat; }; ", "IFS=:; ", "exec 2>&1; "}
	keptFirst  = []string{
		"seq 5", "seq 1 200000", "printf 'a\\nb'", "(echo o; echo e >&2; exit 3)", "{ seq 3; false; }", "false", "sh -c 'echo x; kill -SEGV $$'", "cat words long words",
		"for i in 1 2 3; do echo $i; done", "nosuchprogram", "seq 400000 | cat", "echo ${x:?unset}", "sh -c 'trap \"\" PIPE; seq 200000 2>/dev/null; echo $? >&2'", "cat nosuch 2>&1", "printf '\\0\\377'",
		"for ((i = 0; i < 30000; i++)); do echo $i; done", "seq 9 >out", "seq 3 | cat", "exit 5", "echo hi 2>&1 >/dev/null", "X=1 sh -c 'echo $X'", "cat < words", "read x", "cat",
	}
	keptLookers = []string{
		"tail -3", "head -2", "head -c 5", "grep -c 1", "grep nosuch", "wc -l", "sort | head -1", "sed -n 2p", "sed 1q", "cat", "tail -n ${n:-2}", "tail > out2",
		"sort -r | uniq -c | tail -1", "cat | tail -1", "grep 1 2>&1", "less", "awk '{print $1}' | tail -2", "tail -1 2>/dev/null", "LC_ALL=C sort -u | tail -1",
	}
	// keptFailing end at once: a writer that prints little may be first or not.
	keptFailing = []string{"grep", "head -x", "nosuchlooker", "head -0", "tail ${q:?no}", "head -1 >/no/such/file", "sh -c 'kill -9 $$'", "f"}
	keptAfter   = []string{"", "", "", "; echo $?", " && echo yes || echo no", "; seq 9 | tail -1", "; exit 4", "\necho \"$_\" $BASH_SUBSHELL \"$BASH_EXECUTION_STRING\"", "; cat words | head -1", "; wait; jobs; echo $!"}
)

var keptNumbers = regexp.MustCompile(`[0-9]+ |  +`)

// A random pipeline prints the same as without us and has the same statuses.
func TestKeptPipelinesAreTheSame(t *testing.T) {
	t.Parallel()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed: there is nothing to compare with")
	}
	r := rand.New(rand.NewPCG(1, 22))
	pick := func(list []string) string { return list[r.IntN(len(list))] }
	named := 0
	for range matrix.Times(12, 600) {
		first, looker := pick(keptFirst), pick(keptLookers)
		if r.IntN(4) == 0 {
			first, looker = "seq 1 200000", pick(keptFailing)
		}
		text := pick(keptBefore) + first + []string{" | ", " |& ", " 2>&1 | "}[r.IntN(3)] + looker + pick(keptAfter)
		cmd := keeping(t, text)
		res := run(t, cmd)
		named += len(res.Kept)
		plain := exec.CommandContext(t.Context(), bash, "-c", text)
		var out, errs bytes.Buffer
		plain.Args[0], plain.Dir, plain.Env, plain.Stdout, plain.Stderr = cmd.Argv[0], cmd.Dir, cmd.Env, &out, &errs
		_ = os.Remove(cmd.Dir + "/out")
		_ = plain.Run() // its status is compared
		status := plain.ProcessState.ExitCode()
		// lines of several processes come in any order
		sorted := func(s string) string {
			lines := strings.Split(keptNumbers.ReplaceAllString(s, " "), "\n")
			slices.Sort(lines)
			return strings.Join(lines, "\n")
		}
		content, _ := res.Stdout.Content()
		printed, _ := res.Stderr.Content()
		if (string(content) != out.String() && sorted(string(content)) != sorted(out.String())) || sorted(string(printed)) != sorted(errs.String()) || res.ExitStatus != status {
			t.Errorf("%s\nprints %.200q, %.200q and ends with %d;\nwithout us %.200q, %.200q, %d", text, content, printed, res.ExitStatus, out.String(), errs.String(), status)
		}
		cmd.KeepPipes = false
		// whether a short writer notices that its reader has ended depends on which is first
		off := run(t, cmd)
		if !slices.EqualFunc(off.Pipeline, res.Pipeline, func(a, b int) bool { return a == b || a == 141 || b == 141 }) && off.Pipeline != nil && res.Pipeline != nil {
			t.Errorf("%s\nhas the statuses %v; if nothing is kept %v", text, res.Pipeline, off.Pipeline)
		}
	}
	if named == 0 {
		t.Error("nothing was kept")
	}
}

// Nothing is lost in a shell whose start-up file replaces what envwrap calls, or prints before
// each command.
func TestKeptInStrangeShells(t *testing.T) {
	t.Parallel()
	for _, startup := range []string{
		"builtin() { echo strange; }", "read() { echo strange; }\nexec() { echo strange; }\ncat() { echo strange; }", "set -T; trap 'echo strange >&2' DEBUG", "shopt -s expand_aliases; alias cat=false builtin=false read=false", "set -r", "set -e; set -u; set -o noclobber; IFS=0123456789",
	} {
		cmd := keeping(t, "")
		file := cmd.Dir + "/startup"
		if err := os.WriteFile(file, []byte(startup+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd.Argv[2] = "true && source " + file + " && eval 'seq 5000 | tail -2' < /dev/null && pwd -P >| /dev/null"
		if got := run(t, cmd).Stdout.Text; got != "4999\n5000\n" {
			t.Errorf("%s: prints %q", startup, got)
		}
	}
}

// What the environment may make of a shell is not known: nothing is kept then.
func TestKeptEnvironment(t *testing.T) {
	t.Parallel()
	for pair, want := range map[string]int{
		"BASH_ENV=/dev/null": 0, "BASH_ENV=": 1, "BASH_ENV=/home/ada/codex-bash-env": 1, "SHELLOPTS=posix": 0, "BASHOPTS=lastpipe": 0, "BASH_FUNC_x%%=() { :; }": 0, "POSIXLY_CORRECT=": 0, "A=b": 1,
	} {
		cmd := keeping(t, "cat words | tail -1")
		cmd.Env = append(cmd.Env, pair)
		if res := run(t, cmd); len(res.Kept) != want || res.Stdout.Text != "c\n" {
			t.Errorf("%s: kept %+v of %q", pair, res.Kept, res.Stdout.Text)
		}
	}
}

// A text that lists processes, or looks at descriptors, runs as it is. Of a list that a script
// makes, what bash is given in addition is taken out.
func TestKeptProcessList(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"ps -ef | tail -1": 0, "seq 9 | tail -1; echo `pgrep bash`": 0, "cat /proc/$$/cmdline | wc -c": 0, "seq 9 | wc -l /dev/fd/0": 0,
		"sh script | grep -c added": 1, "sh script | grep -c added; cat words | tail -1": 2,
	} {
		cmd := keeping(t, text)
		if err := os.WriteFile(cmd.Dir+"/script", []byte("tr '\\0' ' ' </proc/$PPID/cmdline; echo added"), 0o600); err != nil {
			t.Fatal(err)
		}
		res := run(t, cmd)
		if len(res.Kept) != want {
			t.Errorf("%s: kept %+v", text, res.Kept)
		}
		if want > 0 {
			if got := string(stored(t, cmd, res.Kept[0].Artifact)); !strings.HasSuffix(got, " "+text+" added\n") {
				t.Errorf("%s: the store has %q", text, got)
			}
		}
	}
}

// The stages have no more descriptors than without us, but those of the text's own. No other
// test runs meanwhile: what it opens to be inherited, such as a terminal, may be descriptor 63.
func TestKeptDescriptors(t *testing.T) {
	for text, want := range map[string]string{
		`seq 9 | cat - "$OPEN" | tail -1`:              "9\n",
		"seq 9 | cat - words <(echo z) | tail -1":      "z\n",
		"exec 63<words; seq 9 | cat - $OPEN | tail -1": "c\n",
	} {
		cmd := keeping(t, text)
		cmd.Env = append(cmd.Env, "OPEN=/dev/fd/63")
		res := run(t, cmd)
		if missing := strings.Contains(res.Stderr.Text, "/dev/fd/63"); res.Stdout.Text != want || len(res.Kept) != 1 || missing != (want == "9\n") {
			t.Errorf("%s: prints %q, %q, kept %+v", text, res.Stdout.Text, res.Stderr.Text, res.Kept)
		}
	}
}
