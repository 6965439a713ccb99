package enginejob

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/engine"
	"github.com/envwrap/envwrap/internal/app/session"
	"github.com/envwrap/envwrap/internal/shared/errtext"
)

// envelopeMost is the longest envelope at the end of a log, in bytes.
const envelopeMost = 64 << 20

// logMost returns how many bytes of a log are kept: what the store takes of both streams, and an
// envelope.
func (e *Job) logMost() int64 {
	if most := e.Record.Limits.MaxArtifact; most > 0 && most < math.MaxInt64/4 {
		return 2*most + envelopeMost
	}
	return math.MaxInt64
}

// noteCut notes that a log was longer than the limit, and its rest was dropped.
func (e *Job) noteCut(cut bool) {
	if cut {
		e.cut = true
		e.lost = fmt.Sprintf("runner %q: only the first %d MiB of what the command has printed are kept and counted", e.Row.Name, e.logMost()>>20)
	}
}

// readMarks reads what the script of a job has printed, and puts into st what that says of
// the command, whose output it returns, as long as spool is open. A job that waits has printed nothing.
func (e *Job) readMarks(ctx context.Context, st *engine.Status, spool engine.LogFile) (*io.SectionReader, error) {
	if st.State == engine.Unknown || st.State == engine.Queued {
		return nil, nil
	}
	read := engine.NewLogReader(spool, e.logMost())
	if complaint, err := e.readLog(ctx, e.Row.Engine.Logs(e.Words(), false), read); err != nil {
		e.unread = fmt.Sprintf("what it printed cannot be read: %s", cmp.Or(errtext.LastLine(complaint), err.Error()))
		return nil, ctx.Err() // it has printed nothing yet, or is asked again
	}
	log, err := read.Printed(e.Record.Far.Engine.Name)
	if err != nil {
		return nil, err
	}
	e.unread = ""
	if log.Started.IsZero() && (log.Strange || st.State == engine.Succeeded) {
		e.unread = "what it printed lacks the line of its start"
	}
	e.noteCut(log.Cut)
	st.Started, st.Exited, st.Exit, st.How = log.Started, log.Exited, log.Exit, log.How
	return log.Text, nil
}

// showLog puts what the command has printed so far into the file that is followed, masked.
func (e *Job) showLog(log *io.SectionReader) error {
	if !e.follow {
		s := e.session()
		defer s.Close()
		return e.Store.WriteShared(e.Record.ID, engine.Stdout, func(to io.Writer) error {
			out := s.Command.MaskStdout(&engine.EnvelopeFilter{To: to})
			_, err := io.Copy(out, log)
			return errors.Join(err, out.Close())
		})
	}
	if e.shown == nil {
		to, err := e.Store.OpenStreams(e.Record.ID)
		if err != nil {
			return err
		}
		s := e.session()
		out := s.Command.MaskStdout(&engine.EnvelopeFilter{To: to})
		e.shown = out
		e.endShown = func() {
			defer s.Close()
			_ = errors.Join(out.Close(), to.Close()) // the whole log is stored at the end
		}
	}
	from := min(e.shownTo, log.Size())
	n, err := io.Copy(e.shown, io.NewSectionReader(log, from, log.Size()-from))
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
		unread := errors.New("it is not read")
		err := e.Store.WriteShared(e.Record.ID, engine.Stdout, func(to io.Writer) error {
			if err := copyMasked(ctx, e.session(), e.readLog, e.Row.Engine.Logs(e.Words(), false), to); err != nil {
				return fmt.Errorf("%w: %w", unread, err)
			}
			return nil
		})
		if errors.Is(err, unread) {
			return nil
		}
		return err
	}
	to, err := e.Store.OpenStreams(e.Record.ID)
	if err != nil {
		return err
	}
	e.copying = make(chan struct{})
	line, s := e.Row.Engine.Logs(e.Words(), true), e.session() // the record changes meanwhile
	go func() {
		defer close(e.copying)
		defer to.Close()
		pass := func(ctx context.Context, line []string, out io.Writer) (string, error) {
			return e.pass(ctx, line, "", out)
		}
		_ = copyMasked(ctx, s, pass, line, to) // the whole log is read at the end
	}()
	return nil
}

// copyMasked has read run a command that prints a log, and writes its output, masked by the
// session, which it closes, and without the envelope at its end.
func copyMasked(ctx context.Context, s *session.Session, read func(context.Context, []string, io.Writer) (string, error), line []string, to io.Writer) error {
	defer s.Close()
	out := s.Command.MaskStdout(&engine.EnvelopeFilter{To: to})
	_, err := read(ctx, line, out)
	return errors.Join(err, out.Close())
}

// farEnvelope returns the envelope of the run at the end of a log, and its text.
func (e *Job) farEnvelope(log *io.SectionReader) ([]byte, *envelope.Result) {
	d, _ := envelope.Lookup("protocol/v1")
	last := lastLine(log)
	for at := 0; ; at++ {
		next := bytes.Index(last[at:], []byte(`{"version":1,`))
		if next < 0 {
			return nil, nil
		}
		at += next
		if res, err := envelope.Decode(d, bytes.TrimSpace(last[at:])); err == nil && res.TraceID == e.Record.TraceID {
			return last[at:], res
		}
	}
}

// lastLine returns the last line of a log, with what follows it, if that ends as an envelope does.
func lastLine(log *io.SectionReader) []byte {
	var line []byte
	for size := int64(4 << 10); ; size *= 8 {
		size = min(size, log.Size(), envelopeMost)
		line = make([]byte, size)
		if _, err := log.ReadAt(line, log.Size()-size); err != nil && !errors.Is(err, io.EOF) {
			return nil
		}
		text := bytes.TrimRight(line, "\r\n")
		if !bytes.HasSuffix(text, []byte("}")) {
			return nil
		}
		if begin := bytes.LastIndexByte(text, '\n') + 1; begin > 0 || size == log.Size() {
			return line[begin:]
		}
		if size == envelopeMost {
			return nil
		}
	}
}
