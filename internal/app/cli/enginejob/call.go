package enginejob

import (
	"context"
	"errors"
	"io"
	"os/exec"
	"strings"
	"time"

	"github.com/envwrap/envwrap/internal/app/cli/farend"
	"github.com/envwrap/envwrap/internal/app/engine"
	"github.com/envwrap/envwrap/internal/platform/launch"
	"github.com/envwrap/envwrap/internal/shared/limitbuf"
)

// Call runs a command of the engine that answers a question.
func (e *Job) Call(ctx context.Context, line []string, input string) (string, string, error) {
	return e.CallWithin(AnswerMost)(ctx, line, input)
}

// CallWithin returns a Caller that runs commands of the engine, each for at most that long.
func (e *Job) CallWithin(most time.Duration) engine.Caller {
	return func(ctx context.Context, line []string, input string) (string, string, error) {
		ctx, cancel := context.WithTimeoutCause(ctx, most, noAnswer(most))
		defer cancel()
		out := limitbuf.NewBuffer(farend.AnswerMost)
		complaint, err := e.pass(ctx, line, input, out)
		return e.Mask.Text(out.String()), complaint, err
	}
}

// A noAnswer is the error of a command of an engine that was ended because it took longer.
type noAnswer time.Duration

func (d noAnswer) Error() string { return "no answer within " + time.Duration(d).String() }

// readLog runs a command of the engine that prints a log, for as long as something comes.
func (e *Job) readLog(ctx context.Context, line []string, out io.Writer) (complaint string, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stall := time.AfterFunc(AnswerMost, func() { cancel(noAnswer(AnswerMost)) })
	defer stall.Stop()
	return e.pass(ctx, line, "", &steadyWriter{out, stall})
}

// A steadyWriter starts a timer again with each write.
type steadyWriter struct {
	io.Writer
	stall *time.Timer
}

func (w *steadyWriter) Write(p []byte) (int, error) {
	w.stall.Reset(AnswerMost)
	return w.Writer.Write(p)
}

// pass runs a command of the engine, with the prefix of the runner if it has one. The
// output goes to out as it is. Once ctx is done all processes of its group are killed; the
// error then is the cause.
func (e *Job) pass(ctx context.Context, line []string, input string, out io.Writer) (string, error) {
	complaint := limitbuf.NewBuffer(farend.AnswerMost)
	if len(e.Row.Command) > 0 {
		line = e.Row.Call(e.Session().NewULID(), line...)
	}
	program := line[0]
	if e.program != nil {
		program = e.program(program)
	}
	cmd := exec.CommandContext(ctx, program, line[1:]...)
	cmd.Dir, cmd.Env, cmd.WaitDelay, cmd.Stdout, cmd.Stderr = e.Directory(), e.Inherit, outputMost, out, complaint
	if input != "" {
		cmd.Stdin = strings.NewReader(input)
	}
	launch.InGroup(cmd)
	launch.EndWithParent(cmd)
	kill, end := (*time.Timer)(nil), cmd.Cancel
	cmd.Cancel = func() error {
		kill = time.AfterFunc(killAfter, func() { launch.KillGroup(cmd) })
		return end()
	}
	err := launch.Run(ctx, cmd)
	if kill != nil {
		kill.Stop()
	}
	if ctx.Err() != nil && err != nil {
		launch.KillGroup(cmd)
		err = context.Cause(ctx)
	} else if errors.Is(err, exec.ErrWaitDelay) { // it has ended well, and left a process that has its stdout
		err = nil
	}
	return e.Mask.Text(complaint.String()), err
}
