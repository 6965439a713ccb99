package syntax

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
)

const (
	maxCall  = 1024 // bytes of a call that are examined
	maxDepth = 32   // brackets in brackets in it
)

// NextArgument returns the offset of the argument after the one at i, 0 if none exists.
func (l *Line) NextArgument(i int) int {
	depth, end := l.openBrackets(i), min(l.Hi, i+maxCall)
	for i = min(l.open.to, end); i < end; i++ {
		switch l.Text[i] {
		case '"', '\'', '`':
			n := bytes.IndexByte(l.Text[i+1:end], l.Text[i])
			if n < 0 {
				return 0
			}
			i += n + 1
		case '(', '[', '{':
			if depth++; depth > maxDepth {
				return 0
			}
		case ')', ']', '}':
			if depth--; depth < 0 {
				return 0
			}
		case ',':
			if depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// A seenOpen is a part Text[from:to] of a line with n brackets that open, and none that
// closes, no quote and no comma.
type seenOpen struct{ from, to, n int }

// openBrackets sets l.open to such a part that begins at i, and returns how many brackets
// open in it: up to the first other sign, the end of a call, or more than are read. Calls
// within each other have most of it in common.
func (l *Line) openBrackets(i int) int {
	o := &l.open
	if i < o.from || i > o.to {
		*o = seenOpen{i, i, 0}
	}
	o.n -= opening(l.Text[o.from:i])
	o.from = i
	for end := min(l.Hi, i+maxCall); o.to < end && o.n <= maxDepth; o.to++ {
		switch l.Text[o.to] {
		case '(', '[', '{':
			o.n++
		case '"', '\'', '`', ')', ']', '}', ',':
			return o.n
		}
	}
	return o.n
}

// opening counts the brackets in b that open.
func opening(b []byte) int {
	n := 0
	for _, c := range b {
		if c == '(' || c == '[' || c == '{' {
			n++
		}
	}
	return n
}

// argumentAfter returns the offset of the value at i, after a name and a comma, and the
// operator.
func (l *Line) argumentAfter(i int) (int, Operator) {
	if ascii.HasFold(l.Text[i:l.Hi], "default=") {
		return i + len("default="), OpElse
	}
	if k, ok := l.ValueMember(l.AfterTypes(i)); ok {
		return k, OpColon
	}
	if bytes.HasPrefix(l.Text[i:l.Hi], []byte(`<<"`)) {
		i += len("<<") // of Erlang
	}
	return i, OpComma
}

// AfterTypes skips the members at i that may be between the name of a variable and its
// value: "type": "string", "secure": true, "tags": {}.
func (l *Line) AfterTypes(i int) int {
	for range 3 {
		j := l.SkipSpaces(l.SkipClosing(i))
		n := ascii.Run(l.Text[j:min(l.Hi, j+maxType)], ascii.Word)
		k := l.SkipSpaces(l.SkipClosing(j + n))
		if j == i || n == 0 || k >= l.Hi || l.Text[k] != ':' || ascii.HasFold(l.Text[j:l.Hi], "value") {
			return i
		}
		j = l.SkipSpaces(l.SkipClosing(l.SkipSpaces(k + 1)))
		n = ascii.Run(l.Text[j:min(l.Hi, j+maxType)], ascii.Word|ascii.Dash)
		if rest := l.Text[j:l.Hi]; bytes.HasPrefix(rest, []byte("{}")) {
			n = len("{}")
		}
		if j = l.SkipClosing(j + n); n == 0 || j >= l.Hi || l.Text[j] != ',' {
			return i
		}
		i = l.SkipSpaces(j + 1)
	}
	return i
}

// afterQuoted returns the offset of the string that is the value of the name in quotes from start
// to i, in what PHP and Erlang write, s:4:"pass";s:9:"value" and {<<"pass">>,<<"value">>}, and in
// a test that fills in a form, "Password" with "value"; 0 if none exists.
func (l *Line) afterQuoted(start, i int) int {
	rest := l.Text[i:min(l.Hi, i+len(`;s:65536:\"`))]
	k := bytes.IndexByte(rest, '"')
	if k < len(`;s:9:`) {
		return 0
	}
	if rest[k-1] == '\\' {
		k--
	}
	switch between := rest[:k]; {
	case string(between) == ">>,<<" && bytes.HasSuffix(l.Text[l.Lo:start], []byte(`{<<"`)), string(between) == " with ", string(between) == ", with: ":
	case bytes.HasPrefix(between, []byte(";s:")) && ascii.Run(between[len(";s:"):], ascii.Digit) == k-len(";s::"):
	default:
		return 0
	}
	return i + k
}

// method returns the offset of the string that a method of a name at i is called with:
// password.equals("value"), secret.assign("value").
func (l *Line) method(i int) (int, Operator) {
	n := ascii.Run(l.Text[i:l.Hi], ascii.Alpha|ascii.Under)
	if i+n < l.Hi && l.Text[i+n] == '?' {
		n++
	}
	if j := i + n + 1; j < l.Hi && l.Text[j-1] == '(' && IsQuote(l.Text[j]) {
		switch string(l.Text[i : i+n]) {
		case "equals", "equalsIgnoreCase", "eql?", "compareTo", "compare", "contentEquals", "assign", "set", "setValue", "setText",
			"append", "push_back", "insert", "sendKeys", "send_keys", "fill", "type", "val",
			"toBe", "toEqual", "isEqualTo":
			return j, OpCall
		}
	}
	return 0, OpNone
}

// ValueMember returns the offset of the value in a list of variables: {"name": "X",
// "value": "..."}.
func (l *Line) ValueMember(i int) (int, bool) {
	rest := bytes.TrimLeft(l.Text[min(i, l.Hi):l.Hi], `\"'`)
	rest = bytes.TrimPrefix(bytes.TrimPrefix(rest, []byte("Parameter")), []byte("Output")) // of CloudFormation
	i = l.Hi - len(rest)
	if !ascii.HasFold(l.Text[i:l.Hi], "value") {
		return 0, false
	}
	if k := i + len("value"); k+1 < l.Hi && i > l.Lo && IsQuote(l.Text[i-1]) && l.Text[k] == ':' && l.Text[k+1] == l.Text[i-1] {
		return 0, false // a caption
	}
	i = l.SkipSpaces(l.SkipClosing(i + len("value")))
	if i < l.Hi && (l.Text[i] == ':' || l.Text[i] == '=') {
		return l.SkipSpaces(i + 1), true
	}
	return 0, false
}

// afterCall returns the offset of the value that replaces a missing result of the call
// that ends before i, getenv("NAME") ?? "value", or that its result is compared with,
// expect(name).toBe("value"). quoted reports whether the name is in quotes.
func (l *Line) afterCall(i int, quoted bool) (int, Operator) {
	if i < l.Hi && l.Text[i] == '.' {
		if j, op := l.method(i + 1); op != OpNone {
			return j, op
		}
	}
	if !quoted {
		return 0, OpNone
	}
	for _, s := range [...]string{"?? ", "?: ", "|| ", "or ", "{ ", ".unwrap_or(", ".orElse(", ".getOrElse("} {
		if j := l.SkipSpaces(i); bytes.HasPrefix(l.Text[j:l.Hi], []byte(s)) {
			return l.SkipSpaces(j + len(s)), OpElse
		}
	}
	return 0, OpNone
}
