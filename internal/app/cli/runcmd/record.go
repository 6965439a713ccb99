package runcmd

import (
	"bytes"
	"cmp"
	"errors"
	"os"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/runlog"
	"github.com/envwrap/envwrap/internal/shared/hints"
	"github.com/envwrap/envwrap/internal/shared/shell"
	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/wrap"
)

// record adds a run that is over to the record of runs, and its envelope to the log if it
// stored something, or if what was printed does not have all that is known of it.
//
// A store that cannot be written changes nothing for the caller, who asked for the
// command and got it.
func (r *Runner) record(result *envelope.Result) {
	if r.limits.Off {
		return
	}
	line := r.ended(result)
	r.shownTo(line)
	waitForRecord(func() {
		dir := r.addRecord(line)
		if dir != "" && (r.bytes || result.HasStored() || r.O.Format.IsText()) {
			r.remember(dir, line.ID, result)
		}
	})
}

// recordMost is how long a run whose answer is out waits for its record to be written.
const recordMost = time.Second

// waitForRecord returns when write has, or after recordMost: the store's file system may not
// answer. A write that goes on then ends with the process.
func waitForRecord(write func()) {
	written := make(chan struct{})
	go func() {
		defer close(written)
		write()
	}()
	select {
	case <-written:
	case <-time.After(recordMost):
	}
}

// remember adds the run's envelope to the log in a store's directory, where `envwrap
// last` finds it.
func (r *Runner) remember(dir, id string, result *envelope.Result) {
	doc, err := envelope.Encode(envelope.Dialects()[0], result, envelope.EncodeOptions{Layout: envelope.LayoutCompact})
	if doc == nil {
		r.say(errors.Join(errors.New("the run is not recorded"), err).Error())
		return
	}
	if err := runlog.Append(dir, id, doc); errors.Is(err, runlog.ErrTooLarge) && r.bytes {
		r.say(err.Error())
	}
}

// recordBegin adds to the record that the run begins. It is called for a run whose output
// is shown while it runs, and for a job: record adds the end, and a run without one still
// runs or was killed.
func (r *Runner) recordBegin() {
	if r.limits.Off {
		return
	}
	r.addRecord(r.begun())
}

// begun returns the line of a run that begins.
func (r *Runner) begun() *runlog.Run {
	facts := r.Session.Refused(envelope.Outcome{Kind: envelope.Success})
	line := &runlog.Run{Kind: runlog.RunBegun, ID: facts.TaskID, Time: r.Now(), PID: os.Getpid(), Job: r.task != "", Format: r.recordFormat()}
	r.describe(line, facts)
	return line
}

// recordShown adds to the record of a job's run, which its supervisor writes, what the
// caller who waited for the job was shown.
func (r *Runner) recordShown(id string) {
	if r.limits.Off {
		return
	}
	line := &runlog.Run{Kind: runlog.AnswerShown, ID: id, Time: r.Now(), Agent: r.cmd.Agent, Format: r.recordFormat()}
	r.shownTo(line)
	waitForRecord(func() { r.addRecord(line) })
}

// maskRecord masks all texts of a line where the run itself was asked to mask less: the
// record is kept for weeks.
func (r *Runner) maskRecord(line *runlog.Run) {
	if r.O.Redact == redact.All {
		return
	}
	secrets := append(redact.EnvValues(r.Environ), redact.EnvValues(r.O.Env)...)
	m := wrap.Mask(redact.New(redact.Options{Values: secrets}))
	line.Argv = m.Args(line.Argv)
	for _, s := range []*string{&line.Text, &line.Message, &line.Excerpt, &line.Dir, &line.Workspace, &line.Command} {
		*s = m.Text(*s)
	}
}

// addRecord adds a line to the record in the first store that can be written, and returns
// that store's directory, or "".
func (r *Runner) addRecord(line *runlog.Run) string {
	r.maskRecord(line)
	return r.AddRecord(r.Session.StoreDir(), r.O.Store, line, r.limits)
}

// ended returns the line of a run that is over.
func (r *Runner) ended(result *envelope.Result) *runlog.Run {
	run := result
	if result.Exec != nil { // the command printed an envelope of its own
		run = result.Exec
	}
	o := &result.Outcome
	line := &runlog.Run{
		Kind: runlog.RunEnded, ID: r.runID(result), Time: cmp.Or(run.Ended, r.Now()),
		Outcome: string(o.Kind), Code: string(o.Code), Message: o.Message,
		ExitCode: run.Outcome.ExitCode, Signal: run.Outcome.Signal, Duration: run.Duration.Milliseconds(),
		Job: result.JobID != "", Cached: result.Source == "cache",
		StdoutBytes: run.Stdout.Bytes, StdoutLines: run.Stdout.Lines, StderrBytes: run.Stderr.Bytes, StderrLines: run.Stderr.Lines,
		Masked: run.Redactions.ByRule, Artifacts: result.Digests(), Format: r.recordFormat(), Far: r.far,
	}
	for _, f := range run.Outcome.Details {
		if f.Name == "attempts" {
			line.Attempts, _ = strconv.Atoi(string(f.Value))
		}
	}
	if line.Code != "" {
		line.Excerpt = string(bytes.TrimSpace(lastText(&run.Stderr, &run.Stdout)))
	}
	r.describe(line, run)
	return line
}

// runID returns the id under which a run that is over is recorded.
func (r *Runner) runID(result *envelope.Result) string {
	return cmp.Or(result.JobID, result.TaskID, r.Session.Options.TaskID)
}

// lastText returns the end of the first stream that is not empty.
func lastText(streams ...*envelope.Stream) []byte {
	for _, s := range streams {
		if len(bytes.TrimSpace(s.Tail)) > 0 {
			return s.Tail[max(0, len(s.Tail)-(1<<10)):]
		}
	}
	return nil
}

// describe sets the members that are known when a run begins.
func (r *Runner) describe(line *runlog.Run, facts *envelope.Result) {
	line.Agent, line.Runner, line.Command = facts.Agent, facts.Runner, facts.Command
	if line.Dir = cmp.Or(r.cmd.Dir, r.Directory()); line.Dir == r.cmd.Workspace {
		line.Dir = facts.Workspace // which is masked
	} else {
		line.Dir, line.Workspace = wrap.Mask(r.cmd.Redactor).Text(line.Dir), facts.Workspace
	}
	if line.Agent != "" {
		mask := wrap.Mask(r.cmd.Redactor).Text
		if r.O.Redact != redact.All {
			mask = r.Masked
		}
		line.Session, line.Call = r.SessionOf(line.Agent, mask)
	}
	if r.super != nil {
		line.Name = r.super.Record().Name
	}
	line.Argv = facts.Argv
	if call, ok := shell.ReadInvocation(facts.Argv); ok {
		line.Argv, line.Text = slices.Clone(facts.Argv), call.Text
		line.Argv[call.Arg] = ""
		if line.Agent != "" {
			line.Text = unframed(call)
		}
	}
}

// unframed returns the command that an agent gave to a shell, without the text that the
// agent puts around it.
func unframed(call shell.Invocation) string {
	if text, err := shell.Parse(call.Text, call.Dialect); err == nil {
		if frame, ok := text.Frame(); ok {
			return frame.Command
		}
	}
	return call.Text
}

// shownTo sets what the run's caller was shown, and whether that is the agent itself.
func (r *Runner) shownTo(line *runlog.Run) {
	if r.task != "" { // a job's supervisor shows nothing
		return
	}
	if !r.bytes && !r.writesToFile() {
		line.Shown = int64(r.Shown(r.printed, len(r.printed)))
	}
	if r.bytes || r.O.output != "" || r.O.tee {
		line.Shown += line.Output()
	}
	line.AgentReads = r.cmd.Agent != "" && r.AgentReadsStdout()
}

// recordFormat returns the name of the answer's form.
func (r *Runner) recordFormat() string {
	if r.bytes {
		return "bytes"
	}
	if format := r.ToolFormat(); format != nil {
		return format.Name()
	}
	return r.O.Format.Name()
}

// showsLive reports whether the command's output is shown while it runs.
func (r *Runner) showsLive() bool {
	return r.bytes || r.cmd.LiveStdout != nil || r.cmd.LiveStderr != nil
}

// mostRecorded is how many bytes of the output that was shown first the record of a run has
// before it ends, if the store does not take the output.
const mostRecorded = 1 << 10

// A keptRun is the record that a run has begun, and where its output is while it runs. It is
// safe for concurrent use.
type keptRun struct {
	*Runner
	started time.Time
	mu      sync.Mutex
	line    *runlog.Run // nil until something is recorded
}

// keepOutput has the output of a run that shows it live written to the store as it comes,
// and the run recorded when that begins: what was printed is found if envwrap is killed,
// and by others while the command runs. A job keeps its output by itself. A run that ends
// before the first output is shown stores and records nothing of this.
func (r *Runner) keepOutput() {
	if r.limits.Off || r.bytes || r.task != "" || !r.showsLive() || r.O.Retry.Times > 0 || r.O.Cache.TTL > 0 || r.O.on != "" {
		return
	}
	k := &keptRun{Runner: r, started: r.Now()}
	r.cmd.LiveAfter, r.cmd.Kept = briefAfter, k.keep
	if r.briefing != nil {
		r.briefing.begun = k.show
	}
}

// keep records that the output of a stream is in a part of the store in dir.
func (k *keptRun) keep(stream, dir, part string) {
	if part == "" {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.line == nil {
		k.begin()
	}
	if k.line.Parts == nil {
		k.line.Parts = &runlog.Parts{}
	}
	switch stream {
	case "stdout":
		k.line.Parts.Stdout = part
	case "stderr":
		k.line.Parts.Stderr = part
	default:
		k.line.Parts.Pipeline = part
	}
	k.maskRecord(k.line)
	if k.AddRecord(dir, k.O.Store, k.line, k.limits) == dir && k.briefing != nil {
		k.briefing.nameCommand(k.lastCommand(dir, k.line.ID))
	}
}

// begin makes the line of the record.
func (k *keptRun) begin() {
	k.line = k.begun()
	k.line.Time = k.started
}

// show records the first output that was shown, if the store has not taken it.
func (k *keptRun) show(shown string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.line != nil {
		return
	}
	k.begin()
	k.line.Excerpt = shown[max(0, len(shown)-mostRecorded):]
	k.maskRecord(k.line)
	k.AddRecord("", k.O.Store, k.line, k.limits)
}

// lastCommand returns the command line that prints what a run whose record is in the store
// in dir has printed so far.
func (k *keptRun) lastCommand(dir, id string) string {
	line := "envwrap last -f brief "
	if dir != k.Env.Session().FirstStore("") {
		line += "--store " + hints.Quote(dir) + " "
	}
	return line + id
}
