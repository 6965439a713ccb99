package term

import (
	"errors"
	"io"
	"strings"
	"testing"
)

func exampleTable() *Table {
	t := &Table{Columns: []Column{
		{Name: "ID", Short: func(s string) string { return s[:min(4, len(s))] }},
		{Name: "SIZE", Right: true},
		{Name: "KIND", Fit: Clipped, Least: 4, Optional: true},
		{Name: "TEXT", Fit: Folded, Least: 6},
	}}
	t.Add("0123456789", "1 B", "text/plain", "a text of several words")
	t.Add("abcdefghij", "1.2 KiB", "text/html", "日本語のテキスト and more")
	return t
}

// One long cell does not widen the rows of the others without a limit.
func TestLongCell(t *testing.T) {
	table := &Table{Columns: make([]Column, 2)}
	table.Add("short", "x")
	table.Add(strings.Repeat("y", mostPadding+1), "x")
	var b strings.Builder
	table.Write(&b, Screen{})
	want := "short" + strings.Repeat(" ", mostPadding-len("short")) + Gap + "x\n" +
		strings.Repeat("y", mostPadding+1) + Gap + "x\n"
	if b.String() != want {
		t.Errorf("%q\nwant\n%q", b.String(), want)
	}
}

// A table is whole where nobody looks, and has its names and the width of the
// terminal where somebody does.
func TestTable(t *testing.T) {
	for _, c := range []struct {
		width int
		want  string
	}{
		{0, "" +
			"0123456789      1 B  text/plain  a text of several words\n" +
			"abcdefghij  1.2 KiB  text/html   日本語のテキスト and more\n"},
		{80, "" +
			"ID             SIZE  KIND        TEXT\n" +
			"0123456789      1 B  text/plain  a text of several words\n" +
			"abcdefghij  1.2 KiB  text/html   日本語のテキスト and more\n"},
		{50, "" +
			"ID       SIZE  KIND        TEXT\n" +
			"0123      1 B  text/plain  a text of several words\n" +
			"abcd  1.2 KiB  text/html   日本語のテキスト and\n" +
			"                           more\n"},
		{30, "" +
			"ID       SIZE  KIND     TEXT\n" +
			"0123      1 B  text/p…  a text\n" +
			"                        of\n" +
			"                        severa\n" +
			"                        l\n" +
			"                        words\n" +
			"abcd  1.2 KiB  text/h…  日本語\n" +
			"                        のテキ\n" +
			"                        スト\n" +
			"                        and\n" +
			"                        more\n"},
		{22, "" +
			"ID       SIZE  TEXT\n" +
			"0123      1 B  a text\n" +
			"               of\n" +
			"               several\n" +
			"               words\n" +
			"abcd  1.2 KiB  日本語\n" +
			"               のテキ\n" +
			"               スト\n" +
			"               and\n" +
			"               more\n"},
	} {
		var b strings.Builder
		exampleTable().Write(&b, Screen{Width: c.width})
		if b.String() != c.want {
			t.Errorf("%d columns: got\n%s\nwant\n%s", c.width, b.String(), c.want)
		}
		made, each := exampleTable(), exampleTable()
		each.Rows, each.Each = nil, func(add func(cells ...string)) {
			for _, row := range made.Rows {
				add(row...)
			}
		}
		var yielded strings.Builder
		each.Write(&yielded, Screen{Width: c.width})
		if yielded.String() != c.want {
			t.Errorf("%d columns, rows that are yielded: got\n%s\nwant\n%s", c.width, yielded.String(), c.want)
		}
	}
}

// A table fits any width of the terminal, and loses no row.
func TestTableFits(t *testing.T) {
	for width := 1; width < 90; width++ {
		var b strings.Builder
		exampleTable().Write(&b, Screen{Width: width})
		lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
		if len(lines) < 3 {
			t.Errorf("%d columns: %q", width, lines)
		}
		for _, l := range lines {
			if textWidth(l) > width {
				t.Errorf("%d columns: %q takes %d", width, l, textWidth(l))
			}
		}
	}
}

// The names of columns are bold, and nothing else has a code.
func TestTableColours(t *testing.T) {
	var b strings.Builder
	exampleTable().Write(&b, Screen{Width: 80, colours: true})
	if first, _, _ := strings.Cut(b.String(), "\n"); !strings.HasPrefix(first, "\x1b[1mID ") || !strings.HasSuffix(first, "TEXT\x1b[0m") {
		t.Errorf("the names are %q", first)
	}
	if n := strings.Count(b.String(), "\x1b"); n != 2 {
		t.Errorf("%d codes in %q", n, b.String())
	}
}

// A table ends where it cannot be written.
func TestTableIsNotWritten(t *testing.T) {
	lines := 0
	full := writerFunc(func([]byte) (int, error) {
		if lines++; lines == 2 {
			return 0, io.ErrShortWrite
		}
		return 0, nil
	})
	table := exampleTable()
	table.Add("x", "y", "z", "after the error")
	if err := table.Plain(full); !errors.Is(err, io.ErrShortWrite) || lines != 2 {
		t.Errorf("%v after %d lines", err, lines)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

// A name from elsewhere is shown as it is, or as Go spells it.
func TestVisible(t *testing.T) {
	for name, want := range map[string]string{
		"": "", "plain name": "plain name", "größe 日本": "größe 日本", `a"b\c`: `a"b\c`,
		"a\nb\tc": `a\nb\tc`, "\x1b[31m\"": `\x1b[31m\"`, "\u202e": `\u202e`, "\x7f": `\x7f`,
		"\x9b31m": `\x9b31m`, "caf\xe9": `caf\xe9`, "\ufffd": "\ufffd",
	} {
		if got := Visible(name); got != want {
			t.Errorf("%q is shown as %s, want %s", name, got, want)
		}
	}
}

func TestTextWidth(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "abc": 3, "é": 1, "e\u0301": 1, "日本": 4, "한글": 4, "\u1112\u1161\u11ab": 2, "ｆｕｌｌ": 8, "🙂": 2, "…": 1, "a\u200bb": 2, "ñandú": 5, "αβγ": 3, "\u115f": 2, "\u1160": 0, "\u11ff": 0, "\u1200": 1, "a\x7f": 2,
	} {
		if got := textWidth(text); got != want {
			t.Errorf("%q takes %d columns, want %d", text, got, want)
		}
	}
}

func TestClip(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"abc", 3, "abc"},
		{"abcd", 3, "ab…"},
		{"日本語", 5, "日本…"},
		{"日本語", 4, "日…"},
		{"abc", 1, "…"},
		{"abc", 0, ""},
		{"abc", -5, ""},
		{"", 0, ""},
	} {
		if got := clip(c.text, c.width); got != c.want {
			t.Errorf("clip(%q, %d) is %q, want %q", c.text, c.width, got, c.want)
		}
	}
}
