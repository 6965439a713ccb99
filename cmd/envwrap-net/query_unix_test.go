//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// asker returns a function that asks envwrap a question about an artifact.
func asker(t *testing.T, text string) func(words ...string) (stdout, stderr string, status int) {
	t.Helper()
	dir, env := programs(t)
	envwrap := func(stdin string, words ...string) (string, string, int) {
		var out, errs bytes.Buffer
		cmd := exec.Command(filepath.Join(dir, "envwrap"), words...)
		cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = env, strings.NewReader(stdin), &out, &errs
		if err := cmd.Run(); cmd.ProcessState == nil {
			t.Fatal(err)
		}
		return out.String(), errs.String(), cmd.ProcessState.ExitCode()
	}
	digest, errs, status := envwrap(text, "artifact", "put")
	if status != 0 {
		t.Fatal(errs)
	}
	return func(words ...string) (string, string, int) {
		return envwrap("", append(append([]string{"artifact", "query"}, words...), strings.TrimSpace(digest))...)
	}
}

// The companion runs an expression, and envwrap prints what it finds.
func TestQuery(t *testing.T) {
	ask := asker(t, `{"n":12345678901234567890123,"b":[1.10],"s":"x"}`+"\n{\"n\":2}\n")
	for _, c := range []struct {
		words          []string
		stdout, stderr string
		status         int
	}{
		{[]string{"-r", "select(.b) | .b | tojson"}, "[1.10]\n", "", 0},
		{[]string{"-r", ".s // \"none\""}, "x\nnone\n", "", 0},
		{[]string{"-n", "[inputs.n] | add"}, "12345678901234567890125\n", "", 0},
		{[]string{".n, halt"}, "12345678901234567890123\n", "", 0},
		{[]string{"-r", ".b | .[0]?, \"a\\nb\""}, "1.10\na\nb\nnull\na\nb\n", "", 0},
		{[]string{".["}, "", "read expression: unexpected EOF", 2},
		{[]string{"--json", "nosuch"}, "", "read expression: function not defined: nosuch/0", 2},
		{[]string{".n, (.n | error)"}, "12345678901234567890123\n", "run expression: error: 12345678901234567890123", 1},
		{[]string{"--timeout", "100ms", "def f: f; f"}, "", "more than 100ms", 1},
		{[]string{"--max-memory", "32MiB", "[repeat(1)]"}, "", "more than 32 MiB", 1},
	} {
		stdout, stderr, status := ask(c.words...)
		if stdout != c.stdout || !strings.Contains(stderr, c.stderr) || c.stderr == "" && stderr != "" || status != c.status {
			t.Errorf("%q: got %q, %q, %d", c.words, stdout, stderr, status)
		}
	}
	if _, stderr, status := asker(t, "plain text")("."); status != 1 || !strings.Contains(stderr, "no JSON at byte 1") {
		t.Errorf("text that is no JSON: %q, %d", stderr, status)
	}
	if stdout, stderr, status := ask("--json", "[.n] | add"); status != 0 || !strings.Contains(stdout, `"results":[12345678901234567890123,2],"count":2`) {
		t.Errorf("got %q, %q, %d", stdout, stderr, status)
	}
}

// The tool read says where an expression fails after a value.
func TestReadQueries(t *testing.T) {
	dir, env := programs(t)
	put := exec.Command(filepath.Join(dir, "envwrap"), "artifact", "put")
	put.Env, put.Stdin = env, strings.NewReader(`[{"a":1},"x"]`)
	digest, err := put.Output()
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t, env, filepath.Join(dir, "envwrap"), "mcp")
	s.send(t, "tools/call", fmt.Sprintf(`{"name":"read","arguments":{"id":%q,"query":".[] | .a"}}`, bytes.TrimSpace(digest)))
	s.receive(t)
	if got := s.lines.Text(); !strings.Contains(got, `"isError":true`) || !strings.Contains(got, `"text":"1\n`) || !strings.Contains(got, "run expression: ") {
		t.Errorf("got %s", got)
	}
}
