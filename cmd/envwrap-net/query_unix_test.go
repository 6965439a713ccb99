//go:build unix

package main

import (
	"bytes"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// asker returns a function that asks envwrap a question about an artifact.
func asker(t *testing.T, text string) func(words ...string) (stdout, stderr string, status int) {
	t.Helper()
	dir, env := programs(t)
	digest := stored(t, dir, env, text)
	return func(words ...string) (string, string, int) {
		var out, errs bytes.Buffer
		cmd := exec.Command(filepath.Join(dir, "envwrap"), append(append([]string{"artifact", "query"}, words...), digest)...)
		cmd.Env, cmd.Stdout, cmd.Stderr = env, &out, &errs
		if err := cmd.Run(); cmd.ProcessState == nil {
			t.Fatal(err)
		}
		return out.String(), errs.String(), cmd.ProcessState.ExitCode()
	}
}

// stored puts a text into the store and returns its digest.
func stored(t *testing.T, dir string, env []string, text string) string {
	t.Helper()
	put := exec.Command(filepath.Join(dir, "envwrap"), "artifact", "put")
	put.Env, put.Stdin = env, strings.NewReader(text)
	digest, err := put.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(digest))
}

// envwrap hands over the options, the expression and the artifact, and passes on what the
// companion prints.
func TestQuery(t *testing.T) {
	t.Parallel()
	ask := asker(t, `{"n":12345678901234567890123,"b":[1.10],"s":"x"}`+"\n{\"n\":2}\n")
	for _, c := range []struct {
		words          []string
		stdout, stderr string
		status         int
	}{
		{[]string{".n"}, "12345678901234567890123\n2\n", "", 0},
		{[]string{"-r", "select(.b) | .b | tojson"}, "[1.10]\n", "", 0},
		{[]string{"-r", ".s // \"none\""}, "x\nnone\n", "", 0},
		{[]string{"-n", "[inputs.n] | add"}, "12345678901234567890125\n", "", 0},
		{[]string{"--pretty", "{s}"}, "{\n  \"s\": \"x\"\n}\n{\n  \"s\": null\n}\n", "", 0},
		{[]string{".n, halt"}, "12345678901234567890123\n", "", 0},
		{[]string{".["}, "", "read expression: unexpected EOF", 2},
		{[]string{"--json", "nosuch"}, "", "read expression: function not defined: nosuch/0", 2},
		{[]string{".n, (.n | error)"}, "12345678901234567890123\n", "run expression: error: 12345678901234567890123", 1},
		{[]string{"--timeout", "100ms", "def f: f; f"}, "", "more than 100ms", 1},
		{[]string{"--max-memory", "4MiB", "[repeat(1)]"}, "", "more than 4 MiB", 1},
		{[]string{"--timeout", "100ms", `.n, ("a" * 1000000 | [splits("")])`}, "12345678901234567890123\n", "more than 100ms", 1},
		{[]string{"reduce range(600000) as $i (null; [.]) | tojson | length"}, "", "envwrap-net crashed: stack overflow\n", 1},
	} {
		stdout, stderr, status := ask(c.words...)
		if stdout != c.stdout || !strings.Contains(stderr, c.stderr) || c.stderr == "" && stderr != "" || status != c.status {
			t.Errorf("%q: got %.200q, %q, %d", c.words, stdout, stderr, status)
		}
	}
	if stdout, stderr, status := ask("--json", "[.n] | add"); status != 0 || !strings.Contains(stdout, `"results":[12345678901234567890123,2],"count":2`) {
		t.Errorf("got %q, %q, %d", stdout, stderr, status)
	}
}

// A reader that goes away ends envwrap as it ends any program.
func TestQueryWithoutReader(t *testing.T) {
	dir, env := programs(t)
	cmd := exec.Command(filepath.Join(dir, "envwrap"), "artifact", "query", "repeat(1)", stored(t, dir, env, "1"))
	cmd.Env = env
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(out, make([]byte, 2)); err != nil {
		t.Error(err)
	}
	_ = out.Close()
	_ = cmd.Wait()
	if status := cmd.ProcessState.Sys().(syscall.WaitStatus); status.Signal() != syscall.SIGPIPE {
		t.Errorf("it ended with %v", cmd.ProcessState)
	}
}

// The tool read of the server has the same answers, and after them what failed.
func TestReadQuery(t *testing.T) {
	dir, env := programs(t)
	digest := stored(t, dir, env, `[{"a":12345678901234567890123},"x"]`)
	s := serve(t, env, filepath.Join(dir, "envwrap"), "mcp")
	for query, want := range map[string]string{
		"repeat(1)": strings.Repeat("1\n", 32<<10) + "\n[cut after 65536 bytes: ask for fewer lines]\n",
		".[0].a":    "12345678901234567890123\n",
		".[] | .a":  "12345678901234567890123\n[query artifact " + digest + `: run expression: expected an object but got: string ("x")]` + "\n",
		".[":        "artifact query: read expression: unexpected EOF",
	} {
		s.send(t, "tools/call", fmt.Sprintf(`{"name":"read","arguments":{"id":%q,"query":%q}}`, digest, query))
		answer := s.receive(t)
		if len(answer.Result.Content) != 1 || answer.Result.Content[0].Text != want {
			t.Errorf("%s: got %.200q, want %.200q", query, answer.Result.Content, want)
		}
	}
	_ = s.in.Close()
	_ = s.Wait()
}
