// Package farend asks the envwrap at the far end of a runner about a job.
//
// A run with --on is a job at the far end, under an id that is chosen here. If the connection
// ends before its envelope has come, its state is asked for by further calls of the runner's
// command, each of which runs a verb there: "job results", "job wait", "job cancel",
// "artifact export". [Side] makes these calls, and an [Answer] is one of four states: the job
// runs, it is over, it is refused from now on, or none of that is known.
//
// A question about a job that is not there makes the far end refuse it later, so that "it did
// not run" stays true. That holds only if the start and the question meet the same store, which
// the mark of [Side.LeaveMark] shows.
//
// What calls print is masked, and bounded by [AnswerMost]. They end with their context or after
// their time, with all processes of their group; and with envwrap, on Linux. Functions may be
// called from several goroutines, the methods of one Side may not.
package farend

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
	AskTimeout      = 30 * time.Second
	AnswerMost      = 8 << 20          // bytes of an answer, and of complaints
	stallMost       = 30 * time.Second // without a byte of the artifacts
	archiveOverhead = 1 << 20          // bytes of an archive beside its artifacts
	KillAfter       = time.Second      // from SIGTERM to SIGKILL of a call that is ended
)

// Why further calls were ended.
var (
	errStalled error = stalled(stallMost)
	ErrSignal        = errors.New("a signal ended it")
)

// stalled is how long nothing came.
type stalled time.Duration

func (s stalled) Error() string { return "nothing came for " + time.Duration(s).String() }

// A Side is the far end of a runner, and a job there.
type Side struct {
	*cli.Env
	Row     *cli.RunnerRow
	Far     job.Far
	Mask    envelope.Mask // for what calls print, and for the record
	Inherit []string      // the environment of calls
}

// New returns the far end of a runner for calls that no run makes. inherit is the environment
// of its calls.
func New(env *cli.Env, inherit []string, row *cli.RunnerRow, far job.Far) *Side {
	return &Side{Env: env, Row: row, Far: far, Mask: env.Mask(), Inherit: inherit}
}

// command returns a call of envwrap at the far end. Like the command that starts a run, it
// inherits none of envwrap's own options, so that both find the same store.
func (f *Side) command(ctx context.Context, args ...string) *exec.Cmd {
	line := f.Row.Call(f.Env.Session().NewULID(), append([]string{"envwrap"}, args...)...)
	cmd := exec.CommandContext(ctx, line[0], line[1:]...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = f.Directory(), f.Inherit, KillAfter
	if f.Stdin == nil || !term.IsTerminal(f.Stdin) { // else it may ask there for a password
		launch.InGroup(cmd)
	}
	launch.EndWithParent(cmd)
	return cmd
}

// Call runs envwrap at the far end, and returns what it prints, masked as the output of any
// process: an envelope in it has output, which is not masked again. The error has its
// last complaint, also masked. There may be an answer beside it: the status of a question
// about a job is the status of the job's command.
func (f *Side) Call(ctx context.Context, args ...string) (string, error) {
	out, complaint := limitbuf.NewBuffer(AnswerMost), limitbuf.NewBuffer(AnswerMost)
	cmd := f.command(ctx, args...)
	cmd.Stdout, cmd.Stderr = out, complaint
	err := launch.Run(ctx, cmd)
	if last := errtext.LastLine(complaint.String()); err != nil && last != "" {
		err = fmt.Errorf("%w: %s", err, f.Mask.Text(last))
	}
	return f.Mask.Text(out.String()), err
}

// LeaveMark leaves the mark in the store of the far end.
func (f *Side) LeaveMark(ctx context.Context, most time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	text, err := f.Call(ctx, "job", "mark", f.Far.Mark)
	if slices.Contains(strings.Split(strings.ReplaceAll(text, "\r", ""), "\n"), job.MarkLeft+f.Far.Mark) {
		return nil
	}
	return cmp.Or(err, errors.New("it does not say that the mark was left"))
}

// Fetch brings artifacts of the far end, each of at most most bytes, into a store; 0 is no
// limit.
func (f *Side) Fetch(ctx context.Context, store *artifact.Store, digests []string, most int64) error {
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
	complaint := limitbuf.NewBuffer(AnswerMost)
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
		archive = io.LimitReader(out, int64(len(digests))*most+archiveOverhead)
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
		err = fmt.Errorf("%w: %s", err, f.Mask.Text(text))
	}
	return fmt.Errorf("%w; read it there: %s", err, cli.ShellLine(f.Row.Line("envwrap", "artifact", "cat", digests[0])...))
}

// A farReader calls stalled where a Read returns nothing for too long.
type farReader struct {
	io.Reader
	stalled func()
}

func (r *farReader) Read(b []byte) (int, error) {
	defer time.AfterFunc(stallMost, r.stalled).Stop()
	return r.Reader.Read(b)
}

// OnlyThere is the warning that output could not be fetched.
func OnlyThere(row *cli.RunnerRow, err error) string {
	return fmt.Sprintf("its stored output is on runner %q only: %v", row.Name, err)
}

// RunnerKey returns the words by which a runner is known: a row that is changed is another
// one.
func RunnerKey(row *cli.RunnerRow) []string {
	return slices.Concat([]string{row.Name, row.Quote}, row.Command)
}

// An UnknownError is the error of a verb that needs to know what became of a job.
type UnknownError struct{ envelope.Outcome }

func (e *UnknownError) Error() string { return e.Message }
