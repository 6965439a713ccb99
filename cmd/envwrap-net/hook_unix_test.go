//go:build unix

package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/envwrap/envwrap/internal/app/hook"
	"github.com/envwrap/envwrap/internal/test/matrix"
)

// An outcome is what a text has done: status, streams by their digests, files.
type outcome struct {
	status         int
	stdout, stderr string
	files          string
}

// Texts do the same under envwrap as without it: the same files, the same exit
// status, and what is stored of the streams has the same bytes.
func TestRewrittenTextsDoTheSame(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("no bash")
	}
	text, err := os.ReadFile("../../internal/app/hook/testdata/lines.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n%%\n")
	if len(lines) != 300 {
		t.Fatalf("%d texts", len(lines))
	}
	bin, env := programs(t)
	env = append(env, "LC_ALL=C.UTF-8")
	path := strings.TrimPrefix(env[0], "PATH=")
	rewritten, home := 0, world(t)
	runs := func(name string) bool { return runsIn(home, path, name) }
	for i, line := range lines {
		parsed, err := hook.Parse(line, "bash")
		if err != nil {
			continue
		}
		changed, ok := parsed.Rewrite(hook.Options{Shell: "bash", All: true, Runs: runs})
		if !ok {
			continue
		}
		rewritten++
		if i%matrix.Every(20) != 0 {
			continue
		}
		want := run1(t, world(t), env, line, false)
		got := run1(t, world(t), env, strings.Replace(changed, hook.Prefix, "envwrap -f protocol/v1 --inline-limit 0 --max-capture 0 --budget 0 -- ", 1), true)
		if got != want {
			t.Errorf("%q\nbecame %q\nwithout: %+v\nwith:    %+v", line, changed, want, got)
		}
	}
	if rewritten < 200 {
		t.Errorf("only %d of %d texts were rewritten", rewritten, len(lines))
	}
	t.Logf("%d of %d rewritten; programs in %s", rewritten, len(lines), bin)
}

func runsIn(dir, path, name string) bool {
	places := filepath.SplitList(path)
	if strings.Contains(name, "/") {
		places = []string{dir}
	}
	for _, p := range places {
		if info, err := os.Stat(filepath.Join(p, name)); err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0 {
			return true
		}
	}
	return false
}

// world is a directory with the files that the texts speak of.
func world(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		"in.txt": "b:two\na:one\nc:three\n", "other.txt": "b:two\nx:nine\n", "vars.sh": "FROM_VARS=sourced\n",
		"run.sh": "#!/bin/sh\necho run \"$@\"\n", "notexecutable": "#!/bin/sh\necho no\n",
	} {
		mode := fs.FileMode(0o644)
		if name == "run.sh" {
			mode = 0o755
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), mode); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// run1 runs a text by bash in a directory, and collects what it did. Where it
// runs under envwrap the streams are those that the envelope names.
func run1(t *testing.T, dir string, env []string, text string, wrapped bool) outcome {
	t.Helper()
	cmd := exec.Command("bash", "-c", text)
	cmd.Dir, cmd.Env = dir, slices.Concat(env, []string{"PWD=" + dir})
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	status := cmd.ProcessState.ExitCode()
	if s := cmd.ProcessState.Sys().(syscall.WaitStatus); s.Signaled() { // as the shell of an agent says it
		status = 128 + int(s.Signal())
	}
	out := outcome{status: status, stdout: digest(stdout.Bytes()), stderr: digest(stderr.Bytes()), files: tree(t, dir)}
	if !wrapped || stdout.Len() == 0 { // what is outside may have failed
		return out
	}
	var envelope struct {
		Data struct {
			Stdout, Stderr struct {
				Artifact string
				Bytes    int
			}
		}
	}
	if err := json.Unmarshal(stdout.Bytes(), &envelope); err != nil {
		t.Fatalf("%q: %v: %s", text, err, stdout.Bytes())
	}
	named := func(artifact string, size int) string {
		if size == 0 {
			return digest(nil)
		}
		return artifact
	}
	out.stdout = named(envelope.Data.Stdout.Artifact, envelope.Data.Stdout.Bytes)
	out.stderr = named(envelope.Data.Stderr.Artifact, envelope.Data.Stderr.Bytes)
	return out
}

func digest(b []byte) string { return fmt.Sprintf("sha256:%x", sha256.Sum256(b)) }

// tree lists the files below a directory with modes and contents.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var list strings.Builder
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		var content string
		if info.Mode().IsRegular() {
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			content = string(text)
		}
		fmt.Fprintf(&list, "%s %s %q\n", name, info.Mode(), content)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list.String()
}

// envwrap runs the companion for a hook, and passes its answer and status on.
// None is 2, by which a hook forbids the command.
func TestHookVerb(t *testing.T) {
	dir, env := programs(t)
	settings := filepath.Join(dir, ".claude", "settings.json")
	run := func(stdin string, status int, args ...string) string {
		t.Helper()
		cmd := exec.Command(filepath.Join(dir, "envwrap"), append([]string{"hook"}, args...)...)
		cmd.Env, cmd.Dir, cmd.Stdin = env, dir, strings.NewReader(stdin)
		out, err := cmd.CombinedOutput()
		if got := cmd.ProcessState.ExitCode(); got != status {
			t.Errorf("%q: got %d, %v: %s", args, got, err, out)
		}
		return string(out)
	}
	if err := os.Mkdir(filepath.Dir(settings), 0o700); err != nil {
		t.Fatal(err)
	}
	const before = `{"permissions":{"allow":["Bash(make:*)"]}}`
	if err := os.WriteFile(settings, []byte(before), 0o600); err != nil {
		t.Fatal(err)
	}
	run("", 1, "status", "claude-code")
	if out := run("", 0, "install", "--dry-run", "claude-code"); !strings.Contains(out, "+") {
		t.Errorf("got %s", out)
	}
	run("", 1, "status", "claude-code")
	if full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0); err == nil { // Linux and FreeBSD
		defer full.Close()
		for _, args := range [][]string{{"install", "claude-code"}, {"install", "--dry-run", "claude-code"}, {"status"}} {
			cmd := exec.Command(filepath.Join(dir, "envwrap"), append([]string{"hook"}, args...)...)
			cmd.Env, cmd.Dir, cmd.Stdout = env, dir, full
			if err := cmd.Run(); cmd.ProcessState.ExitCode() != 1 {
				t.Errorf("%q on a full disk: %v", args, err)
			}
		}
		run("", 1, "status", "claude-code") // what was not shown is not installed
	}
	run("", 0, "install", "claude-code")
	run("", 0, "status", "claude-code")
	for line := range strings.Lines(run("", 0, "status")) { // one column for all paths
		if strings.Index(line, dir) != strings.Index("claude-code  not installed  /", "/") {
			t.Errorf("got %q", line)
		}
	}
	if _, err := exec.LookPath("make"); err == nil && runtime.GOOS == "linux" { // elsewhere ps may see what started the test
		out := run(`{"hook_event_name":"PreToolUse","tool_name":"Bash","cwd":"`+dir+`","tool_input":{"command":"make | tail"}}`, 0, "claude-code")
		if !strings.Contains(out, "make | tail") && !strings.Contains(out, "agent") {
			t.Errorf("got %s", out)
		}
	}
	run("x", 1, "claude-code")
	run("", 0, "remove", "claude-code")
	if text, err := os.ReadFile(settings); err != nil || string(text) != before {
		t.Errorf("got %s, %v", text, err)
	}
}
