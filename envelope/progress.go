package envelope

import (
	"time"

	"github.com/envwrap/envwrap/envelope/internal/wire"
)

// EncodeProgress returns a progress event of protocol/v1: one line of at most
// ProgressMost bytes. run has what is known before the end: command, ids, workspace,
// agent. now is the event's time and seq its number, from 0. A long message is cut; a
// workspace that does not fit is left out.
func EncodeProgress(run *Result, now time.Time, seq int, p Progress) ([]byte, error) {
	r := *run
	r.Ended, r.Duration, r.Warnings, r.Redactions = now, p.Elapsed, nil, wire.Redactions{}
	number := wire.Count(seq)
	w := protocolDoc{Version: 1, Status: "progress"}
	for {
		v := newView(&r, EncodeOptions{})
		w.Command, w.Data = wire.Command(v.Command), p.data()
		w.Meta.fill(v)
		w.Meta.Seq = &number
		doc, err := wire.Encode(&w)
		if err != nil || len(doc) < ProgressMost {
			return append(doc, '\n'), err
		}
		switch {
		case len(p.Message) > 16:
			p.Message = p.Message[:len(p.Message)/2]
		case r.Workspace != "":
			r.Workspace = ""
		default:
			return append(doc, '\n'), nil // ids and command that a caller made this long
		}
	}
}
