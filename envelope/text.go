package envelope

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/envwrap/envwrap/excerpt"
	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// replacementGrowth is how much longer a text gets by each byte that [jsontext.ValidUTF8]
// replaces.
const replacementGrowth = len("\uFFFD") - 1

// isNearlyText reports whether p, which is not valid UTF-8, is text all the same:
// it has no NUL, and less than a tenth of it is no UTF-8.
func isNearlyText(p []byte) bool {
	bad := 0
	for rest := p; len(rest) > 0; {
		r, n := utf8.DecodeRune(rest)
		switch {
		case r == 0:
			return false
		case r == utf8.RuneError && n == 1:
			bad++
		}
		rest = rest[n:]
	}
	return bad*10 < len(p)
}

// readable returns p, which is not valid UTF-8, cleaned, and how many of its bytes are replaced in
// that: NUL, and those that are no UTF-8. The text is "" if half of the bytes or more are such or
// other control characters.
func readable(p []byte) (text string, replaced int64) {
	var control int64
	for rest := p; len(rest) > 0; {
		r, n := utf8.DecodeRune(rest)
		switch {
		case r == 0 || r == utf8.RuneError && n == 1:
			replaced++
		case r < ' ' && (r < '\a' || r > '\r') && r != 0x1b:
			control++
		}
		rest = rest[n:]
	}
	if 2*(replaced+control) >= int64(len(p)) {
		return "", replaced
	}
	return excerpt.Clean(string(p)), replaced
}

// oneLine returns s on one line of valid UTF-8, without control characters.
func oneLine(s string) string {
	if !strings.ContainsFunc(s, isControl) && utf8.ValidString(s) {
		return s
	}
	clean := strings.Map(func(r rune) rune {
		if isControl(r) {
			return ' '
		}
		return r
	}, s)
	return strings.Join(strings.Fields(clean), " ")
}

// isControl reports the characters that end a line or move a terminal's cursor.
func isControl(r rune) bool {
	return r < ' ' || r >= 0x7F && r < 0xA0 || r == '\u2028' || r == '\u2029'
}

// headBytes returns the longest beginning of s within n bytes that ends between
// characters.
func headBytes(s string, n int) string {
	if n >= len(s) {
		return s
	}
	n = max(n, 0)
	for back := 0; back < utf8.UTFMax && n > 0 && !utf8.RuneStart(s[n]); back++ {
		n--
	}
	return s[:n]
}

// tailBytes returns the longest end of s within n bytes that begins between
// characters.
func tailBytes(s string, n int) string {
	from := max(len(s)-max(n, 0), 0)
	for ahead := 0; ahead < utf8.UTFMax && from > 0 && from < len(s) && !utf8.RuneStart(s[from]); ahead++ {
		from++
	}
	return s[from:]
}

// tailRunes returns the last n characters of s.
func tailRunes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	from := len(s)
	for ; n > 0 && from > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:from])
		from -= size
	}
	return s[from:]
}

// lastLines returns the last n lines of s.
func lastLines(s string, n int) string {
	from := len(strings.TrimSuffix(s, "\n"))
	for ; n > 0 && from > 0; n-- {
		from = strings.LastIndexByte(s[:from], '\n')
	}
	if from < 0 {
		return s
	}
	if n == 0 && from < len(s) && s[from] == '\n' {
		from++
	}
	return s[from:]
}

// units returns the length of s as JavaScript counts it, in UTF-16 units.
func units(s []byte) int {
	n := 0
	for _, c := range s {
		if c&0xC0 != 0x80 { // not a continuation byte
			n++
		}
		if c >= 0xF0 { // beyond the basic plane
			n++
		}
	}
	return n
}

// lastLine returns the last line of text without its line ending.
func lastLine(text string) string {
	text = strings.TrimRight(text, "\r\n")
	return text[strings.LastIndexByte(text, '\n')+1:]
}

// tailLines returns the end of s within n bytes, whole lines where there is one, else
// whole characters, and whether it begins a line. Unless s is whole, it may begin
// within a line.
func tailLines(s string, n int, whole bool) (tail string, atLine bool) {
	if n >= len(s) {
		if whole {
			return s, false
		}
		n = len(s) - 1 // what comes before must be known
	}
	from := len(s) - max(n, 0)
	if from > 0 && s[from-1] == '\n' {
		return s[from:], true
	}
	if i := strings.IndexByte(s[from:], '\n'); i >= 0 && from+i+1 < len(s) {
		return s[from+i+1:], true
	}
	return tailBytes(s, n), false
}

// firstLines returns the beginning of s within n bytes: whole lines where there is
// one, else whole characters.
func firstLines(s string, n int) string {
	s = headBytes(s, n)
	if i := strings.LastIndexByte(s, '\n'); i >= 0 {
		return s[:i+1]
	}
	return s
}

// isObject reports whether a line is one whole object and no more.
func isObject(line []byte) bool {
	start := jsontext.SkipSpace(line, 0)
	if start == len(line) || line[start] != '{' {
		return false
	}
	end := jsontext.Skip(line, start)
	return line[end-1] == '}' && jsontext.SkipSpace(line, end) == len(line)
}

// ago spells how long ago something was: "12 s ago", "8 min ago", "3 h ago", "2 days ago".
func ago(age time.Duration) string {
	switch {
	case age < time.Minute:
		return fmt.Sprintf("%d s ago", int(age.Seconds()))
	case age < 2*time.Hour:
		return fmt.Sprintf("%d min ago", int(age.Minutes()))
	case age < 48*time.Hour:
		return fmt.Sprintf("%d h ago", int(age.Hours()))
	}
	return fmt.Sprintf("%d days ago", int(age.Hours()/24))
}

// thousands spells a number with commas: 5,120.
func thousands(n int64) string {
	digits := []byte(fmt.Sprint(n))
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = slices.Insert(digits, i, ',')
	}
	return string(digits)
}
