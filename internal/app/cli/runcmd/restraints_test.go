package runcmd

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
)

// A limit of a project's file counts only where it is at most the one that
// holds without it.
func TestOnlyStricter(t *testing.T) {
	for _, c := range []struct {
		name, given, before string
		taken               bool
	}{
		{"timeout", "1m", "none", true},
		{"timeout", "0", "none", true}, // no limit holds
		{"timeout", "0s", "5m", false},
		{"timeout", "6m", "5m", false},
		{"timeout", "5m", "5m", true},
		{"timeout", "1m", "0", true},
		{"idle-timeout", "1h", "1m", false},
		{"kill-after", "999h", "5s", false},
		{"kill-after", "5s", "5s", true},
		{"kill-after", "1s", "5s", true},
		{"kill-after", "999ms", "5s", false},
		{"kill-after", "0", "5s", false},
		{"kill-after", "2s", "1500ms", false},
		{"max-capture", "0", "1MiB", false},
		{"max-capture", "1B", "1MiB", true},
		{"max-capture", "2MiB", "0", true},
		{"max-artifact", "1TiB", "1GiB", false},
		{"inline-limit", "0", "32KiB", true},
		{"inline-limit", "33KiB", "32KiB", false},
		{"excerpt", "5KiB", "4KiB", false},
		{"excerpt", "0", "4KiB", true},
		{"excerpt", "1KiB", "auto", true},
		{"excerpt", "33KiB", "auto", false},
		{"excerpt", "auto", "4KiB", false},
		{"excerpt", "1KiB", "what", false}, // what cannot be compared is not taken
		{"budget", "100", "auto", true},
		{"budget", "auto", "100", false},
		{"budget", "0", "100", false},
		{"budget", "90", "100", true},
	} {
		env := clitest.EnvIn(t, t.TempDir())
		env.Table = runTable()
		all := cli.KeyedOptions(env)
		o := all[slices.IndexFunc(all, func(o *cli.Option) bool { return o.Name == c.name })]
		if why := o.Project(env, &cli.ConfigFile{}, []string{c.given}, []string{c.before}); (why == "") != c.taken {
			t.Errorf("%s = %s where %s holds: %q", c.name, c.given, c.before, why)
		}
	}
}

// FuzzProjectFile: whatever a project's file says that is not trusted, no
// option outside of the closed list is another than without the file, no limit
// is looser, and envwrap does not panic.
func FuzzProjectFile(f *testing.F) {
	dir := f.TempDir()
	all := cli.KeyedOptions(&cli.Env{Table: runTable()})
	for _, o := range all {
		f.Add(o.Name+" = 1", "")
		f.Add(o.Name+" = \"0\"", o.Name+" = \"1\"")
		f.Add("\""+o.Name+"\" = [\"zero\", \".s\"]", "")
	}
	for _, text := range []string{
		`store = ".s"`, `kill-after = "999h"`, `exit-code = "zero"`, `secret-file = ".envwrap.toml"`, `format = "helper/v1"`,
		"timeout = \"1s\"\nmax-capture = 0\nmax-artifact = \"9TiB\"", "[runner.x]\ncommand = [\"sh\"]", `secret = ["PATH", "TOKEN"]`, "budget = \"auto\"",
		"pretty = true\ncompact = 1", "compact = true\npretty = true", "timeout = 'what'", "format = 'nonsense'", "detail = 1", "excerpt = '-1'", "secret = 'a=b'", "= =", "timeout.x = 1", `"" = 1`, "FORMAT = 'helper/v1'", "cwd = '/'\nenv = ['A=1']", "redact = 'off'",
	} {
		f.Add(text, "timeout = \"5m\"\nmax-capture = \"2MiB\"\nkill-after = \"3s\"")
	}
	f.Fuzz(func(t *testing.T, text, user string) {
		home := filepath.Join(dir, "home")
		if err := os.MkdirAll(filepath.Join(home, ".config", "envwrap"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(home, ".config", "envwrap", "config.toml"), []byte(user), 0o600); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, cli.ProjectFile)
		if err := os.Remove(file); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		without, err := resolvedIn(t, dir, home)
		if err != nil {
			t.Skip("the user's own file cannot be used")
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		with, err := resolvedIn(t, dir, home)
		if err != nil {
			t.Fatalf("%q stops the run: %v", text, err)
		}
		most := func(excerpt int) int64 {
			if excerpt == excerptAuto {
				excerpt = excerptMost
			}
			return int64(excerpt)
		}
		for _, limit := range []struct {
			name         string
			with, before int64
			none         bool // 0 is no limit
		}{
			{"inline-limit", with.InlineLimit, without.InlineLimit, false},
			{"excerpt", most(with.Excerpt), most(without.Excerpt), false},
			{"max-capture", with.MaxCapture, without.MaxCapture, true},
			{"max-artifact", with.MaxArtifact, without.MaxArtifact, true},
			{"budget", int64(max(with.budget, 0)), int64(max(without.budget, 0)), true},
			{"timeout", int64(with.Timeout), int64(without.Timeout), true},
			{"idle-timeout", int64(with.IdleTimeout), int64(without.IdleTimeout), true},
			{"kill-after", int64(with.KillAfter), int64(without.KillAfter), false},
		} {
			if limit.none {
				limit.with, limit.before = unlimited(limit.with), unlimited(limit.before)
			}
			if limit.with > limit.before {
				t.Errorf("%q: %s is %d, and %d without it", text, limit.name, limit.with, limit.before)
			}
		}
		if with.KillAfter != without.KillAfter && with.KillAfter < leastKillAfter {
			t.Errorf("%q: kill-after is %v", text, with.KillAfter)
		}
		harmless(with)
		harmless(without)
		if !reflect.DeepEqual(with, without) {
			t.Errorf("%q: got %+v, without it %+v", text, with, without)
		}
	})
}

// resolvedIn returns the options of `envwrap -- true` in a directory.
func resolvedIn(t *testing.T, dir, home string) (*RunOptions, error) {
	t.Helper()
	env := &cli.Env{
		Environ: []string{"HOME=" + home, "TOKEN=orange-marmalade"}, TempDir: dir,
		Dir: func() (string, error) { return dir, nil }, Now: clitest.Now, Table: runTable(),
	}
	s, err := env.Settings()
	if err != nil {
		return nil, err
	}
	o := DefaultRunOptions()
	for _, option := range o.Table() {
		if err := option.Resolve(s); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// harmless takes away what a project's file may set, so that the rest can be
// compared.
func harmless(o *RunOptions) {
	o.untrustedFormat, o.Pretty, o.Compact, o.redaction.UntrustedSecrets = nil, false, false, nil
	o.InlineLimit, o.Excerpt, o.MaxCapture, o.MaxArtifact, o.budget = 0, 0, 0, 0, 0
	o.Timeout, o.IdleTimeout, o.KillAfter = 0, 0, 0
}

// Each option is one row that also says what becomes of it in a job.
func TestJobParts(t *testing.T) {
	var foreground, submit, handed, looks []string
	for _, o := range append(DefaultRunOptions().Table(), JobSubmitVerb(nil).Options...) {
		list := map[cli.JobPart]*[]string{cli.ForegroundOnly: &foreground, cli.SubmitOnly: &submit, cli.PassedIndirectly: &handed, cli.ViewOnly: &looks}[o.InJob]
		if list != nil && !slices.Contains(*list, o.Name) {
			*list = append(*list, o.Name)
		}
	}
	for _, c := range []struct{ got, want []string }{
		{foreground, []string{"below", "emit", "tee", "color", "wait", "stream", "stream-lines", "progress", "progress-interval"}},
		{submit, []string{"request", "trace-id", "name", "max-jobs", "dedupe", "id", "if-mark", "max-parallel"}},
		{handed, []string{"output", "stdin", "env", "array"}},
		{looks, []string{"format", "include-output", "pretty", "compact", "budget", "detail", "store", "exit-code", "remote", "remote-token-file", "remote-ca-file", "remote-endpoint", "remote-region", "remote-profile", "cache-key", "trusted-keys", "revoked-keys"}},
	} {
		slices.Sort(c.got)
		slices.Sort(c.want)
		if !slices.Equal(c.got, c.want) {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

// runTable is the table of a program with no verb but run.
func runTable() cli.Table { return cli.Table{Root: RunVerb} }
