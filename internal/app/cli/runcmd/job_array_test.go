package runcmd

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
	"github.com/envwrap/envwrap/job"
)

// A Job of Kubernetes takes a group whole up to a number of members and a size of their
// lines; an engine that shares our files takes any.
func TestArrayRow(t *testing.T) {
	env := clitest.EnvIn(t, t.TempDir())
	env.Table = runTable()
	config := "[runner.kube]\nengine = \"kubernetes\"\nimage = \"img\"\n[runner.slurm]\nengine = \"slurm\"\n[runner.plain]\ncommand = [\"ssh\", \"host\"]\n"
	dir := filepath.Join(env.Directory(), ".config", "envwrap")
	file := filepath.Join(env.Directory(), "lines")
	if err := errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(filepath.Join(dir, "config.toml"), []byte(config), 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		runner  string
		members int
		size    int // of the file with the lines; 0 is none
		want    bool
	}{
		{"", 2, 0, false},
		{"nobody", 2, 0, false},
		{"plain", 2, 0, false},
		{"kube", 2, 0, true},
		{"kube", indexedMost, indexedLines, true},
		{"kube", indexedMost + 1, 0, false},
		{"kube", 2, indexedLines + 1, false},
		{"slurm", indexedMost + 1, indexedLines + 1, true},
	} {
		a := &job.Array{Members: c.members}
		if c.size > 0 {
			a.File = file
			if err := os.WriteFile(file, make([]byte, c.size), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		o := DefaultRunOptions()
		o.on = c.runner
		if got := (&Runner{Env: env, O: o}).arrayRow(a); (got != nil) != c.want {
			t.Errorf("%+v: %+v", c, got)
		}
	}
}

// The members read nothing unless the group names a file; what is about the answer is no
// option of theirs.
func TestMemberOptions(t *testing.T) {
	env := clitest.EnvIn(t, t.TempDir())
	for stdin, want := range map[string]string{"auto": "null", "null": "null", "in": env.Path("in")} {
		o := DefaultRunOptions()
		o.stdin = stdin
		call := &cli.Call{Env: env, Verb: &cli.Verb{Options: o.Table()}}
		call.Option("timeout").Given, call.Option("format").Given, call.Option("max-jobs").Given = []string{"1h"}, []string{"helper"}, []string{"2"}
		got := (&Runner{Env: env, Call: call, O: o}).memberOptions()
		if want := []string{"--timeout=1h", "--stdin=" + want}; !slices.Equal(got, want) {
			t.Errorf("%s: %q", stdin, got)
		}
	}
}

// A retry has the command and the options of its group, but for those that are given. What
// is not kept, or is not what it was, has to be given again.
func TestRestoreSubmit(t *testing.T) {
	env := clitest.EnvIn(t, t.TempDir())
	lines := env.Path("lines")
	if err := os.WriteFile(lines, []byte("a\nb\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, digest, err := countLines(lines)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		array job.Array
		argv  string
		given map[string]string
		want  map[string]string // of the options that are set
		fault string
	}{
		"as it was": {
			job.Array{Parallel: 3, File: lines, Digest: digest, Options: []string{"--timeout=1h", "--cwd=elsewhere", "--ok-exit=3", "--ok-exit=4"}},
			"make", nil,
			map[string]string{"max-parallel": "3", "cwd": "/work", "timeout": "1h", "ok-exit": "3 4"},
			"",
		},
		"with others": {
			job.Array{Parallel: 3, Options: []string{"--timeout=1h"}, Withheld: []string{"env"}},
			"make",
			map[string]string{"timeout": "2h", "env": "A=b"},
			map[string]string{"max-parallel": "3", "cwd": "/work", "timeout": "2h", "env": "A=b"},
			"",
		},
		"what is withheld":  {job.Array{Withheld: []string{"env"}}, "make", nil, nil, "submitted with --env, whose value is not kept"},
		"a secret argument": {job.Array{}, "--password=***", nil, nil, "had a secret"},
		"a secret option":   {job.Array{Options: []string{"--command=x/***"}}, "make", nil, nil, "had a secret"},
		"a secret file":     {job.Array{File: lines + "***", Digest: digest}, "make", nil, nil, "had a secret"},
		"another file":      {job.Array{File: lines, Digest: "0" + digest[1:] + "0"}, "make", nil, nil, "is not what it was"},
		"no file":           {job.Array{File: lines + "2", Digest: ""}, "make", nil, nil, "is not what it was"},
		"a broken option":   {job.Array{Options: []string{"--timeout=soon"}}, "make", nil, nil, "take option --timeout over from group ID"},
	} {
		call := &cli.Call{Env: env, Verb: JobRetryVerb(env), Words: []string{"GROUP"}}
		for name, value := range c.given {
			call.Option(name).Given = []string{value}
		}
		err := restoreSubmit(call, &job.Record{ID: "ID", Dir: "/work", Argv: []string{c.argv}, Array: &c.array})
		if (err != nil) != (c.fault != "") || err != nil && !strings.Contains(err.Error(), c.fault) {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil {
			continue
		}
		got := map[string]string{}
		for _, o := range call.Verb.Options {
			if len(o.Given) > 0 {
				got[o.Name] = strings.Join(o.Given, " ")
			}
		}
		if len(got) != len(c.want) || call.Words != nil || !slices.Equal(call.Rest, []string{c.argv}) {
			t.Errorf("%s: %q, %q, %q", name, got, call.Words, call.Rest)
		}
		for option, want := range c.want {
			if got[option] != want {
				t.Errorf("%s: --%s is %q", name, option, got[option])
			}
		}
	}
}
