package redact

// A state is what a line leaves to the next.
type state struct {
	key  keyBlock // within a private key
	open pending  // a name whose value is on the next line
}

// active reports whether the next line must be looked at even where nothing
// is found in it.
func (s state) active() bool { return s != state{} }

// A pending name stands at the end of a line, its value on the next.
type pending struct {
	strength strength
	op       operator
}

// pend notes a name whose value may be on the next line.
func (v *view) pend(st strength, op operator) {
	if !v.cutRight {
		v.open = pending{st, op}
	}
}

// pendingValue looks at the line for the value of the name before it.
func (v *view) pendingValue(p pending) {
	i := v.spaces(v.lo)
	if i == v.hi {
		return
	}
	val, q := v.value(i)
	rest := v.text[val.end:v.hi]
	if q.mark == 0 && len(trimEnd(rest)) > 0 {
		return // more than one word
	}
	if v.secret(p.strength, p.op, q, val) {
		v.add(val.start, val.end, ruleAssignment)
	}
}

// trimEnd is b without what may follow a value on its line.
func trimEnd(b []byte) []byte {
	for len(b) > 0 {
		switch b[0] {
		case ' ', '\t', '\r', '\\', ',', ';', ')', '"', '\'':
			b = b[1:]
		default:
			return b
		}
	}
	return b
}
