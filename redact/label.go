package redact

import (
	"bytes"
	"strings"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/value"
)

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
