package wrap

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/wrap/internal/pipe"
	"github.com/envwrap/envwrap/wrap/internal/signals"
)

// A Retry is a policy for running a failed command again. The zero Retry never does.
type Retry struct {
	Times    int // runs after the first, at most
	On       func(*envelope.Outcome) bool
	Delay    time.Duration // before the second run; doubled each time, with jitter
	MaxDelay time.Duration // the longest wait; a server that asks for more ends the retries
	Deadline time.Duration // no retry begins later than this after the first run began; 0 for no limit
	// After, if not nil, returns how long the server asked to wait, read from a result.
	After func(*envelope.Result) (time.Duration, bool)
}

const backoffName = "exponential"

// An attempt is one of the runs, as the record has it.
type attempt struct {
	Code       envelope.Code `json:"code,omitempty"`
	ExitCode   *int          `json:"exit_code,omitempty"`
	Signal     string        `json:"signal,omitempty"`
	DurationMS int64         `json:"duration_ms"`
	WaitedMS   int64         `json:"waited_ms"` // before it began
}

// Run runs c, and runs it again as long as the policy asks for it. It returns the
// record of the last run, whose times span all runs and which lists every attempt. The
// time limits of c hold for each run by itself.
func (y Retry) Run(ctx context.Context, c *Command) (*envelope.Result, error) {
	if y.Times <= 0 || y.On == nil {
		return Run(ctx, c)
	}
	retrying := *c
	retrying.retrying = true
	t := trier{Retry: y, c: &retrying, waits: y.backOff()}
	t.stdin = newStdinState(c.Stdin)
	for {
		res, err := Run(ctx, t.c)
		if err != nil {
			return nil, err
		}
		again := t.consider(res)
		if again {
			again = t.wait(ctx, res)
		}
		if !again {
			return t.finish(res), nil
		}
	}
}

// A trier is one series of runs.
type trier struct {
	Retry
	c        *Command
	waits    backoff.BackOff
	begun    time.Time
	tries    []attempt
	waited   time.Duration  // before the run that is on
	next     time.Duration  // before the run that may follow
	after    *time.Duration // how long the server asked to wait, when it last did
	decided  bool           // a failure was one to retry, whether or not it was
	stdin    stdinState
	warnings []string
}

func (y Retry) backOff() backoff.BackOff {
	b := backoff.NewExponentialBackOff()
	b.InitialInterval = max(y.Delay, time.Millisecond)
	b.MaxInterval = max(y.MaxDelay, b.InitialInterval)
	b.Multiplier = 2
	b.Reset()
	return b
}

// consider records the run and reports whether another follows.
func (t *trier) consider(res *envelope.Result) bool {
	run := res
	if res.Exec != nil {
		run = res.Exec
	}
	if len(t.tries) == 0 {
		t.begun = run.Started
	}
	t.tries = append(t.tries, attempt{
		Code: res.Outcome.Code, ExitCode: run.Outcome.ExitCode, Signal: run.Outcome.Signal,
		DurationMS: run.Duration.Milliseconds(), WaitedMS: t.waited.Milliseconds(),
	})
	if res.Outcome.OK() || res.Outcome.Code == envelope.ECANCELED || !t.On(&res.Outcome) {
		return false
	}
	t.decided = true
	after := t.askedFor(res)
	if len(t.tries) > t.Times {
		return false
	}
	if !t.stdin.intact() {
		t.warnings = append(t.warnings, "not retried: the command reads a pipe, and what it has read is gone; give it a file with --stdin")
		return false
	}
	t.next = max(after, min(t.waits.NextBackOff(), max(t.MaxDelay, t.Delay))) // jitter may not make it longer
	if after > t.MaxDelay {
		t.warnings = append(t.warnings, fmt.Sprintf("not retried: the server asks for %s, more than --retry-max-delay", seconds(after)))
		return false
	}
	if t.Deadline > 0 && run.Ended.Add(t.next).Sub(t.begun) >= t.Deadline {
		t.warnings = append(t.warnings, "not retried: --deadline would pass first")
		return false
	}
	return true
}

// askedFor returns how long the server asked to wait, 0 where it did not ask, and
// notes it for the record.
func (t *trier) askedFor(res *envelope.Result) time.Duration {
	if t.After == nil {
		return 0
	}
	after, asked := t.After(res)
	if !asked {
		return 0
	}
	t.after = &after
	return after
}

// wait waits for the delay and puts stdin back. A signal in the meantime ends it, as it
// would end a run.
func (t *trier) wait(ctx context.Context, res *envelope.Result) bool {
	t.waited = t.next
	timer := time.NewTimer(t.next)
	defer timer.Stop()
	for {
		select {
		case <-timer.C:
			t.stdin.rewind()
			return true
		case <-ctx.Done():
			t.cancel(res, stop{cause: stopCanceled})
			return false
		case sig := <-t.c.Signals:
			if signals.MeaningOf(sig) == signals.Cancels {
				t.cancel(res, stop{cause: stopCanceled, signal: sig})
				return false
			}
		}
	}
}

func (t *trier) cancel(res *envelope.Result, s stop) {
	o := &res.Outcome
	o.Kind, o.Code, o.ClassifiedBy, o.Retryable = envelope.Canceled, envelope.ECANCELED, envelope.ByEnvwrap, false
	o.Message = res.Tool + " was not retried: envwrap was told to stop"
	o.Hint = ""
	res.ExitStatus = statusSignal + s.number()
}

// finish adds the whole series to the last record: its times, attempts and warnings.
func (t *trier) finish(res *envelope.Result) *envelope.Result {
	run := res
	if res.Exec != nil {
		run = res.Exec
	}
	run.Warnings = append(run.Warnings, t.warnings...)
	if len(t.tries) < 2 {
		if t.decided {
			t.note(&res.Outcome)
		}
		return res
	}
	run.Started, run.Duration = t.begun, run.Ended.Sub(t.begun)
	if t.c.Recording != nil {
		t.c.Recording.Started = t.begun
	}
	t.note(&res.Outcome)
	res.Outcome.Details = append(res.Outcome.Details, field("tries", t.tries))
	return res
}

// note adds to the record's details how often the command ran, and by which policy.
func (t *trier) note(o *envelope.Outcome) {
	o.Details = append(o.Details, field("attempts", len(t.tries)), field("backoff", backoffName))
	if t.after != nil {
		o.Details = append(o.Details, field("retry_after", int64(t.after.Seconds())))
	}
}

// A stdinState is the stdin of a command, and its offset before the first run.
type stdinState struct {
	in     Stdin
	offset int64
	pipe   pipe.State
	kind   stdinRepeat
}

type stdinRepeat int

const (
	stdinSteady   stdinRepeat = iota // the same for each run
	stdinSeekable                    // it can be put back
	stdinConsumed                    // a run consumes it
)

func newStdinState(in Stdin) stdinState {
	s := stdinState{in: in}
	if in.File == nil || in.Mode == StdinNull {
		return s
	}
	info, err := in.File.Stat()
	if err != nil {
		return s // closed: the child gets the null device
	}
	switch mode := info.Mode(); {
	case mode.IsRegular():
		s.kind = stdinSeekable
		s.offset, _ = in.File.Seek(0, io.SeekCurrent)
	case mode&os.ModeNamedPipe != 0:
		s.kind = stdinConsumed
		s.pipe, _ = pipe.Inspect(in.File)
	case mode&os.ModeSocket != 0 && in.Mode == StdinInherit:
		s.kind = stdinConsumed
	}
	return s
}

// intact reports whether another run would read the same. A pipe is intact
// if it had ended before, or still holds all its bytes.
func (s stdinState) intact() bool {
	if s.kind != stdinConsumed {
		return true
	}
	now, ok := pipe.Inspect(s.in.File)
	switch {
	case !ok:
		return false
	case s.pipe.Queued == 0:
		return s.pipe.Ended
	}
	return now.Queued >= s.pipe.Queued
}

// rewind puts a file back where it was.
func (s stdinState) rewind() {
	if s.kind == stdinSeekable {
		_, _ = s.in.File.Seek(s.offset, io.SeekStart)
	}
}
