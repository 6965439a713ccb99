package assignment

import (
	"bytes"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/classify"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/syntax"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// FindTranslated marks the value after the word at pos. The value needs a digit, and no
// space: the word is a caption as well, whose value is a text.
func FindTranslated(v *match.View, pos int) {
	end := pos
	for _, w := range TranslatedPasswords {
		if ascii.HasFold(v.Text[pos:v.Hi], w) {
			end = pos + len(w)
		}
	}
	if end == pos || end-pos < minCompound && ascii.Is(v.Text[pos], ascii.Alpha) && pos > v.Lo && ascii.Is(v.Text[pos-1], ascii.Alpha) {
		return
	}
	if n := ascii.Run(v.Text[end:min(v.Hi, end+minInflected)], ascii.Alpha); n > 0 && ascii.Is(v.Text[pos], ascii.Alpha) {
		if end += n; n > len("et") || end-pos < minInflected {
			return // another word
		}
	}
	i, apart := translatedSign(&v.Line, v.SkipSpaces(v.SkipClosing(end)))
	if i == 0 || i == v.Hi {
		return
	}
	f := classify.Field{Name: syntax.Name{Line: &v.Line, Start: pos, End: end}, Strength: names.Password, Op: syntax.OpColon}
	if w := string(v.Text[pos:end]); w == "\u5bc6\u94a5" || w == "\u5bc6\u9470" {
		f.Strength = names.Strong // a key, of which the size is said, too
	}
	if f.Value, f.Quote = v.Value(i); f.Quote.Mark == 0 {
		if !bytes.ContainsAny(v.Text[f.Value.Start:min(f.Value.End, f.Value.Start+value.MaxExamined)], "0123456789") {
			return
		}
		f.Value = withoutSentence(&v.Line, f.Value)
		f.TakeSigns(f.Value.Start)
		if ascii.Run(v.Text[pos:end], ascii.Word) < end-pos {
			f.Op = syntax.OpIs // no name of a variable
		}
	}
	if pos > v.Lo && v.Text[pos-1] == '/' { // user/password: ada/x
		for f.Start > v.Lo && pos-f.Start < maxTranslatedName && v.Text[f.Start-1] != ' ' {
			f.Start--
		}
		if n := bytes.IndexByte(v.Text[f.Value.Start:f.Value.End], '/') + 1; f.Value.End-f.Value.Start-n >= value.MinPassword {
			f.Value.Start += n
		}
	}
	t := value.TraitsOf(v.Text[f.Value.Start:f.Value.End])
	if t.Len < value.MinPassword || t.Digits == 0 || t.Digits == t.Len || t.Spaces > 0 || value.CatalogNumber(t.Bytes) && slices.Contains(translatedKeys[:], strings.ToLower(string(v.Text[pos:end]))) ||
		apart && !t.Scrambled() && !t.Jumble() { // "clave foranea: usuario_id1"
		return
	}
	if f.Secret() {
		v.Mark(&f)
	}
}

// translatedSign returns the offset of the value after the sign at i, or after some words
// there that end with a colon, "contraseña por defecto: x"; apart is true for these. It
// returns 0 if there is neither.
func translatedSign(l *syntax.Line, i int) (value int, apart bool) {
	for _, s := range translatedSigns {
		if bytes.HasPrefix(l.Text[i:l.Hi], []byte(s)) {
			return l.SkipSpaces(i + len(s)), false
		}
	}
	j := i
	for j < l.Hi && j-i < maxTranslated && (l.Text[j] >= 0x80 || ascii.Is(l.Text[j], ascii.Alpha|ascii.Blank)) {
		j++
	}
	if j == i || j+1 >= l.Hi || l.Text[j] != ':' || l.Text[j+1] != ' ' {
		return 0, false
	}
	return l.LastWord(l.SkipSpaces(j + 1)), true
}

const (
	minCompound       = 7  // of a word for a password that may end a longer one: databasewachtwoord
	minInflected      = 9  // of a word for a password that may have an ending, with it
	maxTranslatedName = 64 // how much of a word before a slash belongs to the name
	maxTranslated     = 40 // how many bytes of words there may be before a colon
)

// withoutSentence returns the part of s before the characters of scripts without spaces
// between words, which are the rest of the sentence, and without quotes of these scripts
// at its start. It returns s if that part is too short for a password.
func withoutSentence(l *syntax.Line, s syntax.Span) syntax.Span {
	b := l.Text[s.Start:min(s.End, s.Start+value.MaxExamined)]
	n := len(b)
	b = bytes.TrimLeftFunc(b, ofSpacelessScript)
	s.Start += n - len(b)
	n = bytes.IndexFunc(b, ofSpacelessScript)
	if n < 0 || n < value.MinPassword && bytes.IndexFunc(b[n:], letter) >= 0 {
		return s
	}
	return syntax.Span{Start: s.Start, End: s.Start + n}
}

// ofSpacelessScript reports whether r is of a script without spaces between words, or a
// sign that is written there and around quoted text. Signs of money and pictures may be in
// a password.
func ofSpacelessScript(r rune) bool {
	return r >= '\u2010' && r <= '\u203f' || r >= '\u2e80' && r < '\ufff0' || r >= 0x20000
}

// letter reports whether r is a letter of ASCII.
func letter(r rune) bool { return r < 0x80 && ascii.Is(byte(r), ascii.Alpha) }
