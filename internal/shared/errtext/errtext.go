// Package errtext bounds the texts of errors, which repeat what others wrote: options,
// variables, values of a configuration, names of files.
//
// Secrets have to be masked before: the part of one that a cut leaves is not known to be
// secret any more.
package errtext

import (
	"strings"
	"unicode/utf8"
)

const (
	// MaxValue is the largest size of a value in a text, in bytes. A value is the text
	// between two double quotes, or between two single ones of which the first begins a word,
	// or else a word.
	MaxValue = 200
	// Max is the largest size of a text, in bytes, so that with the name of the program
	// before it a line has at most 2 KiB.
	Max = 2<<10 - 16
	// mark stands for the end of a value that was cut, gap for the middle of a text.
	mark = "..."
	gap  = " ... "
)

// Bound returns a text with each value cut to MaxValue bytes and, where it is longer than
// Max then, without its middle: the end says what to do. No cut is within a character or
// an escape of one (\n, \x1b, \u00e9, <U+202E>, ^[).
func Bound(text string) string { return BoundTo(text, Max) }

// BoundTo is Bound with another limit than Max.
func BoundTo(text string, limit int) string {
	if len(text) <= min(MaxValue, limit) {
		return text
	}
	text = cutValues(text)
	if len(text) <= limit {
		return text
	}
	tail := limit / 4
	head := prefix(text, limit-tail-len(gap))
	rest := len(head)
	for len(text)-rest > tail {
		rest += unit(text[rest:])
	}
	return head + gap + text[rest:]
}

// cutValues cuts each quoted text and each word outside of quotes that is too long.
func cutValues(text string) string {
	var b strings.Builder
	word := 0 // where the word begins that is not written yet
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '"', c == '\'' && i == word:
			b.WriteString(shortened(text[word:i]))
			value, ok := quoted(text[i:])
			b.WriteByte(c)
			i++
			if ok {
				b.WriteString(shortened(value))
				b.WriteByte(c)
				i += len(value) + 1
			}
			word = i
		case c == ' ', c == '\n', c == '\t':
			b.WriteString(shortened(text[word:i]))
			b.WriteByte(c)
			i++
			word = i
		default:
			i += unit(text[i:])
		}
	}
	b.WriteString(shortened(text[word:]))
	return b.String()
}

// quoted returns the text within the quotes that a text begins with, if they are closed.
func quoted(text string) (string, bool) {
	for i := 1; i < len(text); i += unit(text[i:]) {
		if text[i] == text[0] {
			return text[1:i], true
		}
	}
	return "", false
}

func shortened(value string) string {
	if len(value) <= MaxValue {
		return value
	}
	return prefix(value, MaxValue-len(mark)) + mark
}

// prefix returns as many units of a text as have at most limit bytes.
func prefix(text string, limit int) string {
	n := 0
	for n < len(text) {
		next := n + unit(text[n:])
		if next > limit {
			break
		}
		n = next
	}
	return text[:n]
}

// unit returns the length of the character that a text begins with, or of its escape.
func unit(text string) int {
	_, size := utf8.DecodeRuneInString(text)
	switch {
	case text[0] == '\\' && len(text) > 1:
		digits := 0
		switch text[1] {
		case 'x':
			digits = 2
		case 'u':
			digits = 4
		case 'U':
			digits = 8
		}
		if digits > 0 && hex(text[2:]) >= digits {
			return 2 + digits
		}
		_, next := utf8.DecodeRuneInString(text[1:])
		return 1 + next
	case text[0] == '^' && len(text) > 1 && text[1] >= '?' && text[1] <= '_' && text[1] != '\\':
		return 2
	case text[0] == '<':
		escape := strings.TrimPrefix(text[1:], "U+")
		if n := hex(escape); n >= 2 && n <= 6 && strings.HasPrefix(escape[n:], ">") {
			return len(text) - len(escape) + n + 1
		}
	}
	return size
}

// hex returns how many hexadecimal digits a text begins with, up to 8.
func hex(text string) int {
	n := 0
	for n < min(len(text), 8) && strings.IndexByte("0123456789abcdefABCDEF", text[n]) >= 0 {
		n++
	}
	return n
}

// LastLine returns the last line of what a program printed, bounded as by [Bound].
func LastLine(text string) string {
	text = strings.TrimSpace(text)
	return Bound(text[strings.LastIndexByte(text, '\n')+1:])
}
