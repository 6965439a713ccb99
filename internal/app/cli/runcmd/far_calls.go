package runcmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/platform/launch"
	"github.com/envwrap/envwrap/internal/shared/errtext"
	"github.com/envwrap/envwrap/internal/shared/limitbuf"
	"github.com/envwrap/envwrap/internal/shared/term"
	"github.com/envwrap/envwrap/job"
)

// Limits of further calls through a runner.
const (
	askTimeout  = 30 * time.Second
	askMost     = 8 << 20          // bytes of an answer, and of complaints
	farStall    = 30 * time.Second // without a byte of the artifacts
	farOverhead = 1 << 20          // bytes of an archive beside its artifacts
	farKill     = time.Second      // from SIGTERM to SIGKILL of a call that is ended
)

// Why further calls were ended.
var (
	errLimit         = errors.New("the time limit of the run ended the transfer")
	errStalled error = stalled(farStall)
	errSignal        = errors.New("a signal ended it")
)

// stalled is how long nothing came.
type stalled time.Duration

func (s stalled) Error() string { return "nothing came for " + time.Duration(s).String() }

// A farSide is the far end of a runner, and a job there.
type farSide struct {
	*cli.Env
	row  *cli.RunnerRow
	far  job.Far
	mask envelope.Mask // for what calls print, and for the record
}

// newFarSide returns the far end of a runner for calls that no run makes.
func newFarSide(env *cli.Env, row *cli.RunnerRow, far job.Far) *farSide {
	return &farSide{Env: env, row: row, far: far, mask: env.Mask()}
}

// command returns a call of envwrap at the far end. Like the command that starts a run, it
// inherits none of envwrap's own options, so that both find the same store.
func (f *farSide) command(ctx context.Context, args ...string) *exec.Cmd {
	line := f.row.Call(f.Env.Session().NewULID(), append([]string{"envwrap"}, args...)...)
	cmd := exec.CommandContext(ctx, line[0], line[1:]...)
	own := ownVariables(nil)
	for _, e := range f.Environ {
		if name, _, _ := strings.Cut(e, "="); !own(name) {
			cmd.Env = append(cmd.Env, e)
		}
	}
	cmd.Dir, cmd.WaitDelay = f.Directory(), farKill
	if f.Stdin == nil || !term.IsTerminal(f.Stdin) { // else it may ask there for a password
		launch.InGroup(cmd)
	}
	launch.EndWithParent(cmd)
	return cmd
}

// call runs envwrap at the far end, and returns what it prints, masked as the output of any
// process: an envelope in it has output, which is not masked again. The error has its
// last complaint, also masked. There may be an answer beside it: the status of a question
// about a job is the status of the job's command.
func (f *farSide) call(ctx context.Context, args ...string) (string, error) {
	out, complaint := limitbuf.NewBuffer(askMost), limitbuf.NewBuffer(askMost)
	cmd := f.command(ctx, args...)
	cmd.Stdout, cmd.Stderr = out, complaint
	err := launch.Run(ctx, cmd)
	if last := errtext.LastLine(complaint.String()); err != nil && last != "" {
		err = fmt.Errorf("%w: %s", err, f.mask.Text(last))
	}
	return f.mask.Text(out.String()), err
}

// leaveMark leaves the mark in the store of the far end.
func (f *farSide) leaveMark(ctx context.Context, most time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	text, err := f.call(ctx, "job", "mark", f.far.Mark)
	if slices.Contains(strings.Split(strings.ReplaceAll(text, "\r", ""), "\n"), job.MarkLeft+f.far.Mark) {
		return nil
	}
	return cmp.Or(err, errors.New("it does not say that the mark was left"))
}

// fetch brings artifacts of the far end, each of at most most bytes, into a store; 0 is no
// limit.
func (f *farSide) fetch(ctx context.Context, store *artifact.Store, digests []string, most int64) error {
	digests = slices.DeleteFunc(digests, func(d string) bool {
		_, err := artifact.Stores{store}.Resolve(d)
		return err == nil
	})
	if len(digests) == 0 {
		return nil
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	cmd := f.command(ctx, append([]string{"artifact", "export"}, digests...)...)
	complaint := limitbuf.NewBuffer(askMost)
	cmd.Stderr = complaint
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := launch.Start(ctx, cmd); err != nil {
		return err
	}
	// A process that the call left may keep the pipe open.
	context.AfterFunc(ctx, func() { _ = out.Close() })
	archive := io.Reader(out)
	if most > 0 {
		archive = io.LimitReader(out, int64(len(digests))*most+farOverhead)
	}
	done, err := store.Import(&farReader{Reader: archive, stalled: func() { cancel(errStalled) }})
	if err != nil {
		cancel(err)
	}
	if waitErr := cmd.Wait(); err == nil {
		err = waitErr
	}
	for _, d := range digests {
		if err == nil && !slices.ContainsFunc(done.Artifacts, func(i artifact.Import) bool { return i.Digest == d }) {
			err = errors.New("not all of it came")
		}
	}
	if err == nil {
		return nil
	}
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	if text := strings.TrimSpace(complaint.String()); text != "" {
		err = fmt.Errorf("%w: %s", err, f.mask.Text(text))
	}
	return fmt.Errorf("%w; read it there: %s", err, cli.ShellLine(f.row.Line("envwrap", "artifact", "cat", digests[0])...))
}

// A farReader calls stalled where a Read returns nothing for too long.
type farReader struct {
	io.Reader
	stalled func()
}

func (r *farReader) Read(b []byte) (int, error) {
	defer time.AfterFunc(farStall, r.stalled).Stop()
	return r.Reader.Read(b)
}

// onlyThere is the warning that output could not be fetched.
func onlyThere(row *cli.RunnerRow, err error) string {
	return fmt.Sprintf("its stored output is on runner %q only: %v", row.Name, err)
}

// runnerKey returns the words by which a runner is known: a row that is changed is another
// one.
func runnerKey(row *cli.RunnerRow) []string {
	return slices.Concat([]string{row.Name, row.Quote}, row.Command)
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

// stoppedBy precedes the signal in the message of a run that was canceled.
const stoppedBy = " was stopped: envwrap got "

// stoppedHere gives the record of a far run that was stopped from here the outcome
// of a local run that was stopped, instead of the exit status and signal seen there.
func stoppedHere(far, connection *envelope.Result) {
	o, here := &far.Outcome, &connection.Outcome
	if !o.OK() && (o.Kind != here.Kind || o.Kind == envelope.Timeout) {
		return // it failed by itself, or the far end says when it was stopped
	}
	o.Kind, o.Code, o.Retryable, o.ClassifiedBy, o.Timeout = here.Kind, here.Code, here.Retryable, here.ClassifiedBy, here.Timeout
	o.Message, o.Hint = here.Message, here.Hint
	if _, why, ok := strings.Cut(here.Message, stoppedBy); ok {
		sig, _, _ := strings.Cut(why, ":") // what the prefix printed follows
		o.Message = far.Tool + stoppedBy + sig
	}
}

// isMissing reports whether the runner's own command did not start.
func isMissing(connection *envelope.Result) bool {
	o := &connection.Outcome
	return o.ExitCode == nil && o.Signal == "" && o.ClassifiedBy == envelope.ByEnvwrap && o.Kind != envelope.Canceled && o.Kind != envelope.Timeout
}
