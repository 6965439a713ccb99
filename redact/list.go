package redact

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/value"
)

const (
	maxListed = 32 // how many values of a list are looked at
	minListed = 12 // the least length of one: what is short in a list is a name
)

// list looks at the values after the bracket at i: name: ["a", "b"]. They may
// be on the next lines.
func (v *view) list(f field, i int) {
	if len(trimRight(v.text[i:v.hi])) == 1 {
		v.pend(f.strength, opList)
		return
	}
	for range maxListed {
		f.value, f.quote = v.value(v.spaces(i + 1))
		v.listed(&f)
		if i = f.value.end; f.quote.mark != 0 {
			i = f.quote.after
		}
		if i = v.spaces(i); i >= v.hi || v.text[i] != ',' {
			return
		}
	}
}

// listed marks a value of a list, where that is secret.
func (v *view) listed(f *field) {
	t := value.TraitsOf(v.text[f.value.start:f.value.end])
	if (t.Random(minListed) || t.UUID() || f.strength >= names.Telling && t.Jumbled() || f.strength == names.Password && t.Len >= value.MinPassword && t.Digits > 0 && t.Digits < t.Len) && v.secret(f) {
		v.mark(f)
	}
}

// pendingList looks at the line for a value of a list that began before it, and
// goes on with the line after: "value", of JSON, - value of YAML.
func (v *view) pendingList(st names.Strength, i int) {
	if v.text[i] == '-' {
		i = v.spaces(i + 1)
	}
	f := field{strength: st, op: opColon, start: v.lo, end: v.lo}
	f.value, f.quote = v.value(i)
	if st == names.Password && f.quote.mark == 0 {
		f.value.end = v.signsWithin(f.value.start, f.value)
	}
	if f.value.start == f.value.end || len(trimValue(v.text[f.value.end:v.hi])) > 0 {
		return
	}
	v.pend(st, opList)
	v.listed(&f)
}

// ofSeveral finds the value of the name that ends at end where several are set at
// once: a, b = "x", "y". What follows the operator, or the comma after the name, is
// at i.
func (v *view) ofSeveral(start, end, i int, op operator) (int, operator) {
	const between = ascii.Word | ascii.Dot | ascii.Blank | ascii.Comma
	if op == opComma && v.text[end] == ',' {
		names := start - ascii.RunBack(v.text[max(v.lo, start-maxNames):start], between)
		if names > v.lo && v.text[names-1] == '(' {
			return 0, op // an argument, and the name of the next: f(name, encoding='utf-8')
		}
		n := ascii.Run(v.text[end:min(v.hi, end+maxNames)], between)
		sign := end + n
		if i = sign + v.opLen(sign); i == sign || !isSet(string(v.text[sign:i])) {
			return 0, op
		}
		i = v.spaces(i)
	} else if op != opAssign || i == end {
		return 0, op
	}
	before := v.text[start-ascii.RunBack(v.text[max(v.lo, start-maxNames):start], between) : start]
	for range bytes.Count(before, []byte{','}) {
		_, q := v.value(i)
		if q.mark == 0 || q.open || q.after >= v.hi || v.text[q.after] != ',' {
			return 0, op
		}
		i = v.spaces(q.after + 1)
	}
	if i >= v.hi || !isQuote(v.text[i]) {
		return 0, op
	}
	return i, opAssign
}

// maxNames is how much is looked at of the names that are set at once.
const maxNames = 128

func isSet(op string) bool { return op == "=" || op == ":=" }
