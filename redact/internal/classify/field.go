package classify

import (
	"bytes"
	"slices"
	"strings"
	"sync"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/syntax"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// A Field is a name and its value.
type Field struct {
	syntax.Name
	Strength  names.Strength
	Op        syntax.Operator
	Value     syntax.Span
	Quote     syntax.Quote
	OfAccount bool    // a line before it names the user
	Shows     Feature // that shows that the value is a secret
}

// A candidate is a field and the traits of its value.
type candidate struct {
	Field
	t value.Traits
}

// candidates are of no use now: features are found by functions in a table, and what these
// are given is not on the stack.
var candidates = sync.Pool{New: func() any { return new(candidate) }}

// joined reports whether only the sign is between name and value.
func (f *Field) joined() bool {
	if f.Value.Start == f.End+1 || f.Op != syntax.OpAssign {
		return f.Value.Start == f.End+1
	}
	between := f.Text[f.End:f.Value.Start]
	return ascii.HasFold(between, "%3d") && len(between) == len("%3D") || bytes.Contains(between, []byte(`\u001b[`)) && !ascii.Contains(between, ' ')
}

// ofAccount reports whether the field has the password of a user that a line before it, or
// an option of the same command, names.
func (c *candidate) ofAccount() bool {
	if !c.OfAccount && c.Op != syntax.OpOption || c.t.Len < value.MinPassword || c.t.Lowers == 0 || c.t.Spaces > 0 || c.t.Placeholder() || value.Mentions(c.t.Bytes) || value.Code(c.t.Bytes) {
		return false
	}
	if c.Op == syntax.OpOption {
		before := c.Text[max(c.Lo, c.Start-2*syntax.MaxTag):c.Start]
		return c.t.Uppers > 0 && (bytes.Contains(before, []byte(" --user")) || bytes.Contains(before, []byte(" -u "))) // a small word may be of a sentence
	}
	return c.OfAccount && c.setsLine() && ascii.Run(c.t.Bytes, ascii.Alpha|ascii.Tilde|ascii.Query) == c.t.Len
}

// given reports whether a field is written as people give one to a program or set it, not
// as in a sentence: first on its line, or as password=x and --password x anywhere.
func (f *Field) given() bool {
	return f.Op == syntax.OpOption || f.printed() || f.Op == syntax.OpAssign && f.joined() || f.Leads(f.Start) || f.Op == syntax.OpColon && f.dumpedField() ||
		f.Op == syntax.OpColon && (ascii.Contains(f.Bytes(), '-') || f.afterUser()) // a header
}

// afterUser reports whether the name of a user is before the field, on the same line: login: ada   password: x.
func (f *Field) afterUser() bool {
	before := f.Text[max(f.Lo, f.Start-2*syntax.MaxTag):f.Start]
	return bytes.Contains(before, []byte("login: ")) || bytes.Contains(before, []byte("user: ")) || bytes.Contains(before, []byte("username: "))
}

// printed reports whether the field is a member of what PHP's print_r prints: [name] => value.
func (f *Field) printed() bool {
	return f.Op == syntax.OpAssign && f.Start > f.Lo && f.Text[f.Start-1] == '[' && f.Leads(f.Start-1) && bytes.HasPrefix(f.Text[f.End:f.Hi], []byte("] => "))
}

// dumpedField reports whether the field is a member of a value that a program prints,
// map[password:x user:y] or {User:ada Password:x}, or of a word of a command, pass:x.
func (f *Field) dumpedField() bool {
	if f.Value.Start != f.End+1 || f.Start == f.Lo {
		return false
	}
	switch f.Text[f.Start-1] {
	case '[', '{', ' ':
		return true
	case '/': // an option of Windows
		return f.Start-1 > f.Lo && f.Text[f.Start-2] == ' '
	}
	return false
}

// setsLine reports whether the field is all of its line: name = value.
func (f *Field) setsLine() bool {
	return (f.Op == syntax.OpAssign || f.Op == syntax.OpColon) && f.Leads(f.Start) && len(syntax.TrimRight(f.Text[f.Value.End:f.Hi])) == 0
}

// flush reports whether the field is a line password=Word.word1 of a file of settings: a
// program would indent the argument of a call.
func (c *candidate) flush() bool {
	return c.Op == syntax.OpAssign && c.joined() && c.Start == c.Lo && c.setsLine() && c.Strength == names.Password && c.t.Dots == 1 && ascii.Is(c.t.Bytes[0], ascii.Upper) && ascii.Is(c.t.Bytes[c.t.Len-1], ascii.Digit)
}

// ofShell reports whether the field is set by a command of a shell or of a Dockerfile that
// has no sign between the name and the value: setenv NAME value.
func (f *Field) ofShell() bool {
	if !f.Leads(f.Start) || len(syntax.TrimRight(f.Text[f.Value.End:f.Hi])) > 0 {
		return false
	}
	return ascii.HasSuffix(f.Text[f.Lo:f.Start], "setenv ", "ENV ", "set -x ", "set -gx ", "setx ")
}

// inColumn reports whether the field is a row of two columns, with a digit in the value:
// password    value, or a line of msmtp: password value.
func (f *Field) inColumn() bool {
	b := f.Text[f.Value.Start:f.Value.End]
	return (f.Value.Start-f.End > 2 || f.Start == f.Lo && string(f.Bytes()) == "password") && f.Leads(f.Start) && len(syntax.TrimRight(f.Text[f.Value.End:f.Hi])) == 0 && len(b) >= value.MinToken &&
		bytes.ContainsAny(b, "0123456789") && ascii.Run(b, ascii.Alnum|ascii.Dash|ascii.Tilde|ascii.Query) == len(b) && ascii.Is(b[0], ascii.Alpha)
}

// ownLine reports whether the field is the name of a variable of the environment and the rest
// of its line: ENV DB_PASSWORD value. After the word
// password, as msmtp has it, the value ends in a sign that ends no sentence.
func (f *Field) ownLine() bool {
	name := f.Bytes()
	return (variableOfEnv(name) || string(name) == "password" && f.Start == f.Lo && strings.IndexByte("!#$%&+@", f.Text[f.Value.End-1]) >= 0) &&
		f.Leads(f.Start) && len(syntax.TrimRight(f.Text[f.Value.End:f.Hi])) == 0
}

// setByCall reports whether the name is the first argument of a call that sets it:
// put("password", "x").
func (f *Field) setByCall() bool {
	b := bytes.TrimRight(f.Text[f.Lo:f.Start], "\"' :")
	return ascii.HasSuffix(bytes.ToLower(b[max(0, len(b)-len("setdefault(")):]), "set(", "put(", "property(", "setdefault(", "setitem(", "set")
}

// tuple reports whether the name and its value, in quotes, are all of a tuple, as of
// Erlang: {password, "x"}, or follow the number of a row of SQL: (7,'password','x','yes').
func (f *Field) tuple() bool {
	if before := f.Text[f.Lo:max(f.Lo, f.Start-len(`,'`))]; f.Text[f.End] == '\'' && bytes.HasSuffix(f.Text[f.Lo:f.Start], []byte(`,'`)) {
		n := len(before) - ascii.RunBack(before, ascii.Digit)
		return n > 0 && n < len(before) && before[n-1] == '('
	}
	rest := bytes.TrimPrefix(f.Text[min(f.Quote.After, f.Hi):f.Hi], []byte(">>"))
	return f.Start > f.Lo && f.Text[f.Start-1] == '{' && f.Text[f.End] == ',' && len(rest) > 0 && rest[0] == '}'
}

// tableCell reports whether the field is the name of a variable of the environment and its
// value in the cells of a table: | DB_PASSWORD | value |, or a name and a random value in
// those of a drawn one.
func (f *Field) tableCell() bool {
	i := f.SkipSpaces(f.Value.End)
	drawn := f.Text[f.Lo] == 0xe2 && value.TraitsOf(f.Text[f.Value.Start:f.Value.End]).Random(8)
	return (variableOfEnv(f.Bytes()) || drawn) && i < f.Hi && (f.Text[i] == '|' || f.Text[i] == 0xe2) && f.Text[f.SkipSpaces(f.End)] == f.Text[i]
}

// variableOfEnv reports whether name is of capital words, as variables of the
// environment are: DB_PASSWORD.
func variableOfEnv(name []byte) bool { return names.Capitals(name) && ascii.Contains(name, '_') }

// beforeCommand reports whether the field sets a variable for a command of a shell:
// NAME=value command, or for a container: run -e NAME=value image.
func (f *Field) beforeCommand() bool {
	name := f.Bytes()
	before := f.Text[f.Lo:f.Start]
	return f.Op == syntax.OpAssign && f.joined() && (f.Leads(f.Start) || bytes.HasSuffix(before, []byte(" -e ")) || bytes.HasSuffix(before, []byte(" --env "))) && ascii.Run(name, ascii.Upper|ascii.Digit|ascii.Under) == len(name)
}

// firstArgument reports whether the name, which is in quotes, is the first of
// a call, rather than one of a list.
func (f *Field) firstArgument() bool {
	i := f.Start
	for i > f.Lo && (syntax.IsQuote(f.Text[i-1]) || ascii.Is(f.Text[i-1], ascii.Blank) || f.Text[i-1] == '\\' || f.Text[i-1] == '#') {
		i--
	}
	return i == f.Lo || f.Text[i-1] == '(' || ascii.Is(f.Text[i-1], ascii.Word)
}

// mayEnd reports whether a value without quotes may end at i.
func (f *Field) mayEnd(op syntax.Operator, i int) bool {
	switch f.Text[i] {
	case '{':
		return f.memberMark(i) > i
	case '(', '[':
		return false
	case '<':
		return op == syntax.OpTag || i+1 < f.Hi && f.Text[i+1] == '/'
	case '\'', '"', '`':
		return i+1 >= f.Hi || !ascii.Is(f.Text[i+1], ascii.Alnum)
	}
	return true
}

// memberMark returns the end of a {} at i, which stands for the member of a group of commands
// (or a file of find and xargs) and follows a value that people give to a program, with what
// is joined to it: --password x{}, PASSWORD=x{}. Elsewhere it returns i: x{} is a literal of a
// program, too.
func (f *Field) memberMark(i int) int {
	if f.Quote.Mark != 0 || f.Op != syntax.OpOption && (f.Op != syntax.OpAssign || !f.joined()) {
		return i
	}
	for most := i + maxJoined; i < most && bytes.HasPrefix(f.Text[i:f.Hi], []byte("{}")); {
		i = f.Unquoted(i + len("{}")).End
	}
	return i
}

// maxJoined is how many bytes with {} are joined to a value at the most.
const maxJoined = 256

// TakeMemberMark extends the value, a secret, to the {} that follows it.
func (f *Field) TakeMemberMark() { f.Value.End = f.memberMark(f.Value.End) }

// connectionString reports whether the field is part of a connection string:
// key=value pairs with semicolons or spaces between them, of which another
// names a server, a user or a database.
func (f *Field) connectionString() bool {
	near := f.Text[max(f.Lo, f.Start-256):min(f.Hi, f.Value.End+128)]
	near = near[:min(len(near), maxConnection)]
	for i, n := 0, 0; ; i++ {
		if n = bytes.IndexByte(near[i:], '='); n < 0 {
			return false
		}
		if i += n; i > 0 && ofConnection(near[:i]) {
			return true
		}
	}
}

// maxConnection is how many bytes of a connection string are examined.
const maxConnection = 384

// ofConnection reports whether b ends with the name of a server, a user or a database.
func ofConnection(b []byte) bool {
	var ends []string
	switch ascii.Fold(b[len(b)-1]) {
	case 'b':
		ends = []string{"db"}
	case 'd':
		ends = []string{"uid", "user id", "userid"}
	case 'e':
		ends = []string{"data source", "datasource", "username", "database", "dbname", "accountname"}
	case 'g':
		ends = []string{"initial catalog"}
	case 'r':
		ends = []string{"server", "user", "driver"}
	case 't':
		ends = []string{"host", "endpoint"}
	}
	return slices.ContainsFunc(ends, func(w string) bool { return ascii.HasFold(b[max(0, len(b)-len(w)):], w) })
}

// pairOfConnection reports whether the field is one of the pairs of a connection string with
// spaces between them, and its value, of letters and dots, no name of a secret: password=a.b dbname=x.
func (f *Field) pairOfConnection() bool {
	b, rest := f.Text[f.Value.Start:f.Value.End], f.Text[f.Value.End:f.Hi]
	n := ascii.Run(rest, ascii.Blank)
	n += ascii.Run(rest[n:], ascii.Lower|ascii.Under)
	return f.Op == syntax.OpAssign && f.joined() && len(rest) > 0 && rest[0] == ' ' && n < len(rest) && rest[n] == '=' && ascii.Run(b, ascii.Alnum|ascii.Dot|ascii.Dash) == len(b) && f.connectionString() && !value.Mentions(b)
}

// keywordArgument reports whether the field is an argument of a call that has the name of
// a variable for its value: f(user=name, password=other, port=1).
func (f *Field) keywordArgument() bool {
	b, rest := f.Text[f.Value.Start:f.Value.End], f.Text[f.Value.End:f.Hi]
	if (len(rest) == 0 || len(rest) == 1 && rest[0] == ',') && bytes.HasSuffix(f.Text[f.Lo:f.Start], []byte(", ")) {
		return ascii.Run(b, ascii.Word) == len(b) && !ascii.Is(b[0], ascii.Digit)
	}
	if ascii.Run(b, ascii.Word) < len(b) || ascii.Is(b[0], ascii.Digit) || !bytes.HasPrefix(rest, []byte(", ")) && !bytes.HasPrefix(rest, []byte(")")) {
		return false
	}
	before := f.Text[f.Lo:f.Start]
	return bytes.Count(before, []byte{'"'})%2 == 0 && bytes.Count(before, []byte{'\''})%2 == 0
}
