// Package classify decides whether the value of a name is a secret: by the name, by what the
// value looks like and by where on its line it is.
package classify

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/syntax"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// Secret reports whether the value is a secret, and sets Shows to the feature that shows
// it.
func (f *Field) Secret() bool {
	switch {
	case f.Value.End-f.Value.Start < value.Min:
		return false
	case f.pin():
		return true
	case f.inSentence() || f.plainlyNot() || f.isLabel():
		return false
	}
	c := candidates.Get().(*candidate)
	defer candidates.Put(c)
	c.Field = *f
	c.t.Count(f.Text[f.Value.Start:f.Value.End])
	switch t := &c.t; {
	case t.KeyID() && (t.Len == 40 && f.Strength <= names.Medium || ascii.ContainsFold(f.Text[max(f.Lo, f.Start-len("signing ")):f.End], "sign", "gpg", "pgp")):
		return false
	case t.Len == base64Point && f.Strength == names.Weak && t.Bytes[0] == 'A' && t.Bytes[1] >= 'g' && string(f.Bytes()) == "key" && f.Op == syntax.OpColon && ascii.Run(t.Bytes, ascii.Base64) == t.Len:
		return false // a public key, as wallets write it
	case f.Strength == names.Weak && bytes.HasSuffix(f.Bytes(), []byte("rimaryKey")) && !keyOfAzure(t):
		return false // of a row
	case t.AccessKey() && !t.ExampleKey() && ascii.ContainsFold(f.Bytes(), "access"):
		return true
	case f.Strength == names.Password && phrased>>f.Op&1 != 0 && f.namesPhrase() && t.JoinedWords():
		return true
	case f.vaultToken():
		return true
	case f.mayBeWords() && t.Placeholder():
		return c.weakPassword() || c.givenWords()
	case f.Quote.Mark != 0 && t.Spaces > 0:
		return c.words() && !t.Placeholder()
	}
	if f.takePassphrase() {
		return true
	}
	secret := c.classify() && (f.mayBeWords() || !c.t.Placeholder()) // last, since it compares many words
	f.Shows = c.Shows
	return secret
}

// mayBeWords reports whether the value may be a password of words or a passphrase: it is
// one for a password, without quotes, and its name, its user or what follows it are as of such.
func (f *Field) mayBeWords() bool {
	if f.Strength != names.Password || f.Quote.Mark != 0 || f.Op != syntax.OpAssign && f.Op != syntax.OpColon {
		return false
	}
	return f.Op == syntax.OpAssign && (f.Value.End == f.Hi || f.Text[f.Value.End] == ';' || f.Text[f.Value.End] == ',') || f.namesPhrase() || f.OfAccount
}

// base64Point is the length in base64 of a point of an elliptic curve of 256 bits, compressed.
const base64Point = 44

// keyOfAzure reports whether t has the form of the keys of Azure's services.
func keyOfAzure(t *value.Traits) bool {
	return (t.Len == 44 || t.Len == 88) && t.Bytes[t.Len-1] == '='
}

// vaultToken reports whether the value of a variable for a token of Vault is one of the
// form s.xxxxxxxx, which would be the member of something in a program.
func (f *Field) vaultToken() bool {
	name, b := f.Bytes(), f.Text[f.Value.Start:f.Value.End]
	return len(b) >= len("s.")+value.MinToken && b[0] == 's' && b[1] == '.' && ascii.Run(b[2:], ascii.Alnum) == len(b)-2 &&
		bytes.HasSuffix(name, []byte("VAULT_TOKEN"))
}

const pinOfCard = 6 // digits of the PIN of a token or a card

// pin reports whether the field is a PIN: four, six or eight digits, of which the name
// says whose they are, or four that are no year.
func (f *Field) pin() bool {
	name, b := f.Bytes(), f.Text[f.Value.Start:f.Value.End]
	if debugger := len(b) == len("314-159-265") && b[3] == '-' && b[7] == '-' && ascii.Run(b, ascii.Digit|ascii.Dash) == len(b); debugger && string(name) == "PIN" {
		return true // of Werkzeug
	}
	if len(b) > value.MinToken || len(b)%2 > 0 || ascii.Run(b, ascii.Digit) < len(b) {
		return false
	}
	start, end := names.LastWord(name)
	if end-start != len("pin") || !ascii.HasFold(name[start:end], "pin") {
		return false
	}
	if f.Op != syntax.OpAssign && f.Op != syntax.OpColon && f.Op != syntax.OpIs && f.Op != syntax.OpOption {
		return false
	}
	if rest := f.Text[f.Value.End:f.Hi]; len(rest) > 0 && rest[0] == ',' && (f.Op == syntax.OpAssign && !f.joined() || len(rest) > 2 && ascii.Is(rest[2], ascii.Digit)) || len(rest) > 0 && rest[0] == ']' {
		return false // of an enumeration or a list
	}
	year := bytes.HasPrefix(b, []byte("19")) || bytes.HasPrefix(b, []byte("20"))
	switch {
	case start > 0 || len(b) == value.Min:
		return start > 0 || !year
	case f.Quote.Mark == 0 && (f.Op != syntax.OpColon && !names.Capitals(name) || len(syntax.TrimRight(f.Text[f.Value.End:f.Hi])) > 0):
		return false // a number of a program
	}
	return len(b) == pinOfCard || !year
}

// words reports whether a value in quotes with spaces in it is a secret.
func (c *candidate) words() bool {
	if c.t.EscapedBytes() {
		return false // a text in another script
	}
	switch c.Strength {
	case names.Password:
		if c.t.Grouped() {
			return true
		}
		if c.Op == syntax.OpBeside && c.Quote.Mark == '\'' && names.Capitals(c.Name.Bytes()) && c.t.TwoWords() {
			return true // of SQL
		}
		if c.Op <= syntax.OpCompare && c.namesPassword() && c.t.TwoRandom() || (string(c.Name.Bytes()) == "psk" && c.Leads(c.Start) || !c.Quote.Open && c.namesPhrase() && names.Capitals(c.Name.Bytes()) && !value.Mentions(c.t.Bytes)) && c.Value.Start == c.End+len(`="`) && c.t.Len >= value.MinToken {
			return true // or of a network without wires, or a passphrase for a program
		}
		if (c.Op == syntax.OpAssign || c.namesPhrase()) && c.t.Passphrase() || c.Op == syntax.OpAssign && !c.Quote.Open && c.namesPassword() && c.t.TwoWords() {
			return true
		}
		fallthrough
	case names.Strong:
		if c.Op <= syntax.OpCompare && c.t.Phrase() || c.t.Len == saltOfWordPress && c.t.Odd > c.t.Spaces+maxOddWords && c.t.Digits > 0 {
			return true
		}
	}
	return c.Strength >= names.Medium && value.SeedPhrase(c.t.Bytes) == c.t.Len
}

// saltOfWordPress is the length of a key or salt of WordPress, of any printable characters;
// a text of that length has maxOddWords odd ones and one for each space at the most.
const (
	saltOfWordPress = 64
	maxOddWords     = 4
)

// inSentence reports whether the value is a word that follows the name in a sentence:
// token refreshed, session was closed, or another name: token2. A secret there has a digit,
// a capital letter, a sign, or the length of a long word. Most names in logs have such words
// after them; this test is cheaper than the traits.
func (f *Field) inSentence() bool {
	b := f.Text[f.Value.Start:f.Value.End]
	if f.Op != syntax.OpBeside && f.Op != syntax.OpIs || f.Quote.Mark != 0 || len(b) >= value.LongLetters {
		return false
	}
	n := ascii.Run(b, ascii.Lower)
	return n == len(b) || len(b)-n <= len("99") && ascii.Run(b[n:], ascii.Digit) == len(b)-n && names.StrengthOfWord(string(b[:n])) != names.None
}

// plainlyNot reports whether the value is too short or, for a name of medium strength or
// less, has no digit where it needs one: it is no secret, whatever else it is.
func (f *Field) plainlyNot() bool {
	b := f.Text[f.Value.Start:min(f.Value.End, f.Value.Start+value.MaxExamined)]
	switch {
	case f.Op == syntax.OpComma && f.Quote.Mark == 0 && ascii.Contains(b, ',') && !f.beforeBar():
		return true // a list of names
	case f.Strength == names.Password:
		return false
	case len(b) < value.MinPassword:
		return true
	case f.Quote.Mark != 0:
		return len(b) < value.MinToken && f.Op != syntax.OpTag
	case f.Strength == names.Strong:
		return len(b) < value.MinToken
	}
	for _, c := range b {
		if ascii.Is(c, ascii.Digit) {
			return false
		}
	}
	return true
}

// beforeBar reports whether a bar follows the name, as in a table.
func (f *Field) beforeBar() bool {
	return bytes.HasPrefix(f.Text[f.SkipSpaces(f.End):f.Hi], []byte("|"))
}

// namesPassword reports whether the name has only a word for a password and, before it,
// one of three letters at the most: password, DB_PASS.
func (f *Field) namesPassword() bool {
	name := f.Bytes()
	start, _ := names.LastWord(name)
	return start <= len("ftp_")
}

// namesPhrase reports whether the field is for a phrase of words.
func (f *Field) namesPhrase() bool { return ascii.ContainsFold(f.Bytes(), "phrase") }

// takePassphrase reports whether the value, without quotes, is the first word of a
// passphrase that ends its line, and extends the value to it.
func (f *Field) takePassphrase() bool {
	if f.Strength != names.Password || f.Quote.Mark != 0 || f.Op != syntax.OpAssign && f.Op != syntax.OpColon || !f.Leads(f.Start) {
		return false
	}
	b := syntax.TrimRight(f.Text[f.Value.Start:f.Hi])
	if t := value.TraitsOf(b); !t.Grouped() && !(string(f.Bytes()) == "psk" && f.joined() && t.Lowers+t.Uppers+t.Digits+t.Spaces == t.Len && t.Spaces > 0 && t.Len >= value.MinToken) && !(f.OfAccount && t.TwoWords()) && !((f.namesPhrase() || f.OfAccount) && t.Passphrase()) {
		return false
	}
	f.Value.End = f.Value.Start + len(b)
	return true
}

// weakPassword reports whether a value that looks like a placeholder is a bad password: a
// connection string has no placeholders of one word, nor with a digit in them.
func (c *candidate) weakPassword() bool {
	if c.Strength != names.Password || c.Quote.Mark != 0 || c.Op != syntax.OpAssign || !c.joined() || c.t.Distinct < value.FewBytes || value.Reference(c.t.Bytes) || value.Sample(c.t.Bytes) {
		return false
	}
	if c.Value.End == c.Hi || c.Text[c.Value.End] != ';' && (c.Text[c.Value.End] != ',' || c.t.Digits == 0) {
		return false
	}
	return c.connectionString()
}
