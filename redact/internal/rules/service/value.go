package service

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/syntax"
	"github.com/envwrap/envwrap/redact/internal/value"
)

const (
	maxServiceValue = 2048 // the greatest length of a value after the name of a service
	minServiceValue = 14   // the least
	minUnnamed      = 24   // the least after words that name no service
	maxWord         = 64   // bytes of a word that are examined
)

// FindValue marks a value that follows a word for a secret after no more than a space or a
// dash, if the name of a service precedes the word, "wandb key x", "vendorSECRET-x", or
// the words are two, "api-key-x". The word is at pos, within the name at start.
func FindValue(v *match.View, start, pos int) {
	b := v.Text[:v.Hi]
	i := pos + ascii.Run(b[pos:min(len(b), pos+maxWord)], ascii.Alpha)
	word := b[pos:i]
	i, stop, ok := afterWords(&v.Line, i)
	if !ok {
		return
	}
	n := min(maxServiceValue, v.Run(i, ascii.URLSafe|ascii.Equals|ascii.Plus|ascii.Dot))
	val := b[i : i+n]
	if n < minServiceValue || bytes.HasPrefix(val, []byte("--")) || i+n < v.Hi && b[i+n] == '(' {
		return // too short, an option, a function
	}
	named := afterService(&v.Line, start, pos, ascii.Run(word, ascii.Upper) >= 3)
	if !named && (!twoWords(b[start:stop]) || start > v.Lo && (b[start-1] == '/' || b[start-1] == '\\')) {
		return
	}
	t := value.TraitsOf(val)
	if t.Digits < 2 && t.Len < minUnnamed || !t.Random(minServiceValue) && (t.Digits < 4 || t.Digits*2 < t.Len && value.Wordy(val)) || t.Placeholder() || t.Path() || t.KeyID() {
		return
	}
	if !named && (t.Len < minUnnamed || t.Dots > 0) {
		return
	}
	if w := ascii.Run(val, ascii.Lower|ascii.Dash); t.Slashes > 1 && w > 0 && val[min(w, n-1)] == '/' {
		return // the address of a commit
	}
	if b[i-1] == '_' && (ascii.Run(val, ascii.Upper|ascii.Digit|ascii.Under) == n || bytes.HasSuffix(b[:i], []byte("KEY_")) && bytes.HasPrefix(val, []byte("ID=")) || bytes.HasPrefix(val, []byte("hash="))) {
		return // a constant of C, or the end of a name and an id or a hash
	}
	if b[i-1] == '-' {
		i, n = start, i-start+n // the secret may begin anywhere in the word
	}
	v.Add(i, i+n, match.RuleAssignment)
}

// afterWords returns the offset at which a value may begin after the word for a secret
// that ends at i, and up to two more such words, and the end of the last word.
func afterWords(l *syntax.Line, i int) (value, stop int, ok bool) {
	const signs = ascii.Dash | ascii.Dot | ascii.Under | ascii.Blank | ascii.Colon | ascii.Equals
	b := l.Text[:l.Hi]
	for range 3 {
		stop = i
		n := ascii.Run(b[i:min(len(b), i+4)], signs)
		if n == 0 || n > 3 {
			return 0, 0, false
		}
		i += n
		w := ascii.Run(b[i:min(len(b), i+8)], ascii.Alpha)
		if w == 0 || w > 7 || i+w >= len(b) || !ascii.Is(b[i+w], signs) {
			break
		}
		if !Joins(b[i : i+w]) {
			break
		}
		i += w
	}
	return i, stop, true
}

// Joins reports whether w, a word after one for a secret, joins it: access token, reset code.
func Joins(w []byte) bool {
	var buf [8]byte
	if len(w) >= len(buf) {
		return false
	}
	s := string(ascii.AppendLower(buf[:0], w))
	return s == "code" || names.StrengthOfWord(s) != names.None
}

// twoWords reports whether id ends in two words for a secret, or in one that is made of
// two: "access-token", "apikey".
func twoWords(id []byte) bool {
	start, stop := names.LastWord(id)
	var buf, before [16]byte
	w := string(ascii.AppendLower(buf[:0], id[start:stop]))
	from, to := names.LastWord(id[:start])
	switch w {
	case "apikey", "accesskey", "secretkey", "privatekey":
		return true
	case "key":
		return from < to && names.StrengthOf(id, nil) >= names.Strong
	case "token":
		p := string(ascii.AppendLower(before[:0], id[from:to]))
		return p == "access" || p == "api" || p == "auth" || p == "private" || p == "secret"
	}
	return false
}

// afterService reports whether the name of a service precedes the word for a secret at
// pos: a known one, or, if the word is in capitals, any in small letters.
func afterService(l *syntax.Line, start, pos int, capitals bool) bool {
	i := pos
	if n := ascii.RunBack(l.Text[start:pos], ascii.Dash|ascii.Dot|ascii.Under); n == 0 && i == start && i > l.Lo && l.Text[i-1] == ' ' {
		i--
	} else {
		i -= n
	}
	n := ascii.RunBack(l.Text[max(l.Lo, i-maxWord):i], ascii.Alnum)
	w := l.Text[i-n : i]
	if capitals && n >= 4 && ascii.Run(w, ascii.Lower|ascii.Digit) == n && ascii.Is(w[0], ascii.Lower) {
		return true
	}
	var buf [24]byte
	return n >= 3 && n <= 24 && names.Service(string(ascii.AppendLower(buf[:0], w)))
}
