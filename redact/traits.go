package redact

import "github.com/envwrap/envwrap/redact/internal/ascii"

// traits are what can be seen of a value. The methods that judge it are in
// value.go and placeholder.go.
type traits struct {
	b                      []byte // its first maxJudged bytes
	n                      int
	digits, lowers, uppers int
	hexs, signs, spaces    int
	distinct               int
	changes                int // between digits, small and capital letters
	dashes                 int // signs that join words: - and _
	slashes                int
	dots                   int
	repeat                 int // of one byte, at the longest
	foreign                int // bytes of characters that are not ASCII
	odd                    int // signs that neither words nor code are made of: ! # * ? @ ~
}

// maxJudged is how much of a value is looked at to judge it.
const maxJudged = 512

// traitsOf looks at v.
func traitsOf(v []byte) traits {
	v = v[:min(len(v), maxJudged)]
	t := traits{b: v, n: len(v)}
	var seen [4]uint64
	var last ascii.Class
	same := 0
	for i, c := range v {
		if i > 0 && c == v[i-1] {
			same++
		} else {
			same = 1
		}
		t.repeat = max(t.repeat, same)
		seen[c>>6] |= 1 << (c & 63)
		k := ascii.ClassOf(c)
		switch {
		case k&ascii.Digit != 0:
			t.digits++
		case k&ascii.Lower != 0:
			t.lowers++
		case k&ascii.Upper != 0:
			t.uppers++
		case c == ' ' || c == '\t':
			t.spaces++
		case c >= 0x80:
			t.foreign++
		default:
			t.signs++
			if k&(ascii.Tilde|ascii.Query) != 0 && c != '$' && c != '&' {
				t.odd++
			}
			switch c {
			case '-', '_':
				t.dashes++
			case '/':
				t.slashes++
			case '.':
				t.dots++
			}
		}
		if k&ascii.HexDigit != 0 {
			t.hexs++
		}
		if k &= ascii.Alnum; k != 0 && last != 0 && k&last == 0 {
			t.changes++
			last = k
		} else if k != 0 {
			last = k
		}
	}
	for _, w := range seen {
		for ; w != 0; w &= w - 1 {
			t.distinct++
		}
	}
	return t
}

// What the lengths of a value say of it.
const (
	fewBytes    = 4  // a value of fewer different bytes is a row of signs: xxxx, ****
	minDistinct = 6  // a short value with fewer different bytes is a pattern: 121212
	minNumber   = 15 // digits only: what is shorter is a time, a size or an id
	longName    = 12 // longer than most names that have a number in them
	longLetters = 16 // longer than nearly all words of English
	longHex     = 24 // longer than words of the letters a to f, and than two words
	several     = 2  // digits, or letters of a case: one of them is in many names
	manyChanges = 4  // between digits, small and capital letters: names have up to three
	fewChanges  = 3  // enough where all three kinds are there: names then have up to two
	someDigits  = 3  // of a long value with many changes: names have up to two
	manySigns   = 8  // of a row of signs; half of them are enough among letters and digits
	maxOdd      = 3  // odd signs that people put into a word: more are a pattern
	minOdd      = 10 // with odd signs: what is shorter is an operator or a part of a pattern
)

// random reports whether a value of at least so many bytes looks made by chance
// rather than by a person.
func (t traits) random(atLeast int) bool {
	letters, signs := t.lowers+t.uppers, t.signs+t.foreign-t.dashes-t.slashes-t.dots
	if t.n < atLeast || t.spaces > 0 || t.foreign*3 > t.n || t.distinct < min(minDistinct, t.n*2/3) {
		return false
	}
	switch {
	case t.digits == t.n:
		return t.n >= minNumber
	case t.hexs == t.n && t.n >= longLetters:
		return t.digits > 0 || t.n >= longHex
	case t.digits >= several && letters >= several && (t.digits*4 >= t.n-t.signs && (t.changes >= manyChanges || t.n >= longLetters) || !wordy(t.b)):
		return true
	case t.digits >= 1 && t.changes >= manyChanges && !wordy(t.b):
		return true
	case t.mixedCase() && (t.n >= longName || signs > 0 && t.n >= minToken):
		return true
	case letters+t.digits+t.dashes == t.n && (t.n >= longLetters || t.n >= longName && t.digits > 0) && !wordy(t.b):
		return true
	}
	return t.restless() || letters+t.digits >= 4 && t.n >= minToken && (signs >= manySigns/2 || signs >= several && t.digits > 0) || signs >= manySigns && t.distinct > manySigns
}

// restless reports whether the value changes so often between digits, small and
// capital letters and odd signs that what looks like words in it is chance.
func (t traits) restless() bool {
	switch {
	case t.n >= longName && t.digits > 0 && t.lowers >= several && t.uppers >= several && t.changes*5 > t.n*2:
		return true
	case t.n >= longHex && t.digits >= someDigits && t.changes*3 >= t.n:
		return true
	case t.n >= longLetters && t.digits >= someDigits && max(t.lowers, t.uppers)+t.digits == t.n && t.changes*4 >= t.n:
		return true
	}
	return t.n >= minOdd && t.odd >= several && t.lowers >= several && t.uppers >= several && !wordy(t.b)
}

// madeUp reports whether the value is a word with digits and an odd sign or two, as
// people make passwords up: Walnut1971#, Wal@nut71.
func (t traits) madeUp() bool {
	odd := t.odd
	if t.b[t.n-1] == '$' {
		odd++
	}
	return t.n >= minToken && t.n <= longHex && t.digits >= several && t.lowers >= minWord && odd > 0 && odd <= maxOdd &&
		t.lowers+t.uppers+t.digits+odd == t.n && ascii.Is(t.b[0], ascii.Alnum)
}

// mixedCase reports whether the value changes between small and capital letters as no
// words do.
func (t traits) mixedCase() bool {
	return t.lowers >= several && t.uppers >= several && t.changes >= manyChanges && !wordy(t.b)
}

// jumble reports whether the value is small and capital letters and digits that change
// as those of no variable do: KR8kl8A04.
func (t traits) jumble() bool {
	return t.n >= minToken && t.lowers >= several && t.uppers >= several && t.digits > 0 && t.changes >= fewChanges && t.signs == 0 && !wordy(t.b)
}

// jumbled reports whether the value is such a jumble, or has odd signs and both kinds of
// letters besides: Mf#f4MUFW.
func (t traits) jumbled() bool {
	return t.jumble() || t.n >= minToken && t.odd > 0 && t.odd <= maxOdd && t.signs == t.odd && t.foreign == 0 && t.spaces == 0 &&
		t.digits > 0 && t.lowers > 0 && t.uppers > 0 && t.changes >= fewChanges && ascii.Is(t.b[0], ascii.Alnum) && !wordy(t.b)
}

// uuid reports whether the value is a UUID.
func (t traits) uuid() bool {
	if t.n != 36 {
		return false
	}
	for i, c := range t.b {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if c != '-' {
				return false
			}
		} else if !ascii.Is(c, ascii.HexDigit) {
			return false
		}
	}
	return true
}

// The least lengths of what is masked for its name: shorter ones are numbers and words
// of programs.
const (
	minValue    = 4 // of anything, which is a password in quotes then
	minPassword = 6 // of a password that a digit shows to be one
	minToken    = 8 // of what is called a token, a secret or a key
)
