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
