package redact

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// secret decides whether the value of a field is one.
func (v *view) secret(f *field) bool {
	if f.value.end-f.value.start < value.Min || v.inSentence(f) || v.plainly(f) || v.label(f) {
		return false
	}
	t := value.TraitsOf(v.text[f.value.start:f.value.end])
	switch {
	case t.KeyID() && ascii.ContainsFold(v.text[f.start:f.end], "sign"):
		return false
	case t.AccessKey() && !t.ExampleKey() && ascii.ContainsFold(v.text[f.start:f.end], "access"):
		return true
	case f.strength == names.Password && phrased>>f.op&1 != 0 && v.namesPhrase(f) && t.JoinedWords():
		return true
	case t.Placeholder():
		return v.weak(f, t) || v.givenWords(f, t)
	case f.quote.mark != 0 && t.Spaces > 0:
		return v.words(f, t)
	}
	return v.wordsToEnd(f) || v.judge(f, t)
}

// words decides about a value with spaces in it, which is in quotes.
func (v *view) words(f *field, t value.Traits) bool {
	switch f.strength {
	case names.Password:
		if f.op <= opCompare && v.namesPassword(f) && t.TwoRandom() {
			return true
		}
		if (f.op == opAssign || v.namesPhrase(f)) && t.Passphrase() || f.op == opAssign && !f.quote.open && v.namesPassword(f) && t.TwoWords() {
			return true
		}
		fallthrough
	case names.Telling:
		if f.op <= opCompare && t.Phrase() {
			return true
		}
	}
	return f.strength >= names.Hinting && seedPhrase(t.Bytes) == t.Len
}

// inSentence reports whether the value is a word that follows the name in a
// sentence: token refreshed, session was closed. What is judged a secret there has
// a digit, a capital letter, a sign, or the length of a long word. It is what most names in logs
// have after them, and cheaper than the traits.
func (v *view) inSentence(f *field) bool {
	b := v.text[f.value.start:f.value.end]
	return (f.op == opBeside || f.op == opIs) && f.quote.mark == 0 && len(b) < value.LongLetters && ascii.Run(b, ascii.Lower) == len(b)
}

// plainly reports whether the value is too short or, for a name that only hints at
// a secret, has no digit where it needs one: whatever else it is, it is no secret.
func (v *view) plainly(f *field) bool {
	b := v.text[f.value.start:min(f.value.end, f.value.start+value.MaxJudged)]
	switch {
	case f.strength == names.Password:
		return false
	case len(b) < value.MinPassword:
		return true
	case f.quote.mark != 0:
		return false
	case f.strength == names.Telling:
		return len(b) < value.MinToken
	}
	for _, c := range b {
		if ascii.Is(c, ascii.Digit) {
			return false
		}
	}
	return true
}

// namesPassword reports whether the name has no word but that for a password and, before
// it, one of three letters at the most: password, DB_PASS.
func (v *view) namesPassword(f *field) bool {
	name := v.text[f.start:f.end]
	start, _ := names.LastWord(name)
	return start <= len("ftp_")
}

// namesPhrase reports whether the field is for a phrase of words.
func (v *view) namesPhrase(f *field) bool { return ascii.ContainsFold(v.text[f.start:f.end], "phrase") }

// wordsToEnd reports whether the value, without quotes, is the first of the words of a
// passphrase that ends its line, and takes them in.
func (v *view) wordsToEnd(f *field) bool {
	if f.strength < names.Password || f.quote.mark != 0 || f.op != opAssign && f.op != opColon || !v.namesPhrase(f) || !v.leads(f.start) {
		return false
	}
	b := trimRight(v.text[f.value.start:v.hi])
	if !value.TraitsOf(b).Passphrase() {
		return false
	}
	f.value.end = f.value.start + len(b)
	return true
}

// weak reports whether a value that looks like a placeholder is a bad password
// all the same: in a connection string there are no placeholders of one word, nor
// with a digit in them.
func (v *view) weak(f *field, t value.Traits) bool {
	if f.strength != names.Password || f.quote.mark != 0 || f.op != opAssign || !v.joined(f) || t.Distinct < value.FewBytes || value.Reference(t.Bytes) {
		return false
	}
	if f.value.end == v.hi || v.text[f.value.end] != ';' && (v.text[f.value.end] != ',' || t.Digits == 0) {
		return false
	}
	return v.connectionString(f)
}

// used reports whether a program says that it uses the field: Using key=value.
func (v *view) used(f *field) bool {
	b := v.text[max(v.lo, f.start-len("using ")):f.start]
	return ascii.HasFold(b, "using ") && f.op == opAssign && v.joined(f)
}

// keywordArgument reports whether the field is an argument of a call that has the name
// of a variable for its value: f(user=name, password=other, port=1).
func (v *view) keywordArgument(f *field) bool {
	b, rest := v.text[f.value.start:f.value.end], v.text[f.value.end:v.hi]
	if ascii.Run(b, ascii.Word) < len(b) || ascii.Is(b[0], ascii.Digit) || !bytes.HasPrefix(rest, []byte(", ")) && !bytes.HasPrefix(rest, []byte(")")) {
		return false
	}
	before := v.text[v.lo:f.start]
	return bytes.Count(before, []byte{'"'})%2 == 0 && bytes.Count(before, []byte{'\''})%2 == 0
}

// givenWords reports whether the value is a password of words, as people make them up
// for a file of settings: PASSWORD=my_password is all of its line.
func (v *view) givenWords(f *field, t value.Traits) bool {
	if f.strength != names.Password || f.op != opAssign || !v.joined(f) || v.text[f.value.start-1] != '=' || f.value.end < v.hi || t.Len < value.MinToken {
		return false
	}
	var buf [16]byte
	return f.start == v.hi-len(unprefixed(v.text[v.lo:v.hi])) && t.Lowers+t.Digits+t.Dashes == t.Len && t.Distinct > value.FewBytes && !v.repeats(f, t.Bytes) &&
		!value.Instructions.In(string(t.Bytes)) && !value.CommonWord(string(ascii.AppendLower(buf[:0], t.Bytes))) && !bytes.Contains(t.Bytes, []byte("xxx"))
}
