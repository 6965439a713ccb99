package enginejob

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli/farend"
	"github.com/envwrap/envwrap/internal/app/engine"
	"github.com/envwrap/envwrap/internal/shared/errtext"
)

// An engine that shares no files with this machine keeps what a command prints, and its
// exit status. envwrap makes of them, here, the files that the far side makes otherwise.

// bring makes the files of the job from what the engine knows of it, and records its end if
// the command has ended.
func (e *Job) bring(ctx context.Context, st engine.Status) (over bool, err error) {
	if e.Record.Array != nil {
		return e.bringMembers(ctx)
	}
	spool, err := e.Store.Spool(e.Record.ID)
	if err != nil {
		return false, err
	}
	defer spool.Close()
	var log *io.SectionReader
	if e.Row.Engine.Marked() {
		if log, err = e.readMarks(ctx, &st, spool); err != nil {
			return false, err
		}
	}
	if until := e.Record.Far.Engine.Until; st.Started.IsZero() || !until.IsZero() && st.Started.After(until.Add(time.Second)) {
		return false, nil
	}
	at := st.Started
	if at.Before(e.Record.Far.At) { // it is in whole seconds, or by another clock
		at = e.Record.Far.At
	}
	if err := e.Store.MarkStarted(e.Record.ID, at); err != nil {
		return false, err
	}
	switch {
	case !st.Exited && e.Row.Engine.Marked():
		return false, e.showLog(log)
	case !st.Exited:
		return false, e.copyLog(ctx)
	case e.Row.Engine.Marked():
		return e.ended(ctx, log, &st)
	}
	if e.copying != nil {
		select {
		case <-e.copying:
		case <-time.After(StopMost): // the rest is read below
		}
	}
	read := engine.NewLogReader(spool, e.logMost())
	complaint, err := e.readLog(ctx, e.Row.Engine.Logs(e.Words(), false), read)
	log, cut := read.All()
	if e.noteCut(cut); err != nil {
		if e.gone.IsZero() {
			e.gone = e.Now()
		}
		if e.Now().Sub(e.gone) < grace {
			return false, nil // asked again
		}
		log, e.lost = io.NewSectionReader(spool, 0, 0), fmt.Sprintf("runner %q: what the command has printed is lost: %s", e.Row.Name, errtext.LastLine(complaint))
	}
	return e.ended(ctx, log, &st)
}

// ended records the end of the job from what its command has printed, and its exit status.
func (e *Job) ended(ctx context.Context, log *io.SectionReader, st *engine.Status) (over bool, err error) {
	if e.follow && e.copying == nil {
		if err := e.showLog(log); err != nil {
			return false, err
		}
		e.endShown()
	}
	if text, res := e.farEnvelope(log); res != nil && farend.Status(res) == st.Exit {
		if err := e.putStreams(io.NewSectionReader(log, 0, log.Size()-int64(len(text))), res); err != nil {
			return false, err
		}
		if err := e.Store.PutShared(e.Record.ID, engine.Envelope, text); err != nil {
			return false, err
		}
		over, _, err = e.concludeFar(ctx, res)
		return over, err
	}
	if !e.Row.Engine.Marked() {
		log, st.Exit, st.How = engine.CutEnd(log, e.Record.Far.Engine.Name, st.Exit)
	}
	for _, f := range []struct {
		name string
		data io.Reader
	}{{engine.RawErr, strings.NewReader("")}, {engine.RawOut, log}, {engine.ExitFile, bytes.NewReader(engine.FormatExit(st.Exit, st.How))}} {
		if err := e.Store.WriteShared(e.Record.ID, f.name, copyOf(f.data)); err != nil {
			return false, err
		}
	}
	return e.concludeBare(ctx)
}

// putStreams writes the streams of a run, which its envelope has inline. If it has not, the
// log takes the place of stdout.
func (e *Job) putStreams(log *io.SectionReader, res *envelope.Result) error {
	run := res
	if run.Exec != nil {
		return nil
	}
	var content [2]io.Reader
	whole := true
	for i, s := range []*envelope.Stream{&run.Stdout, &run.Stderr} {
		text, _ := s.Content()
		content[i] = bytes.NewReader(text)
		whole = whole && s.Artifact == "" && s.Exact == "" && int64(len(text)) == s.Bytes
	}
	if !whole {
		content = [2]io.Reader{log, strings.NewReader("")}
		run.Stdout, run.Stderr = envelope.Stream{Bytes: log.Size()}, envelope.Stream{}
		run.Warnings = append(run.Warnings, "stdout is the log of the runner, with both streams in the order written")
	}
	for i, name := range []string{engine.Stdout, engine.Stderr} {
		if err := e.Store.WriteShared(e.Record.ID, name, copyOf(content[i])); err != nil {
			return err
		}
	}
	return nil
}

// copyOf returns what writes all of a text.
func copyOf(from io.Reader) func(io.Writer) error {
	return func(to io.Writer) error {
		_, err := io.Copy(to, from)
		return err
	}
}
