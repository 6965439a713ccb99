package jobcmd

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/farend"
	"github.com/envwrap/envwrap/internal/app/cli/runcmd"
	"github.com/envwrap/envwrap/internal/platform/safefs"
	"github.com/envwrap/envwrap/job"
)

// textLimit is the most bytes of a stream that job tail prints as text.
const textLimit = 1 << 20

// printText prints the end of a job's output as text, and with follow all that comes until
// the job is over. Its errors are text on stderr, since nobody reads an envelope here.
func printText(ctx context.Context, o *runcmd.JobOptions, c *cli.Call, lines int, follow bool) error {
	stores, err := o.Stores(c.Env, c.Operands())
	if err != nil {
		return err
	}
	defer stores.Close()
	s, id, err := stores.Find(c.Operands()[0])
	if err != nil {
		return err
	}
	c.InStore = s.Dir()
	out, end := c.Content(false)
	if follow {
		return followText(ctx, o, c, s, id, lines, out, end)
	}
	stdout, stderr, rec, err := runcmd.TailJob(ctx, c.Env, s, id, lines, textLimit)
	if err != nil {
		return err
	}
	if len(stdout)+len(stderr) == 0 {
		c.Complain(fmt.Errorf("job %s (%s) has printed nothing", id, rec.State))
	}
	if n := len(stdout); n > 0 && stdout[n-1] != '\n' && len(stderr) > 0 {
		stdout = append(stdout, '\n')
	}
	if _, err = out.Write(append(stdout, stderr...)); err == nil {
		err = end()
	}
	if err != nil {
		return fmt.Errorf("print the output: %w", safefs.Cause(err))
	}
	return nil
}

// followText prints a job's output until the job is over and returns the job's status.
func followText(ctx context.Context, o *runcmd.JobOptions, c *cli.Call, s *job.Store, id string, lines int, out io.Writer, end func() error) error {
	asked := ctx
	ctx, settled := runcmd.SettleLater(ctx, c.Env, s, id)
	show := func(_ job.Stream, p []byte) error {
		if _, err := out.Write(p); err != nil {
			return fmt.Errorf("%w: %w", runcmd.ErrPrint, safefs.Cause(err))
		}
		return nil
	}
	rec, err := s.Follow(ctx, id, lines, show)
	settled()
	var res *envelope.Result
	if errors.Is(err, job.ErrElsewhere) {
		if rec, res, err = runcmd.AskRunner(asked, c.Env, s, rec, farend.AskEnd); err == nil && res == nil {
			rec, err = s.Follow(asked, id, lines, show)
		}
	}
	if fault := end(); fault != nil && err == nil {
		err = fmt.Errorf("%w: %w", runcmd.ErrPrint, safefs.Cause(fault))
	}
	if errors.Is(err, runcmd.ErrPrint) {
		c.Complain(err)
		return cli.Status(cli.StatusFailed) // every other status may be the job's own
	}
	if err == nil && res == nil {
		res, err = s.Result(rec.ID)
	}
	if err != nil {
		return err
	}
	layout := o.LayoutFor(c.Env, &rec.View)
	return cli.Ended(layout.Exit.Status(res, layout.Rules))
}
