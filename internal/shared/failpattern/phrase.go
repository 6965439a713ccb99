package failpattern

import "strings"

// hasPhrase reports whether phrase is in line as whole words.
func hasPhrase(line, phrase string) bool {
	for from := 0; ; {
		at := strings.Index(line[from:], phrase)
		if at < 0 {
			return false
		}
		at += from
		from = at + 1
		before, after := line[:at], line[at+len(phrase):]
		if wordEnds(before) && wordBegins(after) && !harmless(phrase, before, after) {
			return true
		}
	}
}

// wordEnds reports whether a new word may begin after text: not in the middle
// of a word, of a path or of a name with dashes or dots.
func wordEnds(text string) bool {
	return text == "" || !inName(text[len(text)-1]) || strings.HasSuffix(text, "...")
}

// wordBegins reports whether the word before text is over. A dot or dash that
// is followed by a blank or nothing ends a sentence, not a name.
func wordBegins(text string) bool {
	if text == "" || !inName(text[0]) {
		return true
	}
	punctuation := text[0] == '.' || text[0] == '-'
	return punctuation && (len(text) == 1 || !inName(text[1]))
}

func inName(c byte) bool {
	return isLetter(c) || isDigit(c) || c == '_' || c == '-' || c == '/' || c == '\\' || c == '.'
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }

// harmless reports whether a phrase is only spoken of: a rate limit that is
// mentioned, tested, or not there.
func harmless(phrase, before, after string) bool {
	if phrase != "rate limit" {
		return false
	}
	for _, w := range [...]string{"no ", "without ", "under ", "within ", "set ", "current ", "default "} {
		if strings.HasSuffix(before, w) && wordEnds(strings.TrimSuffix(before, w)) {
			return true
		}
	}
	rest := strings.TrimLeft(after, " :=(")
	for _, w := range [...]string{"remaining", "reset", "resets", "ok", "is", "of", "set", "status", "test", "tests"} {
		if tail, ok := strings.CutPrefix(rest, w); ok && wordBegins(tail) {
			return true
		}
	}
	return rest != after && rest != "" && isDigit(rest[0])
}

// hasWord reports whether word is one of the words of list.
func hasWord(list, word string) bool {
	for w := range strings.FieldsSeq(list) {
		if w == word {
			return true
		}
	}
	return false
}
