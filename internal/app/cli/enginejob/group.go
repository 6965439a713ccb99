package enginejob

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli/farend"
	"github.com/envwrap/envwrap/internal/app/engine"
	"github.com/envwrap/envwrap/internal/shared/errtext"
	"github.com/envwrap/envwrap/internal/shared/limitbuf"
	"github.com/envwrap/envwrap/job"
)

// memberLogs is how many members' logs one look reads at the most: each is a call.
const memberLogs = 50

// bringMembers puts the envelopes of members that have ended into the group's directory, if
// its engine shares no files, and sets brought if more are to be read.
func (e *Job) bringMembers(ctx context.Context) (over bool, err error) {
	e.brought = false
	pods, err := e.Row.Engine.Pods(ctx, e.Call, e.Words())
	if err != nil {
		e.unasked(err)
		return false, nil // asked again
	}
	if len(pods) > 0 {
		if err := e.Store.MarkStarted(e.Record.ID, e.Record.Far.At); err != nil {
			return false, err
		}
	}
	ends, err := e.Store.Ends(e.Record)
	if err != nil {
		return false, err
	}
	known := map[int]bool{}
	for m, read := range ends.All() {
		known[m.Number] = read != nil
	}
	ends.Close()
	index, read := 0, 0
	for n := range e.Record.Array.Numbers() {
		p, ok := pods[index]
		if index++; !ok || known[n] {
			continue
		}
		name := engine.Members + "/" + strconv.Itoa(n)
		if err := e.Store.PutShared(e.Record.ID, name+job.MemberStarted, nil); err != nil {
			return false, err
		}
		if !p.Exited {
			continue
		}
		if read++; read > memberLogs {
			e.brought = true
			break
		}
		doc, err := e.memberDoc(ctx, n, &p)
		if _, late := errors.AsType[noAnswer](err); late {
			e.unasked(err)
			e.brought = true
			break
		}
		if errors.Is(err, errAskAgain) {
			e.brought = true
			continue
		}
		if err == nil {
			err = e.Store.PutShared(e.Record.ID, name, doc)
		}
		if err != nil {
			return false, err
		}
	}
	over, _, err = e.concludeGroup(ctx)
	return over, err
}

// errAskAgain is the error of a log that may be there at the next look.
var errAskAgain = errors.New("it is asked again")

// memberDoc returns the envelope of a member that has ended.
func (e *Job) memberDoc(ctx context.Context, n int, p *engine.Pod) ([]byte, error) {
	raw := limitbuf.NewBuffer(job.MemberMost)
	words := e.Words()
	words.Unit = p.Name
	complaint, err := e.readLog(ctx, e.Row.Engine.Logs(words, false), raw)
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
		if e.Now().Sub(e.missed[n]) < grace {
			return nil, errAskAgain
		}
		lost = fmt.Sprintf("runner %q: what the command has printed is lost: %s", e.Row.Name, errtext.LastLine(complaint))
	}
	d := envelope.Dialects()[0]
	log := io.NewSectionReader(bytes.NewReader(raw.Bytes()), 0, int64(len(raw.Bytes())))
	if text, res := e.farEnvelope(log); res != nil && farend.Status(res) == p.Exit {
		return text, nil
	}
	rec := *e.Record
	rec.Argv = job.MemberArgs(rec.Argv, e.memberText(n))
	end := bareEnd{started: p.Started}
	log, end.status, end.how = engine.CutEnd(log, rec.Far.Engine.Name, p.Exit)
	res, err := e.bareResult(&rec, end, [2]opener{printed(log), printed(io.NewSectionReader(log, 0, 0))})
	if err != nil {
		return nil, err
	}
	if lost != "" {
		res.Warnings = append(res.Warnings, lost)
	}
	return envelope.Encode(d, res, envelope.EncodeOptions{Layout: envelope.LayoutCompact})
}

// memberText returns the text of a member of a group in one submission: its number, or its
// line. That is "{}" if the file is not what it was when the group was submitted.
func (e *Job) memberText(n int) string {
	a := e.Record.Array
	if a.File == "" {
		return strconv.Itoa(n)
	}
	if e.lines == nil {
		e.lines = append([]string{}, a.Lines()...)
	}
	if n > len(e.lines) {
		return "{}"
	}
	return e.lines[n-1]
}
