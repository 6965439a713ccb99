package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/session"
	"github.com/envwrap/envwrap/internal/term"
	"github.com/envwrap/envwrap/job"
	"github.com/envwrap/envwrap/wrap"
)

func jobSubmitVerb(*World) *verb {
	o := defaultRunOptions()
	o.maxJobs = defaultMaxJobs
	var same bool
	return &verb{
		name:    "submit",
		args:    "-- COMMAND [ARG...]",
		takes:   aCommand,
		summary: "run a command in the background, and answer at once",
		text: `The answer is an acknowledgement with the job's id. The options are those of a run
and hold for the job; with -o FILE its envelope is written there when it is over.
The command reads nothing unless --stdin says so.`,
		example: "envwrap job submit -- make test\n" +
			"envwrap job submit --timeout 1h --max-jobs 2 -f delegator -- ./train.sh\n" +
			"envwrap job submit --dedupe -- npm ci",
		options: append(
			backgroundOptions(o),
			maxJobsOption(&o.maxJobs),
			&option{name: "dedupe", help: "answer with the job that is the same and not over, where there is one", set: into(&same, boolean), inJob: submitOnly},
		),
		run: func(ctx context.Context, c *call) error {
			r := &runner{World: c.World, call: c, o: o}
			return r.submitJob(ctx, same)
		},
		refuse: func(c *call, err error) error {
			r := &runner{World: c.World, call: c, o: o}
			return r.refuseJob(err)
		},
	}
}

// backgroundOptions are the options of a run that hold for a job.
func backgroundOptions(o *runOptions) []*option {
	return slices.DeleteFunc(o.table(), func(opt *option) bool { return opt.inJob == foregroundOnly })
}

// submitJob is the verb: it prints the acknowledgement.
func (r *runner) submitJob(_ context.Context, same bool) error {
	if err := r.call.checkJob(); err != nil {
		return err
	}
	if err := r.o.settleLayout(r.call.option("pretty"), r.call.option("compact")); err != nil {
		return err
	}
	if err := r.call.checkCaching(r.o.cache.TTL); err != nil {
		return err
	}
	if err := r.outline(); err != nil {
		return err
	}
	output := r.o.output
	r.sink = &sink{stream: r.Stdout} // what --output names is for the job's envelope
	r.o.output = ""
	store, err := r.openJobs(r.o.store)
	if err != nil {
		return r.untaken(err)
	}
	defer store.Close()
	sub, err := r.submit(store, &submission{same: same, maxJobs: r.o.maxJobs, output: output})
	if err != nil {
		return r.untaken(err)
	}
	r.Stdout = unbreakable(r.Stdout)
	r.sink = &sink{stream: r.Stdout}
	if err := r.acknowledge(store, sub); err != nil {
		return fmt.Errorf("tell of job %s, which goes on: %w", sub.Record.ID, err)
	}
	return nil
}

// refuseJob prints why a line asks for no job, in the dialect that it asks for as
// far as it can be read: what a run's usage error is, and status 125.
func (r *runner) refuseJob(fault error) error {
	s, err := r.settings()
	if err != nil {
		s = r.variables()
	}
	for _, o := range r.call.verb.options {
		_ = o.resolve(s) // the first fault is known
	}
	_ = r.o.settleLayout(r.call.option("pretty"), r.call.option("compact"))
	r.o.output, r.o.request = "", "" // of a job that there will not be
	_ = r.outline()
	r.category = submitCategory
	return r.refuse(fault)
}

// untaken tells in an envelope too that there is no job, since a program asked.
func (r *runner) untaken(err error) error {
	if _, ok := errors.AsType[*usageError](err); ok {
		return err
	}
	res := r.jobFault("submit", err, r.o.store)
	return errors.Join(unsupported(err), r.emit(res))
}

// acknowledge prints that there is a job, in the looks of its envelope.
func (r *runner) acknowledge(store *job.Store, sub *job.Submission) error {
	v := r.jobQuestion(r.o.store)
	v.requestID = r.cmd.RequestID
	if sub.Position > 0 {
		v.places = map[string]int{sub.Record.ID: sub.Position}
		v.usual, _ = usual(store, v.now)
	}
	if sub.Existing {
		v.warnings = append(v.warnings, "the same command is a job already; this is that one")
	}
	res, err := jobResult("submit", []*job.Record{&sub.Record}, v)
	if err != nil {
		return err
	}
	return r.emit(res)
}

// checkJob is checkCommand for job submit.
func (c *call) checkJob() error {
	switch {
	case len(c.words) > 0:
		return &usageError{text: "unexpected word \"" + c.words[0] + "\"", hint: "The command stands behind --, as in `envwrap job submit -- make test`."}
	case len(c.rest) == 0:
		return &usageError{text: "no command was given", hint: "The command stands behind --, as in `envwrap job submit -- make test`."}
	}
	return nil
}

// A submission says how a job is submitted.
type submission struct {
	same    bool   // the job that is the same will do
	maxJobs int    // 0 is at once
	output  string // the file that gets its envelope
	wait    bool   // its caller waits a while: it reads what a run would
}

// submit makes a job of the command. The runner has its outline.
func (r *runner) submit(store *job.Store, as *submission) (*job.Submission, error) {
	stdin, err := r.jobStdin(as.wait)
	if err != nil {
		return nil, err
	}
	if stdin.Mode == wrap.StdinFile {
		defer stdin.File.Close()
	}
	self, err := r.program()
	if err != nil {
		return nil, err
	}
	d := &job.Draft{
		Record: r.jobRecord(), MaxJobs: as.maxJobs,
		Launch: job.Launch{
			Program: self, Env: r.call.option("env").inVariable(session.Unset(slices.Clone(r.Environ), "ENVWRAP_CTX")), Stdin: stdin.File,
			Args: func(id string) []string { return r.superviseArgs(store.Dir(), id, as) },
		},
	}
	if as.same {
		d.Identity = r.identity()
	}
	return store.Submit(d)
}

// jobStdin is what a job's supervisor reads, and hands on to the command: a file
// that --stdin names, or what was asked to be inherited. A caller that waits
// shares what would not keep somebody else waiting.
func (r *runner) jobStdin(wait bool) (wrap.Stdin, error) {
	s, err := r.openStdin(r.o.stdin)
	if err != nil || s.Mode == wrap.StdinFile || s.Mode == wrap.StdinInherit {
		return s, err
	}
	if s.Mode == wrap.StdinAuto && wait && r.Stdin != nil && !term.IsTerminal(r.Stdin) && wrap.WorthInheriting(r.Stdin) {
		return s, nil
	}
	return wrap.Stdin{Mode: wrap.StdinNull}, nil
}

// program is a path by which this program can be started again. On Linux there
// is one that holds although its file was replaced or removed.
func (w *World) program() (string, error) {
	if w.Executable == nil {
		return "", errors.New("find this program: the system does not say where it is")
	}
	path, err := w.Executable()
	if err != nil { // where /proc is not mounted: as a shell found it
		if path, err = w.calledAs(); err != nil {
			return "", fmt.Errorf("find this program without /proc: %w", err)
		}
		return path, nil
	}
	if _, err := os.Stat(path); err != nil {
		path = "/proc/self/exe"
	}
	return path, nil
}

// calledAs is the file that the name names by which this program was called.
func (w *World) calledAs() (string, error) {
	name := "envwrap"
	if len(w.Args) > 0 {
		name = w.Args[0]
	}
	path, err := exec.LookPath(name)
	if err == nil && filepath.Base(path) != "envwrap" {
		err = fmt.Errorf("%q is not called envwrap", path)
	}
	if err != nil {
		return "", err
	}
	return w.path(path), nil
}

// jobRecord is what is kept of the command, masked.
func (r *runner) jobRecord() job.Record {
	facts := wrap.Refused(r.cmd, envelope.Outcome{Kind: envelope.Success})
	dir, _ := r.cmd.Redactor.String(cmp.Or(r.cmd.Dir, r.directory()))
	o := r.o
	return job.Record{
		Command: facts.Command, Tool: facts.Tool, Argv: facts.Argv, Dir: dir, Workspace: facts.Workspace,
		Environ: variableNames(r.Environ), Agent: facts.Agent, TraceID: facts.TraceID, RequestID: facts.RequestID,
		Limits: job.Limits{
			Timeout: o.timeout, IdleTimeout: o.idleTimeout, KillAfter: o.killAfter,
			MaxCapture: o.maxCapture, MaxArtifact: o.maxArtifact, Retries: o.retries.Times,
		},
		View: job.View{
			Format: o.format.Name(), ExitCode: o.exitCode.String(), Layout: o.layout(false), IncludeOutput: o.includeOutput,
			Budget: o.budget, InlineLimit: o.inlineLimit, Excerpt: o.excerpt, Parse: o.parse,
		},
	}
}

// variableNames are the names of an environment's variables, sorted.
func variableNames(environ []string) []string {
	list := make([]string, 0, len(environ))
	for _, e := range environ {
		if name, _, ok := strings.Cut(e, "="); ok && name != "" {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// superviseArgs are the arguments of the job's supervisor, behind its verb: where
// the job is, the options that were given, its id, and the command.
func (r *runner) superviseArgs(store, id string, as *submission) []string {
	args := []string{"--jobs", store, "--trace-id", r.cmd.TraceID}
	for _, o := range r.call.verb.options {
		if !o.inJob.onSupervisorLine() {
			continue
		}
		for _, value := range o.given {
			args = append(args, "--"+o.name+"="+value)
		}
	}
	if as.output != "" {
		args = append(args, "--output="+as.output)
	}
	if r.o.stdin != "auto" || as.wait {
		args = append(args, "--stdin=inherit") // of what it was started with
	}
	return append(append(args, id, "--"), r.call.rest...)
}

// identity is what makes two jobs the same: the command, where it runs, and the
// options that were given. Each list stands behind its length.
func (r *runner) identity() []string {
	counted := func(list []string) []string { return append([]string{strconv.Itoa(len(list))}, list...) }
	list := append([]string{r.directory(), r.o.cwd}, counted(r.call.rest)...)
	for _, o := range r.call.verb.options {
		if len(o.given) > 0 && o.inJob.partOfIdentity() {
			list = append(append(list, o.name), counted(o.given)...)
		}
	}
	return list
}

// unsupported says what to do where there are no jobs.
func unsupported(err error) error {
	if errors.Is(err, job.ErrUnsupported) {
		return errors.Join(err, errors.New("run it in the foreground: envwrap -- COMMAND; or give --store a directory on a local disk"))
	}
	return err
}
