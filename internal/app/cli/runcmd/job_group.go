package runcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"sync"
	"syscall"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/farend"
	"github.com/envwrap/envwrap/internal/app/session"
	"github.com/envwrap/envwrap/internal/platform/launch"
	"github.com/envwrap/envwrap/internal/shared/limitbuf"
	"github.com/envwrap/envwrap/job"
	"github.com/envwrap/envwrap/wrap"
)

// A job submit --array makes a group (package job, array.go): one job, whose supervisor
// runs envwrap run for each member.

// A supervised is a run whose job this process supervises.
type supervised struct {
	*Runner
	job *job.Supervisor
}

// A group runs the members of a job.
type group struct {
	*supervised
	array *job.Array
	self  string   // this program
	line  []string // of a member's envwrap, before the command

	mu      sync.Mutex // held while a member is started or its end written, and for the following fields
	running map[*exec.Cmd]bool
	stopped os.Signal // that asked the group to end; nil for none
	fault   error     // why its members' ends cannot be kept
	failed  int
	first   job.Member // that did not end with 0 and has the lowest number
}

// runGroup runs the members of the job, and returns the record of the group.
func (s *supervised) runGroup(ctx context.Context) (*envelope.Result, error) {
	g := &group{supervised: s, array: s.job.Record().Array, running: map[*exec.Cmd]bool{}}
	var err error
	if g.self, err = s.Program(); err != nil {
		return nil, err
	}
	out, errs, err := s.job.MemberLines()
	if err == nil {
		err = s.job.MakeMembers()
	}
	if err != nil {
		return nil, err
	}
	g.line = append([]string{
		"run", "--store=" + s.job.Store().Dir(), "--format=protocol/v1", "--detail=full", "--budget=0", "--compact", "--include-output=false", "--exit-code=child",
		"--emit=always", "--stream=false", "--output=-", "--tee", "--wait=0", "--trace-id=" + s.cmd.TraceID,
	}, s.memberOptions()...)
	s.gate.passToStart()
	s.job.RunsMembers()
	begun := s.Now()
	done := make(chan struct{})
	defer close(done)
	go g.passSignals(done)
	var workers sync.WaitGroup
	work := make(chan member)
	for range min(g.array.Parallel, g.array.Members) {
		workers.Go(func() {
			for m := range work {
				g.run(ctx, m, out, errs)
			}
		})
	}
	ended := g.feed(work)
	close(work)
	workers.Wait()
	res := s.Session.Refused(g.outcome(ended))
	res.Started, res.Ended = begun, s.Now()
	res.Duration = res.Ended.Sub(begun)
	res.ExitStatus = g.status()
	return res, nil
}

// A member is one whose turn it is.
type member struct {
	number int
	text   string
}

// feed passes the members on in their order, until the group is asked to end.
func (g *group) feed(work chan<- member) error {
	if g.array.File == "" {
		for n := range g.array.Numbers() {
			if g.stops() {
				return nil
			}
			work <- member{n, strconv.Itoa(n)}
		}
		return nil
	}
	next, stop := iter.Pull(g.array.Numbers())
	defer stop()
	wanted, more := next()
	n := 0
	for line, err := range job.MemberLines(g.Stdin) {
		if err != nil {
			return fmt.Errorf("read %q: %w", g.array.File, err)
		}
		if !more || g.stops() {
			return nil
		}
		if n++; n == wanted {
			work <- member{n, line}
			wanted, more = next()
		}
	}
	if more {
		return fmt.Errorf("%q was changed: it has fewer lines than when it was submitted", g.array.File)
	}
	return nil
}

func (g *group) stops() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.stopped != nil || g.fault != nil
}

// passSignals passes signals that ask the group to end on to its members.
func (g *group) passSignals(done <-chan struct{}) {
	for {
		select {
		case <-done:
			return
		case sig := <-g.signals:
			if !wrap.Cancels(sig) {
				continue
			}
			g.mu.Lock()
			if g.stopped != nil {
				sig = syscall.SIGINT // the second time: envwrap run kills its command
			} else {
				g.stopped = sig
			}
			for cmd := range g.running {
				_ = cmd.Process.Signal(sig)
			}
			g.mu.Unlock()
		}
	}
}

// run runs a member and writes how it ended.
func (g *group) run(ctx context.Context, m member, out, errs io.Writer) {
	argv := job.MemberArgs(g.Call.Rest, m.text)
	doc := limitbuf.NewBuffer(job.MemberMost)
	cmd := exec.Command(g.self, append(append(slices.Clone(g.line), "--"), argv...)...)
	cmd.Args[0] = "envwrap"
	cmd.Env = session.SetAll(session.Unset(slices.Clone(g.Environ), "ENVWRAP"), fmt.Sprintf("ENVWRAP_CTX=%s:%d", g.task, os.Getpid()))
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = doc, locked{&g.mu, errs}, farend.KillAfter
	// What it shows while it runs is found there if this process is killed.
	shown, done, err := g.job.MemberOutput(m.number)
	if err == nil {
		defer done()
		cmd.Stderr = shown
	} else {
		fmt.Fprintln(locked{&g.mu, errs}, err)
	}
	err = g.start(ctx, cmd)
	if errors.Is(err, errStopped) {
		return
	}
	if err == nil {
		err = cmd.Wait()
	}
	if g.endedUnstarted(cmd.ProcessState, doc.Bytes()) {
		return
	}
	status := cli.StatusFailed
	if cmd.ProcessState != nil && cmd.ProcessState.Exited() {
		status = cmd.ProcessState.ExitCode()
	}
	d := envelope.Dialects()[0]
	text := doc.Bytes()
	res, decodeErr := envelope.Decode(d, text)
	if decodeErr != nil || doc.Over() {
		status = cli.StatusFailed
		res = g.Session.Refused(envelope.Outcome{
			Kind: envelope.Failure, Code: envelope.ERUNTIME, ClassifiedBy: envelope.ByEnvwrap,
			Message: fmt.Sprintf("member %d: its envwrap left no envelope: %v", m.number, errors.Join(err, decodeErr)),
		})
		res.Argv, res.ExitStatus = argv, status
		res.MaskTexts(wrap.Mask(g.cmd.Redactor))
		text, _ = envelope.Encode(d, res, envelope.EncodeOptions{Layout: envelope.LayoutCompact})
	}
	g.end(out, job.Member{Number: m.number, Status: status, State: job.StateOf(&res.Outcome)}, text)
}

// endedUnstarted reports whether the signal that ended the group also ended a member's
// envwrap before that could handle it: its command was not started.
func (g *group) endedUnstarted(state *os.ProcessState, doc []byte) bool {
	if state == nil || len(doc) > 0 || !g.stops() {
		return false
	}
	status, ok := state.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && wrap.Cancels(status.Signal())
}

// errStopped is the error of a start that comes after the group was asked to end.
var errStopped = errors.New("the group was asked to end")

func (g *group) start(ctx context.Context, cmd *exec.Cmd) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.stopped != nil || g.fault != nil {
		return errStopped
	}
	err := launch.Start(ctx, cmd)
	if err == nil {
		g.running[cmd] = true
	}
	return err
}

// end writes how a member ended.
func (g *group) end(out io.Writer, m job.Member, doc []byte) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for cmd := range g.running {
		if cmd.ProcessState != nil {
			delete(g.running, cmd)
		}
	}
	if m.State != job.OK {
		g.failed++
	}
	if m.Status != 0 && (g.first.Status == 0 || m.Number < g.first.Number) {
		g.first = m
	}
	_, err := out.Write(m.Line(doc))
	if err == nil {
		return
	}
	if g.fault == nil {
		g.fault = fmt.Errorf("keep the envelope of member %d: %w", m.Number, err)
	}
	if _, err = out.Write(m.Line(withoutOutput(doc))); err != nil {
		g.array.Unkept = append(g.array.Unkept, m) // for which the group's record has room
	}
}

// withoutOutput returns an envelope in protocol/v1 without the excerpts of its output, which
// needs less room.
func withoutOutput(doc []byte) []byte {
	d := envelope.Dialects()[0]
	res, err := envelope.Decode(d, doc)
	if err != nil {
		return doc
	}
	for _, run := range []*envelope.Result{res, res.Exec} {
		if run == nil {
			continue
		}
		for _, s := range []*envelope.Stream{&run.Stdout, &run.Stderr} {
			*s = envelope.Stream{Bytes: s.Bytes, Lines: s.Lines, Truncated: s.Bytes > 0, Artifact: s.Artifact}
		}
	}
	less, err := envelope.Encode(d, res, envelope.EncodeOptions{Layout: envelope.LayoutCompact})
	if err != nil {
		return doc
	}
	return less
}

// outcome returns how the group ended; fault is why not all members were started.
func (g *group) outcome(fault error) envelope.Outcome {
	o := envelope.Outcome{Kind: envelope.Success, ClassifiedBy: envelope.ByEnvwrap}
	if fault = errors.Join(fault, g.fault); fault != nil {
		o.Kind, o.Code, o.Message = envelope.Failure, envelope.EIO, fault.Error()
		if errors.Is(fault, syscall.ENOSPC) || errors.Is(fault, syscall.EDQUOT) {
			o.Hint = "Make room on the disk. Then envwrap job retry --failed " + g.task + " runs the members that failed or were not started."
		}
		g.first.Status = cli.StatusFailed
		return o
	}
	switch {
	case g.stopped != nil:
		o.Kind, o.Code, o.Message = envelope.Canceled, envelope.ECANCELED, "the group was canceled"
	case g.failed > 0:
		o.Kind, o.Code = envelope.Failure, envelope.ERUNTIME
		o.Message = fmt.Sprintf("%d of %d members failed", g.failed, g.array.Members)
		o.Hint = "envwrap job retry --failed " + g.task + " runs them again."
	}
	return o
}

// status returns the exit status of the group: that of its first member that did not end
// with 0.
func (g *group) status() int {
	if n, ok := g.stopped.(syscall.Signal); ok {
		return 128 + int(n)
	}
	return g.first.Status
}
