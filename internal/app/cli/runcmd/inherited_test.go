package runcmd

import (
	"crypto/rand"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/session"
)

const (
	someTrace  = "4bf92f3577b34da6a3ce929d0e0e4736"
	someParent = "00-" + someTrace + "-00f067aa0ba902b7-00"
)

// commandEnv returns the environment of a command under these options of envwrap.
func commandEnv(own []*cli.Option, environ ...string) []string {
	env := &cli.Env{Environ: environ, Dir: os.Getwd, Now: time.Now, Random: rand.Reader}
	s := session.New(env.Session(), session.Options{Argv: []string{"true"}, TaskID: "RUN", Own: ownVariables(own)})
	s.Prepare()
	return s.Command.Env
}

// Options from the environment are not handed on to the child, except trace
// and context.
func TestChildEnvDropsOptions(t *testing.T) {
	o := DefaultRunOptions()
	environ := []string{"HOME=/h", "ENVWRAP=1", "ENVWRAP_TOOL_ANSWER=brief/v1", "ENVWRAP_AGENT=claude", "ENVWRAP_CTX=OLD:2", "TRACESTATE=a=b", "TRACEPARENT=" + someParent}
	for _, opt := range o.Table() {
		environ = append(environ, opt.Env()+"=x")
	}
	env := commandEnv(o.Table(), environ...)
	for _, e := range env {
		name, _, _ := strings.Cut(e, "=")
		switch name {
		case "HOME", "ENVWRAP", "ENVWRAP_AGENT", "TRACESTATE", "TRACEPARENT":
		case "ENVWRAP_TRACE_ID", "ENVWRAP_CTX":
			if e != "ENVWRAP_TRACE_ID="+someTrace && e != "ENVWRAP_CTX=RUN:"+strconv.Itoa(os.Getpid()) {
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
	o := DefaultRunOptions()
	var environ []string
	for _, opt := range append(o.Table(), JobSubmitVerb(nil).Options...) {
		if opt.Env() != "" {
			environ = append(environ, opt.Env()+"=x")
		}
	}
	environ = append(environ, "HOME=/h")
	env := commandEnv(backgroundOptions(o), environ...)
	if len(env) != 4 || !slices.Contains(env, "HOME=/h") {
		t.Errorf("the command has %q", env)
	}
}
