//go:build unix

package session

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cache"
	"github.com/envwrap/envwrap/wrap"
)

// A working directory that is gone has the name that the shell gave it, if that is
// absolute.
func TestDirectory(t *testing.T) {
	for want, environ := range map[string][]string{"/gone": {"PWD=/gone"}, "/": {"PWD=gone"}} {
		env := testEnv(t, environ...)
		env.Dir = func() (string, error) { return "", os.ErrNotExist }
		if got := env.Directory(); got != want {
			t.Errorf("%q: got %q, want %q", environ, got, want)
		}
	}
	env := testEnv(t)
	env.Dir = func() (string, error) { return "", os.ErrNotExist }
	if got := env.Directory(); got != "/" {
		t.Errorf("got %q", got)
	}
}

// The directory of the store is known once something was stored.
func TestStoreDirOfARun(t *testing.T) {
	if dir := (*Session)(nil).StoreDir(); dir != "" {
		t.Errorf("no session has the store %q", dir)
	}
	env := testEnv(t)
	s := New(env, Options{Argv: []string{"echo", "large"}})
	defer s.Close()
	s.Prepare()
	if dir := s.StoreDir(); dir != "" {
		t.Errorf("before the run: %q", dir)
	}
	if _, err := s.Run(t.Context()); err != nil || s.StoreDir() != env.StoreDirs("")[0] {
		t.Errorf("after it: %q, %v", s.StoreDir(), err)
	}
}

// The key has the result of Options.Key.
func TestKeyOfOptions(t *testing.T) {
	env := testEnv(t)
	o := counting(env, "echo done")
	do(t, env, o) // makes a cache, without which there is no key
	keys := map[cache.Key]bool{}
	for _, chosen := range []map[string]string{nil, {"merge": "true"}, {"merge": "off"}, {"redact": "off"}} {
		o.Key = func() map[string]string { return chosen }
		keys[explain(t, env, o).Key] = true
	}
	if o.Key = nil; !keys[explain(t, env, o).Key] || len(keys) != 4 {
		t.Errorf("%d keys", len(keys))
	}
}

// The variables that are always in the key are those by which programs are found and
// print.
func TestVariablesInEachKey(t *testing.T) {
	for name, want := range map[string]bool{
		"PATH": true, "Path": true, "TZ": true, "LANG": true, "LANGUAGE": true, "LC_ALL": true, "LC_": true, "HOME": false, "LCX": false, "": false,
	} {
		if got := counts(name); got != want {
			t.Errorf("%q: %t", name, got)
		}
	}
}

// A command that reads a pipe with data runs and is not remembered, with a note if it
// otherwise would be; in the background it does not run.
func TestNotRemembered(t *testing.T) {
	for _, c := range []struct {
		name, script string
		environ      []string
		failures     bool
		runs         int
		noted        bool
	}{
		{"done", "cat", nil, false, 1, true},
		{"failed", "exit 3", nil, false, 1, false},
		{"failed, remembered too", "exit 3", nil, true, 1, true},
		{"in the background", "cat", []string{refreshVariable + "=sha256:1"}, false, 0, false},
	} {
		r, in, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := in.WriteString("text\n"); err != nil {
			t.Fatal(err)
		}
		in.Close()
		env := testEnv(t, c.environ...)
		o := counting(env, c.script)
		o.Stdin, o.Cache.Failures = wrap.Stdin{File: r}, c.failures
		res := do(t, env, o)
		r.Close()
		noted := strings.Contains(strings.Join(res.Warnings, ""), "not remembered: ")
		if runs(t, env) != c.runs || noted != c.noted || (res.Outcome.Code == envelope.ECANCELED) != (c.runs == 0) {
			t.Errorf("%s: %d runs, warnings %q, outcome %+v", c.name, runs(t, env), res.Warnings, res.Outcome)
		}
	}
}

// A run that the cache cannot take is a run, with a warning.
func TestNoCache(t *testing.T) {
	env := testEnv(t)
	o := counting(env, "echo done")
	do(t, env, o)
	cache := filepath.Join(env.TempDir, "state", "envwrap", "cache")
	if err := errors.Join(os.RemoveAll(cache), os.WriteFile(cache, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	res := do(t, env, o)
	if warnings := strings.Join(res.Warnings, ""); runs(t, env) != 2 || !res.Outcome.OK() || !strings.Contains(warnings, "not remembered: open the cache") {
		t.Errorf("%d runs, warnings %q, outcome %+v", runs(t, env), warnings, res.Outcome)
	}
}

// A run that is impossible is an error, whether or not it would be remembered.
func TestNoCommand(t *testing.T) {
	for _, ttl := range []time.Duration{0, time.Hour} {
		if res, err := run(t.Context(), testEnv(t), Options{UserOptions: UserOptions{Cache: Cache{TTL: ttl}}}); err == nil || res != nil {
			t.Errorf("remembered for %v: got %v, %v", ttl, res, err)
		}
	}
	for agent, want := range map[string]int{"claude": 28_000, "codex": 9_000, "gemini": 36_000, "pi": 45_000, "opencode": 45_000, "other": 0, "": 0} {
		if got := BudgetOf(agent); got != want {
			t.Errorf("%q: %d", agent, got)
		}
	}
}

// Without a command for it no refresh begins, and a warning says so if this program
// cannot be found.
func TestBeginRefreshFails(t *testing.T) {
	args := func(string) ([]string, []string) { return nil, nil }
	lost := errors.New("lost")
	for _, c := range []struct {
		name    string
		program func() (string, error)
		refresh func(string) ([]string, []string)
		want    string
	}{
		{"no program", nil, args, "no run can be begun in the background"},
		{"no arguments", func() (string, error) { return "true", nil }, nil, "no run can be begun in the background"},
		{"a program that is lost", func() (string, error) { return "", lost }, args, "lost"},
	} {
		env := testEnv(t)
		env.Program = c.program
		s := New(env, Options{Argv: []string{"true"}, Refresh: c.refresh})
		s.Prepare()
		if err := (&cachedRun{Session: s}).beginRefresh(nil, nil); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v", c.name, err)
		}
		s.Close()
	}
}

// An explanation compares with what is remembered of the same place only.
func TestExplainStale(t *testing.T) {
	env, move := clocked(t)
	o := counting(env, "echo done")
	do(t, env, o)
	move(2 * time.Hour)
	for stale, want := range map[time.Duration]string{0: "miss", 30 * time.Minute: "miss", time.Hour: "miss", time.Hour + 1: "stale"} {
		o.Cache.Stale = stale
		if x := explain(t, env, o); x.Result != want || x.Known != true || x.Left != 0 {
			t.Errorf("stale for %s: %+v", stale, x)
		}
	}
	if key := explain(t, env, o).Key; !strings.HasPrefix(string(key), "sha256:") || keyDigits(key) != strings.TrimPrefix(string(key), "sha256:") {
		t.Errorf("key %q", key)
	}
	var none cache.Key
	if x := explain(t, env, Options{Argv: []string{"no-such-program"}, UserOptions: UserOptions{Cache: o.Cache}}); x.Result != "never" || x.Key != none {
		t.Errorf("%+v", x)
	}
}
