package runcmd

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/farend"
	"github.com/envwrap/envwrap/internal/app/engine"
	"github.com/envwrap/envwrap/internal/app/session"
	"github.com/envwrap/envwrap/internal/shared/errtext"
	"github.com/envwrap/envwrap/internal/shared/limitbuf"
	"github.com/envwrap/envwrap/job"
	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/wrap"
)

// An engine that shares no files with this machine keeps what a command prints, and its
// exit status. envwrap makes of them, here, the files that the far side makes otherwise.

// apartMost is the most bytes of a log that are read.
const apartMost = 64 << 20

// bring makes the files of the job from what the engine knows of it, and records its end if
// the command has ended.
func (e *engineJob) bring(ctx context.Context, st engine.Status) (over bool, err error) {
	if e.rec.Array != nil {
		return e.bringMembers(ctx)
	}
	var log []byte
	if e.row.Engine.Marked() {
		if log, err = e.readMarks(ctx, &st); err != nil {
			return false, err
		}
	}
	if until := e.rec.Far.Engine.Until; st.Started.IsZero() || !until.IsZero() && st.Started.After(until.Add(time.Second)) {
		return false, nil
	}
	at := st.Started
	if at.Before(e.rec.Far.At) { // it is in whole seconds, or by another clock
		at = e.rec.Far.At
	}
	if err := e.store.MarkStarted(e.rec.ID, at); err != nil {
		return false, err
	}
	switch {
	case !st.Exited && e.row.Engine.Marked():
		return false, e.showLog(log)
	case !st.Exited:
		return false, e.copyLog(ctx)
	case e.row.Engine.Marked():
		return e.ended(ctx, log, &st)
	}
	if e.copying != nil {
		select {
		case <-e.copying:
		case <-time.After(engineStop): // what is missing is read below
		}
	}
	raw := limitbuf.NewBuffer(apartMost)
	complaint, err := e.readLog(ctx, e.row.Engine.Logs(e.words(), false), raw)
	log = raw.Bytes()
	if err != nil {
		if e.gone.IsZero() {
			e.gone = e.Now()
		}
		if e.Now().Sub(e.gone) < engineGrace {
			return false, nil // asked again
		}
		log, e.lost = nil, fmt.Sprintf("runner %q: what the command has printed is lost: %s", e.row.Name, errtext.LastLine(complaint))
	}
	return e.ended(ctx, log, &st)
}

// ended records the end of the job from what its command has printed, and its exit status.
func (e *engineJob) ended(ctx context.Context, log []byte, st *engine.Status) (over bool, err error) {
	if e.follow && e.copying == nil {
		if err := e.showLog(log); err != nil {
			return false, err
		}
		e.endShown()
	}
	if text, res := e.farEnvelope(log); res != nil && farend.Status(res) == st.Exit {
		if err := e.putStreams(log[:len(log)-len(text)], res); err != nil {
			return false, err
		}
		if err := e.store.PutShared(e.rec.ID, engine.Envelope, text); err != nil {
			return false, err
		}
		over, _, err = e.concludeFar(ctx, res)
		return over, err
	}
	for _, f := range []struct {
		name string
		data []byte
	}{{engine.RawErr, nil}, {engine.RawOut, log}, {engine.ExitFile, engine.FormatExit(st.Exit, st.Stopped)}} {
		if err := e.store.PutShared(e.rec.ID, f.name, f.data); err != nil {
			return false, err
		}
	}
	return e.concludeBare(ctx)
}

// readMarks reads what the script of a job has printed, and puts into st what that says of
// the command, whose output it returns. A job that waits has printed nothing.
func (e *engineJob) readMarks(ctx context.Context, st *engine.Status) ([]byte, error) {
	if st.State == engine.Unknown || st.State == engine.Queued {
		return nil, nil
	}
	read := engine.NewLogReader(apartMost)
	if complaint, err := e.readLog(ctx, e.row.Engine.Logs(e.words(), false), read); err != nil {
		e.unread = fmt.Sprintf("what it printed cannot be read: %s", cmp.Or(errtext.LastLine(complaint), err.Error()))
		return nil, ctx.Err() // it has printed nothing yet, or is asked again
	}
	log := read.Printed(e.rec.Far.Engine.Name)
	e.unread = ""
	if log.Started.IsZero() && (log.Strange || st.State == engine.Succeeded) {
		e.unread = "what it printed lacks the line of its start"
	}
	if log.Cut {
		e.lost = fmt.Sprintf("runner %q: only the first %d MiB of what the command has printed are kept", e.row.Name, apartMost>>20)
	}
	st.Started, st.Exited, st.Exit, st.Stopped = log.Started, log.Exited, log.Exit, log.Stopped
	return log.Text, nil
}

// showLog puts what the command has printed so far into the file that is followed, masked.
func (e *engineJob) showLog(log []byte) error {
	if !e.follow {
		s := e.session()
		defer s.Close()
		var shown bytes.Buffer
		out := s.Command.Redactor.Writer(&engine.EnvelopeFilter{To: &shown})
		_, _ = out.Write(log) // into memory
		_ = out.Close()
		return e.store.PutShared(e.rec.ID, engine.Stdout, shown.Bytes())
	}
	if e.shown == nil {
		to, err := e.store.OpenStreams(e.rec.ID)
		if err != nil {
			return err
		}
		s := e.session()
		out := s.Command.Redactor.Writer(&engine.EnvelopeFilter{To: to})
		e.shown = out
		e.endShown = func() {
			defer s.Close()
			_ = errors.Join(out.Close(), to.Close()) // the whole log is stored at the end
		}
	}
	n, err := e.shown.Write(log[min(e.shownTo, len(log)):])
	e.shownTo += n
	return err
}

// farEnvelope returns the envelope of the run at the end of a log, and its text.
func (e *engineJob) farEnvelope(log []byte) ([]byte, *envelope.Result) {
	d, _ := envelope.Lookup("protocol/v1")
	begin := bytes.LastIndexByte(bytes.TrimRight(log, "\n"), '\n') + 1
	for at := begin; ; at++ {
		next := bytes.Index(log[at:], []byte(`{"version":1,`))
		if next < 0 {
			return nil, nil
		}
		at += next
		if res, err := envelope.Decode(d, bytes.TrimSpace(log[at:])); err == nil && res.TraceID == e.rec.TraceID {
			return log[at:], res
		}
	}
}

// putStreams writes the streams of a run, which its envelope has inline. If it has not, the
// log takes the place of stdout.
func (e *engineJob) putStreams(log []byte, res *envelope.Result) error {
	run := res
	if run.Exec != nil {
		return nil
	}
	var content [2][]byte
	whole := true
	for i, s := range []*envelope.Stream{&run.Stdout, &run.Stderr} {
		content[i], _ = s.Content()
		whole = whole && s.Artifact == "" && s.Exact == "" && int64(len(content[i])) == s.Bytes
	}
	if !whole {
		content = [2][]byte{log, nil}
		run.Stdout, run.Stderr = envelope.Stream{Bytes: int64(len(log))}, envelope.Stream{}
		run.Warnings = append(run.Warnings, "stdout is the log of the runner, with both streams in the order written")
	}
	for i, name := range []string{engine.Stdout, engine.Stderr} {
		if err := e.store.PutShared(e.rec.ID, name, content[i]); err != nil {
			return err
		}
	}
	return nil
}

// copyLog copies what the command has printed to the file that is followed, masked. If
// somebody follows it, it goes on until the command ends. What cannot be read is read at
// the next look.
func (e *engineJob) copyLog(ctx context.Context) error {
	if e.copying != nil {
		return nil
	}
	if !e.follow {
		var log bytes.Buffer
		if e.copyMasked(ctx, e.readLog, e.row.Engine.Logs(e.words(), false), &log) == nil {
			return e.store.PutShared(e.rec.ID, engine.Stdout, log.Bytes())
		}
		return nil
	}
	to, err := e.store.OpenStreams(e.rec.ID)
	if err != nil {
		return err
	}
	e.copying = make(chan struct{})
	line := e.row.Engine.Logs(e.words(), true)
	go func() {
		defer close(e.copying)
		defer to.Close()
		pass := func(ctx context.Context, line []string, out io.Writer) (string, error) {
			return e.pass(ctx, line, "", out)
		}
		_ = e.copyMasked(ctx, pass, line, to) // the whole log is read at the end
	}()
	return nil
}

// copyMasked has read run a command that prints a log, and writes its output, masked and
// without the envelope at its end.
func (e *engineJob) copyMasked(ctx context.Context, read func(context.Context, []string, io.Writer) (string, error), line []string, to io.Writer) error {
	s := e.session()
	defer s.Close()
	out := s.Command.Redactor.Writer(&engine.EnvelopeFilter{To: to})
	_, err := read(ctx, line, out)
	return errors.Join(err, out.Close())
}

// dropApart takes a job out of an engine that shares no files, unless the command was
// started, which it reports.
func (e *engineJob) dropApart(ctx context.Context) (ran bool, err error) {
	for _, drop := range []bool{true, false} {
		st, err := e.status(ctx)
		if err != nil {
			return false, err
		}
		if _, err := e.bring(ctx, st); err != nil {
			return false, err
		}
		if _, started := e.store.StartedThere(e.rec.ID); started || !drop && st.State == engine.Running {
			return true, nil
		}
		if drop && st.State != engine.Absent {
			if err := e.drop(ctx); err != nil {
				return false, err
			}
		}
	}
	return false, nil
}

// errAskAgain is the error of a log that may be there at the next look.
var errAskAgain = errors.New("it is asked again")

// memberDoc returns the envelope of a member that has ended.
func (e *engineJob) memberDoc(ctx context.Context, n int, p *engine.Pod) ([]byte, error) {
	raw := limitbuf.NewBuffer(job.MemberMost)
	words := e.words()
	words.Unit = p.Name
	complaint, err := e.readLog(ctx, e.row.Engine.Logs(words, false), raw)
	lost := ""
	if _, late := errors.AsType[noAnswer](err); late || ctx.Err() != nil {
		return nil, err
	}
	if err != nil {
		if e.missed == nil {
			e.missed = map[int]time.Time{}
		}
		if e.missed[n].IsZero() {
			e.missed[n] = e.Now()
		}
		if e.Now().Sub(e.missed[n]) < engineGrace {
			return nil, errAskAgain
		}
		lost = fmt.Sprintf("runner %q: what the command has printed is lost: %s", e.row.Name, errtext.LastLine(complaint))
	}
	d := envelope.Dialects()[0]
	if text, res := e.farEnvelope(raw.Bytes()); res != nil && farend.Status(res) == p.Exit {
		return text, nil
	}
	rec := *e.rec
	rec.Argv = job.MemberArgs(rec.Argv, e.memberText(n))
	res, err := e.bareResult(&rec, p.Exit, p.Started, [2]opener{printed(raw.Bytes()), printed(nil)})
	if err != nil {
		return nil, err
	}
	if lost != "" {
		res.Warnings = append(res.Warnings, lost)
	}
	return envelope.Encode(d, res, envelope.EncodeOptions{Layout: envelope.LayoutCompact})
}

// member reads the envelope of a member, and returns what the group's output has of it.
func (e *engineJob) member(n int, file []byte) (job.Member, []byte) {
	d := envelope.Dialects()[0]
	res, err := envelope.Decode(d, file)
	if err != nil {
		res = e.rec.Unsettled(e.Now(), envelope.Outcome{
			Kind: envelope.Failure, Code: envelope.ERUNTIME, ClassifiedBy: envelope.ByEnvwrap,
			Message: fmt.Sprintf("runner %q: the envelope of member %d cannot be read: %v", e.row.Name, n, err),
		})
	} else {
		res.ExitStatus = farend.Status(res)
	}
	res.Runner = e.row.Name
	res.MaskTexts(e.mask)
	doc, _ := envelope.Encode(d, res, envelope.EncodeOptions{Layout: envelope.LayoutCompact})
	return job.Member{Number: n, Status: res.ExitStatus, State: job.StateOf(&res.Outcome)}, doc
}

// printed opens what is in memory.
func printed(text []byte) opener {
	return func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }
}

// A bareNote is what those who read the output of a command that ran without envwrap have to
// know of it. It is a comment at the end of the script in the job's directory, which has the
// values in any case.
type bareNote struct {
	Values []bareValue `json:"values,omitempty"` // to be masked
	Unheld []string    `json:"unheld,omitempty"` // options that only an envwrap there would hold
}

type bareValue struct{ Rule, Secret string }

// bareNoteMark precedes a bareNote.
const bareNoteMark = "\n#envwrap "

// unheldOptions are those that the script does without, and that change what the command does
// or what its answer says.
const unheldOptions = "clean-env exit-map idle-timeout merge non-interactive ok-exit on-overflow"

// bareNote returns the end of the script: secrets that are given to the command, and options
// that do not hold without envwrap; "" if there are none.
func (s *submission) bareNote(row *cli.RunnerRow) string {
	var note bareNote
	env := slices.Concat(row.Env, s.O.Env)
	for _, v := range slices.Concat(redact.EnvValues(env), s.Session.Options.Secrets) {
		if v.Secret != "" && slices.ContainsFunc(env, func(each string) bool { return strings.HasSuffix(each, "="+v.Secret) }) {
			note.Values = append(note.Values, bareValue{v.Rule, v.Secret})
		}
	}
	for name := range strings.FieldsSeq(unheldOptions) {
		if len(s.Call.Option(name).Given) > 0 {
			note.Unheld = append(note.Unheld, "--"+name)
		}
	}
	text, err := json.Marshal(note)
	if err != nil || string(text) == "{}" {
		return ""
	}
	return bareNoteMark + string(text) + "\n"
}

// bareNote returns what the submit has noted; a job of another machine has nothing.
func (e *engineJob) bareNote() (note bareNote) {
	script, err := e.store.ReadShared(e.rec.ID, "script")
	if i := bytes.LastIndex(script, []byte(bareNoteMark)); err == nil && i >= 0 {
		_ = json.Unmarshal(script[i+len(bareNoteMark):], &note) // another comment has no values
	}
	return note
}

// session returns a session that is prepared for the command of the job. The caller closes it.
func (e *engineJob) session() *session.Session {
	rec := e.rec
	options := session.Options{
		UserOptions: session.UserOptions{
			TraceID: rec.TraceID, Meaning: wrap.Meaning{Parse: rec.View.Parse}, Store: e.store.Dir(),
			Limits: wrap.Limits{MaxCapture: rec.Limits.MaxCapture, MaxArtifact: rec.Limits.MaxArtifact, InlineLimit: rec.View.InlineLimit},
		},
		Argv: rec.Argv, TaskID: rec.ID,
	}
	for _, v := range e.bareNote().Values {
		options.Secrets = append(options.Secrets, redact.Value{Rule: v.Rule, Secret: v.Secret})
	}
	s := session.New(e.Session(), options)
	s.Prepare()
	return s
}
