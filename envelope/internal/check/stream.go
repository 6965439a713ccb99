package check

import (
	"fmt"

	"github.com/envwrap/envwrap/envelope/internal/wire"
)

// A Stream checks the order of progress events and results (Protocol v1, "Streaming").
type Stream struct {
	last   int64   // seq of the last progress event
	pct    float64 // the highest that a progress event had
	open   bool    // progress was seen, and no result yet
	ended  bool    // a result came after progress events
	before bool    // the document before was a result
}

// An Event holds the facts of an envelope that a [Stream] checks.
type Event struct {
	Progress bool        // it is a progress event, not a result
	Seq      *wire.Count // its number
	Pct      *float64    // how much is done, if known
}

// Open reports whether a result must still follow.
func (s *Stream) Open() bool { return s.open }

// Next returns the faults of the next envelope's position in the stream.
func (s *Stream) Next(x *Event) []wire.Fault {
	if !x.Progress {
		faults := s.result()
		s.ended = s.ended || s.open
		s.open, s.before = false, true
		return faults
	}
	first := !s.open
	if s.open, s.before = true, false; first {
		s.pct = 0
	}
	return append(s.number(x.Seq, first), s.progress(x.Pct)...)
}

// number checks the number of a progress event.
func (s *Stream) number(seq *wire.Count, first bool) []wire.Fault {
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

// progress checks that the percentage does not fall.
func (s *Stream) progress(pct *float64) []wire.Fault {
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
func (s *Stream) result() []wire.Fault {
	if s.before && s.ended {
		return []wire.Fault{{Pointer: "/status", Rule: "stream/second-result", Text: "the stream has its result already"}}
	}
	return nil
}
