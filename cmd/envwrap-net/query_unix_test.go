//go:build unix

package main

import (
	"bytes"
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

// All of jq is there where the companion is, whichever program runs an expression.
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
		{[]string{"--pretty", "{s}"}, "{\n  \"s\": \"x\"\n}\n{\n  \"s\": null\n}\n", "", 0},
		{[]string{".n, halt"}, "12345678901234567890123\n", "", 0},
		{[]string{".["}, "", "read expression: unexpected EOF", 2},
		{[]string{"--json", "nosuch"}, "", "read expression: function not defined: nosuch/0", 2},
		{[]string{".n, (.n | error)"}, "12345678901234567890123\n", "run expression: error: 12345678901234567890123", 1},
		{[]string{"--timeout", "100ms", "def f: f; f"}, "", "more than 100ms", 1},
		{[]string{"--max-memory", "4MiB", "[repeat(1)]"}, "", "more than 4 MiB", 1},
	} {
		stdout, stderr, status := ask(c.words...)
		if stdout != c.stdout || !strings.Contains(stderr, c.stderr) || c.stderr == "" && stderr != "" || status != c.status {
			t.Errorf("%q: got %q, %q, %d", c.words, stdout, stderr, status)
		}
	}
	if stdout, stderr, status := ask("--json", "[.n] | add"); status != 0 || !strings.Contains(stdout, `"results":[12345678901234567890123,2],"count":2`) {
		t.Errorf("got %q, %q, %d", stdout, stderr, status)
	}
}
