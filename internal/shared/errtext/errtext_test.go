package errtext

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestBound(t *testing.T) {
	a := func(n int) string { return strings.Repeat("a", n) }
	for name, c := range map[string]struct{ text, want string }{
		"short":                {`option --timeout: "soon" is not a valid duration`, ""},
		"200 bytes":            {`"` + a(200) + `" is bad`, ""},
		"201 bytes":            {`"` + a(201) + `" is bad`, `"` + a(197) + `..." is bad`},
		"a word":               {"x: " + a(201) + ": no such file", "x: " + a(197) + "... no such file"},
		"spaces in quotes":     {`"` + strings.Repeat("a b ", 60) + `" is bad`, `"` + strings.Repeat("a b ", 49) + `a..." is bad`},
		"several":              {`"` + a(300) + `" and "` + a(100) + `" and "` + a(300) + `"`, `"` + a(197) + `..." and "` + a(100) + `" and "` + a(197) + `..."`},
		"a quote in quotes":    {`"` + strings.Repeat(`\"`, 150) + `" is bad`, `"` + strings.Repeat(`\"`, 98) + `..." is bad`},
		"single quotes":        {"run 'x " + strings.Repeat("a b ", 60) + "': no such file", "run 'x " + strings.Repeat("a b ", 48) + "a b...': no such file"},
		"an apostrophe":        {"what doesn't fit " + strings.Repeat("a b ", 60) + "isn't", ""},
		"a quote without end":  {`expected " and got ` + a(10) + strings.Repeat(" b", 150), ""},
		"a character":          {strings.Repeat("é", 101), strings.Repeat("é", 98) + "..."},
		"an escape":            {`"` + strings.Repeat(`\u00e9`, 40) + `"`, `"` + strings.Repeat(`\u00e9`, 32) + `..."`},
		"a long escape":        {`"` + strings.Repeat(`\U0010ffff`, 21) + `"`, `"` + strings.Repeat(`\U0010ffff`, 19) + `..."`},
		"bytes":                {strings.Repeat(`\x9b`, 51), strings.Repeat(`\x9b`, 49) + "..."},
		"what a terminal sees": {strings.Repeat("<U+202E>", 26), strings.Repeat("<U+202E>", 24) + "..."},
		"controls":             {strings.Repeat("^[", 101), strings.Repeat("^[", 98) + "..."},
		"no escape":            {strings.Repeat(`\xyz`, 51), strings.Repeat(`\xyz`, 49) + "..."},
		"broken UTF-8":         {strings.Repeat("\xe2\x82", 101), strings.Repeat("\xe2\x82", 98) + "\xe2..."},
		"the end of a text":    {a(199) + `\`, ""},
	} {
		if c.want == "" {
			c.want = c.text
		}
		if got := Bound(c.text); got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
	long := "first " + strings.Repeat("word ", 1000) + "\nThe last line says what to do."
	got := Bound(long)
	if len(got) > Max || len(got) < Max-30 || !strings.HasPrefix(got, "first word") || !strings.HasSuffix(got, "word \nThe last line says what to do.") || strings.Count(got, gap) != 1 {
		t.Errorf("a long text: got %d bytes: %s", len(got), got)
	}
	if got := BoundTo(long, 100); len(got) > 100 || !strings.HasSuffix(got, " to do.") {
		t.Errorf("at most 100: got %d bytes: %s", len(got), got)
	}
}

// Bound shortens any text to its limit, and cuts no character and no escape.
func FuzzBound(f *testing.F) {
	for _, text := range []string{"", `"`, `\`, "<U+", "^", strings.Repeat(`"\`, 500), strings.Repeat("é\n", 2000), strings.Repeat(`a"`, 3000), strings.Repeat("\xff", 5000), strings.Repeat("<9B>", 1000)} {
		f.Add(text, 2048)
		f.Add(text, 10)
	}
	f.Fuzz(func(t *testing.T, text string, limit int) {
		limit = 10 + int(uint(limit)%4096)
		got := BoundTo(text, limit)
		if len(got) > limit || len(text) <= min(MaxValue, limit) && got != text {
			t.Errorf("%q: %d bytes of %d", text, len(got), limit)
		}
		if utf8.ValidString(text) && !utf8.ValidString(got) {
			t.Errorf("%q: cut in a character: %q", text, got)
		}
		if q := strconv.Quote(text); limit > 20 {
			value := BoundTo(q, limit)
			if _, err := strconv.Unquote(strings.Replace(value, mark, "", 1)); err != nil && len(q) <= limit && !strings.Contains(text, mark) {
				t.Errorf("%s: cut in an escape: %s", q, value)
			}
		}
	})
}

func BenchmarkBound(b *testing.B) {
	text := fmt.Sprintf("option --timeout: %q is not a valid duration", strings.Repeat("\x1b9", 300_000))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Bound(text)
	}
}
