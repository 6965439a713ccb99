package redact

import (
	"bytes"
	"encoding/base64"
	"strings"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/decode"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/value"
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

// ownWords reports whether the value of a field is words run together that can be no name
// of a program: of a variable of the environment, DB_PASSWORD=CopperGarnet, of an option,
// --password=fjord-ripple-ember, or with a sign that no name has, walrus!tulip.
func (v *view) ownWords(f *field, t value.Traits) bool {
	apart := f.value.end == v.hi || v.text[f.value.end] == ' '
	if f.op == opAssign && v.joined(f) && t.Len >= value.MinCoined && t.Lowers == t.Len && !value.Mentions(t.Bytes) && (v.text[f.start] == '-' || variableOfEnv(v.text[f.start:f.end])) {
		return apart
	}
	if !t.Coined() {
		return false
	}
	switch name := v.text[f.start:f.end]; {
	case t.Dots > 0:
		return false
	case f.op == opColon && variableOfEnv(name), f.op == opAssign && v.joined(f) && apart && ascii.Contains(t.Bytes, '-') && !ascii.Contains(t.Bytes, '_'):
		return apart
	case f.op == opOption, f.op == opAssign && v.joined(f) && (name[0] == '-' || variableOfEnv(name)):
		return f.value.end == v.hi || ascii.Is(v.text[f.value.end], ascii.Blank) || isQuote(v.text[f.value.end]) || v.text[f.value.end] == '\\'
	}
	return t.Dashes == 0 && ascii.Contains(t.Bytes, '!')
}

// announced reports whether the value ends its line, after words that say whose or which
// password it is, and is one that people or programs make: "Generated password: x".
func (v *view) announced(f *field, t value.Traits) bool {
	rest := trimRight(v.text[f.value.end:v.hi])
	if t.Len < value.MinPassword || value.Mentions(t.Bytes) || len(rest) > 1 && (f.op != opIs || rest[0] != ',') || len(rest) == 1 && rest[0] != '.' && !isQuote(rest[0]) {
		return false
	}
	if !t.Coined() && (t.Digits == 0 || t.Lowers+t.Uppers < value.MinWord || t.Path() || value.Code(t.Bytes) || f.op == opColon && v.joined(f)) {
		return false
	}
	if f.op == opIs || f.op == opProse {
		return true
	}
	if f.start-v.lo > maxLead {
		return false
	}
	before := bytes.TrimRight(unprefixed(v.text[v.lo:f.start]), " ")
	if f.op == opBeside {
		return ascii.ContainsFold(before, "user")
	}
	n := ascii.RunBack(before, ascii.Alpha)
	var buf [16]byte
	switch w := string(ascii.AppendLower(buf[:0], before[len(before)-n:])); w {
	case "generated", "temporary", "temp", "initial", "default", "admin", "root", "wifi", "enter", "s", "login", "new", "your", "the",
		"database", "db", "vpn", "staging", "production", "keystore", "sudo", "ssh":
		return ascii.Run(before, ascii.Alpha|ascii.Blank|ascii.Dash|ascii.Under|ascii.Query|ascii.Dot) >= len(before)-n-1
	}
	return bytes.HasSuffix(before, []byte("/")) && (ascii.ContainsFold(before, "user") || ascii.ContainsFold(before, "login"))
}

// madeSecret reports whether the value is all of a setting for what a program signs or
// encrypts with, JWT_SECRET=thistle-lemon-quartz-orchid, and is made up as passwords are.
func (v *view) madeSecret(f *field, t value.Traits) bool {
	name := v.text[f.start:f.end]
	if f.op != opAssign && f.op != opColon || t.Len < value.MinToken || !v.leads(f.start) || len(trimRight(v.text[f.value.end:v.hi])) > 0 {
		return false
	}
	if f.op == opAssign && (!v.joined(f) || !names.Capitals(name)) {
		return false
	}
	for _, w := range [...]string{"jwt", "session", "cookie", "sign", "secret_key", "app_secret", "encrypt"} {
		if ascii.ContainsFold(name, w) {
			return !value.Mentions(t.Bytes) && (t.JoinedWords() || t.Coined() && t.Dots == 0 || t.Digits > 0 && t.Lowers >= value.MinWord && !t.Path() && !value.Code(t.Bytes))
		}
	}
	return false
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

// label reports whether the name is a word of a report, of a resource name or
// of a program rather than of a setting: "--- PASS:", "arn:...:secret:",
// "Event::Pass", "pass(x)".
func (v *view) label(f *field) bool {
	name := v.text[f.start:f.end]
	if f.start > v.lo+1 && v.text[f.start-1] == ':' && v.text[f.start-2] == ':' {
		return true
	}
	switch f.op {
	case opColon:
		if f.start > v.lo+1 && v.text[f.start-1] == '{' && v.text[f.start-2] == '$' && f.value.start < v.hi && strings.IndexByte("-=", v.text[f.end+1]) < 0 {
			n := bytes.IndexByte(v.text[f.value.start:v.hi], '}')
			if n <= 0 {
				return true
			}
			t := value.TraitsOf(v.text[f.value.start : f.value.start+n])
			return !t.Random(12) && !t.MadeUp() // ${NAME:...}
		}
		return string(name) == "PASS" || f.start > v.lo+1 && v.text[f.start-1] == ':' && v.text[f.start-2] != ' ' && !v.leads(f.start)
	case opTag:
		return f.strength < names.Telling && !v.resource(f) || string(name) == "PASS"
	case opBeside, opIs, opProse, opComma:
		return len(name) == 4 && ascii.HasFold(name, "pass") && !v.quotedNoise(f) || // the verb
			f.start > v.lo && v.text[f.start-1] == '/' // a path
	case opCall:
		return f.end < v.hi && v.text[f.end] == '(' && ascii.ContainsFold(name, "pass") && !ascii.ContainsFold(name, "passw") && !ascii.ContainsFold(name, "passphrase")
	}
	return false
}

// formatted reports whether the value is in quotes and has a place in it for what the
// program puts in: "prefix_{}".format(x), f"prefix_{x}", "prefix_%s" % x.
func (v *view) formatted(f *field, t value.Traits) bool {
	rest := bytes.TrimLeft(v.text[min(f.quote.after, v.hi):v.hi], " ")
	switch {
	case ascii.Contains(t.Bytes, '{') && ascii.Contains(t.Bytes, '}'):
		before := f.value.start - 2
		return bytes.HasPrefix(rest, []byte(".format(")) || before >= v.lo && ascii.Fold(v.text[before]) == 'f' && (before == v.lo || !ascii.Is(v.text[before-1], ascii.Word))
	case bytes.Count(t.Bytes, []byte("%s")) > 1:
		return true
	case ascii.Contains(t.Bytes, '%'):
		return bytes.HasPrefix(rest, []byte("% "))
	}
	return false
}

// resource reports whether the field is the text of a resource of Android's, and
// made by chance: <string name="maps_key">value</string>.
func (v *view) resource(f *field) bool {
	return f.strength == names.Hinting && ascii.HasFold(v.text[max(v.lo, f.start-len(`<string name="`)):v.hi], `<string name="`) &&
		value.TraitsOf(v.text[f.value.start:f.value.end]).Random(20)
}

// quotedNoise reports whether the value is in quotes and full of odd signs.
func (v *view) quotedNoise(f *field) bool {
	t := value.TraitsOf(v.text[f.value.start:f.value.end])
	return f.quote.mark != 0 && f.op == opBeside && t.Odd >= 2 && t.Spaces == 0 && t.Random(10)
}

// setting reports whether a field is by itself, as in a file of settings:
// a value that is a plain word is one then, and not a variable. With spaces
// around the sign the name must be at the very start of its line. A number is a
// value where the name is in quotes, as in JSON.
func (v *view) setting(f *field, t value.Traits) bool {
	if t.Digits == t.Len {
		return t.Len >= 5 && (isQuote(v.text[min(f.end, v.hi-1)]) || v.joined(f))
	}
	if v.beforeCommand(f) && t.Len >= 6 && f.value.end < v.hi && v.text[f.value.end] == ' ' {
		return !value.Mentions(t.Bytes)
	}
	if len(trimValue(v.text[f.value.end:v.hi])) > 0 || f.op > opColon || t.Len < 6 || v.text[f.value.end-1] == ',' {
		return false
	}
	if f.op == opAssign && !v.joined(f) && f.start > v.lo || f.op == opColon && (t.Uppers > 0 || f.value.start != f.end+len(": ")) {
		return false
	}
	return v.leads(f.start) && !value.Mentions(t.Bytes)
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

// repeats reports whether the value b is the end of the name, but for case and
// for signs between words.
func (v *view) repeats(f *field, b []byte) bool {
	name := v.text[f.start:f.end]
	for len(b) > 0 && len(name) > 0 {
		c, d := b[len(b)-1], name[len(name)-1]
		switch {
		case ascii.Is(c, ascii.Under|ascii.Dash|ascii.Dot):
			b = b[:len(b)-1]
		case ascii.Is(d, ascii.Under|ascii.Dash|ascii.Dot):
			name = name[:len(name)-1]
		case ascii.Fold(c) != ascii.Fold(d):
			return false
		default:
			b, name = b[:len(b)-1], name[:len(name)-1]
		}
	}
	return len(b) == 0
}

// uiText reports whether the field is a text of a user interface, by a name such
// as "showPassword" and a value that is one word with a capital.
func (v *view) uiText(f *field, t value.Traits) bool {
	if !ascii.Is(t.Bytes[0], ascii.Upper) && t.Bytes[0] < 0x80 || t.Digits > 0 || t.Uppers > 1 || t.Spaces > 0 {
		return false
	}
	for _, c := range t.Bytes[1:] {
		if !ascii.Is(c, ascii.Lower|ascii.Dash|ascii.Dot|ascii.Tilde|ascii.Percent|ascii.Query) && c < 0x80 {
			return false
		}
	}
	name := v.text[f.start:f.end]
	n := 1
	for n < len(name) && ascii.Is(name[n], ascii.Lower) {
		n++
	}
	var buf [12]byte
	switch string(ascii.AppendLower(buf[:0], name[:n])) {
	case "show", "hide", "toggle", "confirm", "confirmation", "forgot", "forgotten", "reset", "change", "enter", "repeat",
		"retype", "new", "current", "old", "your", "set", "create", "save", "update", "choose", "verify", "invalid", "wrong",
		"incorrect", "missing", "lost", "label", "title", "button":
		return n < len(name)
	}
	return false
}

// closedTag reports whether the closing tag of an element, or the end of its data, follows its text.
func (v *view) closedTag(f *field) bool {
	rest, data := bytes.CutPrefix(v.text[f.value.end:v.hi], []byte("]]>"))
	return data && len(trimRight(rest)) == 0 || bytes.HasPrefix(rest, []byte("</")) || bytes.HasPrefix(rest, []byte("&lt;/")) || ascii.HasFold(rest, `\u003c/`)
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

// basicPair reports whether the field is called auth and has user:password in
// base64, as in docker's config.json and in .npmrc.
func (v *view) basicPair(f *field, b []byte) bool {
	name := bytes.Trim(v.text[f.start:f.end], "_")
	if len(name) != len("auth") || !ascii.HasFold(name, "auth") || !decode.EncodedText(b) {
		return false
	}
	text, err := base64.StdEncoding.DecodeString(string(b))
	return err == nil && ascii.Contains(text, ':')
}
