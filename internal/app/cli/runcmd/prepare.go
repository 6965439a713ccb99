package runcmd

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/redactcmd"
	"github.com/envwrap/envwrap/internal/app/session"
	"github.com/envwrap/envwrap/internal/platform/output"
	"github.com/envwrap/envwrap/internal/shared/term"
	"github.com/envwrap/envwrap/job"
	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/wrap"
)

// MakeSession makes the session with what every envelope needs, also that of a usage error:
// the caller, the workspace, the ids and the redactor. It does so even if it returns an
// error.
func (r *Runner) MakeSession() error {
	secrets, secretErr := redactcmd.NamedSecrets(r.Env, &r.O.redaction, r.O.Env)
	rules, rulesErr := redactcmd.RedactRules(r.Env, r.O.redaction.Rules)
	r.newSession(secrets, rules)
	shared, sharedErr := r.shared()
	r.Session.Options.Shared = shared
	sinkErr := r.openOutput()
	requestErr := r.takeRequest()
	onErr := checkOn(r.Env, r.Call, r.O.on)
	fault := cmp.Or(onErr, secretErr, rulesErr, sharedErr, sinkErr, requestErr)
	if fault == nil {
		r.learn(func(l *learned) {
			l.sessionMade, l.secrets, l.rules, l.request = true, secrets, rules, r.cmd.RequestID
		})
	}
	return fault
}

// newSession is the part of MakeSession that reads no file.
func (r *Runner) newSession(secrets []redact.Value, rules []redact.Rule) {
	r.O.chooseFormat()
	r.bytes = r.wantsBytes()
	options := r.options()
	options.Secrets, options.Rules = secrets, rules
	r.Session = session.New(r.Env.Session(), options)
	r.cmd = r.Session.Command
}

// options returns the options of the run as a session takes them, but for those that
// need a file to be read.
func (r *Runner) options() session.Options {
	o := r.O
	options := session.Options{
		UserOptions: o.UserOptions,
		Argv:        r.Call.Rest, TaskID: r.task, Own: ownVariables(r.Call.Verb.Options),
		Terminal: r.Stdin != nil && term.IsTerminal(r.Stdin), Alone: true, IsHelper: job.IsSupervisor,
		Key:  func() map[string]string { return cli.KeyValues(r.Call.Verb.Options) },
		Read: r.ReadCommand(o.Store), Queries: r.HasCompanion, Refresh: r.refreshLine,
	}
	if o.KillAfter == 0 { // which is at once on the line, and the default in a program
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
func (r *Runner) openOutput() error {
	s, err := output.OpenSink(r.O.output, r.Path, r.Stdout, r.Stderr)
	if err != nil {
		r.sink = &output.Sink{Stream: r.Stdout, Readers: r.readers}
		return cli.OutputError(r.O.output, err)
	}
	r.sink, s.Readers = s, r.readers
	return nil
}

// jobRecord returns the parts of the command that the job's record keeps.
func (r *Runner) jobRecord() job.Record {
	facts := r.Session.Refused(envelope.Outcome{Kind: envelope.Success})
	o := r.O
	var far *job.Far
	if o.on != "" {
		far = &job.Far{Runner: o.on, ID: r.Env.Session().NewULID()}
	}
	rec := job.Record{
		Far: far, Name: o.jobName,
		Command: facts.Command, Tool: facts.Tool, Argv: facts.Argv, Dir: cmp.Or(r.cmd.Dir, r.Directory()), Workspace: facts.Workspace,
		Environ: variableNames(r.Environ), Agent: facts.Agent, TraceID: facts.TraceID, RequestID: facts.RequestID,
		Limits: job.Limits{
			Timeout: o.Timeout, IdleTimeout: o.IdleTimeout, KillAfter: o.KillAfter,
			MaxCapture: o.MaxCapture, MaxArtifact: o.MaxArtifact, Retries: o.Retry.Times,
		},
		View: job.View{
			Format: o.Format.Name(), ExitCode: o.exitCode.String(), Layout: cli.Layout(o.Pretty, o.Compact, false), IncludeOutput: o.includeOutput,
			Budget: o.budget, InlineLimit: o.InlineLimit, Excerpt: o.Excerpt, Parse: o.Parse,
		},
	}
	rec.MaskTexts(wrap.Mask(r.cmd.Redactor))
	return rec
}

// variableNames returns the names of an environment's variables, sorted.
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

// takeRequest reads the request that the envelope answers, where its dialect
// has such a thing.
func (r *Runner) takeRequest() error {
	if r.O.request == "" || !r.O.Format.AnswersRequest() {
		return nil
	}
	id, err := agentRequestID(r.Env, r.O.request)
	if err == nil {
		r.cmd.RequestID = id
	}
	return err
}

// PrepareSession prepares the session with what only a run needs, beyond MakeSession.
func (r *Runner) PrepareSession() error {
	stdin, err := openStdin(r.Env, r.O.stdin)
	if err != nil {
		return err
	}
	if r.O.Cache.TTL > 0 && stdin.Mode == wrap.StdinAuto && stdin.File != nil && term.IsTerminal(stdin.File) {
		// A person is not asked: the command reads nothing, the first time as the second.
		stdin.Mode = wrap.StdinNull
	}
	options := &r.Session.Options
	options.Stdin, options.Dialect, options.Encoding = stdin, r.O.Format, r.encodeOptions()
	r.Session.Prepare()
	if r.O.below != "" {
		r.cmd.Below, r.cmd.Heir = true, r.keepPipe
	}
	r.cmd.LiveStdout, r.cmd.LiveStderr = live(r.Env, r.O, r.readers)
	if r.bytes {
		r.passBytes()
	}
	return nil
}

// warnOff warns of --redact off on stderr and in the envelope.
func (r *Runner) warnOff() {
	if r.O.Redact != redact.Off {
		return
	}
	const text = "redaction is off: secrets in the output are shown and stored as they are"
	r.cmd.Warnings = append(r.cmd.Warnings, text)
	if !r.bytes {
		r.say(text)
	}
}

// refreshLine returns the command line and the environment of an envwrap that runs the
// command anew in the background: the run's options as they were given, wherever
// they were given, but for those that show something.
func (r *Runner) refreshLine(store string) (args, environ []string) {
	r.gate.pass() // the command is run there
	args = []string{"envwrap", "run", "--store=" + store}
	for _, known := range backgroundOptions(DefaultRunOptions()) {
		if slices.Contains([]string{"store", "output", "env"}, known.Name) {
			continue
		}
		for _, value := range r.Call.Option(known.Name).Given {
			args = append(args, "--"+known.Name+"="+value)
		}
	}
	args = append(append(args, "--"), r.Call.Rest...)
	return args, r.Call.Option("env").InVariable(slices.Clone(r.Environ))
}

// silenceRefresh keeps a run in the background from showing anything.
func (r *Runner) silenceRefresh() {
	key, merge := r.Env.Session().Refreshing()
	if key == "" {
		return
	}
	r.O.output, r.O.tee, r.O.emit = "", false, emitAlways
	r.O.Merge = r.O.Merge || merge
}

// requestLimit is the most that is read of a --request.
const requestLimit = 16 << 20

// agentRequestID takes the id out of an agent request (agent-response/v1: the
// document's .agent-request.json).
func agentRequestID(env *cli.Env, file string) (string, error) {
	id, err := readRequestID(env, env.Path(file))
	if err != nil {
		return "", &cli.UsageError{
			Text: fmt.Sprintf("option --request: cannot take request_id from %q: %v", file, err),
			Hint: `The file is a JSON object with "request_id", a UUID: without one the answer would be no valid envelope.`,
		}
	}
	return id, nil
}

func readRequestID(env *cli.Env, path string) (string, error) {
	doc, err := env.ReadNamed(path, requestLimit)
	if err != nil {
		return "", err
	}
	var request map[string]json.RawMessage // a struct would take the name in any case
	if err := json.Unmarshal(doc, &request); err != nil {
		return "", errors.New("it is not such a JSON object")
	}
	var id *string
	switch err := json.Unmarshal(request["request_id"], &id); {
	case request["request_id"] == nil || err == nil && (id == nil || *id == ""):
		return "", errors.New("it has none")
	case err != nil:
		return "", errors.New("it is not a string")
	}
	if _, ok := session.UUIDHex(*id); !ok {
		return "", fmt.Errorf("%q is not a UUID", *id)
	}
	return *id, nil
}

// reconcile makes the options agree with each other, and returns their first fault unless
// there was one before.
func (r *Runner) reconcile(fault error) error {
	fault = cmp.Or(fault, r.O.resolveLayout(r.Call.Option("pretty"), r.Call.Option("compact")))
	r.O.liftLimits()
	r.O.overflowGiven = r.Call.Option("on-overflow").IsSet
	if fault == nil {
		fault = r.O.events.checkWith(r.O, r.Call.Option("stream"), r.Call.Option("stream-lines"))
	}
	r.silenceRefresh()
	if r.O.below != "" { // the client shows both streams as one
		r.O.Merge = true
	}
	return fault
}

// checkID finds an --id or --if-mark on a line that makes no job.
func (r *Runner) checkID() error {
	for _, name := range []string{"id", "if-mark"} {
		if r.O.wait == 0 && len(r.Call.Option(name).Given) > 0 {
			return &cli.UsageError{Text: "--" + name + " needs --wait", Hint: "It is about a job: say how long to wait for that, as in --wait 1m."}
		}
	}
	return nil
}

// checkCaching finds an option of remembered runs on a line where nothing asks for
// one. In a variable or a file it waits for a line that does; --cache 0 is an
// answer, too.
func checkCaching(c *cli.Call, ttl time.Duration) error {
	if ttl > 0 || len(c.Option("cache").Given) > 0 {
		return nil
	}
	for _, o := range c.Verb.Options {
		if o.Group == cacheGroup && len(o.Given) > 0 {
			return &cli.UsageError{Text: "--" + o.Name + " needs --cache", Hint: "Say how old an answer may be, as in --cache 10m."}
		}
	}
	return nil
}

// checkOn returns an error if the line has options that cannot be used with --on.
func checkOn(env *cli.Env, c *cli.Call, name string) error {
	if name == "" {
		return nil
	}
	for _, option := range []string{"secret-file", "redact-config"} {
		if c.Option(option).IsSet {
			return &cli.UsageError{Text: "--" + option + " names a file here, and --on masks at the far end", Hint: "Put it into the configuration of the far end."}
		}
	}
	_, err := env.Runner(name)
	return err
}
