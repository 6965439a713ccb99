package redact

import (
	"bytes"
	"encoding/base64"
)

// maxJudged is how much of a value is looked at to judge it.
const maxJudged = 512

// secret decides whether the value of a field is one.
func (v *view) secret(f *field) bool {
	b := v.text[f.value.start:min(f.value.end, f.value.start+maxJudged)]
	if len(b) < 4 || v.label(f) {
		return false
	}
	t := traitsOf(b)
	if placeholder(b, t) {
		return f.strength == password && f.quote.mark == 0 && v.joined(f) && !reference(b) && t.distinct > 3 && f.op == opAssign && f.value.end < v.hi && v.text[f.value.end] == ';' && v.connectionString(f)
	}
	if f.quote.mark == 0 {
		return v.plainSecret(f, b, t)
	}
	return v.quotedSecret(f, b, t)
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
		return string(name) == "PASS" || f.start > v.lo+1 && v.text[f.start-1] == ':' && v.text[f.start-2] != ' '
	case opTag:
		return f.strength < telling
	case opBeside, opIs, opComma:
		return len(name) == 4 && hasFold(name, "pass") // the verb
	case opCall:
		return containsFold(name, "pass") && !containsFold(name, "passw") && !containsFold(name, "passphrase")
	}
	return false
}

func (v *view) quotedSecret(f *field, b []byte, t traits) bool {
	if t.spaces > 0 {
		return f.strength >= telling && f.op <= opCompare && phrase(b, t) ||
			f.strength == password && f.op == opAssign && passphrase(b, t)
	}
	if n := bytes.Count(b, []byte{'\\'}); n > 1 && n*8 >= t.n || hexNumber(b) {
		return false // bytes, in a program
	}
	if f.quote.open && !t.random(b, 8) {
		return false
	}
	if words(t) && v.sameWord(f, b) {
		return false
	}
	switch f.op {
	case opComma:
		if !v.firstArgument(f) {
			return f.strength >= telling && t.random(b, 16)
		}
		return t.random(b, 8) && f.strength >= telling || t.random(b, 16) && f.strength == hinting || f.strength == password && t.digits > 0 && t.n >= 6
	case opCall, opBeside, opIs:
		return t.random(b, 8) && f.strength >= telling || f.strength == password && (t.digits > 0 && t.n >= 6 || f.op != opCall)
	case opOption:
		return f.strength == password || t.random(b, 8)
	case opTag:
		return t.random(b, 6) || f.strength == password && !words(t)
	}
	switch f.strength {
	case password:
		return !caption(b, t) && (b[0] != '/' && b[0] != '~' || !path(b, t))
	case telling:
		return (t.random(b, 8) || uuid(b)) && !path(b, t)
	case hinting:
		return t.random(b, 12) && !path(b, t) && !uuid(b)
	}
	return t.random(b, 20) && !path(b, t) && t.hexs+t.dashes < t.n || v.basicPair(f, b)
}

// basicPair reports whether the field is called auth and has user:password in
// base64, as in docker's config.json and in .npmrc.
func (v *view) basicPair(f *field, b []byte) bool {
	name := bytes.Trim(v.text[f.start:f.end], "_")
	if len(name) != len("auth") || !hasFold(name, "auth") || !encodedText(b) {
		return false
	}
	text, err := base64.StdEncoding.DecodeString(string(b))
	return err == nil && contains(text, ':')
}

func (v *view) plainSecret(f *field, b []byte, t traits) bool {
	if f.value.end < v.hi && !v.ends(f.op, f.value.end) {
		return false
	}
	if f.op == opCompare || path(b, t) || code(b) || hexNumber(b) {
		return false
	}
	if f.op >= opOption && pair(b) || f.strength < telling && t.digits == 0 {
		return false
	}
	switch f.op {
	case opComma, opCall:
		return t.random(b, 12) && f.strength >= telling
	case opBeside, opIs:
		return v.besideSecret(f, b, t)
	case opTag:
		if f.strength == password {
			return v.closedTag(f)
		}
	}
	switch f.strength {
	case password:
		return t.random(b, 6) || t.digits > 0 && t.lowers+t.uppers > 1 && t.n >= 6 && v.given(f) && (t.digits > 1 || !mentions(b) || f.op == opOption) || t.digits > 0 && t.signs > 0 && t.n >= 6 || v.setting(f, t, b) || v.connectionString(f) && v.joined(f)
	case telling:
		return t.random(b, 8) || uuid(b) || t.digits >= 3 && t.n >= 8 && v.joined(f) && f.op == opAssign
	case hinting:
		return t.random(b, 14) && !uuid(b)
	}
	return t.random(b, 20) && t.hexs+t.dashes < t.n || v.basicPair(f, b)
}

// ends reports whether a value without quotes may end at i.
func (v *view) ends(op operator, i int) bool {
	switch v.text[i] {
	case '(', '[', '{':
		return false
	case '<':
		return op == opTag || i+1 < v.hi && v.text[i+1] == '/'
	case '\'', '"', '`':
		return i+1 >= v.hi || !is(v.text[i+1], alnum)
	}
	return true
}

// besideSecret decides about a value with no sign between it and its name:
// "password is x", "TOKEN x".
func (v *view) besideSecret(f *field, b []byte, t traits) bool {
	switch {
	case f.strength == password && t.digits > 0 && t.n >= 6:
		return f.op == opIs || t.random(b, 8)
	case f.strength >= telling:
		return t.random(b, 16)
	}
	return t.random(b, 20) && t.hexs+t.dashes < t.n && t.digits >= 2
}

// hexNumber reports whether b is a number of at most 64 bits: 0x04034b50.
func hexNumber(b []byte) bool {
	b = bytes.TrimPrefix(b, []byte("-"))
	return len(b) > 2 && len(b) <= 18 && b[0] == '0' && (b[1] == 'x' || b[1] == 'X') && run(b[2:], hexDigit|under) == len(b)-2
}

// pair reports whether b is itself a name and a value.
func pair(b []byte) bool {
	i := bytes.IndexByte(b, '=')
	return i >= 0 && run(b[i:], equals) < len(b)-i
}

// closedTag reports whether the closing tag of an element follows its text.
func (v *view) closedTag(f *field) bool {
	return bytes.HasPrefix(v.text[f.value.end:v.hi], []byte("</"))
}

// setting reports whether a field stands by itself, as in a file of settings:
// a value that is a plain word is one then, and not a variable. A number is one
// where the name is in quotes, as in JSON.
func (v *view) setting(f *field, t traits, b []byte) bool {
	if t.digits == t.n {
		return t.n >= 5 && (isQuote(v.text[min(f.end, v.hi-1)]) || v.joined(f))
	}
	if len(trimValue(v.text[f.value.end:v.hi])) > 0 || f.op > opColon || t.n < 6 || v.text[f.value.end-1] == ',' {
		return false
	}
	if f.op == opAssign && !v.joined(f) || f.op == opColon && (t.uppers > 0 || f.value.start == f.end+1) {
		return false
	}
	return v.leads(f.start) && !mentions(b)
}

// joined reports whether nothing but the sign stands between name and value.
func (v *view) joined(f *field) bool { return f.value.start == f.end+1 }

// given reports whether a field stands as people give one to a program or set
// it, not as a sentence has it: first on its line, or as password=x and
// --password x anywhere.
func (v *view) given(f *field) bool {
	return f.op == opOption || f.op == opAssign && v.joined(f) || v.leads(f.start)
}

// leads reports whether the name at start is the first on its line, but for
// words of a shell and signs of YAML.
func (v *view) leads(start int) bool {
	b := bytes.TrimLeft(v.text[v.lo:start], " \t-+#")
	for _, w := range [...]string{"export ", "set ", "ENV ", "env ", "ARG "} {
		b = bytes.TrimPrefix(b, []byte(w))
	}
	return len(b) == 0
}

// mentions reports whether b has a word for a secret in it, as the name of a
// variable has.
func mentions(b []byte) bool {
	var buf [64]byte
	w := lowered(buf[:0], b)
	for _, s := range [...]string{"pass", "pwd", "secret", "token", "key", "cred", "auth", "env", "config", "input", "arg", "param", "hash", "str"} {
		if bytes.Contains(w, []byte(s)) {
			return true
		}
	}
	return false
}

// firstArgument reports whether the name, which is in quotes, is the first of
// a call, rather than one of a list.
func (v *view) firstArgument(f *field) bool {
	i := f.start
	for i > v.lo && (isQuote(v.text[i-1]) || is(v.text[i-1], blank) || v.text[i-1] == '\\') {
		i--
	}
	return i == v.lo || v.text[i-1] == '(' || is(v.text[i-1], word)
}

// sameWord reports whether the value repeats the name.
func (v *view) sameWord(f *field, b []byte) bool {
	name := v.text[f.start:f.end]
	return len(b) <= len(name) && hasFoldBytes(name[len(name)-len(b):], b)
}

func hasFoldBytes(a, b []byte) bool {
	for i := range b {
		if fold(a[i]) != fold(b[i]) {
			return false
		}
	}
	return true
}

// words reports whether a value consists of letters and of what joins words.
func words(t traits) bool { return t.lowers+t.uppers+t.dashes+t.dots == t.n }

// phrase reports whether b, which has spaces in it, is a secret all the same
// and no sentence.
func phrase(b []byte, t traits) bool {
	return t.n >= 8 && t.spaces <= 4 && t.digits > 0 && t.signs > 0 && !wordy(b)
}

// passphrase reports whether b is a row of four to eight words that no sentence
// on a form would be.
func passphrase(b []byte, t traits) bool {
	if t.lowers+t.spaces != t.n || t.spaces < 3 || t.spaces > 7 {
		return false
	}
	for w := range bytes.FieldsSeq(b) {
		switch string(w) {
		case "your", "the", "a", "is", "not", "no", "must", "please", "invalid", "for", "to", "of", "here", "reset", "new",
			"current", "confirm", "enter", "password", "passphrase", "secret", "token", "or", "be", "this", "that", "at",
			"if", "in", "on", "are", "was", "has", "have", "can", "cannot", "should", "will", "it", "from", "by":
			return false
		}
	}
	return true
}

// caption reports whether b is written on a form: "Password:".
func caption(b []byte, t traits) bool {
	if (b[0] == '#' || b[0] == '.') && words(traitsOf(b[1:])) && wordy(b) {
		return true // a selector
	}
	c := b[len(b)-1]
	return (c == ':' || c == '?' || c == '*') && t.lowers+t.uppers >= t.n-1
}

// path reports whether b is a path or an address rather than base64: it has
// short words between slashes, or begins like one.
func path(b []byte, t traits) bool {
	if t.slashes == 0 {
		return t.dots > 0 && fileName(b)
	}
	switch {
	case b[0] == '/' || b[0] == '.' || b[0] == '~':
		return wordy(b) || t.digits == 0
	case bytes.Contains(b, []byte("://")) || b[0] == '\\':
		return true
	}
	return t.slashes*12 >= t.n && wordy(b)
}

// fileName reports whether b ends in the extension of a file.
func fileName(b []byte) bool {
	n := runBack(b, lower|digit)
	return n >= 1 && n <= 5 && n < len(b) && b[len(b)-n-1] == '.' && (wordy(b[:len(b)-n]) || n <= 4 && len(b) < 24)
}

// code reports whether b is an expression: a selector such as cfg.token.
func code(b []byte) bool {
	i := 0
	if len(b) > 0 && b[0] == '*' {
		return true
	}
	for i < len(b) && is(b[i], word) {
		i++
	}
	return i > 0 && i+1 < len(b) && b[i] == '.' && is(b[i+1], alpha|under) && wordy(b)
}
