package redact

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/syntax"
)

// A field is a name and its value.
type field struct {
	syntax.Name
	strength names.Strength
	op       syntax.Operator
	value    syntax.Span
	quote    syntax.Quote
	shows    feature // what shows that the value is a secret
}

const ruleAssignment = "assignment"

// mark marks the value of f, which is a secret.
func (v *view) mark(f *field) {
	n := len(v.spans)
	if v.add(f.value.Start, f.value.End, ruleAssignment); len(v.spans) > n {
		v.spans[n].shows = f.shows
	}
}

// joined reports whether nothing but the sign is between name and value.
func (v *view) joined(f *field) bool {
	return f.value.Start == f.End+1 || f.op == syntax.OpAssign && f.value.Start == f.End+len("%3D") && v.Text[f.End] == '%'
}

// given reports whether a field is written as people give one to a program or set
// it, not as a sentence has it: first on its line, or as password=x and
// --password x anywhere.
func (v *view) given(f *field) bool {
	return f.op == syntax.OpOption || f.op == syntax.OpAssign && v.joined(f) || v.Leads(f.Start) || f.op == syntax.OpColon && v.dumpedField(f) ||
		f.op == syntax.OpColon && ascii.Contains(f.Bytes(), '-') // a header
}

// dumpedField reports whether the field is a member of a value that a program prints,
// map[password:x user:y] or {User:ada Password:x}, or of a word of a command, pass:x.
func (v *view) dumpedField(f *field) bool {
	if f.value.Start != f.End+1 || f.Start == v.Lo {
		return false
	}
	switch v.Text[f.Start-1] {
	case '[', '{', ' ':
		return true
	case '/': // an option of Windows
		return f.Start-1 > v.Lo && v.Text[f.Start-2] == ' '
	}
	return false
}

// setsLine reports whether the field is all of its line: name = value.
func (v *view) setsLine(f *field) bool {
	return (f.op == syntax.OpAssign || f.op == syntax.OpColon) && v.Leads(f.Start) && len(syntax.TrimRight(v.Text[f.value.End:v.Hi])) == 0
}

// ofShell reports whether the field is set by a command of a shell or of a Dockerfile that
// has no sign between the name and the value: setenv NAME value.
func (v *view) ofShell(f *field) bool {
	if !v.Leads(f.Start) || len(syntax.TrimRight(v.Text[f.value.End:v.Hi])) > 0 {
		return false
	}
	b := v.Text[v.Lo:f.Start]
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
	name := f.Bytes()
	return (variableOfEnv(name) || string(name) == "requirepass" || string(name) == "rootpw" || string(name) == "masterauth") &&
		v.Leads(f.Start) && len(syntax.TrimRight(v.Text[f.value.End:v.Hi])) == 0
}

// setter reports whether the name is the first argument of a call that sets it:
// put("password", "x").
func (v *view) setter(f *field) bool {
	b := bytes.TrimRight(v.Text[v.Lo:f.Start], "\"' :")
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
	rest := bytes.TrimPrefix(v.Text[min(f.quote.After, v.Hi):v.Hi], []byte(">>"))
	return f.Start > v.Lo && v.Text[f.Start-1] == '{' && v.Text[f.End] == ',' && len(rest) > 0 && rest[0] == '}'
}

// tableCell reports whether the field is the name of such a variable and its value in
// the cells of a table: | DB_PASSWORD | value |.
func (v *view) tableCell(f *field) bool {
	return variableOfEnv(f.Bytes()) && bytes.HasPrefix(v.Text[v.SkipSpaces(f.End):v.Hi], []byte("|")) &&
		bytes.HasPrefix(v.Text[v.SkipSpaces(f.value.End):v.Hi], []byte("|"))
}

// variableOfEnv reports whether name is of capital words, as variables of the
// environment are: DB_PASSWORD.
func variableOfEnv(name []byte) bool { return names.Capitals(name) && ascii.Contains(name, '_') }

// beforeCommand reports whether the field sets a variable for a command of a shell:
// NAME=value command.
func (v *view) beforeCommand(f *field) bool {
	name := f.Bytes()
	return f.op == syntax.OpAssign && v.joined(f) && v.Leads(f.Start) && ascii.Run(name, ascii.Upper|ascii.Digit|ascii.Under) == len(name)
}

// firstArgument reports whether the name, which is in quotes, is the first of
// a call, rather than one of a list.
func (v *view) firstArgument(f *field) bool {
	i := f.Start
	for i > v.Lo && (syntax.IsQuote(v.Text[i-1]) || ascii.Is(v.Text[i-1], ascii.Blank) || v.Text[i-1] == '\\' || v.Text[i-1] == '#') {
		i--
	}
	return i == v.Lo || v.Text[i-1] == '(' || ascii.Is(v.Text[i-1], ascii.Word)
}

// ends reports whether a value without quotes may end at i.
func (v *view) ends(op syntax.Operator, i int) bool {
	switch v.Text[i] {
	case '(', '[', '{':
		return false
	case '<':
		return op == syntax.OpTag || i+1 < v.Hi && v.Text[i+1] == '/'
	case '\'', '"', '`':
		return i+1 >= v.Hi || !ascii.Is(v.Text[i+1], ascii.Alnum)
	}
	return true
}
