package redact

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/syntax"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// secret decides whether the value of a field is one.
func (v *view) secret(f *field) bool {
	if f.value.End-f.value.Start < value.Min || v.inSentence(f) || v.plainly(f) || v.label(f) {
		return false
	}
	t := value.TraitsOf(v.Text[f.value.Start:f.value.End])
	switch {
	case t.KeyID() && ascii.ContainsFold(f.Bytes(), "sign"):
		return false
	case t.AccessKey() && !t.ExampleKey() && ascii.ContainsFold(f.Bytes(), "access"):
		return true
	case f.strength == names.Password && phrased>>f.op&1 != 0 && v.namesPhrase(f) && t.JoinedWords():
		return true
	case t.Placeholder():
		return v.weak(f, t) || v.givenWords(f, t)
	case f.quote.Mark != 0 && t.Spaces > 0:
		return v.words(f, t)
	}
	return v.wordsToEnd(f) || v.judge(f, t)
}

// words decides about a value with spaces in it, which is in quotes.
func (v *view) words(f *field, t value.Traits) bool {
	switch f.strength {
	case names.Password:
		if f.op <= syntax.OpCompare && v.namesPassword(f) && t.TwoRandom() {
			return true
		}
		if (f.op == syntax.OpAssign || v.namesPhrase(f)) && t.Passphrase() || f.op == syntax.OpAssign && !f.quote.Open && v.namesPassword(f) && t.TwoWords() {
			return true
		}
		fallthrough
	case names.Telling:
		if f.op <= syntax.OpCompare && t.Phrase() {
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
	b := v.Text[f.value.Start:f.value.End]
	return (f.op == syntax.OpBeside || f.op == syntax.OpIs) && f.quote.Mark == 0 && len(b) < value.LongLetters && ascii.Run(b, ascii.Lower) == len(b)
}

// plainly reports whether the value is too short or, for a name that only hints at
// a secret, has no digit where it needs one: whatever else it is, it is no secret.
func (v *view) plainly(f *field) bool {
	b := v.Text[f.value.Start:min(f.value.End, f.value.Start+value.MaxJudged)]
	switch {
	case f.strength == names.Password:
		return false
	case len(b) < value.MinPassword:
		return true
	case f.quote.Mark != 0:
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
	name := f.Bytes()
	start, _ := names.LastWord(name)
	return start <= len("ftp_")
}

// namesPhrase reports whether the field is for a phrase of words.
func (v *view) namesPhrase(f *field) bool { return ascii.ContainsFold(f.Bytes(), "phrase") }

// wordsToEnd reports whether the value, without quotes, is the first of the words of a
// passphrase that ends its line, and takes them in.
func (v *view) wordsToEnd(f *field) bool {
	if f.strength < names.Password || f.quote.Mark != 0 || f.op != syntax.OpAssign && f.op != syntax.OpColon || !v.namesPhrase(f) || !v.Leads(f.Start) {
		return false
	}
	b := syntax.TrimRight(v.Text[f.value.Start:v.Hi])
	if !value.TraitsOf(b).Passphrase() {
		return false
	}
	f.value.End = f.value.Start + len(b)
	return true
}

// weak reports whether a value that looks like a placeholder is a bad password
// all the same: in a connection string there are no placeholders of one word, nor
// with a digit in them.
func (v *view) weak(f *field, t value.Traits) bool {
	if f.strength != names.Password || f.quote.Mark != 0 || f.op != syntax.OpAssign || !v.joined(f) || t.Distinct < value.FewBytes || value.Reference(t.Bytes) {
		return false
	}
	if f.value.End == v.Hi || v.Text[f.value.End] != ';' && (v.Text[f.value.End] != ',' || t.Digits == 0) {
		return false
	}
	return v.connectionString(f)
}

// used reports whether a program says that it uses the field: Using key=value.
func (v *view) used(f *field) bool {
	b := v.Text[max(v.Lo, f.Start-len("using ")):f.Start]
	return ascii.HasFold(b, "using ") && f.op == syntax.OpAssign && v.joined(f)
}

// keywordArgument reports whether the field is an argument of a call that has the name
// of a variable for its value: f(user=name, password=other, port=1).
func (v *view) keywordArgument(f *field) bool {
	b, rest := v.Text[f.value.Start:f.value.End], v.Text[f.value.End:v.Hi]
	if ascii.Run(b, ascii.Word) < len(b) || ascii.Is(b[0], ascii.Digit) || !bytes.HasPrefix(rest, []byte(", ")) && !bytes.HasPrefix(rest, []byte(")")) {
		return false
	}
	before := v.Text[v.Lo:f.Start]
	return bytes.Count(before, []byte{'"'})%2 == 0 && bytes.Count(before, []byte{'\''})%2 == 0
}

// givenWords reports whether the value is a password of words, as people make them up
// for a file of settings: PASSWORD=my_password is all of its line.
func (v *view) givenWords(f *field, t value.Traits) bool {
	if f.strength != names.Password || f.op != syntax.OpAssign || !v.joined(f) || v.Text[f.value.Start-1] != '=' || f.value.End < v.Hi || t.Len < value.MinToken {
		return false
	}
	var buf [16]byte
	return f.Start == v.Hi-len(syntax.Unprefixed(v.Text[v.Lo:v.Hi])) && t.Lowers+t.Digits+t.Dashes == t.Len && t.Distinct > value.FewBytes && !v.repeats(f, t.Bytes) &&
		!value.Instructions.In(string(t.Bytes)) && !value.CommonWord(string(ascii.AppendLower(buf[:0], t.Bytes))) && !bytes.Contains(t.Bytes, []byte("xxx"))
}
