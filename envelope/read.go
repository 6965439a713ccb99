package envelope

import (
	"strings"
	"time"

	"github.com/envwrap/envwrap/envelope/internal/wire"
)

// What reading a record back from a wire struct needs in all dialects.

// setTimes sets the end from a time stamp, and the start so that the run took
// ms milliseconds. With a negative ms the start is not known and stays zero.
func (r *Result) setTimes(ts string, ms int64) {
	t, err := time.Parse(time.RFC3339Nano, strings.ToUpper(ts))
	if err != nil {
		return
	}
	if r.Ended = t.UTC(); ms < 0 {
		return
	}
	r.Duration = time.Duration(min(max(ms, 0), int64(1<<62/time.Millisecond))) * time.Millisecond
	r.Started = r.Ended.Add(-r.Duration)
}

// setCode takes a code as an envelope spells it: one of the catalog, or another
// that stands for none here.
func (o *Outcome) setCode(spelled string, none Code) {
	o.Code = Code(spelled)
	if !o.Code.Known() {
		o.Code, o.ForeignCode = none, spelled
	}
}

func timeIn(s wire.Timestamp) time.Time {
	t, err := time.Parse(time.RFC3339Nano, strings.ToUpper(string(s)))
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}

// mapped is f of what p points to, nil where p is nil.
func mapped[A, B any](p *A, f func(A) B) *B {
	if p == nil {
		return nil
	}
	return new(f(*p))
}

// converted is a number of another type, nil where p is nil.
func converted[B, A ~int | ~int64 | ~float64](p *A) *B {
	return mapped(p, func(a A) B { return B(a) })
}
