package envelope

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/envwrap/envwrap/internal/jsontext"
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

// known reports whether k is one of the words for an outcome.
func (k Kind) known() bool {
	return slices.Contains(kind("").limits().enum, string(k))
}

// rawIn is the value of a field of any type as the shaper has set it.
func rawIn(v any) json.RawMessage {
	raw, _ := v.(json.RawMessage)
	return raw
}

// encodeObject is f as a JSON object, an empty one where there is nothing.
func encodeObject(f Fields) json.RawMessage {
	if len(f) == 0 {
		return json.RawMessage("{}")
	}
	return mustEncode(f)
}

// readInto reads raw into a wire struct and reports whether they agree in all.
func readInto(raw json.RawMessage, into any) bool {
	return new(problems).sub("", raw, into)
}

// sub reads raw, which stands at pointer, into another wire struct and reports
// what is wrong with it.
func (p *problems) sub(pointer string, raw json.RawMessage, into any) bool {
	var room [8]jsontext.Step
	s := shaper{problems: problems{strict: p.strict}, path: room[:0]}
	s.into(raw, into)
	return p.adopt(pointer, s.faults)
}

// subMembers is sub for an object that has been taken apart.
func (p *problems) subMembers(pointer string, list jsontext.Object, into any) bool {
	var room [8]jsontext.Step
	s := shaper{problems: problems{strict: p.strict}, path: room[:0]}
	s.members(list, reflect.ValueOf(into).Elem())
	return p.adopt(pointer, s.faults)
}

// adopt adds the faults of what stands at pointer and reports whether there
// are none.
func (p *problems) adopt(pointer string, faults []Fault) bool {
	for _, f := range faults {
		f.Pointer = pointer + f.Pointer
		p.faults = append(p.faults, f)
	}
	return len(faults) == 0
}
