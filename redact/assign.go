package redact

import (
	"bytes"
	"strings"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/value"
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

// parted returns the end of a value that ends at i, or of what a bar parts from it,
// where that is a long secret itself: id|secret.
func (v *view) parted(i int) int {
	if i >= v.hi || v.text[i] != '|' {
		return i
	}
	n := ascii.Run(v.text[i+1:min(v.hi, i+1+value.MaxJudged)], ascii.Base64|ascii.URLSafe|ascii.Equals)
	if n < minParted || !value.TraitsOf(v.text[i+1:i+1+n]).Random(minParted) {
		return i
	}
	return i + 1 + n
}

// lineEnd returns the end of the value of f, or of the line where a setting is all of
// it and what follows a sign that would end the value elsewhere looks like more of it.
func (v *view) lineEnd(f *field) int {
	i := f.value.end
	rest := trimRight(v.text[i:v.hi])
	if n := len(rest); n > 0 && i+n-f.value.start <= maxNoisy && (f.op == opAssign || f.op == opColon) && v.leads(f.start) && noisy(v.text[f.value.start:i+n]) {
		return i + n
	}
	if len(rest) > 2 && rest[0] == ',' && f.op == opColon && f.strength == names.Password && v.leads(f.start) && ascii.Run(rest, ascii.Word|ascii.Dash|ascii.Dot|ascii.Comma) == len(rest) {
		return i + len(rest) // several, of YAML: what follows a mask would not parse
	}
	if len(rest) < 3 || f.op != opAssign && f.op != opColon || strings.IndexByte("}])|;&", rest[0]) < 0 || !v.leads(f.start) {
		return i
	}
	for j, c := range rest {
		switch {
		case ascii.Is(c, ascii.Blank|ascii.Comma), isQuote(c), c == '\\':
			return i
		case c == '=' || c == ':':
			if n := ascii.RunBack(rest[:j], ascii.Word|ascii.Dash); n > 0 && n < j && (rest[j-n-1] == ';' || rest[j-n-1] == '&') {
				return i // another field
			}
		}
	}
	if t := value.TraitsOf(rest); t.Digits == 0 || t.Changes < 2 || value.Wordy(rest) {
		return i
	}
	return i + len(rest)
}

// changed looks at the value that replaces that of f, name = "old" -> "new", and reports
// whether there is one.
func (v *view) changed(f field) bool {
	if f.op != opAssign || f.quote.mark == 0 || f.quote.open {
		return false
	}
	const arrow = ` -> "`
	if !bytes.HasPrefix(v.text[min(f.quote.after, v.hi):v.hi], []byte(arrow)) {
		return false
	}
	if f.value, f.quote = v.value(f.quote.after + len(arrow) - 1); v.secret(&f) {
		v.mark(&f)
	}
	return true
}

// noisy reports whether b, without quotes and all that a line has after a name and a
// sign, is letters, digits and signs by chance: brackets that do not match, or odd signs
// between what are no words.
func noisy(b []byte) bool {
	t := value.TraitsOf(b)
	if t.Len < minNoisy || t.Digits == 0 || t.Lowers < value.Several || t.Uppers < value.Several || t.Changes < value.ManyChanges || t.Signs*9 < t.Len || t.Signs*2 > t.Len ||
		t.Spaces > 0 || t.Foreign > 0 || !ascii.Is(b[0], ascii.Alnum) || bytes.ContainsAny(b, "\"'`\\,;") || strings.IndexByte("([{", b[t.Len-1]) >= 0 ||
		ascii.Contains(b, '.') && value.Code(b) || value.Wordy(b) || value.Templates(b) > 0 || value.Mentions(b) {
		return false
	}
	return t.Odd >= value.Several || !balanced(b)
}

const (
	minNoisy = 12 // the least length of such a value
	maxNoisy = 96 // the greatest
)

// balanced reports whether each bracket in b is closed, and by one of its kind.
func balanced(b []byte) bool {
	return !crossed(b) && bytes.Count(b, []byte("(")) == bytes.Count(b, []byte(")")) &&
		bytes.Count(b, []byte("[")) == bytes.Count(b, []byte("]")) && bytes.Count(b, []byte("{")) == bytes.Count(b, []byte("}"))
}

// minParted is the least length of such a secret: commands are shorter.
const minParted = 20

// trimmed returns s without spaces at its ends, where there are none within.
func (v *view) trimmed(s span) span {
	b := bytes.Trim(v.text[s.start:s.end], " ")
	if len(b) == s.end-s.start || ascii.Contains(b, ' ') || len(b) == 0 {
		return s
	}
	start := s.start + bytes.Index(v.text[s.start:s.end], b)
	return span{start: start, end: start + len(b)}
}

// noise reports whether the value is in quotes and a long row of signs and letters
// by chance, with spaces among them, as the keys and salts of WordPress are.
func (v *view) noise(f *field) bool {
	if f.quote.mark == 0 || f.quote.open || f.strength < names.Hinting || f.op > opComma || f.value.end-f.value.start < minNoise {
		return false
	}
	t := value.TraitsOf(v.text[f.value.start:f.value.end])
	return t.Signs*6 >= t.Len && t.Spaces*16 <= t.Len && t.Digits > 2 && t.Uppers > 2 && t.Lowers > 2 &&
		t.Distinct*16 >= min(t.Len, 64)*9 && t.Changes*4 >= t.Len
}

// minNoise is the least length of such a row.
const minNoise = 40

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

// tangled looks at a value without quotes that has brackets in it: where they do
// not match each other it is no expression, but a password that has some.
func (v *view) tangled(f *field) {
	most := v.text[f.value.start:min(v.hi, f.value.start+value.MaxJudged)]
	if f.strength < names.Telling || !ascii.Contains(most, ')') && !ascii.Contains(most, ']') && !ascii.Contains(most, '}') {
		return // most have none, and this is looked at for each name in a long value
	}
	end := f.value.start
	for end < v.hi && end-f.value.start < value.MaxJudged && !ascii.Is(v.text[end], ascii.Blank) && v.text[end] != '\r' && !isQuote(v.text[end]) {
		end++
	}
	b := v.text[f.value.start:end]
	if len(b) >= 12 && b[0] != '/' && crossed(b) && value.TraitsOf(b).Random(12) {
		v.add(f.value.start, end, ruleAssignment)
	}
}

// crossed reports whether a bracket in b closes one of another kind.
func crossed(b []byte) bool {
	var open [16]byte
	n := 0
	for _, c := range b {
		switch c {
		case '(', '[', '{':
			if n == len(open) {
				return false
			}
			open[n] = c
			n++
		case ')', ']', '}':
			// In ASCII, a bracket is one or two before the one that closes it.
			if n > 0 && c-open[n-1] > 2 {
				return true
			}
			n = max(0, n-1)
		}
	}
	return false
}

// wrapped looks for a value that is handed to a conversion: []byte("value").
func (v *view) wrapped(f field) {
	i := f.value.start
	if bytes.HasPrefix(v.text[i:v.hi], []byte("[]")) {
		i += len("[]")
	}
	n := ascii.Run(v.text[i:min(v.hi, i+64)], ascii.Word|ascii.Dot|ascii.Colon)
	if n == 0 || i+n+1 >= v.hi || v.text[i+n] != '(' || !isQuote(v.text[i+n+1]) {
		return
	}
	f.value, f.quote = v.value(i + n + 1)
	f.op = opCall
	conversion := converts(string(v.text[i : i+n]))
	if t := value.TraitsOf(v.text[f.value.start:f.value.end]); f.strength >= names.Telling && (conversion || t.Random(12) || t.UUID()) && v.secret(&f) {
		v.mark(&f)
	}
}

// converts reports whether a call of name only gives a text another type.
func converts(name string) bool {
	switch name {
	case "String::from", "byte", "bytes", "str", "string", "String", "Some", "Buffer.from", "SecretStr", "SecretString", "SecretString::new", "Secret::new":
		return true
	}
	return false
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

// compared looks at the string that a name is compared with, before it:
// "value" == name.
func (v *view) compared(st names.Strength, start int) {
	i, ok := v.comparison(start)
	if !ok || i == v.lo || !isQuote(v.text[i-1]) || v.text[i-1] == '"' && v.quotes(i-1)%2 == 0 {
		return
	}
	f := field{strength: st, op: opCompare, start: start, end: start, quote: quote{mark: v.text[i-1]}}
	f.value = span{start: i - 1, end: i - 1}
	for f.value.start > v.lo && v.text[f.value.start-1] != f.quote.mark {
		f.value.start--
	}
	if f.value.start > v.lo && v.secret(&f) {
		v.mark(&f)
	}
}

// comparison finds the end of what the name at start is compared with, before it,
// x == name, x.equals(name), or of what is stored for it: setObject:@"x" forKey:@"name".
func (v *view) comparison(start int) (int, bool) {
	i := start - ascii.RunBack(v.text[v.lo:start], ascii.Blank)
	b := v.text[v.lo:i]
	for _, s := range [...]string{` forKey:@"`, `, forKey: "`} {
		if bytes.HasSuffix(b, []byte(s)) {
			return i - len(s), true
		}
	}
	if len(b) == 0 || b[len(b)-1] != '(' && b[len(b)-1] != '=' {
		return 0, false
	}
	for _, s := range [...]string{".equals(", ".equalsIgnoreCase(", "==", "!="} {
		if bytes.HasSuffix(b, []byte(s)) {
			b = bytes.TrimRight(b[:len(b)-len(s)], "=! ")
			return v.lo + len(b), true
		}
	}
	return 0, false
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
