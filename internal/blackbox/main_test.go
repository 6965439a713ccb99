// Package blackbox tests the program as its users see it: by its arguments,
// its streams, its files and its exit status. The tests run in the root of the
// module, whose documents and examples they read.
package blackbox

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/matrix"
	"github.com/envwrap/envwrap/internal/testenv"
)

// TestMain runs the tests with the program in PATH.
func TestMain(m *testing.M) { os.Exit(testenv.Run(testenv.Installed{M: inRoot{m}})) }

// inRoot runs tests in the root of the module.
type inRoot struct{ m *testing.M }

func (r inRoot) Run() int {
	if err := os.Chdir(filepath.Join("..", "..")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return r.m.Run()
}

// TestScript runs testdata/script: what a user can rely on, told as commands.
// The comment in a script is the requirement.
func TestScript(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                "testdata/script",
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
			"envwrap": envwrap,
			"exits":   exits,
			"json":    checkJSON,
			"valid":   checkValid,
			"private": checkPrivate,
		},
	})
}

// ownHome keeps the store and the search for a repository inside the script's
// directory.
func ownHome(env *testscript.Env) error {
	env.Setenv("HOME", filepath.Join(env.WorkDir, ".home"))
	env.Setenv("XDG_STATE_HOME", filepath.Join(env.WorkDir, ".state"))
	env.Setenv("LC_ALL", "C")
	env.Setenv("GORACE", os.Getenv("GORACE"))
	// A stand-in for the store is never in a repository's work tree.
	tmp := filepath.Join(filepath.Dir(env.WorkDir), ".tmp-"+filepath.Base(env.WorkDir))
	env.Setenv("TMPDIR", tmp)
	return errors.Join(os.Mkdir(tmp, 0o700), os.Mkdir(filepath.Join(env.WorkDir, ".git"), 0o700))
}

// envwrap ARG... runs the program.
func envwrap(ts *testscript.TestScript, neg bool, args []string) {
	if err := ts.Exec("envwrap", args...); neg == (err == nil) {
		ts.Fatalf("it ended with %v", err)
	}
}

// exits STATUS COMMAND... runs a command and checks its exit status.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS COMMAND [ARG...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	err = ts.Exec(args[1], args[2:]...)
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// json FILE POINTER [VALUE] checks the value at a JSON Pointer: JSON, or a
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

// valid FILE DIALECT checks that a file is one envelope, without a fault.
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

// private FILE checks that only its owner may read and write a file.
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
