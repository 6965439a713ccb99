package redact

import (
	"bytes"
	"encoding/base64"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/decode"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/syntax"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// ownWords reports whether the value of a field is words run together that can be no name
// of a program: of a variable of the environment, DB_PASSWORD=CopperGarnet, of an option,
// --password=fjord-ripple-ember, or with a sign that no name has, walrus!tulip.
func (v *view) ownWords(f *field, t value.Traits) bool {
	apart := f.value.End == v.Hi || v.Text[f.value.End] == ' '
	if f.op == syntax.OpAssign && v.joined(f) && t.Len >= value.MinCoined && t.Lowers == t.Len && !value.Mentions(t.Bytes) && (v.Text[f.Start] == '-' || variableOfEnv(f.Bytes())) {
		return apart
	}
	if !t.Coined() {
		return false
	}
	switch name := f.Bytes(); {
	case t.Dots > 0:
		return false
	case f.op == syntax.OpColon && variableOfEnv(name), f.op == syntax.OpAssign && v.joined(f) && apart && ascii.Contains(t.Bytes, '-') && !ascii.Contains(t.Bytes, '_'):
		return apart
	case f.op == syntax.OpOption, f.op == syntax.OpAssign && v.joined(f) && (name[0] == '-' || variableOfEnv(name)):
		return f.value.End == v.Hi || ascii.Is(v.Text[f.value.End], ascii.Blank) || syntax.IsQuote(v.Text[f.value.End]) || v.Text[f.value.End] == '\\'
	}
	return t.Dashes == 0 && ascii.Contains(t.Bytes, '!')
}

// announced reports whether the value ends its line, after words that say whose or which
// password it is, and is one that people or programs make: "Generated password: x".
func (v *view) announced(f *field, t value.Traits) bool {
	rest := syntax.TrimRight(v.Text[f.value.End:v.Hi])
	if t.Len < value.MinPassword || value.Mentions(t.Bytes) || len(rest) > 1 && (f.op != syntax.OpIs || rest[0] != ',') || len(rest) == 1 && rest[0] != '.' && !syntax.IsQuote(rest[0]) {
		return false
	}
	if !t.Coined() && (t.Digits == 0 || t.Lowers+t.Uppers < value.MinWord || t.Path() || value.Code(t.Bytes) || f.op == syntax.OpColon && v.joined(f)) {
		return false
	}
	if f.op == syntax.OpIs || f.op == syntax.OpProse {
		return true
	}
	if f.Start-v.Lo > syntax.MaxLead {
		return false
	}
	before := bytes.TrimRight(syntax.Unprefixed(v.Text[v.Lo:f.Start]), " ")
	if f.op == syntax.OpBeside {
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
	name := f.Bytes()
	if f.op != syntax.OpAssign && f.op != syntax.OpColon || t.Len < value.MinToken || !v.Leads(f.Start) || len(syntax.TrimRight(v.Text[f.value.End:v.Hi])) > 0 {
		return false
	}
	if f.op == syntax.OpAssign && (!v.joined(f) || !names.Capitals(name)) {
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
		return t.Len >= 5 && (syntax.IsQuote(v.Text[min(f.End, v.Hi-1)]) || v.joined(f))
	}
	if v.beforeCommand(f) && t.Len >= 6 && f.value.End < v.Hi && v.Text[f.value.End] == ' ' {
		return !value.Mentions(t.Bytes)
	}
	if len(syntax.TrimValue(v.Text[f.value.End:v.Hi])) > 0 || f.op > syntax.OpColon || t.Len < 6 || v.Text[f.value.End-1] == ',' {
		return false
	}
	if f.op == syntax.OpAssign && !v.joined(f) && f.Start > v.Lo || f.op == syntax.OpColon && (t.Uppers > 0 || f.value.Start != f.End+len(": ")) {
		return false
	}
	return v.Leads(f.Start) && !value.Mentions(t.Bytes)
}

// basicPair reports whether the field is called auth and has user:password in
// base64, as in docker's config.json and in .npmrc.
func (v *view) basicPair(f *field, b []byte) bool {
	name := bytes.Trim(f.Bytes(), "_")
	if len(name) != len("auth") || !ascii.HasFold(name, "auth") || !decode.EncodedText(b) {
		return false
	}
	text, err := base64.StdEncoding.DecodeString(string(b))
	return err == nil && ascii.Contains(text, ':')
}

// noise reports whether the value is in quotes and a long row of signs and letters
// by chance, with spaces among them, as the keys and salts of WordPress are.
func (v *view) noise(f *field) bool {
	if f.quote.Mark == 0 || f.quote.Open || f.strength < names.Hinting || f.op > syntax.OpComma || f.value.End-f.value.Start < minNoise {
		return false
	}
	t := value.TraitsOf(v.Text[f.value.Start:f.value.End])
	return t.Signs*6 >= t.Len && t.Spaces*16 <= t.Len && t.Digits > 2 && t.Uppers > 2 && t.Lowers > 2 &&
		t.Distinct*16 >= min(t.Len, 64)*9 && t.Changes*4 >= t.Len
}

// minNoise is the least length of such a row.
const minNoise = 40
