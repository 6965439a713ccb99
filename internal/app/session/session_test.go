package session

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/wrap"
)

func testEnv(t *testing.T, environ ...string) *Env {
	t.Helper()
	dir := t.TempDir()
	return &Env{
		Environ: append([]string{"XDG_STATE_HOME=" + filepath.Join(dir, "state"), "PATH=" + os.Getenv("PATH")}, environ...),
		Dir:     func() (string, error) { return dir, nil },
		TempDir: dir, Now: time.Now, Random: rand.Reader,
	}
}

// A server gets a result without a command line, a terminal or a stream.
func TestRun(t *testing.T) {
	env := testEnv(t, "CLAUDECODE=1", "API_TOKEN=swordfish-4711")
	res, err := run(t.Context(), env, Options{
		Argv:        []string{"sh", "-c", "echo $API_TOKEN $WHO; exit 3"},
		UserOptions: UserOptions{Env: []string{"WHO=ada"}, Limits: wrap.Limits{InlineLimit: 1 << 10}},
	})
	if err != nil {
		t.Fatal(err)
	}
	switch o := res.Outcome; {
	case o.Code != envelope.ERUNTIME || o.ExitCode == nil || *o.ExitCode != 3:
		t.Errorf("got the outcome %+v", o)
	case res.Stdout.Text != "*** ada\n":
		t.Errorf("got %q", res.Stdout.Text)
	case res.Agent != "claude" || res.TaskID == "" || res.RequestID == "" || len(res.TraceID) != 32:
		t.Errorf("got the agent %q, the task %q, the request %q, the trace %q", res.Agent, res.TaskID, res.RequestID, res.TraceID)
	}
}

// A directory may be relative to that of the caller.
func TestDirIsResolved(t *testing.T) {
	env := testEnv(t)
	for given, want := range map[string]string{"": "", "sub": filepath.Join(env.Directory(), "sub"), env.TempDir: env.TempDir} {
		s := New(env, Options{Argv: []string{"true"}, UserOptions: UserOptions{Dir: given}})
		s.Prepare()
		if s.Close(); s.Command.Dir != want {
			t.Errorf("%q: the command runs in %q", given, s.Command.Dir)
		}
	}
	s := New(env, Options{Argv: []string{"true"}, UserOptions: UserOptions{Dir: "sub", Env: []string{"PWD=/x"}}})
	s.Prepare()
	if s.Close(); !s.Command.PWD {
		t.Error("PWD that the options set is replaced")
	}
}

// A run that is remembered is not run again, and says so.
func TestRunRemembers(t *testing.T) {
	env := testEnv(t)
	o := Options{
		Argv:        []string{"sh", "-c", "echo run >> runs; echo done"},
		UserOptions: UserOptions{Dir: env.Directory(), Limits: wrap.Limits{InlineLimit: 1 << 10}, Cache: Cache{TTL: time.Hour}},
	}
	for i, source := range []string{"", "cache"} {
		res, err := run(t.Context(), env, o)
		if err != nil {
			t.Fatal(err)
		}
		if res.Source != source || res.Stdout.Text != "done\n" {
			t.Errorf("run %d: got the source %q, the output %q, the warnings %q", i, res.Source, res.Stdout.Text, res.Warnings)
		}
	}
	runs, err := os.ReadFile(filepath.Join(env.Directory(), "runs"))
	if err != nil || string(runs) != "run\n" {
		t.Errorf("it ran %d times, %v", strings.Count(string(runs), "\n"), err)
	}
}

// Output that is too large to show is in the store when Run returns.
func TestRunStores(t *testing.T) {
	env := testEnv(t)
	res, err := run(t.Context(), env, Options{Argv: []string{"sh", "-c", "echo large"}})
	if err != nil || res.Stdout.Artifact == "" {
		t.Fatalf("nothing was stored: %+v, %v", res, err)
	}
	s, err := artifact.OpenRead(artifact.Options{Dir: env.StoreDirs("")[0], Now: env.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	r, err := s.Get(res.Stdout.Artifact)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if text, err := io.ReadAll(r); string(text) != "large\n" {
		t.Errorf("got %q, %v", text, err)
	}
}

// Run pushes the artifacts of a result, and reports a failure to do so, also if there are none.
func TestRunPushes(t *testing.T) {
	env := testEnv(t)
	for _, c := range []struct {
		limit  int64
		err    error
		pushed int
	}{{0, nil, 1}, {0, errors.New("no room"), 1}, {1 << 10, nil, 0}, {1 << 10, errors.New("no remote"), 0}} {
		pushed := 0
		res, err := run(t.Context(), env, Options{
			Argv: []string{"echo", "text"}, UserOptions: UserOptions{Limits: wrap.Limits{InlineLimit: c.limit}},
			Push: func(stores, digests []string) error { pushed += len(digests); return c.err },
		})
		if err != nil || pushed != c.pushed || (len(res.Warnings) > 0) != (c.err != nil) {
			t.Errorf("%+v: %d pushed, %+v, %v", c, pushed, res, err)
		}
	}
}

// An input that leads to no file is named.
func TestRunNamesUnmatchedInputs(t *testing.T) {
	env := testEnv(t)
	res, err := run(t.Context(), env, Options{
		Argv:        []string{"echo", "text"},
		UserOptions: UserOptions{Limits: wrap.Limits{InlineLimit: 1 << 10}, Cache: Cache{TTL: time.Hour, Inputs: []string{"nowhere*"}}},
	})
	if err != nil || len(res.Warnings) != 1 || !strings.Contains(res.Warnings[0], `nowhere*" matches no file`) {
		t.Errorf("%+v, %v", res, err)
	}
}

// Only what may go better the next time is worth another run, unless the codes are
// named.
func TestRetryWanted(t *testing.T) {
	for _, c := range []struct {
		on        []envelope.Code
		code      envelope.Code
		retryable bool
		want      bool
	}{
		{nil, envelope.ERATELIMIT, false, true},
		{nil, envelope.ETIMEOUT, false, true},
		{nil, envelope.ERUNTIME, true, true},
		{nil, envelope.ERUNTIME, false, false},
		{nil, envelope.EIO, true, false},
		{[]envelope.Code{envelope.EIO}, envelope.EIO, false, true},
		{[]envelope.Code{envelope.EIO}, envelope.ETIMEOUT, true, false},
	} {
		if got := (&Retry{On: c.on}).wanted(&envelope.Outcome{Code: c.code, Retryable: c.retryable}); got != c.want {
			t.Errorf("%+v: got %v", c, got)
		}
	}
}

// The options say which processes are helpers; by default, none.
func TestIsHelper(t *testing.T) {
	for _, o := range []Options{{Argv: []string{"true"}}, {Argv: []string{"true"}, IsHelper: func(pid int) bool { return pid == -7 }}} {
		s := New(testEnv(t), o)
		s.Prepare()
		if s.Command.IsHelper(-7) != (o.IsHelper != nil) || s.Command.IsHelper(os.Getpid()) {
			t.Errorf("-7 is a helper: %v", s.Command.IsHelper(-7))
		}
		s.Close()
	}
}

// A process knows which run it was begun to make anew, and how.
func TestRefreshing(t *testing.T) {
	for word, merged := range map[string]bool{"sha256:1": false, "sha256:1 merge": true} {
		if key, merge := testEnv(t, refreshVariable+"="+word).Refreshing(); key != "sha256:1" || merge != merged {
			t.Errorf("%q: got %q, %v", word, key, merge)
		}
	}
}

// run runs a command and returns what became of it. An error means that envwrap
// itself could not do its work; that the command failed is a fact in the result.
func run(ctx context.Context, env *Env, o Options) (*envelope.Result, error) {
	s := New(env, o)
	defer s.Close()
	s.Prepare()
	return s.Run(ctx)
}
