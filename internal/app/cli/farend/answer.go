package farend

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/shared/hints"
	"github.com/envwrap/envwrap/job"
)

// How long the far end is asked what became of a job, before that is not known.
const (
	AskSoon    = 5 * time.Second  // for the first answer, while a run waits for it
	askAgain   = 5 * time.Second  // for the second, with the pause before it
	askPause   = 2 * time.Second  // a start that was on its way arrives, or a network comes back
	MarkMost   = 10 * time.Second // for the mark that is left before the first run
	endMost    = 20 * time.Second // for a job there to end that was canceled
	followMost = time.Minute      // between two calls that wait for a job there
)

// A State names the state of a job at a far end, as far as envwrap knows it.
type State int

const (
	Unknown State = iota // no answer, or one that decides nothing
	Running              // it waits for its turn, or runs
	Done                 // it has ended
	Refused              // it did not run, and the far end refuses it from now on
)

// An Answer is a far end's answer about a job.
type Answer struct {
	State
	Run *envelope.Result // of a job that is over
	Why string           // why it is not known, or did not run: one line
}

// NoSuchJob is why an answer from the far end does not say that a job did not run.
const NoSuchJob = "the runner has no such job, and it is not known that its calls share a store"

// read takes an answer about the job from what a call has printed: its envelope, maybe
// among lines of login scripts and of programs such as kubectl.
func (f *Side) read(text string) (a Answer) {
	for _, res := range Envelopes(text) {
		if res.JobID != f.Far.ID {
			continue
		}
		if !aboutJobs(res) {
			return Answer{State: Done, Run: res}
		}
		switch res.Outcome.Code {
		case "":
			return Answer{State: Running}
		case envelope.EPOLICY:
			return Answer{State: Refused, Why: "its start came later than a question about it, and was refused"}
		case envelope.ECANCELED:
			// The store has the mark to which the start is bound, and by which it is known
			// that no job of that time was removed from it.
			if f.Far.Mark != "" {
				return Answer{State: Refused, Why: "the runner has no such job, and refuses it from now on"}
			}
			a.Why = NoSuchJob
		case envelope.ENOTFOUND:
			a.Why = "the runner answers from another store, or has removed its jobs"
		default:
			a.Why = res.Outcome.Message
		}
	}
	return a
}

// aboutJobs reports whether an envelope answers a verb about jobs. No run there has such a
// name: --command names only the run here.
func aboutJobs(res *envelope.Result) bool {
	return res.Jobs != nil || strings.HasPrefix(res.Command, "jobs/")
}

// Envelopes returns the envelopes in what a far end has printed: one document, or lines.
func Envelopes(text string) (list []*envelope.Result) {
	d, _ := envelope.Lookup("protocol/v1")
	if res, err := envelope.Decode(d, []byte(strings.TrimSpace(text))); err == nil {
		return []*envelope.Result{res}
	}
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, `{"version":1,`) {
			continue
		}
		if res, err := envelope.Decode(d, []byte(strings.TrimSpace(line))); err == nil {
			list = append(list, res)
		}
	}
	return list
}

// ask asks the far end about the job with a verb.
func (f *Side) ask(ctx context.Context, args ...string) Answer {
	text, err := f.Call(ctx, append(args, "--format=protocol/v1", "--detail=full", f.Far.ID)...)
	a := f.read(text)
	switch {
	case a.State != Unknown || a.Why != "":
	case ctx.Err() != nil:
		a.Why = "the runner did not answer in time"
	case err != nil:
		a.Why = "the runner cannot be asked: " + err.Error()
	default:
		a.Why = "the runner said nothing of the job"
	}
	return a
}

// refusing adds to a question that a job which is not there is to be refused later.
func (f *Side) refusing(args ...string) []string {
	args = append(args, "--or-refuse")
	if f.Far.Mark != "" {
		args = append(args, "--if-mark="+f.Far.Mark)
	}
	return args
}

// Results asks what became of the job. A job that is not there is refused from then on.
func (f *Side) Results(ctx context.Context, most time.Duration) Answer {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	return f.ask(ctx, f.refusing("job", "results")...)
}

// ResultsOrAgain asks what became of the job, and asks once more if that is not known then.
func (f *Side) ResultsOrAgain(ctx context.Context, first time.Duration) Answer {
	if a := f.Results(ctx, first); a.State != Unknown {
		return a
	}
	return f.again(ctx)
}

// again asks once more, after a pause.
func (f *Side) again(ctx context.Context) Answer {
	if !Pause(ctx, askPause) {
		if errors.Is(context.Cause(ctx), ErrSignal) {
			return Answer{Why: "a signal ended the questions"}
		}
		return Answer{Why: "there was no time for more questions"}
	}
	return f.Results(ctx, askAgain-askPause)
}

// Pause waits, and returns false if ctx is done first.
func Pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}

// Follow waits for the end of a job that runs at the far end, by calls that wait there. A
// Call that is cut is made again for as long as the far end says that the job runs.
func (f *Side) Follow(ctx context.Context) Answer {
	for wait := askPause; ; wait = min(2*wait, followMost) {
		if a := f.ask(ctx, "job", "wait"); a.State == Done {
			return a
		}
		if !Pause(ctx, wait) {
			return Answer{State: Running}
		}
		if a := f.ResultsOrAgain(ctx, AskTimeout); a.State != Running {
			return a
		}
	}
}

// Cancel asks the far end to end the job, or to refuse it where it is not there yet. first
// is how long it waits for the first answer.
func (f *Side) Cancel(ctx context.Context, first time.Duration) Answer {
	asked, cancel := context.WithTimeout(ctx, first)
	defer cancel()
	a := f.ask(asked, f.refusing("job", "cancel")...)
	if a.State == Running {
		ends, cancel := context.WithTimeout(ctx, endMost+AskTimeout)
		defer cancel()
		a = f.ask(ends, "job", "wait", "--timeout="+endMost.String())
	}
	if a.State == Unknown {
		a = f.again(ctx)
	}
	return a
}

// Outcome returns the known facts about a job that sent no envelope. why says what became of
// the connection, and asks is the command that asks again.
func (f *Side) Outcome(a Answer, why, asks string) envelope.Outcome {
	o := envelope.Outcome{Kind: envelope.Failure, Code: envelope.ERUNTIME, ClassifiedBy: envelope.ByEnvwrap}
	var known string
	switch a.State {
	case Refused:
		known = "the command did not run: " + a.Why
		o.Retryable, o.Hint = true, "Run it again."
	case Running:
		known = "the command was started there, once, as job " + f.Far.ID
		o.Hint = fmt.Sprintf("Wait for it: `%s`", asks)
	default:
		known = "whether the command ran is not known: " + a.Why
		o.Hint = fmt.Sprintf("Ask again: `%s`. Whether the runner answers says `envwrap runner check %s`.", asks, hints.Quote(f.Row.Name))
	}
	o.Message = fmt.Sprintf("runner %q: no envelope came back (%s); %s", f.Row.Name, why, known)
	return o
}

// linuxSignals has the names of the signals from 1 on, as Linux numbers them.
const linuxSignals = "HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT CHLD CONT STOP TSTP TTIN TTOU URG XCPU XFSZ VTALRM PROF WINCH IO PWR SYS"

// SignalName returns the name of a signal as Linux numbers it.
func SignalName(n int) string {
	if names := strings.Fields(linuxSignals); n >= 1 && n <= len(names) {
		return "SIG" + names[n-1]
	}
	return ""
}

// Status returns the exit status of a run at a far end, from its envelope alone. That
// of the runner's own command may be another: a connection may be lost after the
// envelope has come.
func Status(far *envelope.Result) int {
	const timedOut, notExecutable, notFound, bySignal = 124, 126, 127, 128
	if far.Exec != nil {
		far = far.Exec
	}
	o := &far.Outcome
	switch n := slices.Index(strings.Fields(linuxSignals), strings.TrimPrefix(o.Signal, "SIG")) + 1; {
	case o.Kind == envelope.Timeout:
		return timedOut
	case o.Kind == envelope.Canceled:
		return bySignal + int(syscall.SIGTERM) // which is how job cancel asks
	case o.ExitCode != nil && (*o.ExitCode != 0 || o.Code != envelope.EPARSE):
		return *o.ExitCode
	case n > 0 && o.Code != envelope.EOUTPUTTOOLARGE: // else envwrap has ended it
		return bySignal + n
	case o.Kind == envelope.NotStarted:
		return notFound
	case o.Code == envelope.EIO && o.ExitCode == nil:
		return notExecutable
	}
	return cli.StatusFailed
}

// LostThere reports whether a far job ended without saying how.
func LostThere(far *envelope.Result) bool {
	return far.Outcome.Code == envelope.ERUNTIME && far.Outcome.ClassifiedBy == envelope.ByEnvwrap
}

// WithdrawRetry changes the record of a far job that was lost while it ran, which asks to
// submit it again: that is for those who know what it has done.
func WithdrawRetry(far *envelope.Result) {
	if LostThere(far) && !strings.HasSuffix(far.Outcome.Hint, job.NeverStarted) {
		far.Outcome.Retryable, far.Outcome.Hint = false, "Its supervisor at the far end was killed, or that machine restarted. What it had printed is kept."
	}
}

// Started returns what the call that starts the run has printed: the envelope of the run,
// or that of an envwrap which refuses to run it.
func (f *Side) Started(text, traceID string) (run, refusal *envelope.Result) {
	for _, res := range Envelopes(text) {
		o := &res.Outcome
		own := o.ExitCode == nil && o.Signal == "" && o.ClassifiedBy == envelope.ByEnvwrap
		switch {
		case aboutJobs(res):
		case res.JobID == f.Far.ID:
			return res, nil
		case res.JobID != "" || res.TraceID != traceID:
		case own && o.Code == envelope.ENOTFOUND && len(res.Argv) > 0 && res.Argv[0] == "envwrap": // no such job exists
		case own && o.Kind == envelope.Failure:
			refusal = res
		default:
			return res, nil // of a far end that has no jobs
		}
	}
	return nil, refusal
}
