package jq

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/app/query"
)

func answer(t testing.TB, language query.Language, expr, in string) (string, error) {
	t.Helper()
	var out strings.Builder
	err := query.Run(context.Background(), language, expr, strings.NewReader(in), query.Options{}, func(text []byte) error {
		out.Write(text)
		out.WriteByte('\n')
		return nil
	})
	return out.String(), err
}

// The documents that expressions are tried on, one after the other.
var documents = []string{
	`null`, `true`, `0`, `-7`, `1.50`, `-0`, `12345678901234567890123`, `""`, `"äbc\"d"`, `[]`, `{}`,
	`[1,[2,3],{"a":4},null]`,
	`{"a":{"b":[1,2,3],"c":"x"},"b":"y","z y":5}`,
	`[{"a":1,"level":"error"},{"a":2.0,"level":"warn"},{"level":null}]`,
	`[12345678901234567890123,12345678901234567890124,-12345678901234567890123,1e2,100,9007199254740993,9007199254740992]`,
}

// Expressions that the simple filters read.
var simple = []string{
	".", ".a", ".a.b", `."z y"`, `.["a"]`, `.a["b"][0]`, ".a.b.[1]", ".[]", ".[0]", ".[-1]", ".[99]", ".[1:]", ".[:2]", ".[-2:-1]", ".[2:1]", ".a.b[1:][0]",
	".a?", ".a.b?", ".[]?", ".[0]?", ".a[]?.b", ".[]?.a?", ".a|.b", ".a,.b", ".[]|.a", ". , .|.[0]?", "(.a,.b)|length",
	"length", "keys", "map(.)", "map(.a)?", ".[]?|length", "(length)?", "(keys)?|.[0]", "(.a,.b)?",
	`.[]?|select(.level? == "error")`, "map(select(. != null))", "select(.a)", "select(.a,.b)", `map(select(.a? == 2))?`,
	".[]? == 100", ".[]?!=12345678901234", "(.[]?) == (.[]?)", "(.[]?) != (.[]?)", ". == .", ". == -7", ". == 1.5", ". == -0.5 , .", ". .a?",
	`"text"`, `"\u00e4\n"`, "1", "-12", "1.5", "0.25", "null", "true", "false", " . | . ", "((((.))))", ".a\n.b", `.a ["b"]`,
}

// complex are expressions that need all of jq, or that it does not know.
var others = []string{
	"", ".[", "..", ".a + 1", "[.a]", "{a}", "if . then 1 else 2 end", ".a // 1", ". and .", "not", ".[.a]", ".a |= 1", ".a = 1", "1e3", "007", "1.50", "-0", "--1", "1.",
	`"\(.)"`, "@base64", "$x", "def f: .; .", "map", "select()", "map(.;.)", ". == . == .", ".[1.5]", ".[:]", ".a b", "length2", ".a..b", ". < 1", "(", ")", ".a)", `"open`, "input", "a", ".a # comment", "..a",
	strings.Repeat("(", 2000) + "." + strings.Repeat(")", 2000),
}

// The simple filters have jq's own results, and an error where jq has one.
func TestFiltersAreJQ(t *testing.T) {
	for _, expr := range simple {
		for _, in := range documents {
			agree(t, expr, in)
		}
		if _, err := answer(t, query.Filters, expr, ""); err != nil {
			t.Errorf("%s is no simple filter: %v", expr, err)
		}
	}
	for _, expr := range others {
		_, err := answer(t, query.Filters, expr, "1")
		if _, unknown := errors.AsType[*query.Error](err); !unknown {
			t.Errorf("%s gave %v", expr, err)
		}
	}
}

func agree(t *testing.T, expr, in string) {
	t.Helper()
	got, err := answer(t, query.Filters, expr, in)
	if _, unknown := errors.AsType[*query.Error](err); unknown {
		return
	}
	want, wantErr := answer(t, Language, expr, in)
	// The same characters, of which each spells others as escapes.
	want = strings.NewReplacer(`\u007f`, "\x7f", "\u2028", `\u2028`, "\u2029", `\u2029`).Replace(want)
	if got != want || (err == nil) != (wantErr == nil) {
		t.Errorf("%q on %q: got %q, %v, want %q, %v", expr, in, got, err, want, wantErr)
	}
}

func FuzzFilters(f *testing.F) {
	for i, expr := range simple {
		f.Add(expr, documents[i%len(documents)])
	}
	for _, expr := range others {
		f.Add(expr, "1")
	}
	f.Fuzz(agree)
}
