package redact

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// maxBlanks is how many lines with nothing on them may be between a sentence and the
// value that it announces.
const maxBlanks = 2

// pend notes a name whose value may be on the next line.
func (v *view) pend(st names.Strength, op operator) {
	if !v.cutRight && op != opCompare {
		v.next.open = pending{strength: st, op: op}
	}
}

// pendingValue looks at the line for the value of the name before it.
func (v *view) pendingValue(p pending) {
	i := v.spaces(v.hi - len(unprefixed(v.text[v.lo:v.hi])))
	if p.op == opProse {
		i = v.margin()
	}
	if i == v.hi {
		if p.op == opProse && p.blanks < maxBlanks {
			v.next.open = pending{strength: p.strength, op: p.op, blanks: p.blanks + 1}
		}
		return
	}
	if p.op == opColon && p.blanks == 0 && string(trimRight(v.text[i:v.hi])) == "----" { // of kubectl describe configmap
		v.next.open = pending{strength: p.strength, op: p.op, blanks: 1}
		return
	}
	if k, ok := v.valueMember(i); ok {
		i, p.op = k, opColon
		if i == v.hi {
			return // the end of the text: not even a newline follows
		}
	} else if p.op == opMember {
		return
	}
	switch {
	case p.op == opBeside && ascii.Run(v.text[i:v.hi], ascii.URLSafe|ascii.Base64|ascii.Equals) < v.hi-i:
		return // what follows a heading is by itself
	case p.op == opList:
		if v.text[i] != ']' {
			v.pendingList(p.strength, i)
		}
		return
	case v.text[i] == '-' && i+1 < v.hi && v.text[i+1] == ' ' && p.strength >= names.Hinting && p.op == opColon:
		v.pendingList(p.strength, i)
		return
	}
	f := field{strength: p.strength, op: p.op, start: v.lo, end: v.lo}
	if p.op == opTag {
		i = v.openTag(i)
	}
	if k, ok := v.dumped(i); ok {
		i = k
	}
	f.value, f.quote = v.value(i)
	if f.strength == names.Password && f.quote.mark == 0 {
		f.value.end = v.signsWithin(f.value.start, f.value)
	}
	if len(trimValue(v.text[f.value.end:v.hi])) > 0 && !v.closedTag(&f) {
		return // more than one word
	}
	if p.op == opTag && !v.closedTag(&f) {
		f.op = opColon
	}
	if p.op == opComma && value.TraitsOf(v.text[f.value.start:f.value.end]).Digits == 0 || p.op == opComma && value.Wordy(v.text[f.value.start:f.value.end]) {
		return // of a list of names
	}
	if v.secret(&f) {
		v.mark(&f)
	}
}

// dumped finds the value that PHP's var_dump writes at i: string(5) "value".
func (v *view) dumped(i int) (int, bool) {
	if !bytes.HasPrefix(v.text[i:v.hi], []byte("string(")) {
		return 0, false
	}
	j := i + len("string(")
	j += ascii.Run(v.text[j:v.hi], ascii.Digit)
	if !bytes.HasPrefix(v.text[j:v.hi], []byte(") ")) {
		return 0, false
	}
	return v.spaces(j + 1), true
}
