package jobcmd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/farend"
	"github.com/envwrap/envwrap/internal/app/cli/runcmd"
	"github.com/envwrap/envwrap/internal/platform/output"
	"github.com/envwrap/envwrap/internal/shared/term"
	"github.com/envwrap/envwrap/job"
)

// awaitJob is [job.Store.Wait], with a live line about the members of a group where stderr
// is a terminal.
func awaitJob(ctx context.Context, c *cli.Call, s *job.Store, id string) (*job.Record, error) {
	rec, err := s.Get(id)
	if err != nil || rec.Array == nil || rec.State.Over() || !term.IsTerminal(c.Stderr) {
		return s.Wait(ctx, id)
	}
	line := term.NewStatusLine(c.Stderr, func() int { return term.Columns(c.Stderr, c.Lookup) })
	defer line.Erase()
	var drawn time.Time
	following, settled := runcmd.SettleLater(ctx, c.Env, s, id)
	ends, _, err := s.FollowEnds(following, rec, func(e *job.Ends) {
		if now := c.Now(); now.Sub(drawn) >= groupLineEvery {
			drawn = now
			running := *rec
			running.State = job.Running
			line.Draw(runcmd.MembersText(job.CountMembers(&running, e)))
		}
	})
	settled()
	if err == nil {
		ends.Close()
	}
	return s.Wait(ctx, id)
}

// groupLineEvery is the least time between two drawings of a group's line.
const groupLineEvery = 200 * time.Millisecond

// printGroup prints the envelopes of a group that is over, one a line in the order of its
// members, and returns the first status that is not 0.
func printGroup(o *runcmd.JobOptions, c *cli.Call, s *job.Store, rec *job.Record) error {
	c.Answers = rec.ID
	ends, err := s.Ends(rec)
	if err != nil {
		return err
	}
	defer ends.Close()
	var failed []int
	for m := range ends.All() {
		if m.State != job.OK {
			failed = append(failed, m.Number)
		}
	}
	own, err := runcmd.MemberJobs(context.Background(), c.Env, s, rec, failed, farend.AskState)
	if err != nil {
		c.Complain(err) // the group's own answer says what may go on
	}
	layout := o.LayoutFor(c.Env, &rec.View)
	out := bufio.NewWriterSize(output.RetryWriter{F: c.Stdout}, 64<<10)
	for m, read := range ends.All() {
		res := rec.Unended(m.Number)
		mine := own[m.Number]
		switch {
		case mine != nil && mine.State.Over():
			if res, err = s.Result(mine.ID); err == nil {
				layout.InlineOutput(s, res)
			}
		case read != nil:
			res, err = memberResult(m, read)
		}
		if err != nil {
			return err
		}
		res.JobID = rec.ID
		if layout.Ends == 0 {
			layout.Ends = layout.Exit.Status(res, layout.Rules)
		}
		if err := layout.PrintMember(c.Env, out, res); err != nil {
			return err
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("%w: %w", runcmd.ErrPrint, err)
	}
	return cli.Ended(layout.Ends)
}

// memberResult returns the record of a member's run.
func memberResult(m job.Member, read job.MemberReader) (*envelope.Result, error) {
	doc, err := read()
	if err != nil {
		return nil, err
	}
	res, err := envelope.Decode(envelope.Dialects()[0], doc)
	if err != nil {
		return nil, fmt.Errorf("read the envelope of member %d: %w", m.Number, errors.Join(job.ErrDamaged, err))
	}
	res.ExitStatus = m.Status
	if res.Exec != nil {
		res.Exec.ExitStatus = m.Status
	}
	return res, nil
}

// cancelMembers cancels what members of a canceled group have left with its runner.
func cancelMembers(ctx context.Context, c *cli.Call, s *job.Store, rec *job.Record) error {
	if rec.Array == nil {
		return nil
	}
	_, err := runcmd.MemberJobs(ctx, c.Env, s, rec, slices.Collect(rec.Array.Numbers()), farend.AskCancel)
	return err
}
