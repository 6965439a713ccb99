package enginejob

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/engine"
	"github.com/envwrap/envwrap/internal/shared/errtext"
)

// logMost is the most bytes of a log that are read.
const logMost = 64 << 20

// readMarks reads what the script of a job has printed, and puts into st what that says of
// the command, whose output it returns. A job that waits has printed nothing.
func (e *Job) readMarks(ctx context.Context, st *engine.Status) ([]byte, error) {
	if st.State == engine.Unknown || st.State == engine.Queued {
		return nil, nil
	}
	read := engine.NewLogReader(logMost)
	if complaint, err := e.readLog(ctx, e.Row.Engine.Logs(e.Words(), false), read); err != nil {
		e.unread = fmt.Sprintf("what it printed cannot be read: %s", cmp.Or(errtext.LastLine(complaint), err.Error()))
		return nil, ctx.Err() // it has printed nothing yet, or is asked again
	}
	log := read.Printed(e.Record.Far.Engine.Name)
	e.unread = ""
	if log.Started.IsZero() && (log.Strange || st.State == engine.Succeeded) {
		e.unread = "what it printed lacks the line of its start"
	}
	if log.Cut {
		e.lost = fmt.Sprintf("runner %q: only the first %d MiB of what the command has printed are kept", e.Row.Name, logMost>>20)
	}
	st.Started, st.Exited, st.Exit, st.How = log.Started, log.Exited, log.Exit, log.How
	return log.Text, nil
}

// showLog puts what the command has printed so far into the file that is followed, masked.
func (e *Job) showLog(log []byte) error {
	if !e.follow {
		s := e.session()
		defer s.Close()
		var shown bytes.Buffer
		out := s.Command.Redactor.Writer(&engine.EnvelopeFilter{To: &shown})
		_, _ = out.Write(log) // into memory
		_ = out.Close()
		return e.Store.PutShared(e.Record.ID, engine.Stdout, shown.Bytes())
	}
	if e.shown == nil {
		to, err := e.Store.OpenStreams(e.Record.ID)
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

// copyLog copies what the command has printed to the file that is followed, masked. If
// somebody follows it, it goes on until the command ends. What cannot be read is read at
// the next look.
func (e *Job) copyLog(ctx context.Context) error {
	if e.copying != nil {
		return nil
	}
	if !e.follow {
		var log bytes.Buffer
		if e.copyMasked(ctx, e.readLog, e.Row.Engine.Logs(e.Words(), false), &log) == nil {
			return e.Store.PutShared(e.Record.ID, engine.Stdout, log.Bytes())
		}
		return nil
	}
	to, err := e.Store.OpenStreams(e.Record.ID)
	if err != nil {
		return err
	}
	e.copying = make(chan struct{})
	line := e.Row.Engine.Logs(e.Words(), true)
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
func (e *Job) copyMasked(ctx context.Context, read func(context.Context, []string, io.Writer) (string, error), line []string, to io.Writer) error {
	s := e.session()
	defer s.Close()
	out := s.Command.Redactor.Writer(&engine.EnvelopeFilter{To: to})
	_, err := read(ctx, line, out)
	return errors.Join(err, out.Close())
}

// farEnvelope returns the envelope of the run at the end of a log, and its text.
func (e *Job) farEnvelope(log []byte) ([]byte, *envelope.Result) {
	d, _ := envelope.Lookup("protocol/v1")
	begin := bytes.LastIndexByte(bytes.TrimRight(log, "\n"), '\n') + 1
	for at := begin; ; at++ {
		next := bytes.Index(log[at:], []byte(`{"version":1,`))
		if next < 0 {
			return nil, nil
		}
		at += next
		if res, err := envelope.Decode(d, bytes.TrimSpace(log[at:])); err == nil && res.TraceID == e.Record.TraceID {
			return log[at:], res
		}
	}
}
