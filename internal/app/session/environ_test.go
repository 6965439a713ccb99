package session

import (
	"crypto/rand"
	"os"
	"slices"
	"testing"
	"time"
)

func commandEnv(chosen UserOptions, environ ...string) []string {
	o := Options{UserOptions: chosen, Argv: []string{"true"}}
	s := New(&Env{Environ: environ, Dir: os.Getwd, Now: time.Now, Random: rand.Reader}, o)
	s.Prepare()
	return s.Command.Env
}

func TestCleanEnv(t *testing.T) {
	env := commandEnv(UserOptions{CleanEnv: true, Env: []string{"A=1", "A=2"}}, "HOME=/h", "PATH=/bin")
	if !slices.Contains(env, "A=2") || len(env) != 4 {
		t.Errorf("got %q", env)
	}
}

// --non-interactive overrides what is there; --env overrides that; what the
// user chose for ssh stays.
func TestNonInteractive(t *testing.T) {
	env := commandEnv(UserOptions{NonInteractive: true, Env: []string{"PAGER=less"}}, "GIT_PAGER=less", "GIT_SSH_COMMAND=mine")
	for _, want := range []string{"PAGER=less", "GIT_PAGER=cat", "GIT_TERMINAL_PROMPT=0", "GIT_SSH_COMMAND=mine", "DEBIAN_FRONTEND=noninteractive"} {
		if !slices.Contains(env, want) {
			t.Errorf("%q is missing from %q", want, env)
		}
	}
}

// A trace that is not the caller's has no part in the caller's state.
func TestTracestateOfAnotherTrace(t *testing.T) {
	env := commandEnv(UserOptions{TraceID: "build-17"}, "TRACESTATE=a=b", "TRACEPARENT="+someParent)
	if slices.Contains(env, "TRACESTATE=a=b") {
		t.Errorf("got %q", env)
	}
}
