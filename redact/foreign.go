package redact

import "bytes"

// foreignPasswords are words for a password in other languages, where they are not found
// as parts of names: with signs that are not ASCII, or of several words.
var foreignPasswords = []string{
	"contrase\u00f1a", "mot de passe", "wachtwoord", "adgangskode", "l\u00f6senord", "has\u0142o", "salasana", "jelsz\u00f3",
	"\u043f\u0430\u0440\u043e\u043b\u044c", "\u041f\u0430\u0440\u043e\u043b\u044c", "\u5bc6\u7801", "\u5bc6\u78bc",
	"\u30d1\u30b9\u30ef\u30fc\u30c9", "\ube44\ubc00\ubc88\ud638",
}

// foreignPassword looks at the value after the word at pos. It needs a digit, and no
// space: the word is a caption as well, and its value then a text.
func foreignPassword(v *view, pos int) {
	end := pos
	for _, w := range foreignPasswords {
		if hasFold(v.text[pos:v.hi], w) {
			end = pos + len(w)
		}
	}
	i := v.spaces(v.closing(end))
	switch b := v.text[i:v.hi]; {
	case bytes.HasPrefix(b, []byte("\uff1a")):
		i += len("\uff1a")
	case end > pos && len(b) > 0 && (b[0] == ':' || b[0] == '='):
		i++
	default:
		return
	}
	if i = v.spaces(i); i == v.hi {
		return
	}
	f := field{strength: password, op: opColon, start: pos, end: end}
	f.value, f.quote = v.value(i)
	if t := traitsOf(v.text[f.value.start:f.value.end]); t.n >= minPassword && t.digits > 0 && t.spaces == 0 && v.secret(&f) {
		v.mark(&f)
	}
}
