package redact

// assignment looks for a name around the keyword at pos, an operator behind
// it, and a value that may be secret.
func assignment(v *view, pos int) {
	if pos < v.named {
		return // the name of an earlier keyword
	}
	start, end := v.identifier(pos)
	st := strengthOf(v.text[start:end])
	v.named = end
	if st == silent {
		return
	}
	i, op := v.operator(start, end)
	if op == opNone {
		return
	}
	if i == v.hi {
		v.pend(st, op)
		return
	}
	val, q := v.value(i)
	if val.start == val.end {
		return
	}
	if v.secret(st, op, q, val) {
		v.add(val.start, val.end, ruleAssignment)
	}
}

const ruleAssignment = "assignment"

// identifier finds the name around pos.
func (v *view) identifier(pos int) (start, end int) {
	start, end = pos, pos
	for start > v.lo && pos-start < 64 && is(v.text[start-1], word|dash|dot) {
		start--
	}
	if start > v.lo && backslashes(v.text[v.lo:], start-v.lo)%2 == 1 && start < pos {
		start++ // the letter of an escape, such as \n
	}
	for end < v.hi && end-pos < 64 && is(v.text[end], word|dash) {
		end++
	}
	for end > pos && v.text[end-1] == '-' {
		end--
	}
	return start, end
}

// An operator is what stands between a name and its value.
type operator uint8

const (
	opNone    operator = iota
	opAssign           // = and the like
	opColon            // :
	opCompare          // ==
	opComma            // a name in quotes as an argument, its value the next
	opTag              // <name>value
	opSpace            // --name value
)

// operator finds what follows a name, and where its value begins.
func (v *view) operator(start, end int) (int, operator) {
	i := end
	quoted := false
	for i < v.hi && (v.text[i] == '\\' || v.text[i] == '"' || v.text[i] == '\'' || v.text[i] == '`' || v.text[i] == ']') {
		quoted = true
		i++
	}
	j := v.spaces(i)
	ops := j
	for j < v.hi && j-ops < 5 && opByte(v.text[j]) {
		j++
	}
	switch string(v.text[ops:j]) {
	case "=", ":=", "?=", "+=", ".=", "::=", ":::=", "=>", "->", "||=", "|=":
		return v.spaces(j), opAssign
	case ":":
		return v.spaces(j), opColon
	case "==", "===", "!=", "!==":
		return v.spaces(j), opCompare
	case ">":
		if start > v.lo && v.text[start-1] == '<' {
			return v.spaces(j), opTag
		}
	case "":
		if j < v.hi && v.text[j] == ',' && quoted {
			return v.spaces(j + 1), opComma
		}
		if j > end && !quoted && v.option(start) {
			return j, opSpace
		}
		return v.typed(j)
	}
	return 0, opNone
}

// typed finds the operator behind a type: var name string = "...".
func (v *view) typed(i int) (int, operator) {
	n := run(v.text[i:v.hi], word)
	if n == 0 || n > 20 {
		return 0, opNone
	}
	j := v.spaces(i + n)
	if j < v.hi && v.text[j] == '=' && j > i+n {
		return v.spaces(j + 1), opAssign
	}
	return 0, opNone
}

// option reports whether the name at start is a command line option.
func (v *view) option(start int) bool {
	return start < v.hi && v.text[start] == '-'
}

func opByte(c byte) bool {
	switch c {
	case '=', ':', '?', '+', '.', '>', '-', '|', '!':
		return true
	}
	return false
}

func (v *view) spaces(i int) int {
	for i < v.hi && (v.text[i] == ' ' || v.text[i] == '\t') {
		i++
	}
	return i
}

// A quote is how a value is enclosed.
type quote struct {
	mark   byte // 0 where there is none
	escape int  // backslashes before the mark
}

// value finds the value that begins at i.
func (v *view) value(i int) (span, quote) {
	j := i
	for j < v.hi && v.text[j] == '\\' {
		j++
	}
	if j < v.hi && j == i && (v.text[j] == '@' || is(v.text[j], alpha)) && j+1 < v.hi && (v.text[j+1] == '"' || v.text[j+1] == '\'') {
		j++ // @"...", b'...'
	}
	if j < v.hi && (v.text[j] == '"' || v.text[j] == '\'' || v.text[j] == '`') {
		q := quote{mark: v.text[j], escape: backslashes(v.text[i:], j-i)}
		return v.quoted(j+1, q), q
	}
	return v.plain(i), quote{}
}

// quoted is the value from i to the quote that closes it, or to the end of the
// line.
func (v *view) quoted(i int, q quote) span {
	for j := i; j < v.hi; j++ {
		if v.text[j] != q.mark {
			continue
		}
		n := backslashes(v.text[i:], j-i)
		if n <= q.escape {
			return span{start: i, end: j - n}
		}
	}
	return span{start: i, end: v.hi}
}

// plain is the value without quotes that begins at i.
func (v *view) plain(i int) span {
	j := i
	for j < v.hi && !stops(v.text[j]) {
		j++
	}
	return span{start: i, end: j}
}

func stops(c byte) bool {
	switch c {
	case ' ', '\t', '\r', '\n', '"', '\'', '`', ',', ';', '&', ')', ']', '}', '<', '>', '|', '\\', '(', '[', '{':
		return true
	}
	return false
}

// secret decides whether the value of a name is one.
func (v *view) secret(st strength, op operator, q quote, val span) bool {
	b := v.text[val.start:val.end]
	t := traitsOf(b)
	if t.n < 4 || placeholder(b, t) {
		return false
	}
	if q.mark == 0 {
		if val.end < v.hi && (v.text[val.end] == '(' || v.text[val.end] == '[' || v.text[val.end] == '{') {
			return false
		}
		return plainSecret(st, op, b, t)
	}
	switch st {
	case password:
		return t.spaces == 0
	case telling:
		return t.random(b, 8)
	default:
		return t.random(b, 16)
	}
}

func plainSecret(st strength, op operator, b []byte, t traits) bool {
	if op == opCompare || op == opComma {
		return false
	}
	switch st {
	case password:
		return t.digits > 0 && t.n >= 6 && t.random(b, 6)
	case telling:
		return t.random(b, 8)
	}
	return t.random(b, 20)
}
