package tomltext

import (
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
