package cli

import (
	"math"
	"slices"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/session"
	"github.com/envwrap/envwrap/internal/term"
	"github.com/envwrap/envwrap/job"
	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/wrap"
)

// outline makes what every envelope needs, that of a usage error too: who
// calls, from where, under which ids, and what is secret. All of it is made,
// also where an error is returned.
func (r *runner) outline() error {
	r.o.settleFormat()
	secrets, secretErr := namedSecrets(r.World, r.o)
	rules, rulesErr := r.redactRules(r.o.redactConfig)
	r.bytes = r.wantsBytes()
	options := r.options()
	options.Secrets, options.Rules = secrets, rules
	r.Session = session.New(r.World.session(), options)
	r.cmd = r.Session.Command
	sinkErr := r.openOutput()
	requestErr := r.takeRequest()
	for _, err := range []error{secretErr, rulesErr, sinkErr, requestErr} {
		if err != nil {
			return err
		}
	}
	return nil
}

// options are the options of the run as a session takes them, but for those that
// need a file to be read.
func (r *runner) options() session.Options {
	o := r.o
	options := session.Options{
		Argv: r.call.rest, Name: o.command, TaskID: r.task, TraceID: o.traceID,
		Env: o.env, CleanEnv: o.cleanEnv, NonInteractive: o.nonInteractive, Own: ownVariables(r.call.verb.options),
		Terminal: r.Stdin != nil && term.IsTerminal(r.Stdin), Alone: true, Spare: job.IsSupervisor,
		Merge: o.merge, Parse: o.parse, OnOverflow: o.onOverflow,
		MaxCapture: o.maxCapture, MaxArtifact: o.maxArtifact, InlineLimit: o.inlineLimit, Excerpt: o.excerpt,
		Timeout: o.timeout, IdleTimeout: o.idleTimeout, KillAfter: o.killAfter,
		OkExit: o.okExit, ExitMap: o.exitMap,
		Retry: o.retries.Retry, Cache: o.cache.Cache,
		Redact: o.redact,
		Store:  o.store, StoreSync: o.storeSync, Read: r.readCommand(o.store),
		Refresh: r.refreshLine,
	}
	if o.cwd != "" {
		options.Dir = r.path(o.cwd)
	}
	if o.killAfter == 0 { // which is at once on the line, and the default in a program
		options.KillAfter = -1
	}
	if o.push {
		options.Push = r.push
		options.Read = r.readAnywhere
	}
	if r.bytes { // bytes that were passed on cannot be taken back: such a command runs once
		options.Retry = session.Retry{}
	}
	return options
}

// openOutput finds where the envelope goes; stdout where --output fails.
func (r *runner) openOutput() error {
	s, err := r.openSink(r.o.output)
	if err != nil {
		r.sink = &sink{stream: r.Stdout, readers: r.readers}
		return outputError(r.o.output, err)
	}
	r.sink, s.readers = s, r.readers
	return nil
}

// takeRequest reads the request that the envelope answers, where its dialect
// has such a thing.
func (r *runner) takeRequest() error {
	if r.o.request == "" || r.o.format.Name() != "agent-response/v1" {
		return nil
	}
	id, err := r.requestID(r.o.request)
	if err == nil {
		r.cmd.RequestID = id
	}
	return err
}

// complete adds what only a run needs.
func (r *runner) complete() error {
	stdin, err := r.openStdin(r.o.stdin)
	if err != nil {
		return err
	}
	if r.o.cache.TTL > 0 && stdin.Mode == wrap.StdinAuto && stdin.File != nil && term.IsTerminal(stdin.File) {
		// A person is not asked: the command reads nothing, the first time as the second.
		stdin.Mode = wrap.StdinNull
	}
	options := &r.Session.Options
	options.Stdin, options.Dialect, options.Encoding = stdin, r.o.format, r.encoding()
	r.Session.Prepare()
	r.cmd.LiveStdout, r.cmd.LiveStderr = r.live(r.o, r.readers)
	if r.bytes {
		r.passBytes()
	}
	return nil
}

// encoding is how the envelope is spelled.
func (r *runner) encoding() envelope.EncodeOptions {
	reads := r.sink.stream == r.Stdout && r.stdoutReader() == agentReader
	terminal := r.sink.stream != nil && term.IsTerminal(r.sink.stream)
	most := 0
	if r.o.whole {
		most = math.MaxInt32
	}
	return envelope.EncodeOptions{
		Whole:         r.o.whole,
		MaxOutput:     most,
		Detail:        r.o.detail.of(reads),
		Layout:        r.o.layout(terminal),
		IncludeOutput: r.o.includeOutput,
		Budget:        budgetFor(r.o.budget, reads, r.cmd.Agent),
	}
}

// warnOff warns of --redact off on stderr and in the envelope.
func (r *runner) warnOff() {
	if r.o.redact != redact.Off {
		return
	}
	const text = "redaction is off: secrets in the output are shown and stored as they are"
	r.cmd.Warnings = append(r.cmd.Warnings, text)
	if !r.bytes {
		r.say(text)
	}
}

// refreshLine is the command line and the environment of an envwrap that runs the
// command anew in the background: the run's options as they were given, wherever
// they were given, but for those that show something.
func (r *runner) refreshLine(store string) (args, environ []string) {
	args = []string{"envwrap", "run", "--store=" + store}
	for _, known := range backgroundOptions(defaultRunOptions()) {
		if slices.Contains([]string{"store", "output", "env"}, known.name) {
			continue
		}
		for _, value := range r.call.option(known.name).given {
			args = append(args, "--"+known.name+"="+value)
		}
	}
	args = append(append(args, "--"), r.call.rest...)
	return args, r.call.option("env").inVariable(slices.Clone(r.Environ))
}

// settleRefresh keeps a run in the background from showing anything.
func (r *runner) settleRefresh() {
	key, merge := r.World.session().Refreshing()
	if key == "" {
		return
	}
	r.o.output, r.o.tee, r.o.emit = "", false, emitAlways
	r.o.merge = r.o.merge || merge
}
