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
		qualified := phrase == "ratelimiterror" && strings.HasSuffix(before, ".") // of a module
		if (wordEnds(before) || qualified) && wordBegins(after) && !harmless(phrase, before, after) {
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

// lastWord splits text before its last word.
func lastWord(text string) (word, before string) {
	at := len(text)
	for at > 0 && inName(text[at-1]) {
		at--
	}
	return text[at:], text[:at]
}

func inName(c byte) bool {
	return isLetter(c) || isDigit(c) || c == '_' || c == '-' || c == '/' || c == '\\' || c == '.'
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }

// harmless reports whether a phrase is only spoken of: a rate limit that is mentioned,
// tested, or not there, a name in quotes, a cell of a table.
func harmless(phrase, before, after string) bool {
	if isQuoted(before, after) || strings.HasSuffix(strings.TrimRight(before, " "), "|") {
		return true
	}
	switch phrase {
	case "rate limit":
		word, _ := lastWord(strings.TrimRight(before, " "))
		if hasWord("no without under within set current default", word) {
			return true
		}
		named := strings.Trim(after, " .!") != "" || strings.Contains(before, "unknown")
		return named && !saysReached(before) && !saysReached(after)
	case "too many requests":
		return !isReason(before)
	case "ratelimiterror":
		return !strings.HasPrefix(after, ":")
	}
	return false
}

// isQuoted reports whether a phrase is in quotes of its own, and not as the value of a member
// of JSON: unknown key "rate limit".
func isQuoted(before, after string) bool {
	if before == "" || after == "" || before[len(before)-1] != after[0] || strings.IndexByte("'\"`", after[0]) < 0 {
		return false
	}
	return !strings.HasSuffix(strings.TrimRight(before[:len(before)-1], " "), ":")
}

// saysReached reports whether a part of a line about a limit says that it was reached.
func saysReached(text string) bool {
	for _, word := range [...]string{"exceed", "reached", "hit", "exhausted", "throttl", "try again", "retry", "slow down", "wait ", "too many", "error", "limited"} {
		if at := strings.Index(text, word); at >= 0 && wordEnds(text[:at]) {
			return true
		}
	}
	return false
}

// isReason reports whether the words of a status may follow text: at its beginning, after
// punctuation or a number, or as what was sent.
func isReason(text string) bool {
	text = strings.TrimRight(text, " ")
	if text == "" || !isLetter(text[len(text)-1]) {
		return true
	}
	word, _ := lastWord(text)
	return hasWord("got error returned returns status response received made sent sending were with of for", word)
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
