package tomltext

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
)

// levels returns how deep a decoded value is, as MaxLevels counts.
func levels(v any) int {
	most := 0
	switch v := v.(type) {
	case map[string]any:
		for _, e := range v {
			most = max(most, 1+levels(e))
		}
	case []map[string]any: // [[name]]
		for _, e := range v {
			most = max(most, levels(e))
		}
	case []any:
		for _, e := range v {
			most = max(most, levels(e))
		}
		most++
	}
	return most
}

// hasEmptyName reports whether a name in a decoded value is empty.
func hasEmptyName(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		for name, e := range v {
			if name == "" || hasEmptyName(e) {
				return true
			}
		}
	case []map[string]any:
		return slices.ContainsFunc(v, func(e map[string]any) bool { return hasEmptyName(e) })
	case []any:
		return slices.ContainsFunc(v, hasEmptyName)
	}
	return false
}

// The scanner reads a text that the decoder accepts to its end and counts its depth, and
// panics on no text.
func FuzzScan(f *testing.F) {
	for _, text := range []string{
		"", "a=1", "a.b . \"c.d\".'e' = [1, [2, []], {x.y = {}, z = '#'}] # x", "[a.b]\nc=1\n[[d]]\n[d.e]\n[[d.f]]\n",
		"a=\"\"\"\n\\\"\"\"\"\"\"\n[[[[", "a='''it's'''''\n", "\ufeffa=2020-01-01 00:00:00 # x\r\nb=+inf\r\n", "a={\n# x\nb=1,\n}\n", "a=[\n# x\n1,\n]\n",
		"\"\\u0061\"=1\na=2", "a=\"", "a=\"\\", "a='\n'", "[a]b=1", "a=1 b=2", "\xff\xfea=1", "a=\x00", "a=\"\"\"\\\\\"\"\"\"\"\"\n",
		`""=1`, "''.''=1", "\"\".''=[{}]", "[a]\n[b]\n[a.c]\n", "a.b=1\na.c=2", "a=[{},{b=[{c=[]}]}]", "a=1#\r", "a=0x_1\nb=1e5", "a=[,]", "a={,}", "1.2=3.4",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := &scanner{text: text, lines: map[string]int{}}
		fault := s.scan()
		utf16 := strings.HasPrefix(text, "\xff\xfe") || strings.HasPrefix(text, "\xfe\xff") // which the decoder skips
		if utf16 || len(text) > 4<<10 || strings.Count(text, ".") > 200 {
			return // the decoder may take long
		}
		var doc map[string]any
		_, err := toml.Decode(text, &doc)
		if err != nil {
			return
		}
		if fault != nil && levels(doc) <= MaxLevels && s.parts <= MaxParts && len(text) <= MaxKey {
			t.Errorf("%q: the scan stopped at %d: %v", text, s.pos, fault)
		}
		// Below an empty name the decoder gives [{}] the type of [[name]], which has one level fewer.
		least := levels(doc)
		if fault == nil && (s.deep < least || s.deep > least && !hasEmptyName(doc)) {
			t.Errorf("%q: %d levels were counted, it has %d", text, s.deep, least)
		}
	})
}

// Of dots, tables and arrays, together, 32 levels are decoded and 33 refused.
func TestLevels(t *testing.T) {
	many := func(n int, part string) string { return strings.Repeat(part, n) }
	for name, text := range map[string]func(n int) string{
		"dots":           func(n int) string { return "a" + many(n-1, ".a") + " = 1" },
		"a table's name": func(n int) string { return "[a" + many(n-2, ".a") + "]\na = 1" },
		"a table's name in a list": func(n int) string {
			return "[[a" + many(n-2, ".a") + "]]\na = 1"
		},
		"tables": func(n int) string { return many(n-1, "a = {") + "a = 1" + many(n-1, "}") },
		"arrays": func(n int) string { return "a = " + many(n-1, "[") + many(n-1, "]") },
		"all": func(n int) string {
			return "[a" + many(7, ".a") + "]\na" + many(7, ".a") + " = " + many(8, "{a = ") + many(n-24, "[") + many(n-24, "]") + many(8, "}")
		},
	} {
		for _, n := range []int{31, 32, 33, 34, 10_000} {
			var doc map[string]any
			_, err := Decode([]byte(text(n)), &doc)
			if tooDeep := err != nil && strings.Contains(err.Error(), "32 levels"); tooDeep != (n > 32) || (err != nil) != tooDeep {
				t.Errorf("%s, %d levels: %v", name, n, err)
			}
		}
	}
}

// The scan stops where a text is no TOML: the decoder gets little more.
func TestScanStops(t *testing.T) {
	for text, want := range map[string]int{
		"[a":                   2,
		"[a\nb=1":              2,
		"[[a]\nb=1":            3,
		"[]\na=1":              1,
		"[a b]\n":              3,
		"a\nb=1":               1,
		"a b=1":                2,
		"a.=1":                 2,
		"a=\nb=1":              2,
		"a=[1":                 4,
		"a=[,]\nb=1":           3,
		"a={b=1 c=2}\nd=1":     8,
		"a={b\n}\nd=1":         4,
		"a=\"x":                4,
		"a=\"x\n\"\nb=1":       4,
		"a=\"\\":               4,
		"a='x":                 2,
		"a='x\n'\nb=1":         2,
		"a=\"\"\"x\n\\":        8,
		"a=\"\"\"x\"\"":        8,
		"a='''x\n":             7,
		"a=1 b=2":              5,
		"[a]b=1\nc=1":          3,
		"a=[\n# c\n1,,2]\nb=1": 10,
		"=1\na=1":              0,
		"a=1\rb=1":             3,
		"a=[[1]\nb=1":          7,
		"a={b=[}]\nc=1":        6,
		"\"\na=1":              1,
		"'a\n'=1":              0,
	} {
		s := &scanner{text: text, lines: map[string]int{}}
		if err := s.scan(); !errors.Is(err, errSyntax) || s.pos != want {
			t.Errorf("%q: stopped at %d with %v, want %d", text, s.pos, err, want)
		}
	}
	for _, text := range []string{"a=1 # x", "a=\"\\\"\" # x", "a='\\'", "a='''\\''' # x", "a=\"\"\"\"\"\"\"\"\nb=1"} {
		s := &scanner{text: text, lines: map[string]int{}}
		if err := s.scan(); err != nil || s.pos != len(text) {
			t.Errorf("%q: stopped at %d with %v", text, s.pos, err)
		}
	}
	long := "a=1 b" + strings.Repeat(" ", 100)
	if s := (&scanner{text: long, pos: 4}); s.seen() != 4+64 {
		t.Errorf("the decoder gets %d bytes", s.seen())
	}
}

// Keys, values in arrays and comments are parts, of which a text has no more than the limit.
func TestParts(t *testing.T) {
	for name, text := range map[string]func(n int) string{
		"keys":                   func(n int) string { return strings.Repeat("a=1\n", n) },
		"dotted keys":            func(n int) string { return strings.Repeat("a.a=1\n", n/2) + strings.Repeat("a=1\n", n%2) },
		"keys of a table":        func(n int) string { return "[a]\n" + strings.Repeat("a=1\n", (n-1)/2) + strings.Repeat("#\n", (n-1)%2) },
		"values":                 func(n int) string { return "a=[" + strings.Repeat("1,", n-2) + "]" },
		"arrays":                 func(n int) string { return "a=[" + strings.Repeat("1,", n%2) + strings.Repeat("[],", (n-2)/2) + "]" },
		"inline tables":          func(n int) string { return "a=[" + strings.Repeat("1,", n%2) + strings.Repeat("{},", (n-2)/2) + "]" },
		"comments":               func(n int) string { return strings.Repeat("#\n", n) },
		"comments in an array":   func(n int) string { return "a=[" + strings.Repeat("#\n", n-2) + "]" },
		"comments after a value": func(n int) string { return "a=[1" + strings.Repeat("#\n", n-3) + "]" },
	} {
		for _, n := range []int{MaxParts, MaxParts + 1} {
			s := &scanner{text: text(n), lines: map[string]int{}}
			err := s.scan()
			limit, refused := errors.AsType[*Error](err)
			if refused != (n > MaxParts) || !refused && err != nil || refused && limit.Reason != "there are more than 20000 keys and values" {
				t.Errorf("%d %s: %v, %d parts", n, name, err, s.parts)
			}
		}
	}
	for n, want := range map[int]bool{MaxKey: true, MaxKey + 1: false} {
		for _, text := range []string{strings.Repeat("k", n) + "=1", "[a]\nb." + strings.Repeat("k", n-4) + "=1"} {
			if err := (&scanner{text: text, lines: map[string]int{}}).scan(); (err == nil) != want {
				t.Errorf("a key of %d bytes: %v", n, err)
			}
		}
	}
}

// The first line of each name at the top level is known.
func TestLine(t *testing.T) {
	var v any
	doc, err := Decode([]byte("a.x=1\n\"b\"=1\n'c'=1\n[d]\na=2\ny=1\n[d.z]\n[a.w]\n[[e]]\n"), &v)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int{"a": 1, "b": 2, "c": 3, "d": 4, "e": 9, "x": 0, "y": 0, "z": 0} {
		if got := doc.Line(name); got != want {
			t.Errorf("%s is on line %d, want %d", name, got, want)
		}
	}
}

// An error has the line and a reason in words.
func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"a=1\nb=[1": "line 2: ", "a=1\na=2": "line 2: ", "a=1\nb=\"x\"": "line 2: key \"b\": ", "b=1\n" + strings.Repeat("k", MaxKey+1) + "=1": "line 2: a key has more than 512 bytes",
	} {
		var v struct{ A, B int }
		_, err := Decode([]byte(text), &v)
		if _, known := errors.AsType[*Error](err); !known || !strings.HasPrefix(err.Error(), want) || len(err.Error()) < len(want)+2 && !strings.HasSuffix(want, "bytes") {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if got := (&Error{Reason: "why"}).Error(); got != "why" {
		t.Errorf("without a line: %q", got)
	}
}
