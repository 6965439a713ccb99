package redact

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/names"
)

// A field is a name and its value.
type field struct {
	strength   names.Strength
	op         operator
	start, end int // of the name
	value      span
	quote      quote
	shows      feature // what shows that the value is a secret
}

const ruleAssignment = "assignment"

// mark marks the value of f, which is a secret.
func (v *view) mark(f *field) {
	n := len(v.spans)
	if v.add(f.value.start, f.value.end, ruleAssignment); len(v.spans) > n {
		v.spans[n].shows = f.shows
	}
}

// joined reports whether nothing but the sign is between name and value.
func (v *view) joined(f *field) bool {
	return f.value.start == f.end+1 || f.op == opAssign && f.value.start == f.end+len("%3D") && v.text[f.end] == '%'
}

// given reports whether a field is written as people give one to a program or set
// it, not as a sentence has it: first on its line, or as password=x and
// --password x anywhere.
func (v *view) given(f *field) bool {
	return f.op == opOption || f.op == opAssign && v.joined(f) || v.leads(f.start) || f.op == opColon && v.dumpedField(f) ||
		f.op == opColon && ascii.Contains(v.text[f.start:f.end], '-') // a header
}

// dumpedField reports whether the field is a member of a value that a program prints,
// map[password:x user:y] or {User:ada Password:x}, or of a word of a command, pass:x.
func (v *view) dumpedField(f *field) bool {
	if f.value.start != f.end+1 || f.start == v.lo {
		return false
	}
	switch v.text[f.start-1] {
	case '[', '{', ' ':
		return true
	case '/': // an option of Windows
		return f.start-1 > v.lo && v.text[f.start-2] == ' '
	}
	return false
}

// maxLead is how much there may be before such a name: indentation and the prefix of a log.
const maxLead = 512

// leads reports whether the name at start is the first on its line, but for
// words of a shell and signs of YAML.
func (v *view) leads(start int) bool {
	if start-v.lo > maxLead {
		return false
	}
	b := bytes.TrimLeft(unprefixed(v.text[v.lo:start]), " \t-+#>|*")
	if n := len(b); n > 3 && b[0] == '/' && b[1] == '/' && b[n-1] == ':' && !ascii.Contains(b, ' ') {
		return true // of a registry, in .npmrc: //host/path:_password=
	}
	for _, w := range [...]string{"export ", "set ", "setx ", "setenv ", "-gx ", "-x ", "ENV ", "env ", "ARG "} {
		b = bytes.TrimPrefix(b, []byte(w))
	}
	return len(b) == 0
}

// setsLine reports whether the field is all of its line: name = value.
func (v *view) setsLine(f *field) bool {
	return (f.op == opAssign || f.op == opColon) && v.leads(f.start) && len(trimRight(v.text[f.value.end:v.hi])) == 0
}

// ofShell reports whether the field is set by a command of a shell or of a Dockerfile that
// has no sign between the name and the value: setenv NAME value.
func (v *view) ofShell(f *field) bool {
	if !v.leads(f.start) || len(trimRight(v.text[f.value.end:v.hi])) > 0 {
		return false
	}
	b := v.text[v.lo:f.start]
	for _, w := range [...]string{"setenv ", "ENV ", "set -x ", "set -gx ", "setx "} {
		if bytes.HasSuffix(b, []byte(w)) {
			return true
		}
	}
	return false
}

// ownLine reports whether the field is the name of a variable of the environment, or an
// option of a server, and what follows it to the end of its line: ENV DB_PASSWORD value.
func (v *view) ownLine(f *field) bool {
	name := v.text[f.start:f.end]
	return (variableOfEnv(name) || string(name) == "requirepass" || string(name) == "rootpw" || string(name) == "masterauth") &&
		v.leads(f.start) && len(trimRight(v.text[f.value.end:v.hi])) == 0
}

// setter reports whether the name is the first argument of a call that sets it:
// put("password", "x").
func (v *view) setter(f *field) bool {
	b := bytes.TrimRight(v.text[v.lo:f.start], "\"' :")
	for _, call := range [...]string{"set(", "put(", "property(", "setdefault(", "setitem(", "set"} {
		if n := len(b) - len(call); n >= 0 && ascii.HasFold(b[n:], call) {
			return true
		}
	}
	return false
}

// tuple reports whether the name and its value, in quotes, are all of a tuple, as of
// Erlang: {password, "x"}.
func (v *view) tuple(f *field) bool {
	rest := bytes.TrimPrefix(v.text[min(f.quote.after, v.hi):v.hi], []byte(">>"))
	return f.start > v.lo && v.text[f.start-1] == '{' && v.text[f.end] == ',' && len(rest) > 0 && rest[0] == '}'
}

// tableCell reports whether the field is the name of such a variable and its value in
// the cells of a table: | DB_PASSWORD | value |.
func (v *view) tableCell(f *field) bool {
	return variableOfEnv(v.text[f.start:f.end]) && bytes.HasPrefix(v.text[v.spaces(f.end):v.hi], []byte("|")) &&
		bytes.HasPrefix(v.text[v.spaces(f.value.end):v.hi], []byte("|"))
}

// variableOfEnv reports whether name is of capital words, as variables of the
// environment are: DB_PASSWORD.
func variableOfEnv(name []byte) bool { return names.Capitals(name) && ascii.Contains(name, '_') }

// margin returns where the line begins, without what a log, a diff or an answer to a mail
// has before each of its lines.
func (v *view) margin() int {
	i := v.hi - len(unprefixed(v.text[v.lo:v.hi]))
	for i < v.hi && (ascii.Is(v.text[i], ascii.Blank) || v.text[i] == '>' || v.text[i] == '+' || v.text[i] == '|' || v.text[i] == '#') {
		i++
	}
	return i
}

// beforeCommand reports whether the field sets a variable for a command of a shell:
// NAME=value command.
func (v *view) beforeCommand(f *field) bool {
	name := v.text[f.start:f.end]
	return f.op == opAssign && v.joined(f) && v.leads(f.start) && ascii.Run(name, ascii.Upper|ascii.Digit|ascii.Under) == len(name)
}

// firstArgument reports whether the name, which is in quotes, is the first of
// a call, rather than one of a list.
func (v *view) firstArgument(f *field) bool {
	i := f.start
	for i > v.lo && (isQuote(v.text[i-1]) || ascii.Is(v.text[i-1], ascii.Blank) || v.text[i-1] == '\\' || v.text[i-1] == '#') {
		i--
	}
	return i == v.lo || v.text[i-1] == '(' || ascii.Is(v.text[i-1], ascii.Word)
}

// ends reports whether a value without quotes may end at i.
func (v *view) ends(op operator, i int) bool {
	switch v.text[i] {
	case '(', '[', '{':
		return false
	case '<':
		return op == opTag || i+1 < v.hi && v.text[i+1] == '/'
	case '\'', '"', '`':
		return i+1 >= v.hi || !ascii.Is(v.text[i+1], ascii.Alnum)
	}
	return true
}
