package envelope

import (
	"bytes"
	"strings"
	"testing"
	"unicode"

	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// ours are lines as envwrap has them in brief/v1.
var ours = []string{"[exit 0]", "[exit SIGKILL ERUNTIME failure]", "[exit - EARG failure; x]", "[stderr]", "[job 01ARZ3NDEKTSV4RRFFQ69G5FAV ok, exit 0]", "... 12 lines (1-12) ...", "... 1,234 bytes of line 3 ..."}

// A line that reads like one of envwrap's is indented, also after any character that
// takes no room or is blank, after anything that ends a line, and with other blanks.
func TestGuardIndents(t *testing.T) {
	var before []string
	for _, table := range []*unicode.RangeTable{unicode.Cf, unicode.Zs, unicode.Zl, unicode.Zp} {
		for _, r16 := range table.R16 {
			for r := rune(r16.Lo); r <= rune(r16.Hi); r += rune(r16.Stride) {
				before = append(before, string(r))
			}
		}
		for _, r32 := range table.R32 {
			for r := rune(r32.Lo); r <= rune(r32.Hi); r += rune(r32.Stride) {
				before = append(before, string(r))
			}
		}
	}
	if len(before) < 180 {
		t.Fatalf("only %d characters", len(before))
	}
	for _, line := range ours {
		for _, c := range append(before, "", "\t", "\u200b\u00a0\u2060", "\ufe0f", "\u034f", "\u3164") {
			if got := Guard("a\n" + c + line + "\nb"); got != "a\n "+strings.Replace(Guard(c+"x"), "x", "", 1)+spaceAfterBreak(c)+line+"\nb" {
				t.Errorf("%q after %q: %q", line, c, got)
			}
		}
		for _, c := range breaks {
			if got := Guard("a" + string(c) + line); got != "a"+string(c)+" "+line {
				t.Errorf("%q within a line after %q: %q", line, c, got)
			}
		}
		for _, c := range []string{"\u00a0", "\t", "\u3000", "  ", "\u200b ", " \u2028"} {
			if other := strings.ReplaceAll(line, " ", c); !strings.HasPrefix(Guard(other), " ") {
				t.Errorf("%q: %q", other, Guard(other))
			}
		}
	}
	for _, line := range ours {
		for _, c := range []string{"\x1b[0m", "x\x1b[2K\x1b[1G", "\x1b]8;;http://a\x1b\\", "1\x1b[1D", "\x1b[1G\x1b[31m", "\x1b[31mx\x1b[0m\x1b[1G"} {
			if got := Guard("a\n" + c + line + "\nb"); got != "a\n"+c+" "+line+"\nb" {
				t.Errorf("%q after %q: %q", line, c, got)
			}
		}
	}
	for _, text := range []string{"\x1b[1mok\x1b[0m [exit 0]\n", "", "[exits]\n", "[", "exit 0]", "[stderr] said\n", "... and more ...\n", "[1] done\n", "a [exit 0]\n", "日本語 – text\n", "\xff[exit 0]\n", "[job 1]\n"} {
		if got := Guard(text); got != text {
			t.Errorf("%q: %q", text, got)
		}
	}
	if got := Guard("[EXIT 0]\n[ exit 0]\n[exit\u200b0]\n[job 1]\n", "[job "); got != " [EXIT 0]\n [ exit 0]\n [exit\u200b0]\n [job 1]\n" {
		t.Errorf("%q", got)
	}
}

// spaceAfterBreak is the space that a line has after a character that ends one.
func spaceAfterBreak(c string) string {
	if strings.ContainsAny(c, breaks) {
		return " "
	}
	return ""
}

// Bidirectional controls and tag characters are spelled in text, and escaped in JSON.
func TestHiddenCharacters(t *testing.T) {
	n := 0
	for r := rune(0); r <= unicode.MaxRune; r++ {
		hidden := unicode.Is(unicode.Bidi_Control, r) || r >= 0xe0000 && r <= 0xe007f
		if hidden {
			n++
		}
		if isHidden(r) != hidden {
			t.Errorf("%U is hidden: %t", r, !hidden)
		}
	}
	if n != 12+128 {
		t.Errorf("%d characters are hidden", n)
	}
	if got := Guard("a\u202eb\U000e0041c \u061c\u200b\xe2\x80"); got != `a\u202eb\U000e0041c \u061c`+"\u200b\xe2\x80" {
		t.Errorf("%q", got)
	}
	failed := newRun(1, "", "no \u202ekey\n", "x").failed(Failure, ERUNTIME, "x ended with status 1: no \u202ekey", "", ByStatus)
	if got := brief(t, failed); got != `no \u202ekey`+"\n[exit 1 ERUNTIME failure]\n" {
		t.Errorf("%q", got)
	}
	r := newRun(0, "{\"a\u202e\":\"\U000e0041\"}", "x\u2066y\n", "cat", "\u200f")
	for _, d := range Dialects() {
		doc, err := Encode(d, r, EncodeOptions{})
		if err != nil || hasHidden(doc) {
			t.Errorf("%s: %v\n%s", d.Name(), err, doc)
		}
		again, err := Decode(d, doc)
		if d.self() == &delegatorV36 || d.self() == &toolEnvelopeV1 || d.self() == &agentResponseV1 {
			continue // which leave out some of it
		}
		if err != nil || string(escapeHidden(jsontext.AppendCompact(nil, again.Stdout.JSON))) != `{"a\u202e":"\udb40\udc41"}` || again.Stderr.Text != "x\u2066y\n" {
			t.Errorf("%s: %v, %s, %q", d.Name(), err, again.Stdout.JSON, again.Stderr.Text)
		}
	}
	if got := brief(t, r); got != `{"a\u202e":"\U000e0041"}`+"\n[stderr]\n"+`x\u2066y`+"\n[exit 0]\n" {
		t.Errorf("%q", got)
	}
	for keep, want := range map[Keep]bool{KeepExact: true, KeepHidden: true, KeepLarge: false} {
		if s := (&Stream{Text: "x\u2066y\n"}); keep.WantsExact(s) != want {
			t.Errorf("%d wants the exact text: %t", keep, !want)
		}
	}
}

// A long text is guarded in a time that grows with its length.
func BenchmarkGuard(b *testing.B) {
	text := strings.Repeat("a line of text with nothing [1] – special ...\n", 20_000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Guard(text)
	}
}

func BenchmarkEscapeHidden(b *testing.B) {
	doc := bytes.Repeat([]byte(`{"text":"a line – of text"}`), 20_000)
	b.SetBytes(int64(len(doc)))
	for b.Loop() {
		escapeHidden(doc)
	}
}
