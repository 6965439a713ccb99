package clitest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/test/matrix"
	"github.com/envwrap/envwrap/internal/test/testenv"
)

// Scripts runs the scripts in a directory: what a user can rely on, as commands. The
// comment in a script is the requirement. A command envwrap runs in this process, and so
// does one after exits; `exec envwrap`, and whatever a shell starts, is the program of
// [Main]. The scripts run one after the other, since a run takes all processes below
// its own for its command's.
func Scripts(t *testing.T, dir string, table func() cli.Table) {
	t.Helper()
	runScripts(t, scriptsIn(t, dir), table)
}

// scriptsIn returns the absolute names of the scripts in a directory, the largest first,
// which takes the longest.
func scriptsIn(t *testing.T, dir string) []string {
	t.Helper()
	dir, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has %d scripts, %v", dir, len(files), err)
	}
	sizes := map[string]int64{}
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		sizes[file] = info.Size()
	}
	slices.SortStableFunc(files, func(a, b string) int { return cmp.Compare(sizes[b], sizes[a]) })
	return files
}

// ScriptsAtOnce is [Scripts] for scripts that wait: each runs in a process of its own,
// beside the others and the package's parallel tests. The test that calls it does
// nothing else, since each process runs that test for its script.
func ScriptsAtOnce(t *testing.T, dir string, table func() cli.Table) {
	t.Helper()
	if file := os.Getenv(scriptsVariable); file != "" {
		runScripts(t, []string{file}, table)
		return
	}
	t.Parallel()
	name := t.Name()
	for _, file := range scriptsIn(t, dir) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			runProcess(t, "^"+name+"$", scriptsVariable+"="+file)
		})
	}
}

// runProcess runs a test of this program in a new process, with a variable and the limits
// of this one.
func runProcess(t *testing.T, pattern, variable string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, "-test.run="+pattern)
	for _, name := range []string{"test.v", "test.timeout"} {
		cmd.Args = append(cmd.Args, "-"+name+"="+flag.Lookup(name).Value.String())
	}
	cmd.Env = append(cmd.Environ(), variable)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	} else if testing.Verbose() {
		t.Logf("%s", out)
	}
}

// runScripts runs scripts in this process.
func runScripts(t *testing.T, files []string, table func() cli.Table) {
	t.Helper()
	t.Chdir(t.TempDir()) // and back at the end
	s := scripts{table}
	deadline, _ := t.Deadline()
	testscript.RunT(inOrder{t}, testscript.Params{
		Files:              files,
		Deadline:           deadline,
		Setup:              ownHome,
		UpdateScripts:      os.Getenv("UPDATE") != "",
		RequireUniqueNames: true,
		Condition: func(cond string) (bool, error) {
			if cond != "whole" {
				return false, fmt.Errorf("unknown condition %q", cond)
			}
			return matrix.Whole(), nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"envwrap": s.envwrap,
			"exits":   s.exits,
			"json":    checkJSON,
			"valid":   checkValid,
			"private": checkPrivate,
		},
	})
}

// inOrder is a [testscript.T] whose tests do not run in parallel.
type inOrder struct{ *testing.T }

func (t inOrder) Parallel()     {}
func (t inOrder) Verbose() bool { return testing.Verbose() }
func (t inOrder) Run(name string, f func(testscript.T)) {
	t.T.Run(name, func(t *testing.T) { f(inOrder{t}) })
}

// ownHome keeps the store and the search for a repository inside the script's
// directory.
func ownHome(env *testscript.Env) error {
	env.Setenv("HOME", filepath.Join(env.WorkDir, ".home"))
	env.Setenv("XDG_STATE_HOME", filepath.Join(env.WorkDir, ".state"))
	env.Setenv("LC_ALL", "C")
	env.Setenv("GORACE", os.Getenv("GORACE"))
	env.Defer(func() {
		if err := testenv.BackgroundEnds(env.WorkDir); err != nil {
			env.T().Fatal(err)
		}
	})
	// A stand-in for the store is never in a repository's work tree.
	tmp := filepath.Join(filepath.Dir(env.WorkDir), ".tmp-"+filepath.Base(env.WorkDir))
	env.Setenv("TMPDIR", tmp)
	return errors.Join(os.Mkdir(tmp, 0o700), os.Mkdir(filepath.Join(env.WorkDir, ".git"), 0o700))
}

type scripts struct{ table func() cli.Table }

// envwrap [<FILE] [>FILE] [2>FILE] ARG... runs the verb that the arguments name. What it prints
// to a file, such as /dev/full, is not the script's stdout or stderr.
func (s scripts) envwrap(ts *testscript.TestScript, neg bool, args []string) {
	if status := s.run(ts, args); neg == (status == cli.StatusOK) {
		ts.Fatalf("exit status %d", status)
	}
}

// exits STATUS COMMAND... runs a command and checks its exit status.
func (s scripts) exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS COMMAND [ARG...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var exit *exec.ExitError
	switch args = args[1:]; {
	case args[0] == "envwrap":
		got = s.run(ts, args[1:])
	case args[0] == "exec":
		args = args[1:]
		fallthrough
	default:
		if err := ts.Exec(args[0], args[1:]...); errors.As(err, &exit) {
			got = exit.ExitCode()
		} else {
			ts.Check(err)
		}
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// run runs envwrap in this process, in the directory and the environment of the script,
// and returns its exit status.
func (s scripts) run(ts *testscript.TestScript, args []string) int {
	dir := ts.MkAbs(".")
	ts.Check(os.Chdir(dir)) // where commands run
	env := cli.Here(cli.Build{}, s.table())
	env.Dir = func() (string, error) { return dir, nil }
	env.Ancestors, env.Callers, env.Signals = nil, nil, noSignals
	env.Executable = func() (string, error) { return exec.LookPath("envwrap") }
	env.Environ = append(environ(ts), "PWD="+dir)
	if env.Disabled() {
		ts.Fatalf("the command would take the place of the tests: exec envwrap")
	}
	files := map[string]string{"<": os.DevNull}
	for len(args) > 0 {
		word := redirection.FindStringSubmatch(args[0])
		if word == nil {
			break
		}
		files[word[1]], args = ts.MkAbs(word[2]), args[1:]
	}
	env.Args = append([]string{"envwrap"}, args...)
	var err error
	env.Stdin, err = os.Open(files["<"])
	ts.Check(err)
	defer env.Stdin.Close()
	var closeStdout, closeStderr func()
	env.Stdout, closeStdout = outputTo(ts, files[">"], ts.Stdout())
	env.Stderr, closeStderr = outputTo(ts, files["2>"], ts.Stderr())
	defer closeStderr()
	defer closeStdout()
	return cli.Main(env)
}

var redirection = regexp.MustCompile(`^(<|2?>)(.+)$`)

// noSignals is [cli.Env].Signals where none ever comes.
func noSignals() (chan os.Signal, <-chan struct{}) {
	ready := make(chan struct{})
	close(ready)
	return nil, ready
}

// outputTo opens a file for writing, or a pipe to a writer if no file is named, and returns the
// function that closes it.
func outputTo(ts *testscript.TestScript, file string, to io.Writer) (*os.File, func()) {
	if file == "" {
		return pipeTo(ts, to)
	}
	f, err := os.OpenFile(file, os.O_WRONLY, 0)
	ts.Check(err)
	return f, func() { _ = f.Close() }
}

// pipeTo returns a pipe to a writer, and the function that closes it and waits until all
// is written.
func pipeTo(ts *testscript.TestScript, to io.Writer) (*os.File, func()) {
	r, w, err := os.Pipe()
	ts.Check(err)
	written := make(chan struct{})
	go func() {
		defer close(written)
		defer r.Close()
		_, _ = io.Copy(to, r)
	}()
	return w, func() {
		_ = w.Close()
		<-written
	}
}

// environ returns the environment of a script, of which testscript shows only single
// variables.
func environ(ts *testscript.TestScript) []string {
	var list []string
	seen := map[string]bool{}
	for _, pair := range reflect.ValueOf(ts).Elem().FieldByName("env").Seq2() {
		if name, _, _ := strings.Cut(pair.String(), "="); !seen[name] {
			seen[name] = true
			list = append(list, name+"="+ts.Getenv(name))
		}
	}
	return list
}

// checkJSON is the command json FILE POINTER [VALUE] checks the value at a JSON Pointer: JSON, or a
// string's bare text, in which \n is a newline. Without VALUE the member has only to be there;
// ! json FILE POINTER demands that it is not.
func checkJSON(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 || len(args) > 3 || neg && len(args) > 2 {
		ts.Fatalf("usage: [!] json FILE POINTER [VALUE]")
	}
	var doc any
	decoder := json.NewDecoder(strings.NewReader(ts.ReadFile(args[0])))
	decoder.UseNumber()
	ts.Check(decoder.Decode(&doc))
	got, ok := at(doc, args[1])
	if ok == neg {
		ts.Fatalf("%s is there: %v", args[1], ok)
	}
	if len(args) == 3 && !means(got, args[2]) {
		ts.Fatalf("%s is %s, want %s", args[1], compact(got), args[2])
	}
}

// means reports whether text stands for the value: as JSON, or as the bare
// text of a string, in which \n is a newline.
func means(got any, text string) bool {
	if s, ok := got.(string); ok {
		return s == strings.ReplaceAll(text, `\n`, "\n")
	}
	var want any
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	return decoder.Decode(&want) == nil && !decoder.More() && compact(got) == compact(want)
}

func compact(v any) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return err.Error()
	}
	return strings.TrimSpace(b.String())
}

// at follows a JSON Pointer (RFC 6901).
func at(v any, pointer string) (any, bool) {
	for _, name := range strings.Split(pointer, "/")[1:] {
		name = strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
		switch in := v.(type) {
		case map[string]any:
			var ok bool
			if v, ok = in[name]; !ok {
				return nil, false
			}
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i >= len(in) {
				return nil, false
			}
			v = in[i]
		default:
			return nil, false
		}
	}
	return v, true
}

// checkValid is the command valid FILE DIALECT, which checks that a file is one envelope, without a fault.
func checkValid(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: valid FILE DIALECT")
	}
	d, ok := envelope.Lookup(args[1])
	if !ok {
		ts.Fatalf("no dialect %q", args[1])
	}
	for _, f := range envelope.Validate(d, []byte(ts.ReadFile(args[0])), envelope.ValidateOptions{}) {
		ts.Fatalf("%v", f)
	}
}

// checkPrivate is the command private FILE, which checks that only its owner may read and write a file.
func checkPrivate(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: private FILE")
	}
	info, err := os.Lstat(ts.MkAbs(args[0]))
	ts.Check(err)
	if info.Mode().Perm() != 0o600 {
		ts.Fatalf("%s has mode %v", args[0], info.Mode())
	}
}
