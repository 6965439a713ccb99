// Package runcmd has the verb run: it reads the options of a run, runs the command in a
// session and writes the envelope. It also has the verb job submit and the job's
// supervisor, since the same options describe a job.
package runcmd

import (
	"cmp"
	"context"
	"slices"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/remoteconfig"
	"github.com/envwrap/envwrap/internal/app/session"
	"github.com/envwrap/envwrap/internal/platform/output"
	"github.com/envwrap/envwrap/wrap"
)

// RunVerb returns the verb run.
func RunVerb(env *cli.Env) *cli.Verb {
	o := DefaultRunOptions()
	return &cli.Verb{
		Name:    "run",
		Args:    "-- COMMAND [ARG...]",
		Takes:   cli.ACommand,
		Summary: "run a command and print one envelope (the default verb)",
		Text: "Everything after the first -- is the command, passed on unchanged. The envelope goes\n" +
			"to stdout, and nothing else does; with -o FILE the command's own output goes there.\n" +
			"Each option has a variable: ENVWRAP_TIMEOUT for --timeout.",
		Example: "envwrap -- git status\n" +
			"envwrap run --timeout 5m -f helper/v1 -- npm test\n" +
			"envwrap -o result.json --exit-map 23=partial -- rsync -a src/ dst/",
		Options: o.Table(),
		Run: func(ctx context.Context, c *cli.Call) error {
			env := *c.Env
			env.Stdout, env.Stderr = Unbreakable(env.Stdout), Unbreakable(env.Stderr)
			return (&Runner{Env: &env, Call: c, O: o}).run(ctx)
		},
	}
}

// run reads the options, runs the command and writes the envelope. Where one
// of the three cannot be done, the envelope says so all the same.
func (r *Runner) run(ctx context.Context) error {
	if r.Disabled() {
		return r.replaceSelf()
	}
	r.readers = output.NewReaders()
	r.takeSignals(earlyAnswer(), otherSignals()...)
	if few := cli.CheckOpenFiles(); few != nil {
		if err := cmp.Or(r.read(), r.MakeSession()); err != nil {
			return r.refuse(err)
		}
		return r.fail(few)
	}
	if err := r.prepare(); err != nil {
		return r.refuse(err)
	}
	if r.jobs != nil {
		if result := r.rememberedBefore(); result != nil {
			defer r.jobs.Close()
			return r.finish(result)
		}
		if done, err := runAsJob(ctx, r); done {
			return err
		}
		if err := r.PrepareSession(); err != nil {
			return r.refuse(err)
		}
	}
	defer r.CloseStdin()
	defer r.Session.Close()
	r.warnOff()
	r.cmd.Signals, r.cmd.BeforeStart, r.cmd.GiveUp = r.signals, r.gate.passToStart, r.readers.GiveUp
	if !r.bytes {
		r.cmd.Meanwhile = func() { envelope.Prepare(r.O.Format) }
	}
	if r.showsLive() {
		r.recordBegin()
	}
	events := r.attach()
	erase := r.drawLine()
	r.beginBriefing()
	r.keepOutput()
	result, err := r.execute(ctx)
	erase()
	r.endBriefing()
	if events != nil {
		end := r.watchSignals(false)
		events.Close()
		end()
	}
	if err != nil {
		return r.fail(err)
	}
	return r.finish(result)
}

// prepare reads the options and makes the command of them. What every envelope
// needs is made also where an error is returned.
func (r *Runner) prepare() error {
	if err := cmp.Or(r.read(), r.MakeSession()); err != nil {
		return err
	}
	if waits, err := r.waits(); waits || err != nil {
		return err
	}
	return r.PrepareSession()
}

// read sets all options that can be set and returns the first fault: the rest
// of a faulty line still says in which dialect, and where, that is reported.
func (r *Runner) read() error {
	s, err := r.Variables(), error(nil)
	if !r.Disabled() {
		s, err = r.Settings()
		r.learn(func(l *learned) { l.settings = s })
		s.WarnMisspelled(r.Env, r.Call.Verb.Options, r.Complain)
		s.Warn(r.Complain)
	}
	r.limits = s.Record
	fault := cmp.Or(r.Call.Fault, err, s.Unknown())
	for _, o := range r.Call.Verb.Options {
		fault = cmp.Or(fault, o.Resolve(s))
	}
	fault = r.reconcile(fault)
	if fault == nil {
		fault = checkCaching(r.Call, r.O.Cache.TTL)
	}
	if fault == nil {
		fault = r.checkID()
	}
	if fault == nil {
		fault = r.Call.CheckCommand()
	}
	return fault
}

// CloseStdin closes the file of --stdin, but not envwrap's own stdin.
func (r *Runner) CloseStdin() {
	if r.cmd.Stdin.Mode == wrap.StdinFile {
		_ = r.cmd.Stdin.File.Close()
	}
}

// rememberedBefore returns the remembered result of a run that would otherwise become a
// job, or nil if the command has to be run. What ran here is no answer for a runner.
func (r *Runner) rememberedBefore() *envelope.Result {
	if r.O.Cache.TTL == 0 || r.O.on != "" {
		return nil
	}
	early := *r
	early.Session = r.Session.Copy()
	early.cmd = early.Session.Command
	if early.PrepareSession() != nil {
		return nil
	}
	defer early.CloseStdin()
	defer early.Session.Close()
	return early.Session.Remembered()
}

// replaceSelf makes the command take envwrap's place, with the whole environment,
// so that an envwrap inside it does so, too.
func (r *Runner) replaceSelf() error {
	if err := r.prepare(); err != nil {
		return r.refuse(err)
	}
	if r.O.stdin == "auto" {
		r.cmd.Stdin.Mode = wrap.StdinInherit
	}
	env := session.Unset(slices.Clone(r.Environ), remoteconfig.TokenVariable)
	r.cmd.Env = session.SetAll(session.Unset(env, remoteconfig.ServerTokenVariable), r.O.Env...)
	if r.O.CleanEnv {
		r.cmd.Env = session.SetAll([]string{"ENVWRAP=0"}, r.O.Env...)
	}
	status, err := wrap.Exec(r.cmd, r.Stdout, r.Stderr)
	if err != nil {
		r.say(err.Error())
	}
	return cli.Ended(status)
}
