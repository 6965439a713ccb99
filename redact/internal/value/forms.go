package value

import (
	"bytes"
	"strings"

	"github.com/envwrap/envwrap/redact/internal/ascii"
)

// Words reports whether a value consists of letters and of signs that join words.
func (t *Traits) Words() bool { return t.Lowers+t.Uppers+t.Dashes+t.Dots == t.Len }

// Phrase reports whether the value, which has spaces in it, is a secret and no sentence.
func (t *Traits) Phrase() bool {
	if t.mostlyForeign() || t.Digits == bytes.Count(t.Bytes, []byte{'$'}) {
		return false // a text, in which $1 is filled in
	}
	return t.Len >= MinToken && t.Spaces <= minWords && !ascii.Contains(t.Bytes, '(') && t.Digits > 0 && t.Signs > 0 && !t.Wordy() ||
		t.Len >= LongLetters && t.Spaces == 1 && t.Digits >= Several && t.Signs*4 >= t.Len
}

// TwoRandom reports whether the value is two parts, each of which has digits and letters
// as no word has.
func (t *Traits) TwoRandom() bool {
	a, b, _ := bytes.Cut(t.Bytes, []byte{' '})
	x, y := TraitsOf(a), TraitsOf(b)
	return t.Spaces == 1 && x.Changes >= Several && y.Changes >= Several && x.Random(Min) && y.Random(Min)
}

// Passphrase reports whether the value is a row of four to eight words that no sentence on
// a form would be.
func (t *Traits) Passphrase() bool {
	number := ascii.RunBack(t.Bytes, ascii.Digit) // in place of a word, and no caption ends in one
	if t.Lowers+t.Spaces+number != t.Len || t.Spaces+1+min(number, 1) < minWords || t.Spaces+1 > maxWords {
		return false
	}
	for w := range bytes.FieldsSeq(t.Bytes) {
		if onForm(string(w)) {
			return false
		}
	}
	return true
}

// Grouped reports whether the value is a password that Google makes for a program: four
// groups of four small letters, which are no words.
func (t *Traits) Grouped() bool {
	return t.Len == len("abcd efgh ijkl mnop") && t.Bytes[4] == ' ' && t.Bytes[9] == ' ' && t.Bytes[14] == ' ' && t.Passphrase() && !t.Wordy()
}

const (
	minWords = 4 // of a passphrase: three are a caption
	maxWords = 8 // more are a sentence
)

// TwoWords reports whether the value is two words, of letters and a digit or two, that no
// message about a password has.
func (t *Traits) TwoWords() bool {
	a, b, _ := bytes.Cut(t.Bytes, []byte{' '})
	return t.Spaces == 1 && t.Lowers+t.Uppers+t.Digits+1 == t.Len && t.Digits <= 2 && len(a) >= Min && len(b) >= Min &&
		!Mentions(t.Bytes) && !CommonWord(string(bytes.ToLower(a))) && !CommonWord(string(bytes.ToLower(b)))
}

// JoinedWords reports whether the value is a Passphrase with a dash, dot or underscore for
// each space.
func (t *Traits) JoinedWords() bool {
	b := t.Bytes
	for _, sign := range [...]byte{'-', '.', '_'} {
		if ascii.Contains(b, sign) {
			return TraitsOf(bytes.ReplaceAll(b, []byte{sign}, []byte{' '})).Passphrase()
		}
	}
	return false
}

// JoinedName reports whether the value is small letters and digits with two dashes or more
// between them, of which some are a word: cpu-intel-i7-10700t.
func (t *Traits) JoinedName() bool {
	if t.Uppers > 0 || t.Lowers+t.Digits+t.Dashes+t.Dots < t.Len || t.Dashes < 2 || t.UUID() {
		return false
	}
	for w := range bytes.SplitSeq(t.Bytes, []byte{'-'}) {
		if len(w) >= minRow && ascii.Run(w, ascii.Lower) == len(w) && Wordy(w) {
			return true
		}
	}
	return false
}

// Coined reports whether the value is words run together, as people make a password up:
// fjord-ripple-ember, CopperGarnet, walrus!tulip.
func (t *Traits) Coined() bool {
	if t.Len < MinCoined || t.Len > maxIdentifier || t.Lowers == 0 || !ascii.Is(t.Bytes[t.Len-1], ascii.Alpha) || Mentions(t.Bytes) {
		return false
	}
	words, letters, signs := 1, 0, 0
	for i, c := range t.Bytes {
		switch {
		case ascii.Is(c, ascii.Upper) && letters > 0 && ascii.Is(t.Bytes[i-1], ascii.Upper):
			return false
		case ascii.Is(c, ascii.Upper) && letters > 0:
			words++
			if letters < MinWord {
				return false
			}
			letters = 1
		case ascii.Is(c, ascii.Alpha):
			letters++
		case strings.IndexByte("-_.!", c) < 0, letters < MinWord:
			return false
		default:
			if c != '!' {
				signs++
			}
			words++
			letters = 0
		}
	}
	return letters >= MinWord && words >= 2 && signs != 1
}

// Title reports whether the value is a word of a form, of small letters after a capital:
// Kodeord, or some, with dashes or slashes between them, of which one means a password:
// LDAP-salasana.
func (t *Traits) Title() bool {
	if t.Lowers == 0 || !ascii.Is(t.Bytes[0], ascii.Upper) {
		return false
	}
	if t.Dashes+t.Slashes == 0 {
		return t.Uppers == 1 && t.Uppers+t.Lowers+t.Foreign == t.Len
	}
	named := false
	for w := range bytes.FieldsFuncSeq(t.Bytes, func(r rune) bool { return r == '-' || r == '/' }) {
		named = named || CommonWord(string(bytes.ToLower(w)))
	}
	return named && t.Lowers+t.Uppers+t.Foreign+t.Dashes+t.Slashes == t.Len
}

// Caption reports whether the value is written on a form: "Password:".
func (t *Traits) Caption() bool {
	b := t.Bytes
	if (b[0] == '#' || b[0] == '.') && TraitsOf(b[1:]).Words() && t.Wordy() {
		return true // a selector
	}
	c := b[len(b)-1]
	letters := t.Lowers + t.Uppers + t.Foreign + bytes.Count(b, []byte{'-'})
	if bytes.HasSuffix(b, []byte("…")) || bytes.HasSuffix(b, []byte("：")) || bytes.HasSuffix(b, []byte("。")) {
		return letters >= t.Len-len(".")
	}
	return (c == ':' || c == '?' || c == '*' || c == '.' && !ascii.Is(b[0], ascii.Lower)) && letters >= t.Len-1 && (t.Foreign > 0 || t.Uppers <= 1 && t.Wordy())
}

// Path reports whether the value is a path or an address rather than base64: it has short
// words between slashes, or begins like one.
func (t *Traits) Path() bool {
	b := t.Bytes
	if t.Slashes == 0 {
		return t.Dots > 0 && FileName(b) || bytes.Count(b, []byte{'\\'}) >= minBackslashes && t.Wordy()
	}
	switch {
	case bytes.HasSuffix(b, []byte("/tcp")), bytes.HasSuffix(b, []byte("/udp")):
		return true // a port
	case b[0] == '/' || b[0] == '.' || b[0] == '~':
		return (t.Wordy() || t.Digits == 0 || t.Slashes > Several && t.Lowers+t.Digits+t.Dashes+t.Dots+t.Slashes == t.Len) && !t.Restless()
	case bytes.Contains(b, []byte("://")), bytes.Contains(b, []byte(`:\/\/`)), b[0] == '\\', t.Slashes >= Several && t.Dots > 0 && t.Lowers+t.Dashes+t.Dots+t.Slashes == t.Len && t.Wordy():
		return true
	}
	return t.Slashes*maxPart >= t.Len && t.Changes*2 < t.Len-t.Signs && t.Wordy() || t.Dots > 0 && FileName(b)
}

const (
	minBackslashes = 3  // of a path of Windows: fewer are an escape
	maxPart        = 12 // the length of a part of a path on average: base64 has a slash in 64 bytes
)

// FilePath reports whether v is a path from a root, the working directory or the home
// directory, on Unix or Windows.
func FilePath(v string) bool {
	if strings.ContainsAny(v, " \n\t") {
		return false
	}
	switch {
	case strings.HasPrefix(v, "/"), strings.HasPrefix(v, "./"), strings.HasPrefix(v, "../"), strings.HasPrefix(v, "~/"):
		return true
	case len(v) > 2 && v[1] == ':' && (v[2] == '\\' || v[2] == '/'):
		return true
	}
	return false
}

// FileName reports whether b ends in the extension of a file. Digits alone are no
// extension, and one with a digit needs words before it: a password may have a dot near
// its end.
func FileName(b []byte) bool {
	n := ascii.RunBack(b, ascii.Lower|ascii.Digit)
	letters := ascii.RunBack(b, ascii.Lower)
	if n < 1 || n > maxExtension || n == len(b) || b[len(b)-n-1] != '.' || ascii.Run(b[len(b)-n:], ascii.Digit) == n {
		return false
	}
	return Wordy(b[:len(b)-n]) || letters == n && n < maxExtension && len(b) < longHex
}

// maxExtension is the greatest length of the extension of a file's name: .jsonc, .xhtml.
const maxExtension = 5

// Code reports whether b is an expression: a selector such as cfg.token.
func Code(b []byte) bool {
	if len(b) > 0 && b[0] == '*' {
		t := TraitsOf(b[1:])
		return !t.Jumble() && t.Hexes < t.Len
	}
	i := ascii.Run(b, ascii.Word)
	if i > 0 && i < len(b) && b[i] == '?' && (bytes.HasPrefix(b[i:], []byte("?.")) || i < Min && ascii.Contains(b, ':')) {
		return true // a choice, in a program that was made short: e?e.key:!1, or a member of what may be missing
	}
	if i == 0 || i+1 >= len(b) || b[i] != '.' || !ascii.Is(b[i+1], ascii.Alpha|ascii.Under) || !Wordy(b) {
		return false
	}
	t := TraitsOf(b)
	if t.Dots == 1 && ascii.Is(b[len(b)-2], ascii.Digit) && ascii.Run(b[:i], ascii.Lower) == i && ascii.Run(b[i+1:], ascii.Upper)+2 == len(b)-i-1 && !Mentions(b) {
		return false // word.WORD12
	}
	if t.Dots == 1 && ascii.Is(b[len(b)-1], ascii.Digit) && ascii.Is(b[0], ascii.Upper) && ascii.Is(b[i+1], ascii.Upper) && t.Uppers == 2 && !Mentions(b) {
		return false // Word.Word5
	}
	if t.Dots > 1 && ascii.Is(b[len(b)-1], ascii.Digit) && b[len(b)-2] == '.' {
		return false // no name of a member is a digit
	}
	if last := ascii.RunBack(b, ascii.Digit); t.Dots > 1 && b[len(b)-last-1] == '.' {
		return false
	}
	return t.Digits < manyDigits || !t.Random(longNumber) || Mentions(b)
}

const (
	manyDigits = 6  // of a name with a dot in it: a selector has a few
	longNumber = 20 // longer than an integer of 64 bits
)

// Pair reports whether b is itself a name and a value.
func Pair(b []byte) bool {
	i := bytes.IndexByte(b, '=')
	return i >= 0 && ascii.Run(b[i:], ascii.Equals) < len(b)-i
}

// Pattern reports whether b is a regular expression.
func Pattern(b []byte) bool { return patterns.In(b) }

// patterns are parts of regular expressions.
var patterns = wordsWithin{'#': {"^"}, '(': {"?:", "?i)", ".*"}, '.': {"*=", "*["}, '[': {"[:", "a-z", "A-Z", "0-9", "^"}, '\\': {"s", "d", "w"}}

// Version reports whether b is the version of a package, 1:4.13+dfsg1-1+deb12u1, or ends in
// one after a colon, as the name of a package of Maven does.
func Version(b []byte) bool {
	if i := bytes.LastIndexByte(b, ':'); i >= Min && bytes.Count(b[i:], []byte{'.'}) == 2 && VersionRange(b[i+1:]) {
		return true
	}
	digits, word := 0, 0
	for i, c := range b {
		switch {
		case ascii.Is(c, ascii.Digit):
			digits++
			word = 0
		case ascii.Is(c, ascii.Lower):
			if word++; i == 0 || word > len("ubuntu") {
				return false
			}
		case ascii.Is(c, ascii.Dot|ascii.Dash|ascii.Plus|ascii.Colon) && i > 0, c == '~' && i > 0:
			word = 0
		default:
			return false
		}
	}
	return digits*3 >= len(b) && ascii.Contains(b, '.')
}

// VersionRange reports whether b is versions of packages, as manifests and lock files have
// them: ^1.0.0, >=1.2 <2, 4.0.0-beta.1, npm:name@1.0.0.
func VersionRange(b []byte) bool {
	if !ascii.Is(b[0], ascii.Digit) && strings.IndexByte("^~<>=v*xn ", b[0]) < 0 {
		return false
	}
	if bytes.HasPrefix(b, []byte("npm:")) {
		b = b[max(len("npm:"), bytes.LastIndexByte(b, '@')+1):]
	}
	found := false
	for w := range bytes.FieldsFuncSeq(b, func(r rune) bool { return r == ' ' || r == '|' || r == ',' }) {
		w = bytes.TrimLeft(w, "^~<>=!v")
		if len(w) == 0 || len(w) == 1 && (w[0] == '-' || w[0] == '*' || w[0] == 'x') {
			continue
		}
		n := ascii.Run(w, ascii.Digit|ascii.Dot)
		core := w[:n]
		switch {
		case n == 0 || !ascii.Is(w[0], ascii.Digit) || bytes.Contains(core, []byte("..")):
			return false
		case n == len(w):
			found = found || bytes.Count(core, []byte{'.'}) > 0 || len(core) < len(b)
			continue
		case bytes.Count(core, []byte{'.'}) < 2, w[n] != '-' && w[n] != '+', ascii.Run(w[n:], ascii.Alnum|ascii.Dash|ascii.Dot|ascii.Plus) < len(w)-n:
			return string(w[n:]) == "x" || string(w[n:]) == "*"
		}
		found = true
	}
	return found
}

// Dated reports whether b has a date in it, 2026-01-08, as names of sessions and times do,
// or a year and a number, 2026:0062, as names of advisories do.
func Dated(b []byte) bool {
	for i := 0; i+len("2026:0062") <= len(b); i++ {
		d := b[i:]
		if i > 0 && b[i-1] == '-' && d[0] == '2' && d[1] == '0' && d[4] == ':' && ascii.Run(d[:9], ascii.Digit) == 4 && ascii.Run(d[5:9], ascii.Digit) == 4 {
			return true
		}
		if len(d) < len("2026-01-08") {
			continue
		}
		if d[4] == '-' && d[7] == '-' && (d[0] == '2' && d[1] == '0' || d[0] == '1' && d[1] == '9') && ascii.Run(d[2:4], ascii.Digit) == 2 &&
			(d[5] == '0' || d[5] == '1') && ascii.Is(d[6], ascii.Digit) && ascii.Run(d[8:10], ascii.Digit) == 2 {
			return true
		}
	}
	return false
}

// EndsInUUID reports whether b is more than a UUID, and ends in one or in what looks like
// it in an example: us-west-2_a1b2c3d4-5678-90ab-cdef-EXAMPLE11111.
func EndsInUUID(b []byte) bool {
	const size = len("a1b2c3d4-5678-90ab-cdef-012345678901")
	if b = bytes.TrimSuffix(b, []byte("-0")); len(b) <= size {
		return false // less the number that Grafana puts after one
	}
	u := b[len(b)-size:]
	return u[8] == '-' && u[13] == '-' && u[18] == '-' && u[23] == '-' && ascii.Run(u[24:], ascii.Alnum) == 12 && ascii.Run(u, ascii.Alnum) == 8
}

// Coloured reports whether the value has the colour code of a terminal in it, as
// a program writes it: "\x1b[32mPASS".
func (t *Traits) Coloured() bool {
	return colours.In(t.Bytes)
}

// colours are the beginnings of such codes.
var colours = wordsWithin{'\\': {"x1b[", "033[", "e["}}

// HexNumber reports whether b is a number of at most 64 bits, 0x04034b50, or one below
// zero.
func HexNumber(b []byte) bool {
	if b[0] != '-' && b[0] != '0' {
		return false
	}
	b = bytes.TrimRight(b, "uUlL")
	if len(b) > 1 && b[0] == '-' {
		if b = b[1:]; ascii.Run(b, ascii.Digit) == len(b) {
			return true
		}
	}
	if len(b) > len("0b") && b[0] == '0' && (b[1] == 'b' || b[1] == 'o') && ascii.Run(b[2:], ascii.Digit|ascii.Under) == len(b)-2 {
		return true
	}
	return len(b) > len("0x") && len(b) <= len("0x")+64/4 && b[0] == '0' && (b[1] == 'x' || b[1] == 'X') && ascii.Run(b[2:], ascii.HexDigit|ascii.Under) == len(b)-2
}

// Mentions reports whether b has a word for a secret in it, as the name of a variable has.
func Mentions(b []byte) bool {
	var buf [64]byte
	return mentioned.In(ascii.AppendLower(buf[:0], b))
}

// FieldName reports whether b names the field or the variable of a password: auth_passwd,
// passwordfield.
func FieldName(b []byte) bool {
	return bytes.HasSuffix(b, []byte("passwd")) && len(b) > len("passwd") || bytes.HasSuffix(b, []byte("_hash")) || (bytes.HasPrefix(b, []byte("field_")) || bytes.HasSuffix(b, []byte("field"))) && Mentions(b)
}

// maxIdentifier is the greatest length of the name of a variable: longer ones are names of
// tests.
const maxIdentifier = 40
