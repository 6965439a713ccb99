package cli

import (
	"github.com/envwrap/envwrap/internal/session"
	"github.com/envwrap/envwrap/wrap"
)

// stepsAside reports whether ENVWRAP=0 asks for the bare command.
func (w *World) stepsAside() bool {
	v, ok := w.lookup("ENVWRAP")
	return ok && (v == "0" || v == "false")
}

// stepAside makes the command take envwrap's place, with the whole environment,
// so that an envwrap inside it steps aside too.
func (r *runner) stepAside() error {
	if err := r.prepare(); err != nil {
		return r.refuse(err)
	}
	if r.o.stdin == "auto" {
		r.cmd.Stdin.Mode = wrap.StdinInherit
	}
	r.cmd.Env = session.SetAll(append([]string(nil), r.Environ...), r.o.env...)
	if r.o.cleanEnv {
		r.cmd.Env = session.SetAll([]string{"ENVWRAP=0"}, r.o.env...)
	}
	status, err := wrap.Exec(r.cmd, r.Stdout, r.Stderr)
	if err != nil {
		r.say(err.Error())
	}
	return ended(status)
}
