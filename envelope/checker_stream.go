package envelope

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/internal/jsontext"
)

// A streamState follows progress events and results (Protocol v1, "Streaming").
type streamState struct {
	last   int64   // seq of the last progress event
	pct    float64 // the highest that a progress event told
	open   bool    // progress was seen, and no result yet
	ended  bool    // a result came after progress events
	before bool    // the document before was a result
}

func (s *streamState) next(x *examined) []wire.Fault {
	if x.status != "progress" {
		faults := s.result()
		s.ended = s.ended || s.open
		s.open, s.before = false, true
		return faults
	}
	first := !s.open
	if s.open, s.before = true, false; first {
		s.pct = 0
	}
	return append(s.number(x.seq, first), s.progress(x.pct)...)
}

// number checks the number of a progress event.
func (s *streamState) number(seq *wire.Count, first bool) []wire.Fault {
	if seq == nil {
		return nil
	}
	n, last := int64(*seq), s.last
	s.last = n
	switch {
	case first && n != 0:
		return []wire.Fault{{Pointer: "/meta/seq", Rule: "stream/seq", Text: fmt.Sprintf("the first progress event has seq %d; it must be 0", n)}}
	case !first && n <= last:
		return []wire.Fault{{Pointer: "/meta/seq", Rule: "stream/seq", Text: fmt.Sprintf("seq %d comes after %d; it must grow", n, last)}}
	}
	return nil
}

// progress checks that what is done does not fall.
func (s *streamState) progress(pct *float64) []wire.Fault {
	if pct == nil {
		return nil
	}
	if *pct < s.pct {
		return []wire.Fault{{Pointer: "/data/pct", Rule: "stream/pct", Text: fmt.Sprintf("%v comes after %v; it must not fall", *pct, s.pct)}}
	}
	s.pct = *pct
	return nil
}

// result reports a second result of one stream. Results alone are a log.
func (s *streamState) result() []wire.Fault {
	if s.before && s.ended {
		return []wire.Fault{{Pointer: "/status", Rule: "stream/second-result", Text: "the stream has its result already"}}
	}
	return nil
}

// pctIn is how much is done as a progress event says; nil where it does not
// say, or what no event can.
func pctIn(status protocolStatus, data any) *float64 {
	raw, ok := data.(json.RawMessage)
	if status != "progress" || !ok {
		return nil
	}
	pct := wire.FieldsIn(raw).Get("pct")
	if n, err := strconv.ParseFloat(string(pct), 64); err == nil && n >= 0 && n <= 100 {
		return &n
	}
	return nil
}

// progress checks the data of a progress event; that of envwrap's own has all
// of its members.
func checkProgress(p *wire.Problems, data json.RawMessage, f jsontext.Object) {
	if f.Has("stage") && f.Has("message") && f.Has("metrics") {
		told := len(p.Faults)
		p.Sub("/data", data, new(wireProgress))
		more := wire.Problems{}
		checkPct(&more, f.Get("pct"))
		p.AddUnexplained(told, more.Faults)
		return
	}
	checkPct(p, f.Get("pct"))
}

// pct checks how much of a run is done.
func checkPct(p *wire.Problems, raw json.RawMessage) {
	if raw == nil {
		return
	}
	switch n, err := strconv.ParseFloat(string(raw), 64); {
	case jsontext.Kind(raw) != 0:
		p.Add("/data/pct", "member/type", "%s stands where a number should be", wire.Shorten(string(raw), 80))
	case err != nil || n < 0 || n > 100:
		p.Add("/data/pct", "stream/pct", "%s stands where 0 to 100 should be", wire.Shorten(string(raw), 80))
	}
}

// An examined document has been checked by itself.
type examined struct {
	Checked
	inStream bool           // it may be part of a stream
	status   protocolStatus // and this is its part
	seq      *wire.Count
	pct      *float64 // of a progress event, where it tells
}
