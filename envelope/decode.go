package envelope

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// Decode reads one envelope of dialect d strictly. If it is invalid the error is a
// *[FaultError] with everything that is wrong.
//
// From an envelope that envwrap wrote for a run, Decode restores the record of that run
// as far as the dialect carries it: written in d again it is the same envelope. The
// record of any other envelope has its payload unchanged.
func Decode(d Dialect, doc []byte) (*Result, error) {
	w, faults := d.self().read(doc, false)
	if len(faults) > 0 {
		return nil, &FaultError{d.Name(), faults}
	}
	if r := w.run(); r != nil && d.self().spells(r, doc) {
		r.lean = len(r.Argv) == 0 && (d.self() == &delegatorV36 || d.self() == &toolEnvelopeV1 && r.Markdown != "" || d.self().isLean(doc))
		return r, nil
	}
	return d.self().record(w), nil
}

// isLean reports whether a document has the lean form of a run, which does not have the
// command line.
func (d *dialect) isLean(doc []byte) bool {
	if d.unframe != nil {
		doc, _, _ = d.unframe(doc)
	}
	p := parse(doc)
	defer p.reader.Release()
	return !p.broken && d.fullForm(p.reader.Top) != nil
}

// record returns what a wire struct says, with the dialect that it says it in.
func (d *dialect) record(w wireDoc) *Result {
	r := w.result()
	r.Dialect = d.name
	return r
}

// spells reports whether r in d is doc, but for layout and the order of members.
func (d *dialect) spells(r *Result, doc []byte) bool {
	for _, include := range []Include{IncludeDefault, IncludeAlways} {
		for _, detail := range []Detail{DetailFull, DetailLean} {
			again, err := Encode(d, r, EncodeOptions{Layout: LayoutCompact, IncludeOutput: include, Detail: detail})
			if err == nil && d.same(again, doc) {
				return true
			}
			if d.lean == nil || !r.leans() {
				break
			}
		}
	}
	return false
}

func (d *dialect) same(a, b []byte) bool {
	if d.unframe != nil {
		a, _, _ = d.unframe(a)
		b, _, _ = d.unframe(b)
	}
	return sameJSON(a, b)
}

// sameJSON reports whether two well-formed values are the same but for white
// space and the order of members. Numbers are the same if they are spelled so.
func sameJSON(a, b []byte) bool {
	k := jsontext.Kind(a)
	if k != jsontext.Kind(b) {
		return false
	}
	switch k {
	case '{':
		x, y := wire.FieldsIn(a), wire.FieldsIn(b)
		return len(x) == len(y) && !slices.ContainsFunc(x, func(f wire.Field) bool {
			other := y.Get(f.Name)
			return other == nil || !sameJSON(f.Value, other)
		})
	case '[':
		var x, y [][]byte
		for _, e := range jsontext.Elements(a) {
			x = append(x, e)
		}
		for _, e := range jsontext.Elements(b) {
			y = append(y, e)
		}
		return slices.EqualFunc(x, y, sameJSON)
	case '"':
		return wire.StringIn(a) == wire.StringIn(b)
	}
	return string(jsontext.TrimSpace(a)) == string(jsontext.TrimSpace(b))
}

// A FaultError means that a document has faults.
type FaultError struct {
	Dialect string
	Faults  []Fault // at least one, in the order of the document
}

func (e *FaultError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "read %s envelope: %s", e.Dialect, e.Faults[0])
	if n := len(e.Faults) - 1; n > 0 {
		fmt.Fprintf(&b, " (and %d more)", n)
	}
	return b.String()
}

// The functions that follow read a record from a wire struct of any dialect.

// setTimes sets the end from a time stamp, and the start so that the run took
// ms milliseconds. With a negative ms the start is not known and stays zero.
func (r *Result) setTimes(ts string, ms int64) {
	const most = int64(1 << 62 / time.Millisecond)
	r.setSpan(ts, time.Duration(max(-1, min(ms, most)))*time.Millisecond)
}

// setSpan is setTimes with a duration of any unit.
func (r *Result) setSpan(ts string, lasted time.Duration) {
	t, err := time.Parse(time.RFC3339Nano, strings.ToUpper(ts))
	if err != nil {
		return
	}
	if r.Ended = t.UTC(); lasted < 0 {
		return
	}
	r.Duration = lasted
	r.Started = r.Ended.Add(-r.Duration)
}

// setCode sets the code that an envelope spells. If the catalog does not have it, the code is
// none, and ForeignCode keeps the spelling.
func (o *Outcome) setCode(spelled string, none Code) {
	o.Code = Code(spelled)
	if !o.Code.Known() {
		o.Code, o.ForeignCode = none, spelled
	}
}

// mapped returns f of what p points to, nil where p is nil.
func mapped[A, B any](p *A, f func(A) B) *B {
	if p == nil {
		return nil
	}
	return new(f(*p))
}

// converted returns a number of another type, nil where p is nil.
func converted[B, A ~int | ~int64 | ~float64](p *A) *B {
	return mapped(p, func(a A) B { return B(a) })
}
