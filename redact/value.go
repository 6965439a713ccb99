package redact

import (
	"bytes"
	"strings"

	"github.com/envwrap/envwrap/redact/internal/ascii"
)

// words reports whether a value consists of letters and of what joins words.
func (t traits) words() bool { return t.lowers+t.uppers+t.dashes+t.dots == t.n }

// phrase reports whether the value, which has spaces in it, is a secret all the
// same and no sentence.
func (t traits) phrase() bool {
	return t.n >= minToken && t.spaces <= minWords && t.digits > 0 && t.signs > 0 && !wordy(t.b) ||
		t.n >= longLetters && t.spaces == 1 && t.digits >= several && t.signs*4 >= t.n
}

// twoRandom reports whether the value is two parts, each of which has digits and letters
// as no word has.
func (t traits) twoRandom() bool {
	a, b, _ := bytes.Cut(t.b, []byte{' '})
	x, y := traitsOf(a), traitsOf(b)
	return t.spaces == 1 && x.changes >= several && y.changes >= several && x.random(minValue) && y.random(minValue)
}

// passphrase reports whether the value is a row of four to eight words that no
// sentence on a form would be.
func (t traits) passphrase() bool {
	if t.lowers+t.spaces != t.n || t.spaces+1 < minWords || t.spaces+1 > maxWords {
		return false
	}
	for w := range bytes.FieldsSeq(t.b) {
		switch string(w) {
		case "your", "the", "a", "is", "not", "no", "must", "please", "invalid", "for", "to", "of", "here", "reset", "new",
			"current", "confirm", "enter", "password", "passphrase", "secret", "token", "or", "be", "this", "that", "at",
			"if", "in", "on", "are", "was", "has", "have", "can", "cannot", "should", "will", "it", "from", "by":
			return false
		}
	}
	return true
}

const (
	minWords = 4 // of a passphrase: three are a caption
	maxWords = 8 // more are a sentence
)

// twoWords reports whether the value is two words, of letters and a digit or two, that
// no message about a password has.
func (t traits) twoWords() bool {
	a, b, _ := bytes.Cut(t.b, []byte{' '})
	return t.spaces == 1 && t.lowers+t.uppers+t.digits+1 == t.n && t.digits <= 2 && len(a) >= minValue && len(b) >= minValue &&
		!mentions(t.b) && !commonWord(string(bytes.ToLower(a))) && !commonWord(string(bytes.ToLower(b)))
}

// joinedWords reports whether the value is such a row with a dash, dot or underscore for
// each space.
func (t traits) joinedWords() bool {
	b := t.b
	for _, sign := range [...]byte{'-', '.', '_'} {
		if ascii.Contains(b, sign) {
			return traitsOf(bytes.ReplaceAll(b, []byte{sign}, []byte{' '})).passphrase()
		}
	}
	return false
}

// coined reports whether the value is words run together, as people make a password up:
// fjord-ripple-ember, CopperGarnet, walrus!tulip.
func (t traits) coined() bool {
	if t.n < minCoined || t.n > maxIdentifier || t.lowers == 0 || !ascii.Is(t.b[t.n-1], ascii.Alpha) || mentions(t.b) {
		return false
	}
	words, letters, signs := 1, 0, 0
	for i, c := range t.b {
		switch {
		case ascii.Is(c, ascii.Upper) && letters > 0 && ascii.Is(t.b[i-1], ascii.Upper):
			return false
		case ascii.Is(c, ascii.Upper) && letters > 0:
			words++
			if letters < minWord {
				return false
			}
			letters = 1
		case ascii.Is(c, ascii.Alpha):
			letters++
		case strings.IndexByte("-_.!", c) < 0, letters < minWord:
			return false
		default:
			if c != '!' {
				signs++
			}
			words++
			letters = 0
		}
	}
	return letters >= minWord && words >= 2 && signs != 1
}

const (
	minCoined = 10 // of words run together: shorter ones are names
	minWord   = 3  // letters of one of them
)

// caption reports whether the value is written on a form: "Password:".
func (t traits) caption() bool {
	b := t.b
	if (b[0] == '#' || b[0] == '.') && traitsOf(b[1:]).words() && wordy(b) {
		return true // a selector
	}
	c := b[len(b)-1]
	return (c == ':' || c == '?' || c == '*') && t.lowers+t.uppers >= t.n-1 && wordy(b)
}

// path reports whether the value is a path or an address rather than base64: it
// has short words between slashes, or begins like one.
func (t traits) path() bool {
	b := t.b
	if t.slashes == 0 {
		return t.dots > 0 && fileName(b) || bytes.Count(b, []byte{'\\'}) >= minBackslashes && wordy(b)
	}
	switch {
	case b[0] == '/' || b[0] == '.' || b[0] == '~':
		return (wordy(b) || t.digits == 0) && !t.restless()
	case bytes.Contains(b, []byte("://")), b[0] == '\\':
		return true
	}
	return t.slashes*maxPart >= t.n && t.changes*2 < t.n-t.signs && wordy(b)
}

const (
	minBackslashes = 3  // of a path of Windows: fewer are an escape
	maxPart        = 12 // the length of a part of a path on average: base64 has a slash in 64 bytes
)

// fileName reports whether b ends in the extension of a file. One of digits is none,
// and one with a digit is that of a word: a password may have a dot near its end.
func fileName(b []byte) bool {
	n := ascii.RunBack(b, ascii.Lower|ascii.Digit)
	letters := ascii.RunBack(b, ascii.Lower)
	if n < 1 || n > maxExtension || n == len(b) || b[len(b)-n-1] != '.' || ascii.Run(b[len(b)-n:], ascii.Digit) == n {
		return false
	}
	return wordy(b[:len(b)-n]) || letters == n && n < maxExtension && len(b) < longHex
}

// maxExtension is the greatest length of the extension of a file's name: .jsonc, .xhtml.
const maxExtension = 5

// code reports whether b is an expression: a selector such as cfg.token.
func code(b []byte) bool {
	i := 0
	if len(b) > 0 && b[0] == '*' {
		return !traitsOf(b[1:]).jumble()
	}
	for i < len(b) && ascii.Is(b[i], ascii.Word) {
		i++
	}
	if i == 0 || i+1 >= len(b) || b[i] != '.' || !ascii.Is(b[i+1], ascii.Alpha|ascii.Under) || !wordy(b) {
		return false
	}
	t := traitsOf(b)
	if t.dots == 1 && ascii.Is(b[len(b)-2], ascii.Digit) && ascii.Run(b[:i], ascii.Lower) == i && ascii.Run(b[i+1:], ascii.Upper)+2 == len(b)-i-1 && !mentions(b) {
		return false // word.WORD12
	}
	if t.dots > 1 && ascii.Is(b[len(b)-1], ascii.Digit) && b[len(b)-2] == '.' {
		return false // no name of a member is a digit
	}
	return t.digits < manyDigits || !t.random(longNumber) || mentions(b)
}

const (
	manyDigits = 6  // of a name with a dot in it: a selector has a few
	longNumber = 20 // longer than an integer of 64 bits
)

// pair reports whether b is itself a name and a value.
func pair(b []byte) bool {
	i := bytes.IndexByte(b, '=')
	return i >= 0 && ascii.Run(b[i:], ascii.Equals) < len(b)-i
}

// pattern reports whether b is a regular expression.
func pattern(b []byte) bool {
	for _, s := range [...]string{`\s`, `\d`, `\w`, "[[:", "[a-z", "[A-Z", "[0-9", "[^", "(?:", "(?i)"} {
		if bytes.Contains(b, []byte(s)) {
			return true
		}
	}
	return false
}

// version reports whether b is the version of a package: 1:4.13+dfsg1-1+deb12u1.
func version(b []byte) bool {
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

// coloured reports whether the value has the colour code of a terminal in it, as
// a program writes it: "\x1b[32mPASS".
func (t traits) coloured() bool {
	return bytes.Contains(t.b, []byte(`\x1b[`)) || bytes.Contains(t.b, []byte(`\033[`)) || bytes.Contains(t.b, []byte(`\e[`))
}

// nameOfVariable reports whether the value is the name of a variable that has a
// secret: "COSIGN_PASSWORD".
func (t traits) nameOfVariable() bool {
	return t.uppers > 6 && t.dashes > 0 && t.uppers+t.dashes == t.n && mentions(t.b)
}

// hexNumber reports whether b is a number of at most 64 bits: 0x04034b50.
func hexNumber(b []byte) bool {
	b = bytes.TrimPrefix(b, []byte("-"))
	return len(b) > len("0x") && len(b) <= len("0x")+64/4 && b[0] == '0' && (b[1] == 'x' || b[1] == 'X') && ascii.Run(b[2:], ascii.HexDigit|ascii.Under) == len(b)-2
}

// mentions reports whether b has a word for a secret in it, as the name of a
// variable has.
func mentions(b []byte) bool {
	var buf [64]byte
	w := ascii.AppendLower(buf[:0], b)
	for _, s := range [...]string{"pass", "pwd", "secret", "token", "key", "cred", "auth", "env", "config", "input", "arg", "param", "hash", "str"} {
		if bytes.Contains(w, []byte(s)) {
			return true
		}
	}
	return false
}

// maxIdentifier is the greatest length of the name of a variable: longer ones are
// of tests.
const maxIdentifier = 40
