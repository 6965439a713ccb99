package cli

import (
	"crypto/rand"
	"slices"
	"strings"
	"testing"
)

func childEnvOf(t *testing.T, o *runOptions, environ ...string) []string {
	t.Helper()
	return childEnv(environ, o.table(), o, newTrace("", someParent, rand.Reader), "RUN:1")
}

// Options from the environment are not handed on to the child, except trace
// and context.
func TestChildEnvDropsOptions(t *testing.T) {
	o := defaultRunOptions()
	environ := []string{"HOME=/h", "ENVWRAP=1", "ENVWRAP_AGENT=claude", "ENVWRAP_CTX=OLD:2", "TRACESTATE=a=b"}
	for _, opt := range o.table() {
		environ = append(environ, opt.env()+"=x")
	}
	env := childEnvOf(t, o, environ...)
	for _, e := range env {
		name, _, _ := strings.Cut(e, "=")
		switch name {
		case "HOME", "ENVWRAP", "ENVWRAP_AGENT", "TRACESTATE", "TRACEPARENT":
		case "ENVWRAP_TRACE_ID", "ENVWRAP_CTX":
			if e != "ENVWRAP_TRACE_ID="+someTrace && e != "ENVWRAP_CTX=RUN:1" {
				t.Errorf("the child has %q", e)
			}
		default:
			t.Errorf("the child has %q", e)
		}
	}
	if len(env) != 7 {
		t.Errorf("the child has %d variables: %q", len(env), env)
	}
}

// A job's command gets none of them either, those that have no meaning for a job
// and those of the submit included.
func TestJobEnvDropsOptions(t *testing.T) {
	o := defaultRunOptions()
	var environ []string
	for _, opt := range append(o.table(), jobSubmitVerb(nil).options...) {
		if opt.env() != "" {
			environ = append(environ, opt.env()+"=x")
		}
	}
	environ = append(environ, "HOME=/h")
	env := childEnv(environ, backgroundOptions(o), o, newTrace("", someParent, rand.Reader), "JOB:1")
	if len(env) != 4 || !slices.Contains(env, "ENVWRAP_CTX=JOB:1") {
		t.Errorf("the command has %q", env)
	}
}

func TestCleanEnv(t *testing.T) {
	o := defaultRunOptions()
	o.cleanEnv, o.env = true, []string{"A=1", "A=2"}
	env := childEnvOf(t, o, "HOME=/h", "PATH=/bin")
	if !slices.Contains(env, "A=2") || len(env) != 4 {
		t.Errorf("got %q", env)
	}
}

// --non-interactive overrides what is there; --env overrides that; what the
// user chose for ssh stays.
func TestNonInteractive(t *testing.T) {
	o := defaultRunOptions()
	o.nonInteractive, o.env = true, []string{"PAGER=less"}
	env := childEnvOf(t, o, "GIT_PAGER=less", "GIT_SSH_COMMAND=mine")
	for _, want := range []string{"PAGER=less", "GIT_PAGER=cat", "GIT_TERMINAL_PROMPT=0", "GIT_SSH_COMMAND=mine", "DEBIAN_FRONTEND=noninteractive"} {
		if !slices.Contains(env, want) {
			t.Errorf("%q is missing from %q", want, env)
		}
	}
}

// A trace that is not the caller's has no part in the caller's state.
func TestTracestateOfAnotherTrace(t *testing.T) {
	o := defaultRunOptions()
	env := childEnv([]string{"TRACESTATE=a=b"}, o.table(), o, newTrace("build-17", someParent, rand.Reader), "RUN:1")
	if slices.Contains(env, "TRACESTATE=a=b") {
		t.Errorf("got %q", env)
	}
}
