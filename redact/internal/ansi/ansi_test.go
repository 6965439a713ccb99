package ansi

import (
	"bytes"
	"strings"
	"testing"
)

// Control sequences are taken out of a text, harmless links where links are judged, and
// invisible characters where that is asked for. What is cut short or no sequence stays.
func TestStrip(t *testing.T) {
	const zero = "\u200b"
	for _, c := range []struct {
		raw, want string
		hidden    bool
	}{
		{"plain", "plain", true},
		{"a\x1b[1;31mb\x1b[0mc", "abc", false},
		{"\x1b(Ba\x1b)0b", "ab", false},
		{"a\x1b*0b", "a\x1b*0b", false},
		{"a\x1b[31", "a\x1b[31", false},
		{"a\x1b[3\n1mb", "a\x1b[3\n1mb", false},
		{"a\x1b[" + strings.Repeat("1", 29) + "mb", "ab", false},
		{"a\x1b[" + strings.Repeat("1", 30) + "mb", "a\x1b[" + strings.Repeat("1", 30) + "mb", false},
		{"a" + zero + "b\x1b[mc\u200c\u200d\u2060d", "abcd", true},
		{"a" + zero + "b\x1b[mc", "a" + zero + "bc", false},
		{"a\u2014b", "a\u2014b", true},
		{"\x1b]8;;ok\x1b\\x\x1b]8;;\a", "x", false},
		{"\x1b]8;id=1;bad\ax\x1b]8;;\a", "\x1b]8;id=1;bad\ax", false},
		{"\x1b]8;;ok\nx\a", "\x1b]8;;ok\nx\a", false},
		{"\x1b]8;ok\ax", "\x1b]8;ok\ax", false},
		{"\x1b]8;;ok\x1bx", "\x1b]8;;ok\x1bx", false},
		{"\x1b]8;;ok\x1b", "\x1b]8;;ok\x1b", false},
	} {
		harmless := func(address []byte) bool { return string(address) == "ok" }
		var text Text
		if got := text.Strip([]byte(c.raw), c.hidden, harmless); string(got) != c.want {
			t.Errorf("%q: %q, want %q", c.raw, got, c.want)
		}
		if got := text.Strip([]byte(c.raw), c.hidden, nil); strings.Contains(c.raw, "\x1b]") && string(got) != c.raw {
			t.Errorf("%q: %q without its links", c.raw, got)
		}
	}
}

// Offsets lead back to the raw text, ahead of the codes at a place or after them.
func TestRaw(t *testing.T) {
	raw := []byte("a\x1b[1mb\x1b[0m\x1b[Kc")
	var text Text
	if got := text.Strip(raw, false, nil); string(got) != "abc" {
		t.Fatalf("%q", got)
	}
	for i, want := range [][2]int{{0, 0}, {1, 5}, {6, 13}, {14, 14}} {
		if got := [2]int{text.RawBefore(i), text.RawAfter(i)}; got != want {
			t.Errorf("%d: %d, want %d", i, got, want)
		}
	}
	for _, c := range []struct {
		start, end int
		want       string
	}{{0, 3, "\x1b[1m\x1b[0m\x1b[K"}, {1, 3, "\x1b[0m\x1b[K"}, {0, 2, "\x1b[1m"}, {2, 3, ""}, {0, 1, ""}} {
		if got := text.AppendCodes([]byte("x"), raw, c.start, c.end); string(got) != "x"+c.want {
			t.Errorf("%d to %d: %q, want %q", c.start, c.end, got, c.want)
		}
	}
}

// Whole codes at the end of a text are taken off.
func TestTrimCodes(t *testing.T) {
	for text, want := range map[string]string{
		"a\x1b[1m": "a", "a\x1b[1;31m\x1b[2K": "a", "a\x1b[?25l": "a", "a\x1b[~": "a", "\x1b[m": "", "": "", "a": "a",
		"a\x1b[1mb": "a\x1b[1mb", "a\x1b[": "a\x1b[", "a\x1b[1": "a\x1b[1", "a\x1b[1\x7f": "a\x1b[1\x7f", "a\x1b[\nm": "a\x1b[\nm",
	} {
		if got := TrimCodes([]byte(text)); !bytes.Equal(got, []byte(want)) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
