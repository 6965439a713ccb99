package redact

import (
	"bytes"
	"strings"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/syntax"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// label reports whether the name is a word of a report, of a resource name or
// of a program rather than of a setting: "--- PASS:", "arn:...:secret:",
// "Event::Pass", "pass(x)".
func (v *view) label(f *field) bool {
	name := f.Bytes()
	if f.Start > v.Lo+1 && v.Text[f.Start-1] == ':' && v.Text[f.Start-2] == ':' {
		return true
	}
	switch f.op {
	case syntax.OpColon:
		if f.Start > v.Lo+1 && v.Text[f.Start-1] == '{' && v.Text[f.Start-2] == '$' && f.value.Start < v.Hi && strings.IndexByte("-=", v.Text[f.End+1]) < 0 {
			n := bytes.IndexByte(v.Text[f.value.Start:v.Hi], '}')
			if n <= 0 {
				return true
			}
			t := value.TraitsOf(v.Text[f.value.Start : f.value.Start+n])
			return !t.Random(12) && !t.MadeUp() // ${NAME:...}
		}
		return string(name) == "PASS" || f.Start > v.Lo+1 && v.Text[f.Start-1] == ':' && v.Text[f.Start-2] != ' ' && !v.Leads(f.Start)
	case syntax.OpTag:
		return f.strength < names.Telling && !v.resource(f) || string(name) == "PASS"
	case syntax.OpBeside, syntax.OpIs, syntax.OpProse, syntax.OpComma:
		return len(name) == 4 && ascii.HasFold(name, "pass") && !v.quotedNoise(f) || // the verb
			f.Start > v.Lo && v.Text[f.Start-1] == '/' // a path
	case syntax.OpCall:
		return f.End < v.Hi && v.Text[f.End] == '(' && ascii.ContainsFold(name, "pass") && !ascii.ContainsFold(name, "passw") && !ascii.ContainsFold(name, "passphrase")
	}
	return false
}

// formatted reports whether the value is in quotes and has a place in it for what the
// program puts in: "prefix_{}".format(x), f"prefix_{x}", "prefix_%s" % x.
func (v *view) formatted(f *field, t value.Traits) bool {
	rest := bytes.TrimLeft(v.Text[min(f.quote.After, v.Hi):v.Hi], " ")
	switch {
	case ascii.Contains(t.Bytes, '{') && ascii.Contains(t.Bytes, '}'):
		before := f.value.Start - 2
		return bytes.HasPrefix(rest, []byte(".format(")) || before >= v.Lo && ascii.Fold(v.Text[before]) == 'f' && (before == v.Lo || !ascii.Is(v.Text[before-1], ascii.Word))
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
	return f.strength == names.Hinting && ascii.HasFold(v.Text[max(v.Lo, f.Start-len(`<string name="`)):v.Hi], `<string name="`) &&
		value.TraitsOf(v.Text[f.value.Start:f.value.End]).Random(20)
}

// quotedNoise reports whether the value is in quotes and full of odd signs.
func (v *view) quotedNoise(f *field) bool {
	t := value.TraitsOf(v.Text[f.value.Start:f.value.End])
	return f.quote.Mark != 0 && f.op == syntax.OpBeside && t.Odd >= 2 && t.Spaces == 0 && t.Random(10)
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
	name := f.Bytes()
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

// repeats reports whether the value b is the end of the name, but for case and
// for signs between words.
func (v *view) repeats(f *field, b []byte) bool {
	name := f.Bytes()
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
