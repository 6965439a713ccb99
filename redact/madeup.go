package redact

import (
	"bytes"
	"encoding/base64"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/decode"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/value"
)

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

// noise reports whether the value is in quotes and a long row of signs and letters
// by chance, with spaces among them, as the keys and salts of WordPress are.
func (v *view) noise(f *field) bool {
	if f.quote.mark == 0 || f.quote.open || f.strength < names.Hinting || f.op > opComma || f.value.end-f.value.start < minNoise {
		return false
	}
	t := value.TraitsOf(v.text[f.value.start:f.value.end])
	return t.Signs*6 >= t.Len && t.Spaces*16 <= t.Len && t.Digits > 2 && t.Uppers > 2 && t.Lowers > 2 &&
		t.Distinct*16 >= min(t.Len, 64)*9 && t.Changes*4 >= t.Len
}

// minNoise is the least length of such a row.
const minNoise = 40
