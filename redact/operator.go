package redact

import (
	"bytes"
	"strings"

	"github.com/envwrap/envwrap/redact/internal/ascii"
)

// An operator is what is between a name and its value.
type operator uint8

const (
	opNone    operator = iota
	opAssign           // = and the like
	opColon            // :
	opCompare          // ==
	opComma            // a name in quotes as an argument, its value the next
	opTag              // <name>value
	opOption           // --name value
	opCall             // name("value")
	opBeside           // name value, name 'value'
	opPath             // /name/value, in the path of a URL
	opIs               // name is value
	opMember           // name: NAME, and on the next line value: value
	opElse             // getenv("NAME") or "value"
	opProse            // the name of some words is value
	opList             // name: [, and on the next lines values
)

const cdata = "<![CDATA["

// operator finds what follows the name v.text[start:end], and where its value
// begins.
func (v *view) operator(start, end int) (int, operator) {
	i := v.closing(end)
	quoted := i > end && v.text[i-1] != ']'
	j := v.spaces(i)
	n := v.opLen(j)
	after := v.spaces(j + n)
	switch string(v.text[j : j+n]) {
	case "->":
		if j == i && after < v.hi && ascii.Is(v.text[after], ascii.Alpha) {
			return 0, opNone // a member of what the name points to
		}
		return v.bracketed(after), opAssign
	case "=", ":=", "?=", "+=", ".=", "::=", ":::=", "=>", "||=", "|=", "<-":
		return v.bracketed(after), opAssign
	case "<<<":
		return after, opAssign
	case "==>", "-->", "--->":
		if bytes.Contains(v.text[max(v.lo, start-maxTag):start], []byte("<!--")) {
			return 0, opNone // the end of a comment
		}
		return after, opColon
	case ":":
		if k, ok := v.typedValue(after); ok {
			return k, opAssign
		}
		if bytes.HasPrefix(v.text[after:v.hi], []byte("** ")) {
			after = v.spaces(after + len("** ")) // **Password:** value
		}
		return v.bracketed(v.tagged(after)), opColon
	case "::": // of LDIF, or of GitHub's commands, but no scope of a program
		if j == i && (after > j+n || bytes.HasSuffix(v.text[v.lo:start], []byte(" name="))) {
			return after, opColon
		}
		return 0, opNone
	case "||", "??", "?:":
		return after, opElse
	case "==", "===", "!=", "!==":
		return after, opCompare
	case ">":
		after = v.valueTag(after)
		if bytes.HasPrefix(v.text[after:v.hi], []byte(cdata)) {
			after += len(cdata)
		}
		if quoted || start > v.lo && v.text[start-1] == '<' || v.text[max(v.lo, start-1)] == ':' {
			return after, opTag
		}
		return 0, opNone
	case "":
		return v.operatorWord(start, end, i, j, quoted)
	}
	return 0, opNone
}

// bracketed is where the string begins that is all of a pair of brackets at i: ("x"),
// {"x"}. Elsewhere it is i.
func (v *view) bracketed(i int) int {
	for _, s := range [...]string{`<<"`, `return "`, `return '`} {
		if bytes.HasPrefix(v.text[i:v.hi], []byte(s)) {
			return i + len(s) - 1 // a string of Erlang, or of a case
		}
	}
	if i >= v.hi || v.text[i] != '(' && v.text[i] != '{' {
		return i
	}
	j := v.spaces(i + 1)
	if j >= v.hi || !isQuote(v.text[j]) {
		return i
	}
	_, q := v.value(j)
	if k := v.spaces(q.after); q.mark == 0 || q.open || k >= v.hi || v.text[k] != ')' && v.text[k] != '}' {
		return i
	}
	return j
}

// operatorWord finds an operator that is a sign of one kind of text only, or no
// sign: j is after the spaces that follow the name.
func (v *view) operatorWord(start, end, i, j int, quoted bool) (int, operator) {
	if j >= v.hi {
		return 0, opNone
	}
	if k, op, ok := v.operatorSign(start, end, j, j == i); ok {
		return k, op
	}
	if k := v.numbered(i, j); k > 0 {
		return k, opColon
	}
	switch {
	case v.text[j] == '-' && j > i && j+2 < v.hi && v.text[j+1] == ' ':
		return j + 2, opBeside // token - 'value'
	case v.text[j] == ')':
		return v.afterCall(j+1, quoted)
	case (v.text[j] == '(' || v.text[j] == '{' && j+1 < v.hi && v.text[j+1] == '"') && j == i && !quoted:
		return v.spaces(j + 1), opCall
	case j == i:
		return 0, opNone
	case v.text[j] == '{':
		if k, ok := v.property(j); ok {
			return k, opAssign
		}
	case quoted && v.text[start] == '-' && isQuote(v.text[j]):
		return j, opOption // of a list of arguments, in quotes each
	case start > v.lo && v.text[start-1] == '<' || quoted || v.prefixedTag(start):
		if k, ok := v.attributes(j); ok {
			return k, opTag
		}
	case v.text[start] == '-':
		return j, opOption
	case bytes.HasPrefix(v.text[j:v.hi], []byte("eq ")), bytes.HasPrefix(v.text[j:v.hi], []byte("-eq ")):
		return v.spaces(j + bytes.IndexByte(v.text[j:v.hi], ' ')), opCompare
	}
	if quoted {
		return 0, opNone
	}
	return v.operatorProse(j)
}

// operatorProse finds what is between the name of a sentence, a router or a declaration
// and its value, at j or after some words there.
func (v *view) operatorProse(j int) (int, operator) {
	if k, ok := v.typedValue(j); ok {
		return k, opAssign
	}
	if k := v.findInProse(j); k > j {
		return k, opProse
	}
	if k := v.copula(j); k > j {
		return k, opIs
	}
	if ascii.Is(v.text[j], ascii.Digit) && j+1 < v.hi && v.text[j+1] == ' ' {
		if k := v.spaces(j + 1); k < v.hi && !isQuote(v.text[k]) {
			if v.shellWord(k) == v.hi {
				return k, opOption // password 0 x, of a router
			}
			return k, opBeside
		}
	}
	return j, opBeside
}

// numbered finds the value of one of several of a kind, of which the name ends at i
// and what follows is at j: key 2: value, key(name): value; or of one that a program
// asks for, with what holds else: key [none]: value.
func (v *view) numbered(i, j int) int {
	end := j
	switch {
	case j > i && ascii.Is(v.text[j], ascii.Digit):
		end += ascii.Run(v.text[j:min(v.hi, j+4)], ascii.Digit)
	case j == i && v.text[j] == '(':
		n := ascii.Run(v.text[j+1:min(v.hi, j+maxTag)], ascii.Word|ascii.Dash|ascii.Dot|ascii.Blank)
		if end += n + 2; n == 0 || end > v.hi || v.text[end-1] != ')' {
			return 0
		}
	case j > i && (v.text[j] == '[' || v.text[j] == '('):
		n := bytes.IndexAny(v.text[j+1:min(v.hi, j+maxTag)], "])")
		if end += n + 2; n <= 0 {
			return 0
		}
	default:
		return 0
	}
	if k := v.spaces(end); j == i && k+1 < v.hi && k > end && v.text[k] == '=' && v.text[k+1] == ' ' {
		return v.spaces(k + 1)
	}
	if end < v.hi && v.text[end] == ':' && (j == i || end+1 < v.hi && v.text[end+1] == ' ') {
		return v.spaces(end + 1)
	}
	return 0
}

// operatorSign finds the operator that the sign at j, after the name
// v.text[start:end] and its quotes, stands for; near means that no space is
// between.
func (v *view) operatorSign(start, end, j int, near bool) (int, operator, bool) {
	b := v.text[j:v.hi]
	switch c := b[0]; {
	case c == 0xef && bytes.HasPrefix(b, []byte("\uff1a")):
		return v.spaces(j + len("\uff1a")), opColon, true
	case c == ',':
		k, op := v.argumentAfter(v.spaces(j + 1))
		return k, op, true
	case c == '.':
		return v.dotted(end, j)
	case c == '%' && near && ascii.HasFold(b, "%3d"), c == '%' && j > end && ascii.HasFold(b, "%3a"):
		return j + len("%3D"), opAssign, true
	case c == '&' && ascii.HasFold(b, "&gt;") && bytes.HasSuffix(v.text[v.lo:start], []byte("&lt;")):
		return j + len("&gt;"), opTag, true
	case c == 'u' && j > end && v.text[j-1] == '\\' && ascii.HasFold(b, "u003e") && ascii.HasFold(v.text[max(v.lo, start-len("u003c")):v.hi], "u003c"):
		return j + len("u003e"), opTag, true
	case c == '<' && j == end && start > v.lo && v.text[start-1] == '>':
		k, op := v.nextElement(j)
		return k, op, true
	case c == '|' && ascii.HasFold(v.text[v.spaces(j+1):v.hi], "default("):
		return v.spaces(j+1) + len("default("), opElse, true
	case c == '|' && (bytes.HasPrefix(bytes.TrimLeft(v.text[v.lo:v.hi], " "), []byte("|")) || !near && v.leads(start)):
		return v.spaces(j + 1), opComma, true
	case c == '/' && j == end && start > v.lo && v.text[start-1] == '/':
		return j + 1, opPath, true
	}
	return 0, opNone, false
}

// dotted finds the value after the dot at j, after the name that ends at end: that of a
// method, or of a pair of Lisp: (name . "value").
func (v *view) dotted(end, j int) (int, operator, bool) {
	if j == end {
		k, op := v.method(j + 1)
		return k, op, true
	}
	if k := j + len(". "); k < v.hi && v.text[k-1] == ' ' && v.text[j-1] == ' ' && isQuote(v.text[k]) {
		return k, opAssign, true
	}
	return 0, opNone, false
}

// argumentAfter finds the value at i, after a name and a comma.
func (v *view) argumentAfter(i int) (int, operator) {
	if ascii.HasFold(v.text[i:v.hi], "default=") {
		return i + len("default="), opElse
	}
	if k, ok := v.valueMember(v.afterTypes(i)); ok {
		return k, opColon
	}
	if bytes.HasPrefix(v.text[i:v.hi], []byte(`<<"`)) {
		i += len("<<") // of Erlang
	}
	return i, opComma
}

// afterTypes skips the members at i that may be between the name of a variable and its
// value: "type": "string", "secure": true.
func (v *view) afterTypes(i int) int {
	for range 3 {
		j := v.spaces(v.closing(i))
		n := ascii.Run(v.text[j:min(v.hi, j+maxType)], ascii.Word)
		k := v.spaces(v.closing(j + n))
		if j == i || n == 0 || k >= v.hi || v.text[k] != ':' || ascii.HasFold(v.text[j:v.hi], "value") {
			return i
		}
		j = v.spaces(v.closing(v.spaces(k + 1)))
		n = ascii.Run(v.text[j:min(v.hi, j+maxType)], ascii.Word|ascii.Dash)
		if j = v.closing(j + n); n == 0 || j >= v.hi || v.text[j] != ',' {
			return i
		}
		i = v.spaces(j + 1)
	}
	return i
}

// nextElement finds the text of the element after that which ends at i, on this
// line or on the next: <key>name</key><string>value</string>.
func (v *view) nextElement(i int) (int, operator) {
	n := bytes.IndexByte(v.text[i:min(v.hi, i+maxTag)], '>')
	if n < 0 {
		return 0, opNone
	}
	op := opTag
	var buf [maxTag]byte
	switch tag := ascii.AppendLower(buf[:0], v.text[i:i+n+1]); {
	case bytes.HasSuffix(tag, []byte("key>")), bytes.HasSuffix(tag, []byte("name>")):
	case string(tag) == "</td>", string(tag) == "</th>", string(tag) == "</dt>":
		op = opComma // the next cell is as often what the documents say of the name
	default:
		return 0, opNone
	}
	header := v.text[i+n-1] == 'h'
	i = v.spaces(i + n + 1)
	if i >= v.hi {
		return i, op
	}
	if header && ascii.HasFold(v.text[i:v.hi], "<th") {
		return 0, opNone // the name of another column
	}
	if j := v.openTag(i); j > i {
		return j, op
	}
	return 0, opNone
}

// maxTag is the greatest length of the tag of an element.
const maxTag = 40

// openTag skips the tag that opens an element at i, or what opens its data, if there is one.
func (v *view) openTag(i int) int {
	if bytes.HasPrefix(v.text[i:v.hi], []byte(cdata)) {
		return i + len(cdata)
	}
	if i+1 >= v.hi || v.text[i] != '<' || !ascii.Is(v.text[i+1], ascii.Alpha) {
		return i
	}
	n := bytes.IndexByte(v.text[i:min(v.hi, i+maxTag)], '>')
	if n < 0 {
		return i
	}
	return i + n + 1
}

// method finds the string that a method of a name at i is called with:
// password.equals("value"), secret.assign("value").
func (v *view) method(i int) (int, operator) {
	n := ascii.Run(v.text[i:v.hi], ascii.Alpha|ascii.Under)
	if i+n < v.hi && v.text[i+n] == '?' {
		n++
	}
	if j := i + n + 1; j < v.hi && v.text[j-1] == '(' && isQuote(v.text[j]) {
		switch string(v.text[i : i+n]) {
		case "equals", "equalsIgnoreCase", "eql?", "compareTo", "compare", "contentEquals", "assign", "set", "setValue", "setText",
			"append", "push_back", "insert", "sendKeys", "send_keys", "fill", "type", "val",
			"toBe", "toEqual", "isEqualTo":
			return j, opCall
		}
	}
	return 0, opNone
}

// closing skips the quotes and brackets that close after a name.
func (v *view) closing(i int) int {
	if i < v.hi && v.text[i] == '[' {
		n := ascii.Run(v.text[i+1:v.hi], ascii.Digit)
		if i+n+1 < v.hi && v.text[i+n+1] == ']' {
			return i + n + 2
		}
	}
	for i < v.hi {
		switch v.text[i] {
		case '\\', '"', '\'', '`', ']':
			i++
		default:
			n := v.spelledMark(i)
			if n == 0 {
				return i
			}
			i += n
		}
	}
	return i
}

// valueMember finds the value of a list of variables: {"name": "X", "value":
// "..."}.
func (v *view) valueMember(i int) (int, bool) {
	for i < v.hi && (v.text[i] == '\\' || v.text[i] == '"' || v.text[i] == '\'') {
		i++
	}
	if !ascii.HasFold(v.text[i:v.hi], "value") {
		return 0, false
	}
	i = v.spaces(v.closing(i + len("value")))
	if i < v.hi && (v.text[i] == ':' || v.text[i] == '=') {
		return v.spaces(i + 1), true
	}
	return 0, false
}

// valueTag skips the tag that opens an element at i for the value of the one around it.
func (v *view) valueTag(i int) int {
	if ascii.HasFold(v.text[i:v.hi], "<value>") {
		return i + len("<value>")
	}
	return i
}

// attributes finds the value of an XML element whose name is or has the name
// before i: value="..." or what is after the tag.
func (v *view) attributes(i int) (int, bool) {
	for j := i; j < v.hi && j-i < 100; j++ {
		switch v.text[j] {
		case '>':
			return v.valueTag(v.spaces(j + 1)), true
		case '<', '{', '(', ',':
			return 0, false
		case 'v', 'c':
			for _, w := range [...]string{"value=", "content="} {
				if ascii.HasFold(v.text[j:v.hi], w) && (v.text[j-1] == ' ' || v.text[j-1] == ':') {
					return j + len(w), true
				}
			}
		}
	}
	return 0, false
}

// copula skips "is", "was", "to" and the like at i: the password is x.
func (v *view) copula(i int) int {
	if i < v.hi && ascii.Is(v.text[i], ascii.Alnum) && strings.IndexByte("ishwtabrl", ascii.Fold(v.text[i])) < 0 {
		return i // most words are none of these
	}
	for _, w := range [...]string{
		"is set to ", "set to ", "has been set to: ", "has been set to ", "has been reset to ", "has changed to ", "is now ", "is: ", "is ", "was ", "to ", "as ", "by ", "= ", "reg_sz ", "→ ",
		"lautet ", "ist ", "\u00e8 ", "\u00e9 ", "\u00e8: ", "\u00e9: ",
	} {
		if ascii.HasFold(v.text[i:v.hi], w) {
			return v.spaces(i + len(w))
		}
	}
	return i
}

// opLen returns the length of the operator at i. It ends before a sign that may
// belong to the value.
func (v *view) opLen(i int) int {
	n := 0
	for i+n < v.hi && n < 5 && strings.IndexByte("=:?+.>|!<-", v.text[i+n]) >= 0 {
		n++
	}
	for n > 0 && !isOperator(string(v.text[i:i+n])) {
		n--
	}
	return n
}

func isOperator(s string) bool {
	switch s {
	case "=", ":=", "?=", "+=", ".=", "::=", ":::=", "=>", "->", "||=", "|=", "<-", "<<<", "==>", "-->", "--->", ":", "==", "===", "!=",
		"!==", ">", "::", "||", "??", "?:":
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
