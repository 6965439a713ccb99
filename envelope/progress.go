package envelope

import (
	"time"

	"github.com/envwrap/envwrap/envelope/internal/wire"
)

// A Progress is the state of a run that has not ended.
type Progress struct {
	Stage       string   // one word: "running", "stopping"
	Message     string   // the last line printed, redacted; "" before there is one
	Pct         *float64 // 0 to 100, as the command printed it; nil if it did not
	Elapsed     time.Duration
	StdoutBytes int64
	StderrBytes int64
	Lines       int64 // newlines on both streams
	Asks        bool  // the command waits for input from its terminal
}

// wireProgress is the data of a progress event (Protocol v1, "Streaming").
type wireProgress struct {
	Stage   string        `json:"stage" doc:"what the run is at, in one word"`
	Message string        `json:"message" doc:"the last line that the command printed"`
	Pct     *wire.Decimal `json:"pct,omitempty" doc:"how much is done, as the command says"`
	Metrics wireMetrics   `json:"metrics" doc:"how far it has come"`
	Rest    wire.Fields   `json:",inline"`
}

type wireMetrics struct {
	ElapsedMS   wire.Count  `json:"elapsed_ms" doc:"wall time in milliseconds"`
	StdoutBytes wire.Count  `json:"stdout_bytes" doc:"bytes on standard output"`
	StderrBytes wire.Count  `json:"stderr_bytes" doc:"bytes on standard error"`
	Lines       wire.Count  `json:"lines" doc:"lines on both streams"`
	Rest        wire.Fields `json:",inline"`
}

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

func (p *Progress) data() *wireProgress {
	return &wireProgress{
		Stage: p.Stage, Message: oneLine(p.Message), Pct: converted[wire.Decimal](p.Pct),
		Metrics: wireMetrics{
			ElapsedMS: wire.Count(p.Elapsed.Milliseconds()), StdoutBytes: wire.Count(p.StdoutBytes), StderrBytes: wire.Count(p.StderrBytes), Lines: wire.Count(p.Lines),
		},
	}
}
