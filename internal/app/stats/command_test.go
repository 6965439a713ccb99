package stats

import (
	"testing"

	"github.com/envwrap/envwrap/internal/app/runlog"
)

// A run is about the first program of its text's last pipeline, and of a program with
// subcommands also about that.
func TestLabel(t *testing.T) {
	for _, c := range []struct {
		argv           []string
		text, program  string
		label, command string
	}{
		{[]string{"/usr/bin/go", "test", "./..."}, "", "go", "go test", ""},
		{[]string{"go", "-C", "x"}, "", "go", "go", ""},
		{[]string{"go", "./x"}, "", "go", "go", ""},
		{[]string{"go", "Test"}, "", "go", "go", ""},
		{[]string{"go", ""}, "", "go", "go", ""},
		{[]string{"go", "abcdefghijklmnopqrstuvwxyz"}, "", "go", "go", ""},
		{[]string{"npm", "test:e2e-1"}, "", "npm", "npm test:e2e-1", ""},
		{[]string{"ls", "list"}, "", "ls", "ls", ""},
		{[]string{"git"}, "", "git", "git", ""},
		{[]string{"bash", "-c", ""}, "cd a; git status | head -3", "git", "git status", ""},
		{[]string{"bash", "-c", ""}, "go test ./...; echo $?; exit 3", "go", "go test", ""},
		{[]string{"bash", "-c", ""}, "cd a && echo", "echo", "echo", ""},
		{[]string{"bash", "-c", ""}, "echo a | tail -1; exit", "echo", "echo", ""},
		{[]string{"bash", "-c", ""}, "'", "bash", "bash", ""},
		{[]string{"bash", "-c", ""}, "$x | head", "bash", "bash", ""},
		{nil, "", "make", "make", "exec/make"},
	} {
		r := &runlog.Run{Argv: c.argv, Text: c.text, Command: c.command}
		if program, label := Program(r), Label(r); program != c.program || label != c.label {
			t.Errorf("%q %q: %q, %q; want %q, %q", c.argv, c.text, program, label, c.program, c.label)
		}
	}
	cut := &runlog.Run{Argv: []string{"bash", "-c", ""}, Text: "git status", Cut: &runlog.Cut{Bytes: 9000}}
	if got := Label(cut); got != "bash" {
		t.Errorf("of a text that was cut: %q", got)
	}
}
