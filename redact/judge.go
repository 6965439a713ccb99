package redact

import "bytes"

// secret decides whether the value of a field is one.
func (v *view) secret(f *field) bool {
	b := v.text[f.value.start:f.value.end]
	t := traitsOf(b)
	if t.n < 4 || placeholder(b, t) || v.label(f) {
		return false
	}
	if f.quote.mark == 0 {
		return v.plainSecret(f, b, t)
	}
	return v.quotedSecret(f, b, t)
}

// label reports whether the name is a word of a report or of a resource name
// rather than of a setting: "--- PASS:", "arn:...:secret:".
func (v *view) label(f *field) bool {
	name := v.text[f.start:f.end]
	switch f.op {
	case opColon:
		if string(name) == "PASS" || f.start > v.lo+1 && v.text[f.start-1] == ':' && v.text[f.start-2] != ' ' {
			return true
		}
	case opTag:
		return f.strength < telling
	}
	return false
}

func (v *view) quotedSecret(f *field, b []byte, t traits) bool {
	if t.spaces > 0 {
		return f.strength >= telling && f.op <= opCompare && !prose(b, t)
	}
	if f.quote.open && !t.random(b, 8) {
		return false
	}
	if words(t) && v.sameWord(f, b) {
		return false
	}
	switch f.op {
	case opComma, opCall, opBeside:
		return t.random(b, 8) && f.strength >= hinting || f.strength == password && (t.digits > 0 && t.n >= 6 || v.copied(f))
	case opOption:
		return f.strength == password || t.random(b, 8)
	case opTag:
		return t.random(b, 6)
	}
	switch f.strength {
	case password:
		return !caption(b, t)
	case telling:
		return t.random(b, 8) && !path(b, t)
	case hinting:
		return t.random(b, 12) && !path(b, t) && !uuid(b)
	}
	return t.random(b, 20) && !path(b, t) && t.hexs+t.dashes < t.n
}

func (v *view) plainSecret(f *field, b []byte, t traits) bool {
	if f.value.end < v.hi && !v.ends(f.op, f.value.end) {
		return false
	}
	if f.op == opCompare || path(b, t) || code(b) {
		return false
	}
	if f.op >= opOption && pair(b) {
		return false
	}
	switch f.op {
	case opComma, opCall:
		return t.random(b, 12) && f.strength >= telling
	case opBeside:
		return v.besideSecret(f, b, t)
	}
	switch f.strength {
	case password:
		return t.random(b, 6) || v.setting(f) && !words(t) || t.digits > 0 && t.signs > 0 && t.n >= 6
	case telling:
		return t.random(b, 8)
	case hinting:
		return t.random(b, 14) && !uuid(b)
	}
	return t.random(b, 20) && t.hexs+t.dashes < t.n
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
		return t.random(b, 8)
	case f.strength >= telling:
		return t.random(b, 16)
	}
	return t.random(b, 20) && t.hexs+t.dashes < t.n && t.digits >= 2
}

// pair reports whether b is itself a name and a value.
func pair(b []byte) bool {
	i := bytes.IndexByte(b, '=')
	return i >= 0 && run(b[i:], equals) < len(b)-i
}

// setting reports whether a field stands by itself, as in a file of settings:
// a value that is a plain word is one then, and not a variable.
func (v *view) setting(f *field) bool {
	return false
}

// copied reports whether a value in quotes follows a word such as "is": then
// it was written for people.
func (v *view) copied(f *field) bool { return f.op == opBeside }

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

// prose reports whether b is a sentence.
func prose(b []byte, t traits) bool {
	return t.lowers+t.uppers+t.spaces+t.dots >= t.n-2 && (t.digits == 0 || t.spaces > 3)
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
	for i < len(b) && is(b[i], word) {
		i++
	}
	return i > 0 && i+1 < len(b) && b[i] == '.' && is(b[i+1], alpha) && wordy(b)
}
