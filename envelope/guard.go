package envelope

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/envwrap/envwrap/excerpt"
	"github.com/envwrap/envwrap/internal/shared/escape"
	"github.com/oklog/ulid/v2"
)

// Marks of brief/v1. A line of output that reads like one of them, or like the line of a
// gap, is indented by a space.
const (
	briefEnd    = "[exit "
	briefBelow  = "[envwrap"
	briefStderr = "[stderr]"
)

// Guard returns the output of a command as a model may read it beside lines of envwrap's
// own: a line that reads like one of those of brief/v1, or begins with one of marks, is
// indented by a space, whichever blanks and characters without room it has, and hidden
// characters are spelled (\u202e). Everything else is unchanged. A text without such
// lines and characters is returned unchanged.
func Guard(text string, marks ...string) string { return guard(text, true, marks...) }

// guard is Guard. gaps says whether the line of a gap is one of envwrap's own that the
// text does not have itself, as an excerpt does.
func guard(text string, gaps bool, marks ...string) string {
	return spellHidden(indent(text, gaps, marks))
}

// indent puts a space before each line that reads like one of envwrap's own.
func indent(text string, gaps bool, marks []string) string {
	broken, escaped := hasBreaks(text), strings.IndexByte(text, escape.Esc) >= 0
	if !broken && strings.IndexByte(text, '[') < 0 && strings.IndexByte(text, '.') < 0 && !strings.Contains(text, "…") {
		return text
	}
	var b strings.Builder
	done := 0
	space := func(at int) {
		b.WriteString(text[done:at])
		b.WriteByte(' ')
		done = at
	}
	for at := 0; at < len(text); {
		end := len(text)
		if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		if isOurs(text[at:end], gaps, marks) {
			space(at)
		}
		for from := at; escaped; {
			if from = afterControl(text, at, from, end); from < 0 {
				break
			}
			if isOurs(excerpt.Clean(text[from:min(end, from+controlledMost)]), gaps, marks) {
				space(from)
			}
		}
		for from := at; broken; { // what else ends a line, to one reader or another
			i := strings.IndexAny(text[from:end-1], breaks)
			if i < 0 {
				break
			}
			_, size := utf8.DecodeRuneInString(text[from+i:])
			if from += i + size; isOurs(text[from:end], true, marks) {
				space(from)
			}
		}
		at = end
	}
	if done == 0 && b.Len() == 0 {
		return text
	}
	return b.String() + text[done:]
}

// breaks are the characters beside the newline that some readers take for the end of a
// line: those of Unicode Standard Annex 14, and the separators of ASCII.
const breaks = "\r\v\f\x1c\x1d\x1e\u0085\u2028\u2029"

// controlledMost is how many bytes are looked at, at the beginning of a line and after a
// control sequence.
const controlledMost = 256

// afterControl returns the end of the next control sequences, one right after the other,
// in text[from:end], a part of the line that begins at line: those that a reader does not
// see before what the line shows first, and those that may move the cursor to its
// beginning. It returns -1 if no line of envwrap's can follow.
func afterControl(text string, line, from, end int) int {
	for from < end {
		i := strings.IndexByte(text[from:end], escape.Esc)
		if i < 0 {
			return -1
		}
		from += i
		begun, moves := from, false
		for from < end && text[from] == escape.Esc {
			from += max(escape.Len([]byte(text[from:min(end, from+controlledMost)])), 1)
			moves = moves || text[from-1] != 'm' // which sets a colour
		}
		first, _ := excerpt.FirstSeen(text[min(from, end):end])
		if first != '[' && first != '.' && first != '…' {
			continue
		}
		if _, shown := excerpt.FirstSeen(excerpt.Clean(text[line:min(begun, line+controlledMost)])); moves || !shown {
			return from
		}
	}
	return -1
}

// hasBreaks reports whether a text has any of breaks. Each is looked for by itself, which
// is faster than all at once.
func hasBreaks(text string) bool {
	for _, c := range breaks {
		if strings.ContainsRune(text, c) {
			return true
		}
	}
	return false
}

// isOurs reports whether a reader could take a line of output for one of envwrap's own.
func isOurs(line string, gaps bool, marks []string) bool {
	switch first, _ := excerpt.FirstSeen(line); first {
	case '.', '…':
		return gaps && excerpt.IsGap(line)
	case '[':
	default:
		return false
	}
	seen := strings.Replace(strings.ToLower(excerpt.Seen(line)), "[ ", "[", 1)
	bare := strings.ReplaceAll(seen, " ", "")
	if bare == briefStderr || strings.HasPrefix(seen, briefEnd) || strings.HasPrefix(bare, briefBelow) {
		return true
	}
	if after, ok := strings.CutPrefix(bare, strings.TrimSpace(briefEnd)); ok && (after == "" || strings.ContainsAny(after[:1], "-0123456789]")) {
		return true
	}
	if id, ok := strings.CutPrefix(bare, "[job"); ok && len(id) > ulid.EncodedSize {
		if _, err := ulid.ParseStrict(id[:ulid.EncodedSize]); err == nil {
			return true
		}
	}
	return slices.ContainsFunc(marks, func(mark string) bool { return strings.HasPrefix(seen, mark) })
}

// isHidden reports whether r is an invisible character that changes how a text reads: the
// bidirectional controls (Unicode Standard Annex 9) and the tag characters.
func isHidden(r rune) bool {
	switch {
	case r == 0x061c, r == 0x200e, r == 0x200f:
		return true
	case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return true
	}
	return r >= 0xe0000 && r <= 0xe007f
}

// spellHidden returns a text with its hidden characters spelled as Go does: \u202e,
// \U000e0041.
func spellHidden(text string) string {
	return replaceHidden(text, func(r rune) string {
		if r > 0xffff {
			return fmt.Sprintf(`\U%08x`, r)
		}
		return fmt.Sprintf(`\u%04x`, r)
	})
}

// escapeHidden returns a JSON text, all of whose hidden characters are in strings, with
// these escaped. To a JSON reader it is the same.
func escapeHidden(doc []byte) []byte {
	if !hasHidden(doc) {
		return doc
	}
	return []byte(replaceHidden(string(doc), func(r rune) string {
		if a, b := utf16.EncodeRune(r); a != utf8.RuneError {
			return fmt.Sprintf(`\u%04x\u%04x`, a, b)
		}
		return fmt.Sprintf(`\u%04x`, r)
	}))
}

// replaceHidden returns a text with what spell returns in the place of each hidden
// character.
func replaceHidden(text string, spell func(rune) string) string {
	if !hasHidden(text) {
		return text
	}
	var b strings.Builder
	done := 0
	for i, r := range text {
		if isHidden(r) {
			b.WriteString(text[done:i])
			b.WriteString(spell(r))
			done = i + utf8.RuneLen(r)
		}
	}
	return b.String() + text[done:]
}

// hasHidden reports whether a text has hidden characters. It looks for the bytes that they
// begin with, which are rare.
func hasHidden[T string | []byte](text T) bool {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case 0xd8, 0xe2, 0xf3:
			if r, _ := utf8.DecodeRuneInString(string(text[i:min(i+utf8.UTFMax, len(text))])); isHidden(r) {
				return true
			}
		}
	}
	return false
}
