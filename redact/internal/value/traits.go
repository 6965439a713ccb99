// Package value classifies values by their bytes alone: random, made up by people, or no
// secret but a placeholder, a path, a word.
package value

import (
	"math/bits"
	"strings"

	"github.com/envwrap/envwrap/redact/internal/ascii"
)

// Traits are counts over the bytes of a value. The methods that classify it are in
// forms.go, kinds.go and placeholder.go.
type Traits struct {
	Bytes                  []byte // its first MaxExamined bytes
	Len                    int
	Digits, Lowers, Uppers int
	Hexes, Signs, Spaces   int
	Distinct               int
	Changes                int // between digits, small and capital letters
	Dashes                 int // signs that join words: - and _
	Slashes                int
	Dots                   int
	Repeat                 int  // of one byte, at the longest
	Foreign                int  // bytes of characters that are not ASCII, and of their escapes
	Escaped                int  // bytes of the escapes
	Odd                    int  // signs that neither words nor code are made of: ! # * ? @ ~
	wordy                  int8 // whether Wordy is true, 1, or false, -1; 0 before it is asked for
}

// MaxExamined is how many bytes of a value are examined.
const MaxExamined = 512

// TraitsOf returns the traits of v. They are in the memory of the caller, into which the
// compiler puts this function.
func TraitsOf(v []byte) *Traits {
	t := new(Traits)
	t.Count(v)
	return t
}

// Kinds of bytes that Count counts.
const (
	otherSign = iota
	digit
	hexLower
	otherLower
	hexUpper
	otherUpper
	blank
	foreign
	oddSign
	dash
	slash
	dot
	kinds
)

// kindOf has the kind of each byte.
var kindOf = func() (of [256]uint8) {
	for k, set := range [kinds]string{
		digit: "0123456789", hexLower: "abcdef", otherLower: "ghijklmnopqrstuvwxyz", hexUpper: "ABCDEF", otherUpper: "GHIJKLMNOPQRSTUVWXYZ",
		blank: " \t", oddSign: "~!?@#*", dash: "-_", slash: "/", dot: ".",
	} {
		for i := range len(set) {
			of[set[i]] = uint8(k)
		}
	}
	for c := 0x80; c < len(of); c++ {
		of[c] = foreign
	}
	return of
}()

// Count sets t to the traits of v. It does not branch on letters and digits: a processor
// cannot foresee those of random values, and goes back for each wrong guess.
func (t *Traits) Count(v []byte) {
	v = v[:min(len(v), MaxExamined)]
	*t = Traits{Bytes: v, Len: len(v)}
	letters := [16]uint8{digit: 1, hexLower: 2, otherLower: 2, hexUpper: 3, otherUpper: 3}
	var n [16]int // bytes of each kind
	var seen [4]uint64
	same, last := 0, uint8(0)
	escaped := 0 // end of the last escape of a character
	repeat, changes := 0, 0
	for i, c := range v {
		k := kindOf[c] & 15
		if c == '\\' && i >= escaped {
			escaped = i + foreignEscape(v[i:])
		}
		if i < escaped {
			t.Escaped++
			k = foreign
		}
		if same++; i > 0 && c != v[i-1] {
			same = 1
		}
		repeat = max(repeat, same)
		seen[c>>6] |= 1 << (c & 63)
		n[k]++
		now := letters[k]
		if now == 0 {
			now = last
		}
		changes += int(now^last+3) >> 2 // 1 if they differ
		last = now
	}
	if last != 0 {
		changes-- // of the first letter or digit
	}
	t.Repeat, t.Changes = repeat, changes
	t.Digits, t.Lowers, t.Uppers = n[digit], n[hexLower]+n[otherLower], n[hexUpper]+n[otherUpper]
	t.Hexes = n[digit] + n[hexLower] + n[hexUpper] + t.Escaped*4/len(`\u00e4`)
	t.Spaces, t.Foreign, t.Odd = n[blank], n[foreign], n[oddSign]
	t.Dashes, t.Slashes, t.Dots = n[dash], n[slash], n[dot]
	t.Signs = n[otherSign] + t.Odd + t.Dashes + t.Slashes + t.Dots
	for _, w := range seen {
		t.Distinct += bits.OnesCount64(w)
	}
}

// Wordy is the function of that name for the bytes of t, called once.
func (t *Traits) Wordy() bool {
	if t.wordy == 0 {
		if t.wordy = -1; Wordy(t.Bytes) {
			t.wordy = 1
		}
	}
	return t.wordy > 0
}

// foreignEscape returns the length of the escape at the start of b if it is that of a letter
// beyond ASCII, \u00e4, and 0 if it is not: signs such as \u20ac are not of words.
func foreignEscape(b []byte) int {
	const size = len(`\u00e4`)
	if len(b) < size || b[1] != 'u' || ascii.Run(b[2:size], ascii.HexDigit) < size-2 {
		return 0
	}
	if b[2] == '2' || b[2] == '0' && b[3] == '0' && strings.IndexByte("cdefCDEF", b[4]) < 0 {
		return 0 // ASCII, or a sign
	}
	return size
}

// Lengths of a value, or of a part of it, by which it is classified.
const (
	FewBytes    = 4  // a value of fewer different bytes is a row of signs: xxxx, ****
	minDistinct = 6  // a short value with fewer different bytes is a pattern: 121212
	minNumber   = 15 // digits only: a shorter number is a time, a size or an id
	longName    = 12 // longer than most names that have a number in them
	longHex     = 24 // longer than words of the letters a to f, and than two words
	Several     = 2  // digits, or letters of a case: one of them is in many names
	ManyChanges = 4  // between digits, small and capital letters: names have up to three
	fewChanges  = 3  // enough where all three kinds are there: names then have up to two
	someDigits  = 3  // of a long value with many changes: names have up to two
	manySigns   = 8  // of a row of signs; half of them are enough among letters and digits
	maxOdd      = 3  // odd signs that people put into a word: more are a pattern
	minOdd      = 10 // with odd signs: a shorter value is an operator or a part of a pattern
)

// latinSign begins signs such as guillemets in UTF-8, and no letters.
const latinSign = 0xc2

// Random reports whether a value of at least so many bytes looks random rather than
// written by a person.
func (t *Traits) Random(atLeast int) bool {
	letters, signs := t.Lowers+t.Uppers, t.Signs-t.Dashes-t.Slashes-t.Dots
	text := t.Foreign > 0 && letters > Several && !ascii.Contains(t.Bytes, latinSign)
	if !text {
		signs += t.Foreign
	}
	if t.Len < atLeast || t.Spaces > 0 || text && t.Digits == 0 || t.mostlyForeign() || t.Distinct < min(minDistinct, t.Len*2/3) {
		return false
	}
	switch {
	case t.Digits == t.Len:
		return t.Len >= minNumber
	case t.Hexes == t.Len && t.Len >= LongLetters:
		return t.Digits > 0 || t.Len >= longHex
	case t.Digits >= Several && letters >= Several && (t.Digits*4 >= t.Len-t.Signs && (t.Changes >= ManyChanges || t.Len >= LongLetters) || !t.Wordy()):
		return true
	case t.Digits >= 1 && t.Changes >= ManyChanges && !t.Wordy():
		return true
	case t.mixedCase() && (t.Len >= longName || signs > 0 && t.Len >= MinToken):
		return true
	case letters+t.Digits+t.Dashes == t.Len && (t.Len >= LongLetters || t.Len >= longName && t.Digits > 0) && !t.Wordy():
		return true
	}
	return t.Restless() || letters+t.Digits >= 4 && t.Len >= MinToken && (signs >= manySigns/2 || signs >= Several && t.Digits > 0) || signs >= manySigns && t.Distinct > manySigns
}

// mostlyForeign reports whether more than a third of the bytes are of characters that are not
// ASCII, of which an escape counts as two.
func (t *Traits) mostlyForeign() bool {
	more := t.Escaped / len(`\u00e4`) * (len(`\u00e4`) - 2)
	return (t.Foreign-more)*3 > t.Len-more
}

// Restless reports whether the value changes so often between digits, small and capital
// letters and odd signs that words in it are chance.
func (t *Traits) Restless() bool {
	switch {
	case t.Len >= longName && t.Digits > 0 && t.Lowers >= Several && t.Uppers >= Several && t.Changes*5 > t.Len*2:
		return true
	case t.Len >= longHex && t.Digits >= someDigits && t.Changes*3 >= t.Len:
		return true
	case t.Len >= LongLetters && t.Digits >= someDigits && max(t.Lowers, t.Uppers)+t.Digits == t.Len && t.Changes*4 >= t.Len:
		return true
	}
	return t.Len >= minOdd && t.Odd >= Several && t.Lowers >= Several && t.Uppers >= Several && !t.Wordy()
}

// MadeUp reports whether the value is a word with digits and an odd sign or two, as people
// make passwords up: Walnut1971#, Wal@nut71.
func (t *Traits) MadeUp() bool {
	odd := t.Odd
	if t.Bytes[t.Len-1] == '$' {
		odd++
	}
	return t.Len >= MinToken && t.Len <= longHex && t.Digits >= Several && t.Lowers >= MinWord && odd > 0 && odd <= maxOdd &&
		t.Lowers+t.Uppers+t.Digits+odd == t.Len && ascii.Is(t.Bytes[0], ascii.Alnum)
}

// mixedCase reports whether the value changes between small and capital letters as no
// words do.
func (t *Traits) mixedCase() bool {
	return t.Lowers >= Several && t.Uppers >= Several && t.Changes >= ManyChanges && !t.Wordy()
}

// Jumble reports whether the value is small and capital letters and digits that change as
// in no variable's name: KR8kl8A04.
func (t *Traits) Jumble() bool {
	return t.Len >= MinToken && t.Lowers >= Several && t.Uppers >= Several && t.Digits > 0 && t.Changes >= fewChanges && t.Signs == 0 && !t.Wordy()
}

// Jumbled reports whether the value is such a jumble, or has odd signs and both kinds of
// letters besides: Mf#f4MUFW.
func (t *Traits) Jumbled() bool {
	return t.Jumble() || t.Len >= MinToken && t.Odd > 0 && t.Odd <= maxOdd && t.Signs == t.Odd && t.Foreign == 0 && t.Spaces == 0 &&
		t.Digits > 0 && t.Lowers > 0 && t.Uppers > 0 && t.Changes >= fewChanges && ascii.Is(t.Bytes[0], ascii.Alnum) && !t.Wordy()
}

// UUID reports whether the value is a UUID.
func (t *Traits) UUID() bool {
	if t.Len != 36 {
		return false
	}
	for i, c := range t.Bytes {
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

// The least lengths of values that are masked for their names: shorter ones are numbers and
// words of programs.
const (
	Min         = 4 // of anything, which is a password in quotes then
	MinPassword = 6 // of a password that a digit shows to be one
	MinToken    = 8 // of a token, a secret or a key
)

const (
	MinCoined = 10 // of words run together: shorter ones are names
	MinWord   = 3  // letters of one of them
)
