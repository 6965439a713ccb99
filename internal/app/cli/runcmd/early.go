package runcmd

import (
	"errors"
	"os"
	"time"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/session"
	"github.com/envwrap/envwrap/internal/platform/output"
	"github.com/envwrap/envwrap/redact"
)

// How long the parts of an early end may wait for others, together less than a second.
const (
	earlyPrepare = 350 * time.Millisecond // for the file that the answer goes to
	earlyWrite   = 350 * time.Millisecond // for the reader of the answer
	earlyUndo    = 150 * time.Millisecond // for the run to take back what it has begun
)

// earlyEncode is how long an early end may take to make the answer, which waits for
// nothing but a processor.
const earlyEncode = 5 * time.Second

// lateOutput is how long a job that is over, and recorded so, waits for the file that its
// envelope goes to.
const lateOutput = 10 * time.Second

// takeSignals takes over the signals that ask this process to end, which end it until the
// run passes its gate, and the others.
func (r *Runner) takeSignals(early *earlyEnd, others ...os.Signal) {
	r.gate = &startGate{closed: make(chan struct{}), parked: make(chan struct{})}
	early.env, early.call, early.task, early.category, early.gate = *r.Env, r.Call, r.task, r.category, r.gate
	r.early = early
	r.signals, r.gate.ready = watchSignals(r.Env, r.gate, early.hold, early.end, others)
}

// earlyAnswer returns the end of a run whose caller reads the answer.
func earlyAnswer() *earlyEnd {
	e := &earlyEnd{writes: make(chan struct{})}
	e.answer = func(r *Runner, sig os.Signal) int { return r.answerEarly(sig, e.writes) }
	return e
}

// end answers that the command was not started, and ends the process within a second.
func (e *earlyEnd) end(sig os.Signal) {
	prepared := make(chan *Runner, 1)
	go func() {
		r := e.runner(e.env)
		_ = r.openOutput()
		prepared <- r
	}()
	var r *Runner
	select {
	case r = <-prepared:
	case <-time.After(earlyPrepare):
		r = e.runner(withoutFiles(e.env))
		r.sink = &output.Sink{Stream: r.Stdout, Readers: r.readers}
		r.late = prepared
	}
	if e.gate.undoes.Load() {
		select {
		case <-e.gate.parked:
		case <-time.After(earlyUndo):
		}
	}
	answered := make(chan int, 1)
	go func() { answered <- e.answer(r, sig) }()
	e.env.Exit(e.await(answered))
}

// await returns the status that comes from answered, or that of a failure if a reader does
// not read, or a disk does not answer.
func (e *earlyEnd) await(answered <-chan int) int {
	if e.writes == nil {
		return <-answered
	}
	select {
	case <-e.writes:
	case <-time.After(earlyEncode):
	}
	select {
	case status := <-answered:
		return status
	case <-time.After(earlyWrite):
		return cli.StatusFailed
	}
}

// runner returns another runner of the same line, which has the outline of the run. It
// reads no file.
func (e *earlyEnd) runner(copied cli.Env) *Runner {
	env, l := &copied, e.learned.Load()
	if l == nil {
		l = &learned{}
	}
	settings := l.settings
	if settings == nil {
		settings = env.Variables()
	}
	call, o := *e.call, DefaultRunOptions()
	verb := *call.Verb
	call.Env, call.Verb, verb.Options = env, &verb, o.Table()
	r := &Runner{Env: env, Call: &call, O: o, task: e.task, category: e.category, readers: output.NewReaders()}
	for _, option := range verb.Options {
		option.Given = e.call.Option(option.Name).Given
		_ = option.Resolve(settings) // nobody asks for a fault any more
	}
	_ = r.reconcile(nil)
	if e.category != "" { // these options apply to the job's envelope
		o.output, o.request, o.exitCode = "", "", exitChild
	}
	if !l.sessionMade { // the secrets are not known yet
		call.Rest = masked(call.Rest)
	}
	r.newSession(l.secrets, l.rules)
	if l.request != "" {
		r.cmd.RequestID = l.request
	}
	return r
}

// answerEarly reports that a signal came before the command was started, and returns the
// exit status. It closes writes before it writes anything.
func (r *Runner) answerEarly(sig os.Signal, writes chan<- struct{}) int {
	result := r.Session.Canceled(sig)
	result.Category = r.category
	close(writes)
	if r.bytes {
		r.say(result.Outcome.Message)
		return result.ExitStatus
	}
	if err := r.emitAnywhere(result); err != nil {
		r.say("cannot write the envelope: " + err.Error())
		return cli.StatusFailed
	}
	if r.writesToFile() {
		r.say(result.Outcome.Message)
	}
	return r.O.exitCode.Status(result, r.O.rules)
}

// masked returns a command line with all arguments but the program masked.
func masked(argv []string) []string {
	shown := make([]string, len(argv))
	for i := range shown {
		shown[i] = redact.Mask
	}
	copy(shown, argv[:min(1, len(argv))])
	return shown
}

// withoutFiles returns w where nothing is looked up in the working directory, nor in
// /proc, and the envelope goes to stdout: one of these does not answer.
func withoutFiles(env cli.Env) cli.Env {
	env.Dir = func() (string, error) { return "", errors.New("not asked for") }
	env.Environ = session.Unset(env.Environ, "PWD")
	env.Ancestors, env.Callers = nil, nil
	return env
}
