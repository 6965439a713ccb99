package runcmd

import (
	"github.com/envwrap/envwrap/internal/cli"
	"github.com/envwrap/envwrap/internal/session"
	"github.com/envwrap/envwrap/wrap"
)

// replaceSelf makes the command take envwrap's place, with the whole environment,
// so that an envwrap inside it steps aside too.
func (r *Runner) replaceSelf() error {
	if err := r.prepare(); err != nil {
		return r.refuse(err)
	}
	if r.O.stdin == "auto" {
		r.cmd.Stdin.Mode = wrap.StdinInherit
	}
	r.cmd.Env = session.SetAll(append([]string(nil), r.Environ...), r.O.env...)
	if r.O.cleanEnv {
		r.cmd.Env = session.SetAll([]string{"ENVWRAP=0"}, r.O.env...)
	}
	status, err := wrap.Exec(r.cmd, r.Stdout, r.Stderr)
	if err != nil {
		r.say(err.Error())
	}
	return cli.Ended(status)
}
