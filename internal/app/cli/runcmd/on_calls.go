package runcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/shared/limitbuf"
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
)

// stalled is how long nothing came.
type stalled time.Duration

func (s stalled) Error() string { return "nothing came for " + time.Duration(s).String() }

// command returns a call of envwrap at the far end.
func (f *farRun) command(ctx context.Context, args ...string) *exec.Cmd {
	line := f.row.Line(append([]string{"envwrap"}, args...)...)
	cmd := exec.CommandContext(ctx, line[0], line[1:]...)
	cmd.Env, cmd.Dir, cmd.WaitDelay = f.Environ, f.Directory(), farKill
	if !f.Session.Options.Terminal { // it may ask there for a password
		cancelGroup(cmd)
	}
	return cmd
}

// ask runs envwrap at the far end once more, and returns what it prints; nil where it
// cannot be asked.
func (f *farRun) ask(ctx context.Context, args ...string) []byte {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	answer := limitbuf.NewBuffer(askMost)
	cmd := f.command(ctx, args...)
	cmd.Stdout = answer
	_ = cmd.Run() // a job's status is its command's
	masked, _ := f.cmd.Redactor.String(answer.String())
	return []byte(masked)
}

// stream brings artifacts of the far end into our store.
func (f *farRun) stream(ctx context.Context, digests []string) error {
	store, _, err := f.cmd.Store()
	if err != nil {
		return err
	}
	digests = slices.DeleteFunc(digests, func(d string) bool {
		_, err := artifact.Stores{store}.Resolve(d)
		return err == nil
	})
	if len(digests) == 0 {
		return nil
	}
	if most := f.most(); most > 0 {
		var end context.CancelFunc
		ctx, end = context.WithDeadlineCause(ctx, f.begun.Add(most), errLimit)
		defer end()
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
	if err := cmd.Start(); err != nil {
		return err
	}
	// A process that the call left may keep the pipe open.
	context.AfterFunc(ctx, func() { _ = out.Close() })
	most := int64(len(digests))*f.O.MaxArtifact + farOverhead
	done, err := store.Import(&farReader{Reader: io.LimitReader(out, most), stalled: func() { cancel(errStalled) }})
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
		text, _ = f.cmd.Redactor.String(text)
		err = fmt.Errorf("%w: %s", err, text)
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
