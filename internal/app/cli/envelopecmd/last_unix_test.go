//go:build unix

package envelopecmd_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
	"github.com/envwrap/envwrap/internal/app/runlog"
	"github.com/envwrap/envwrap/internal/app/verbs"
)

// Of a run without an end last prints what its parts have, and how the rest of a long one is
// read.
func TestLastOfUnfinished(t *testing.T) {
	long := strings.Repeat("a line of many\n", 10_000)
	for name, c := range map[string]struct {
		stdout, stderr string // "" is no part
		killed         bool
		want, without  []string
	}{
		"runs": {"one\n", "", false, []string{"one\n", "it still runs; this is what it has printed so far"}, []string{"prints all of it", "[stderr]"}},
		"both": {"one\n", "two\n", false, []string{"one\n[stderr]\ntwo\n"}, []string{"prints all of it"}},
		"long": {
			"one\n", long, false,
			[]string{"one\n", "bytes (", "envwrap artifact cat {stderr}` prints all of it"},
			[]string{"cat {stdout}"},
		},
		"killed": {"one\n", "", true, []string{"one\n", "envwrap was killed before the run ended"}, []string{"still runs"}},
	} {
		dir := t.TempDir()
		env := clitest.EnvIn(t, dir, "last", "-f", "brief")
		env.Table = verbs.All()
		store := filepath.Join(dir, "state", "envwrap")
		s, err := artifact.Open(artifact.Options{Dir: store, NoMaintenance: true})
		if err != nil {
			t.Fatal(err)
		}
		part := func(text string) string {
			if text == "" {
				return ""
			}
			p, err := s.Create()
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { p.Discard() })
			part, err := p.Live()
			if err == nil {
				_, err = p.Write([]byte(text))
			}
			if err != nil {
				t.Fatal(err)
			}
			files, err := filepath.Glob(filepath.Join(store, "*", part))
			if err != nil || len(files) != 1 {
				t.Fatal(files, err)
			}
			if c.killed { // a copy of the file, which nobody holds
				if err := os.WriteFile(files[0]+"9", []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				part += "9"
			}
			return part
		}
		parts := &runlog.Parts{Stdout: part(c.stdout), Stderr: part(c.stderr)}
		run := &runlog.Run{Kind: runlog.RunBegun, Time: clitest.Now(), ID: "01KDF3", PID: os.Getpid(), Argv: []string{"make"}, Command: "exec/make", Parts: parts}
		if err := runlog.RecordFirst(store, run, runlog.DefaultLimits()); err != nil {
			t.Fatal(err)
		}
		status := cli.Main(env)
		got := clitest.Contents(t, env.Stdout.Name())
		names := strings.NewReplacer("{stdout}", parts.Stdout, "{stderr}", parts.Stderr)
		for _, want := range c.want {
			if !strings.Contains(got, names.Replace(want)) {
				t.Errorf("%s: status %d, %q has no %q", name, status, got, want)
			}
		}
		for _, without := range c.without {
			if strings.Contains(got, names.Replace(without)) {
				t.Errorf("%s: %q has %q", name, got, without)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
