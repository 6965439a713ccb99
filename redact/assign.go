package redact

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/names"
)

// maxNested is how many names are looked for in a value that has no space or
// other sign in it that would end one.
const maxNested = 32

// assignment looks for a name around the keyword at pos, an operator after
// it, and a value that may be secret.
func assignment(v *view, pos int) {
	if pos < v.named {
		return // within the name of an earlier keyword
	}
	if pos >= v.plainFrom && pos < v.plainTo {
		if v.plainNames++; v.plainNames > maxNested {
			return
		}
	} else {
		v.plainNames = 0
	}
	start, end := v.identifier(pos)
	v.named = end
	st := names.StrengthOf(v.text[start:end], v.text[v.lo:start])
	if start+len("-D") <= pos && defines(v.text[start:end]) {
		if of := names.StrengthOf(v.text[start+len("-D"):end], nil); of > st {
			start, st = start+len("-D"), of
		}
	}
	if st == names.Silent {
		v.serviceValue(start, pos)
		return
	}
	i, op := v.operator(start, end)
	if st >= names.Telling && (op == opComma || op == opAssign) {
		if k, several := v.ofSeveral(start, end, i, op); k > 0 {
			i, op = k, several
		}
	}
	if st > names.Silent && v.ofService(end) {
		st = names.Telling
	}
	if op == opComma || op == opNone || op == opBeside {
		v.tableHeader(start, end)
	}
	v.opensBlock(st, end, i, op)
	switch {
	case op == opNone && v.member(start, end):
		v.pend(st, opMember)
		return
	case op == opNone:
		if st >= names.Telling && v.spaces(end) == v.hi {
			v.pend(st, opBeside) // a heading
		}
		v.compared(st, start)
		v.serviceValue(start, pos)
		return
	case v.closes(start, end, i):
		return
	case i >= v.hi, v.heredoc(i):
		if op != opComma || end < v.hi && isQuote(v.text[end]) {
			v.pend(st, op)
			v.next.open.below = op == opColon && i >= v.hi
		}
		return
	}
	f := field{strength: st, op: op, start: start, end: end}
	if v.text[i] == '[' && st >= names.Hinting && (op == opColon || op == opAssign) && !bytes.HasPrefix(v.text[i:v.hi], []byte("[]")) {
		v.list(f, i)
		return
	}
	v.assigned(f, pos, i)
}

// assigned looks at the value at i of the field f, which has its keyword at pos.
func (v *view) assigned(f field, pos, i int) {
	f.value, f.quote = v.value(i)
	if f.op == opTag && v.text[i] == '{' && f.strength >= names.Telling {
		encryptedElement(v, i)
		return
	}
	switch {
	case f.quote.mark != 0 && !f.quote.open && f.strength >= names.Telling:
		f.value = v.trimmed(f.value)
	case f.strength == names.Password && f.quote.mark == 0 && f.op != opPath && (f.op != opAssign || v.text[f.end] != '%'):
		f.value.end = v.signsWithin(f.start, f.value)
	case f.op == opPath:
		f.value.end = i + ascii.Run(v.text[i:f.value.end], ascii.URLSafe|ascii.Equals)
	case f.op == opAssign && v.text[f.end] == '%': // of a query that was escaped
		f.value = v.escapedValue(i, f.value.end)
	}
	if f.strength >= names.Telling && f.quote.mark == 0 {
		f.value.end = v.parted(f.value.end)
		f.value.end = v.lineEnd(&f)
	}
	switch {
	case v.secret(&f), v.noise(&f):
		v.mark(&f)
		v.changed(f)
	case f.quote.mark != 0 && v.changed(f):
	case f.op == opBeside && v.serviceValue(f.start, pos):
	case f.quote.mark == 0 && (f.op == opAssign || f.op == opColon):
		v.tangled(&f)
		v.wrapped(f)
		v.fallback(f)
	}
}

// ofService reports whether the name that ends at end is followed by that of a
// service in brackets: Key(datadog).
func (v *view) ofService(end int) bool {
	if end+1 >= v.hi || v.text[end] != '(' {
		return false
	}
	var buf [24]byte
	n := ascii.Run(v.text[end+1:min(v.hi, end+25)], ascii.Alnum)
	return n > 2 && names.Service(string(ascii.AppendLower(buf[:0], v.text[end+1:end+1+n])))
}

// defines reports whether id is an option that sets a property, as those of
// Java, Maven and Gradle do: -Dtoken, -Ptoken.
func defines(id []byte) bool {
	return len(id) > 2 && id[0] == '-' && (id[1] == 'D' || id[1] == 'P') && ascii.Is(id[2], ascii.Alpha)
}

// member reports whether the name v.text[start:end] ends its line and is itself
// the value of a name: that of a variable, whose value is on the next line.
func (v *view) member(start, end int) bool {
	if len(trimValue(v.text[end:v.hi])) > 0 {
		return false
	}
	for start > v.lo && (isQuote(v.text[start-1]) || ascii.Is(v.text[start-1], ascii.Blank)) {
		start--
	}
	return start > v.lo+3 && (v.text[start-1] == ':' || v.text[start-1] == '=')
}

// identifier finds the name around pos.
func (v *view) identifier(pos int) (start, end int) {
	start, end = pos, pos
	for start > v.lo && pos-start < 64 && ascii.Is(v.text[start-1], ascii.Word|ascii.Dash|ascii.Dot) {
		start--
	}
	if n := ascii.Backslashes(v.text[v.lo:], start-v.lo); n > 0 && start+5 <= pos && v.text[start] == 'u' && ascii.Run(v.text[start+1:start+5], ascii.HexDigit) == 4 {
		start += 5 // \u0026, also within JSON once more
	} else if n%2 == 1 && start < pos {
		start++ // the letter of an escape, such as \n
	}
	if start > v.lo && v.text[start-1] == '%' && start+2 <= pos && ascii.Run(v.text[start:start+2], ascii.HexDigit) == 2 {
		start += 2 // the digits of an escape in a URL
	}
	for end < v.hi && end-pos < 64 && ascii.Is(v.text[end], ascii.Word|ascii.Dash) {
		end++
	}
	for end > pos && v.text[end-1] == '-' {
		end--
	}
	return start, end
}

// closes reports whether the quote at i ends the string that the name is
// in, rather than begin a value: 'password = '.
func (v *view) closes(start, end, i int) bool {
	if i >= v.hi || !isQuote(v.text[i]) || start == v.lo || end < v.hi && isQuote(v.text[end]) {
		return false
	}
	open := false
	for j := max(v.lo, start-256); j < start; j++ {
		if v.text[j] == v.text[i] && ascii.Backslashes(v.text[v.lo:], j-v.lo)%2 == 0 {
			open = !open
		}
	}
	if !open {
		return false
	}
	// An apostrophe may have opened it: then a value follows after all.
	s := v.quoted(i+1, &quote{mark: v.text[i]})
	return s.end == v.hi || s.start == s.end || !ascii.Is(v.text[s.start], ascii.Alnum)
}

// heredoc reports whether a value begins on the next line: the text at i is
// but a sign of that.
func (v *view) heredoc(i int) bool {
	if v.hi-i > 32 {
		return false
	}
	rest := trimRight(v.text[i:v.hi])
	switch string(rest) {
	case "<<~EOS", "<<~EOF", "<<EOF", "<<EOS", "|", ">", "|-", ">-", "|+", ">+", `"""`, "'''", `\`, "(", "`", `"`, "'":
		return true
	}
	return false
}
