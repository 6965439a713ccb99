package syntax

import (
	"strings"
	"testing"
)

func lineOf(text string) *Line {
	l := &Line{}
	l.Show([]byte(text), &QuoteMarks{})
	return l
}

func TestOperator(t *testing.T) {
	for _, c := range []struct {
		line  string
		op    Operator
		value string
	}{
		{`password = "x1 y"`, OpAssign, "x1 y"},
		{`password => 'x1'`, OpAssign, "x1"},
		{`var password string = "x1"`, OpAssign, "x1"},
		{`password%3Dx1`, OpAssign, "x1"},
		{`password: x1`, OpColon, "x1"},
		{`{"name": "password", "value": "x1"}`, OpColon, "x1"},
		{`password: &anchor x1`, OpColon, "x1"},
		{`password == 'x1'`, OpCompare, "x1"},
		{`f("password", "x1")`, OpComma, "x1"},
		{`<password>x1</password>`, OpTag, "x1"},
		{`<password value="x1"/>`, OpTag, "x1"},
		{`run --password x1`, OpOption, "x1"},
		{`password("x1")`, OpCall, "x1"},
		{`password 'x1'`, OpBeside, "x1"},
		{`/password/x1`, OpPath, "x1"},
		{`the password is x1`, OpIs, "x1"},
		{`getenv("password") or "x1"`, OpElse, "x1"},
		{`the password for ada is x1`, OpProse, "x1"},
		{`password`, OpNone, ""},
		{`password->next`, OpNone, ""},
		{`<!-- password -->`, OpNone, ""},
	} {
		l := lineOf(c.line)
		n := l.NameAt(strings.Index(c.line, "password"))
		i, op := n.Operator()
		if op != c.op {
			t.Errorf("%s: operator %d, want %d", c.line, op, c.op)
		}
		if op == OpNone {
			continue
		}
		if s, _ := l.Value(i); c.line[s.Start:s.End] != c.value {
			t.Errorf("%s: value %q, want %q", c.line, c.line[s.Start:s.End], c.value)
		}
	}
}

func TestValue(t *testing.T) {
	for _, c := range []struct{ line, value, rest string }{
		{`"a b" c`, "a b", " c"},
		{`'it''s'`, "it", "'s'"},
		{`"a \" b" c`, `a \" b`, " c"},
		{`\"a b\" c`, "a b", " c"},
		{`"'a'" c`, "a", " c"},
		{`b"a" c`, "a", " c"},
		{`a, b`, "a", ", b"},
		{`a. b`, "a", ". b"},
		{`"a b`, "a b", ""},
	} {
		l := lineOf(c.line)
		s, q := l.Value(0)
		rest := s.End
		if q.Mark != 0 {
			rest = q.After
		}
		if got := c.line[s.Start:s.End]; got != c.value || c.line[rest:] != c.rest {
			t.Errorf("%s: value %q before %q, want %q before %q", c.line, got, c.line[rest:], c.value, c.rest)
		}
	}
}

func TestCells(t *testing.T) {
	for _, c := range []struct {
		line, want string
		sep        byte
	}{
		{`a,"b,c",d`, "a/b,c/d", ','},
		{`| a | b |`, "a/b", '|'},
		{`> a;b`, "a/b", ';'},
		{strings.Repeat("a,", MaxColumns), "", ','},
	} {
		l := lineOf(c.line)
		var cells [MaxColumns]Span
		var got []string
		for _, s := range cells[:Row{l, c.sep}.Cells(&cells)] {
			got = append(got, c.line[s.Start:s.End])
		}
		if s := strings.Join(got, "/"); s != c.want {
			t.Errorf("%s: cells %q, want %q", c.line, s, c.want)
		}
	}
}

func TestUnprefixed(t *testing.T) {
	for _, prefix := range []string{
		"", "2026-03-01T10:00:00.123Z ", "[INFO] ", "10:00:00 ERROR ", "web-1  | ", "main.go:12:", "// ",
		"Mar  1 10:00:00 host app[123]: ", "I0301 10:00:00.123456       1 main.go:12] ",
	} {
		if got := string(Unprefixed([]byte(prefix + "name = value"))); got != "name = value" {
			t.Errorf("%q: %q is left", prefix, got)
		}
	}
	for _, line := range []string{
		"", "12345:78 x", "10:00678 x", "10:00:0 x", "2026-03-01x", "[ x] y", "[x]y", "[x", "INFO: x", "INFORM x", "DEBUGGING x", "INFO",
		"Mars 1 10:00:00 a: x", "Mar  1 10-00:00 a: x", "Mar  1 10:00-00 a: x", "Mar  1 10:00:00-a: x", "Mar  1 10:00:00 a",
		"I030a 10:00:00 a.go:1] x", "I0301-10:00:00 a.go:1] x", "I0301 10-00:00 a.go:1] x", "I0301 10:00:00 x", "a(b | c", "a: b", "go: b",
	} {
		if got := string(Unprefixed([]byte(line))); got != line {
			t.Errorf("%q: only %q is left", line, got)
		}
	}
}

// TestOffsets asks for offsets before, in and after the value b=c, and for the quotes
// before them, in any order.
func TestOffsets(t *testing.T) {
	l := lineOf(`"a" =b=c, "\"` + strings.Repeat("d", 2*markStep) + `"`)
	l.Value(5)
	for _, c := range []struct {
		at     int
		within bool
		quotes int
	}{
		{len(l.Text), false, 4},
		{4, false, 2},
		{5, true, 2},
		{7, true, 2},
		{8, false, 2},
		{len(l.Text) - 1, false, 3},
		{12, false, 3},
		{0, false, 0},
	} {
		if got := l.InUnquoted(c.at); got != c.within {
			t.Errorf("within the value at %d: %v", c.at, got)
		}
		if got := l.QuotesBefore(c.at); got != c.quotes {
			t.Errorf("%d quotes before %d, want %d", got, c.at, c.quotes)
		}
	}
}
