package cli_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
	"github.com/envwrap/envwrap/internal/app/runlog"
	"github.com/envwrap/envwrap/internal/app/verbs"
)

// withConfig returns an Env whose user has a configuration.
func withConfig(t *testing.T, text string) *cli.Env {
	t.Helper()
	dir := t.TempDir()
	env := clitest.EnvIn(t, dir)
	env.Table = verbs.All()
	env.Environ = append(env.Environ, "XDG_CONFIG_HOME="+dir)
	if err := os.Mkdir(filepath.Dir(env.UserConfig()), 0o700); err != nil {
		t.Fatal(err)
	}
	return configured(t, env, text)
}

// configured returns a copy of an Env whose user has another configuration.
func configured(t *testing.T, env *cli.Env, text string) *cli.Env {
	t.Helper()
	if err := os.WriteFile(env.UserConfig(), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	other := *env
	return &other
}

// The keys of the user's own configuration are the long names of options. Their values are
// as on the command line; names of files are relative to the configuration.
func TestUserConfig(t *testing.T) {
	one := withConfig(t, "")
	for text, want := range map[string][]string{
		"retries = 3":                           {"retries", "3"},
		"timeout = 1.5":                         {"timeout", "1.5"},
		"merge = true":                          {"merge", "true"},
		"# timeout = 1\n\ntimeout = '30s'":      {"timeout", "30s"},
		"ok-exit = [1, 2]":                      {"ok-exit", "1", "2"},
		"[remote]\nurl = 'https://a/b'":         {"remote", "https://a/b"},
		"[remote]\nregion = 'x'":                {"remote-region", "x"},
		"redact-config = '/rules.toml'":         {"redact-config", "/rules.toml"},
		"redact-config = 'rules.toml'":          {"redact-config", "DIR/rules.toml"},
		"redact-config = '~/rules.toml'":        {"redact-config", "HOME/rules.toml"},
		"output = '-'":                          {"output", "-"},
		"stdin = 'null'":                        {"stdin", "null"},
		"stdin = 'nothing'":                     {"stdin", "DIR/nothing"},
		"[runner.a]\ncommand = ['x']":           nil,
		"":                                      nil,
		"[runner]\n\n[remote]\nprofile = 'who'": {"remote-profile", "who"},
	} {
		env := configured(t, one, text)
		s, err := env.Settings()
		if err != nil || len(s.Files) != 1 {
			t.Errorf("%s: %v, %d files", text, err, len(s.Files))
			continue
		}
		home, _ := env.Lookup("HOME")
		var got []string
		for name, values := range s.Files[0].Values {
			got = append(append(got, name), values...)
		}
		for i := range want {
			want[i] = strings.NewReplacer("DIR", filepath.Dir(env.UserConfig()), "HOME", home).Replace(want[i])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

// A configuration whose keys are options of a run has no other verb make its options, which
// would take longer than all else before a command starts. A key of another verb is still found.
func TestKeysOfRun(t *testing.T) {
	env := withConfig(t, "timeout = \"30s\"\nrecord = \"off\"\n")
	made := 0
	env.Table.Verbs = []cli.Row{{Name: "other", Make: func(*cli.Env) *cli.Verb {
		made++
		return &cli.Verb{Name: "other", Options: []*cli.Option{{Name: "of-other", Set: func([]string) error { return nil }}}}
	}}}
	for text, c := range map[string]struct {
		made    int
		unknown bool
	}{
		"":                                      {0, false},
		"timeout = \"30s\"\nrecord = \"off\"\n": {0, false},
		"of-other = \"x\"\n":                    {1, false},
		"help = true\n":                         {1, true},
	} {
		made = 0
		s, err := configured(t, env, text).Settings()
		if err != nil || made != c.made || (s.Unknown() != nil) != c.unknown {
			t.Errorf("%q: %d verbs made, %v, %v", text, made, err, s.Unknown())
		}
	}
}

// A configuration holds for all shells: a secret in it may be a variable that is not set
// here, which on the command line is an error.
func TestStandingValues(t *testing.T) {
	for status, args := range map[int][]string{cli.StatusOK: nil, cli.StatusUsage: {"--secret", "NOT_SET"}} {
		env := withConfig(t, "secret = ['NOT_SET']")
		env.Args = append([]string{"envwrap", "redact"}, append(args, env.UserConfig())...)
		if got := cli.Main(env); got != status {
			t.Errorf("%q: status %d: %s", args, got, clitest.Contents(t, env.Stderr.Name()))
		}
	}
}

// A fault of the user's own configuration names the file, the line and the key.
func TestBrokenUserConfig(t *testing.T) {
	one := withConfig(t, "")
	for text, want := range map[string]string{
		"\ntime-out = '1s'":        `FILE:2: unknown key "time-out"`,
		"\n\nzzzzzzz = 1":          `FILE:3: unknown key "zzzzzzz"`,
		"timeout = [1]":            `FILE:1: key "timeout": it takes one value and no list`,
		"ok-exit = [1, [2]]":       `FILE:1: key "ok-exit": it takes one value and no list`,
		"'timeout' = 2020-01-01":   `FILE:1: key "timeout": its value is not a string, number, boolean or list`,
		"timeout = 1\ntimeout = 2": "FILE:2: ",
		"timeout":                  "FILE:1: ",
		"remote-region = 'x'\n[remote]\nregion = 'y'": `FILE:2: "region" is set in [remote] and beside it`,
		"\n[remote]\nnonsense = 'y'":                  `FILE:2: unknown key "remote-nonsense"`,
		strings.Repeat("#\n", 1<<20):                  `read configuration "FILE": it is larger than 1.0 MiB`,
	} {
		env := configured(t, one, text)
		s, err := env.Settings()
		if err == nil {
			err = s.Unknown()
		}
		var usage *cli.UsageError
		if want = strings.ReplaceAll(want, "FILE", env.UserConfig()); !errors.As(err, &usage) || !strings.HasPrefix(usage.Text, want) {
			t.Errorf("%.40q: got %v, want %s", text, err, want)
		}
		if s == nil {
			t.Errorf("%.40q: no settings without the file", text)
		}
	}
	var usage *cli.UsageError
	s, err := configured(t, one, "time-out = 1").Settings()
	if err != nil || !errors.As(s.Unknown(), &usage) || usage.Hint != "Did you mean timeout?" {
		t.Errorf("of a mistyped key: %+v", usage)
	}
	s, err = configured(t, one, "zzzzzzz = 1").Settings()
	if err != nil || !errors.As(s.Unknown(), &usage) || !strings.Contains(usage.Hint, "envwrap help run") {
		t.Errorf("of an unknown key: %+v", usage)
	}
}

// A runner is a table of the user's own configuration.
func TestRunners(t *testing.T) {
	env := withConfig(t, `
[runner.plain]
command = ["docker", "exec", "box"]
cwd = "/src"
env = ["A=1", "B="]
[runner.far]
command = ["/usr/bin/ssh", "build1", "--"]
[runner.near]
command = ["ssh"]
quote = "none"
[runner.queue]
engine = "slurm"
command = ["ssh", "login"]
cwd = "/scratch"
env = ["A=1"]
partition = "short"
`)
	all, err := env.Runners()
	if err != nil || len(all) != 4 {
		t.Fatal(all, err)
	}
	for i, want := range []string{"far", "near", "plain", "queue"} {
		if all[i].Name != want {
			t.Errorf("runner %d is %q, want %q", i, all[i].Name, want)
		}
	}
	for name, want := range map[string][]string{
		"far": {"/usr/bin/ssh", "build1", "--", "'ls'", "'a b'"}, "near": {"ssh", "ls", "a b"}, "plain": {"docker", "exec", "box", "ls", "a b"},
	} {
		r, err := env.Runner(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Line("ls", "a b"); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	r, _ := env.Runner("plain")
	if r.Cwd != "/src" || !slices.Equal(r.Env, []string{"A=1", "B="}) {
		t.Errorf("got %+v", r)
	}
	if far, queue := all[0].Words(), all[3].Words(); !slices.Equal(far, all[0].Command) || len(queue) < 3 || queue[0] != "ssh" {
		t.Errorf("the runners' commands are %q and %q", far, queue)
	}
	if r, _ := env.Runner("queue"); r.Engine == nil || r.Quote != "shell" || r.Cwd != "/scratch" || !slices.Equal(r.Env, []string{"A=1"}) || !slices.Equal(r.Command, []string{"ssh", "login"}) {
		t.Errorf("got %+v", r)
	}
	var usage *cli.UsageError
	if _, err := env.Runner("nobody"); !errors.As(err, &usage) || usage.Hint != "There are: far, near, plain, queue." {
		t.Errorf("got %v", err)
	}
	if _, err := withConfig(t, "").Runner("nobody"); !errors.As(err, &usage) || !strings.Contains(usage.Hint, "[runner.nobody]") {
		t.Errorf("got %v", err)
	}
	if all, err := clitest.EnvIn(t, t.TempDir()).Runners(); err != nil || all != nil {
		t.Errorf("without a configuration: %v, %v", all, err)
	}
}

func TestBrokenRunners(t *testing.T) {
	one := withConfig(t, "")
	for text, want := range map[string]string{
		"runner = 1":                                  "FILE:1: runners are tables",
		"[runner]\na = 1":                             "FILE: [runner.a]: it is no table",
		"[runner.a]":                                  "FILE: [runner.a]: command is missing",
		"[runner.a]\ncommand = ['']":                  "FILE: [runner.a]: command is missing",
		"[runner.a]\ncommand = [[1]]":                 `FILE: [runner.a]: "command": it takes one value`,
		"[runner.a]\nquote = ['shell']":               `FILE: [runner.a]: "quote": it takes one value`,
		"[runner.a]\nshell = 1":                       `FILE: [runner.a]: unknown key "shell"`,
		"[runner.a]\ncommand = ['x']\nquote = 'all'":  "FILE: [runner.a]: quote is shell or none",
		"[runner.a]\ncommand = ['x']\nenv = ['NAME']": "FILE: [runner.a]: env: write NAME=value",
		"[runner.a]\ncommand = ['x']\nenv = ['=1']":   "FILE: [runner.a]: env: write NAME=value",
		"[runner.a]\nengine = 'x'":                    `FILE: [runner.a]: there is no engine "x"`,
		"[runner.a]\nengine = 'slurm'\nquote = 'all'": "FILE: [runner.a]: quote is shell or none",
		"[runner.a]\nengine = 'slurm'\ncwd = ['x']":   `FILE: [runner.a]: unknown key "cwd"`,
		"[runner.a]\nengine = 'slurm'\nquote = ['x']": `FILE: [runner.a]: unknown key "quote"`,
		"[runner.a]\nengine = 'slurm'\ncommand = 'x'": "FILE: [runner.a]: command is a list of words",
		"[runner.a]\nengine = 'slurm'\ncommand = []":  "FILE: [runner.a]: command is a list of words",
		"[runner.a]\nengine = 'slurm'\n[runner.a.b]":  `FILE: [runner.a]: "b": its value is not`,
		ownQueue:                              "FILE: [runner.a]: submit has no {script}",
		ownQueue + "find = ['f', '{script}']": "FILE: [runner.a]: submit has no {script}",
	} {
		env := configured(t, one, text)
		var usage *cli.UsageError
		if _, err := env.Runner("a"); !errors.As(err, &usage) || !strings.HasPrefix(usage.Text, strings.ReplaceAll(want, "FILE", env.UserConfig())) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

// ownQueue is a row whose submit does not name the script.
const ownQueue = "[runner.a]\nengine = 'command'\nsubmit = ['q', '{name}']\nstatus = ['s', '{id}']\ncancel = ['c', '{id}']\n"

// A submit that lacks {script} is for a row whose command brings the script over stdin.
func TestSubmitReadsStdin(t *testing.T) {
	for _, more := range []string{"", "[runner.a.states]\nGONE = 'failed'\n"} {
		if r, err := withConfig(t, ownQueue+"command = ['ssh', 'login']\n"+more).Runner("a"); err != nil || r.Engine.NamesScript() {
			t.Errorf("%q: got %+v, %v", more, r, err)
		}
	}
}

// A configuration that a relative HOME leads to is not read, and one warning says so: it
// may be a clone's.
func TestRelativeHome(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "there", ".config", "envwrap", "config.toml")
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte("exit-code = 'zero'\n[runner.far]\ncommand = ['sh']\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	for home, want := range map[string]string{"there": file + " is not read: HOME=there is no absolute path", "./there": "run: export HOME=" + filepath.Dir(filepath.Dir(filepath.Dir(file))), "elsewhere": "", "": ""} {
		env := clitest.EnvIn(t, dir)
		env.Table, env.Environ = verbs.All(), []string{"HOME=" + home}
		s, err := env.Settings()
		if err != nil {
			t.Fatal(err)
		}
		var warnings []string
		s.Warn(func(err error) { warnings = append(warnings, err.Error()) })
		if text := strings.Join(warnings, "\n"); len(warnings) > 1 || (text == "") != (want == "") || !strings.Contains(text, want) {
			t.Errorf("HOME=%s: %q, want %q", home, warnings, want)
		}
		for _, f := range s.Files {
			if len(f.Values) > 0 {
				t.Errorf("HOME=%s: %v", home, f.Values)
			}
		}
		if rows, _ := env.Runners(); len(rows) > 0 {
			t.Errorf("HOME=%s: %v", home, rows)
		}
	}
}

// The keys about the record are those of the documentation; a value that they do not allow
// is an error.
func TestDocumentedRecordKeys(t *testing.T) {
	page, err := os.ReadFile("../../../docs/record.md")
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(string(page), "```toml\n")
	block, _, _ = strings.Cut(block, "```")
	one := withConfig(t, "")
	for text, want := range map[string]runlog.Limits{
		block:                            {Off: true, Days: 30, Max: 20_000},
		"":                               runlog.DefaultLimits(),
		"record = true\nrecord-days = 0": {Max: 100_000},
	} {
		if s, err := configured(t, one, text).Settings(); err != nil || s.Unknown() != nil || s.Record != want {
			t.Errorf("%q: got %+v, %v", text, s.Record, err)
		}
	}
	for _, text := range []string{"record = 1", "record-days = -1", "record-max = '1'"} {
		if s, err := configured(t, one, text).Settings(); err != nil || s.Unknown() == nil {
			t.Errorf("%q is taken, %v", text, err)
		}
	}
}

// A call of a runner has an id of its own, where its words ask for that.
func TestRunnerCall(t *testing.T) {
	r := cli.RunnerRow{Command: []string{"run", "pod-{id}", "{{id}}-{ID}"}, Quote: "none"}
	if got := r.Call("01ABC", "{id}"); !slices.Equal(got, []string{"run", "pod-01abc", "{id}-{ID}", "{id}"}) {
		t.Errorf("%q", got)
	}
}
