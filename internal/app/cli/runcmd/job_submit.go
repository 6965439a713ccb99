package runcmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/session"
	"github.com/envwrap/envwrap/internal/platform/output"
	"github.com/envwrap/envwrap/internal/shared/term"
	"github.com/envwrap/envwrap/job"
	"github.com/envwrap/envwrap/wrap"
)

// JobSubmitVerb returns the verb job submit.
func JobSubmitVerb(*cli.Env) *cli.Verb {
	return submitVerb(new(*job.Array))
}

// submitVerb returns the verb job submit, which submits the members in *retried unless that
// is nil.
func submitVerb(retried **job.Array) *cli.Verb {
	o := DefaultRunOptions()
	o.maxJobs, o.maxParallel = DefaultMaxJobs, runtime.NumCPU()
	var same bool
	var r *Runner
	return &cli.Verb{
		Name:    "submit",
		Args:    "-- COMMAND [ARG...]",
		Takes:   cli.ACommand,
		Summary: "start a command in the background and print its id",
		Text: `The answer is an acknowledgement with the job's id. The options are those of a run
and hold for the job; with -o FILE its envelope is written there when it is over.
The command reads nothing unless --stdin says so. With --array it is a group: one job
that runs the command once for each member.`,
		Example: "envwrap job submit -- make test\n" +
			"envwrap job submit --timeout 1h --max-jobs 2 -f delegator -- ./train.sh\n" +
			"envwrap job submit --dedupe -- npm ci\n" +
			"envwrap job submit --array files.txt --max-parallel 4 -- gzip -k {}",
		Options: submitOptions(o, &same),
		Strict:  true,
		Begin: func(c *cli.Call) {
			r = newSubmitter(c, o)
			r.takeSignals(earlyAnswer())
			<-r.gate.ready
		},
		Run: func(context.Context, *cli.Call) error { return submitJob(r, same, *retried) },
		Refuse: func(c *cli.Call, err error) error {
			if r == nil {
				r = newSubmitter(c, o)
			}
			return refuseJob(r, err)
		},
	}
}

// newSubmitter returns the runner of a call of job submit.
func newSubmitter(c *cli.Call, o *RunOptions) *Runner {
	env := *c.Env
	env.Stdout = Unbreakable(env.Stdout)
	return &Runner{Env: &env, Call: c, O: o, category: submitCategory, readers: output.NewReaders()}
}

// submitJob returns the verb: it prints the acknowledgement. retried has the members of a
// group that are run again; nil for another submit.
func submitJob(r *Runner, same bool, retried *job.Array) error {
	r.learn(func(l *learned) { l.settings = r.Call.Applied })
	if err := checkJob(r.Call); err != nil {
		return err
	}
	if err := r.O.resolveLayout(r.Call.Option("pretty"), r.Call.Option("compact")); err != nil {
		return err
	}
	if err := checkCaching(r.Call, r.O.Cache.TTL); err != nil {
		return err
	}
	if err := r.MakeSession(); err != nil {
		return err
	}
	target := r.O.output
	r.sink = &output.Sink{Stream: r.Stdout, Readers: r.readers} // what --output names is for the job's envelope
	if err := cmp.Or(r.checkEngine(), r.takeArray(retried)); err != nil {
		return err
	}
	r.O.output = ""
	store, err := OpenJobs(r.Env, r.O.Store)
	if err != nil {
		return untaken(r, err)
	}
	defer store.Close()
	s := &submission{Runner: r, store: store, same: same, maxJobs: r.O.maxJobs, output: target}
	sub, err := s.submit()
	if err != nil {
		return untaken(r, err)
	}
	if err := s.acknowledge(sub); err != nil {
		return fmt.Errorf("report job %s, which goes on: %w", sub.Record.ID, err)
	}
	return nil
}

// refuseJob prints why a line asks for no job, in the dialect that it asks for as
// far as it can be read: what a run's usage error is, and status 125.
func refuseJob(r *Runner, fault error) error {
	s, err := r.Settings()
	if err != nil {
		s = r.Variables()
	}
	for _, o := range r.Call.Verb.Options {
		_ = o.Resolve(s) // the first fault is known
	}
	_ = r.O.resolveLayout(r.Call.Option("pretty"), r.Call.Option("compact"))
	r.O.output, r.O.request = "", "" // of a job that there will not be
	_ = r.MakeSession()
	return r.refuse(fault)
}

// untaken reports why no job was made, also in an envelope, since a program may read the
// answer.
func untaken(r *Runner, err error) error {
	r.gate.pass()
	if _, ok := errors.AsType[*cli.UsageError](err); ok {
		return err
	}
	res := JobFault(r.Env, "submit", err, r.O.Store)
	res.MaskTexts(wrap.Mask(r.cmd.Redactor))
	return errors.Join(unsupported(err), r.emit(res))
}

// checkJob is checkCommand for job submit.
func checkJob(c *cli.Call) error {
	switch {
	case len(c.Words) > 0:
		return &cli.UsageError{Text: "unexpected word \"" + c.Words[0] + "\"", Hint: "Put the command after --, as in `envwrap job submit -- make test`."}
	case len(c.Rest) == 0:
		return &cli.UsageError{Text: "no command was given", Hint: "Put the command after --, as in `envwrap job submit -- make test`."}
	}
	return nil
}

// submit makes a job of the command.
func (s *submission) submit() (*job.Submission, error) {
	if s.O.members != nil {
		row := s.arrayRow(s.O.members)
		if row == nil {
			return s.submitLocal()
		}
		sub, err := s.submitToEngine(row)
		return sub, s.takenFault(err)
	}
	if row, err := s.engineRow(); err != nil {
		return nil, err
	} else if row != nil {
		sub, err := s.submitToEngine(row)
		return sub, s.takenFault(err)
	}
	return s.submitLocal()
}

// submitLocal makes a job that a supervisor on this machine runs.
func (s *submission) submitLocal() (*job.Submission, error) {
	stdin, err := s.stdin()
	if err != nil {
		return nil, err
	}
	if stdin.Mode == wrap.StdinFile {
		defer stdin.File.Close()
	}
	self, err := s.Program()
	if err != nil {
		return nil, err
	}
	d := &job.Draft{
		ID: s.O.id, Mark: s.O.ifMark, Record: s.localRecord(), MaxJobs: s.maxJobs, Confirm: s.gate.tryPass,
		Launch: job.Launch{
			Program: self, Env: s.Call.Option("env").InVariable(session.Unset(slices.Clone(s.Environ), "ENVWRAP_CTX")), Stdin: stdin.File,
			Args: func(id string) []string { return s.superviseArgs(id) },
		},
	}
	if s.same {
		d.Identity = s.identity()
	}
	s.gate.mayUndo()
	sub, err := s.store.Submit(d)
	return sub, s.takenFault(err)
}

// localRecord returns the record of a job that a supervisor on this machine runs. The
// members of a group go to a runner one by one.
func (s *submission) localRecord() job.Record {
	rec := s.groupRecord()
	if rec.Array != nil {
		rec.Far = nil
	}
	return rec
}

// takenFault returns the error of a submit; with a job of that id it is a usage error.
func (s *submission) takenFault(err error) error {
	if errors.Is(err, job.ErrTaken) {
		return &cli.UsageError{Text: err.Error(), Hint: "`envwrap job wait " + s.O.id + "` has its answer; give a new command another id."}
	}
	return err
}

// stdin returns the stdin of a job's supervisor, which the command inherits: the file
// that --stdin names, or what --stdin inherit asks for. For a caller that waits (--wait)
// it is also a file or a pipe of the caller's, but never a terminal.
func (s *submission) stdin() (wrap.Stdin, error) {
	if a := s.O.members; a != nil {
		return membersStdin(a)
	}
	in, err := openStdin(s.Env, s.O.stdin)
	if err != nil || in.Mode == wrap.StdinFile || in.Mode == wrap.StdinInherit {
		return in, err
	}
	if in.Mode == wrap.StdinAuto && s.wait && s.Stdin != nil && !term.IsTerminal(s.Stdin) && wrap.WorthInheriting(s.Stdin) {
		return in, nil
	}
	return wrap.Stdin{Mode: wrap.StdinNull}, nil
}

// membersStdin returns the file with the members of a group.
func membersStdin(a *job.Array) (wrap.Stdin, error) {
	if a.File == "" {
		return wrap.Stdin{Mode: wrap.StdinNull}, nil
	}
	f, err := os.Open(a.File)
	if err != nil {
		return wrap.Stdin{}, fmt.Errorf("read the members of the group: %w", err)
	}
	return wrap.Stdin{Mode: wrap.StdinFile, File: f}, nil
}

// superviseArgs returns the arguments of the job's supervisor, after its verb: where
// the job is, the options that were given, its id, and the command.
func (s *submission) superviseArgs(id string) []string {
	args := []string{"--jobs", s.store.Dir(), "--trace-id", s.cmd.TraceID}
	for _, o := range s.Call.Verb.Options {
		if !o.InJob.OnSupervisorLine() {
			continue
		}
		for _, value := range o.Given {
			args = append(args, "--"+o.Name+"="+value)
		}
	}
	if s.output != "" {
		args = append(args, "--output="+s.output)
	}
	if s.O.members != nil && s.O.stdin != "auto" {
		args = append(args, "--stdin="+s.O.stdin) // of each member
	} else if s.O.stdin != "auto" || s.wait {
		args = append(args, "--stdin=inherit") // of what it was started with
	}
	return append(append(args, id, "--"), s.Call.Rest...)
}

// acknowledge prints that there is a job, in the looks of its envelope.
func (s *submission) acknowledge(sub *job.Submission) error {
	s.gate.pass()
	v := JobQuestion(s.Env, s.O.Store)
	v.requestID = s.cmd.RequestID
	if sub.Position > 0 {
		v.Places = map[string]int{sub.Record.ID: sub.Position}
		v.Usual, _ = Usual(s.store, v.Now)
	}
	if sub.Existing {
		v.Warnings = append(v.Warnings, "the same command is a job already; this is that one")
	}
	if sub.Record.Array != nil && !slices.ContainsFunc(s.Call.Rest, func(word string) bool { return strings.Contains(word, "{}") }) {
		v.Warnings = append(v.Warnings, "the command has no {}, so that each member runs the same")
	}
	v.Warnings = append(v.Warnings, s.jobWarnings()...)
	res := JobResult("submit", []*job.Record{&sub.Record}, v)
	res.MaskTexts(wrap.Mask(s.cmd.Redactor))
	return s.emit(res)
}

// unsupported says what to do where there are no jobs.
func unsupported(err error) error {
	if errors.Is(err, job.ErrUnsupported) {
		return errors.Join(err, errors.New("run it in the foreground: envwrap -- COMMAND; or give --store a directory on a local disk"))
	}
	return err
}
