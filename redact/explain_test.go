package redact

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/rules/token"
)

// Every rule says what it goes by, and how sure that is.
func TestExplain(t *testing.T) {
	rules := []string{"env:X", "secret-file", match.RuleAssignment, match.RuleOption, match.RuleKey, "jwt", match.RuleService}
	for _, f := range token.Families {
		rules = append(rules, f.Rule)
	}
	for _, x := range token.Infixes {
		rules = append(rules, x.Rule)
	}
	other, _ := Explain("a rule of somebody's")
	for _, rule := range rules {
		what, sure := Explain(rule)
		if what == "" || what == other || sure != Certain && sure != Likely && sure != Possible {
			t.Errorf("%s: %q, %q", rule, what, sure)
		}
	}
}

// Each span is traced with its column and the word before it, unless that is masked.
func TestTrace(t *testing.T) {
	r := New(Options{Values: []Value{{Rule: "env:X", Secret: "token-of-ada"}}})
	for _, c := range []struct {
		text string
		want []Finding
	}{
		{"nothing here\n", nil},
		{"a password=hunter2x9 DB_TOKEN: kq09zxlm2tnb5vrc8f3a\n", []Finding{{match.RuleAssignment, "is not the name of a variable", "password", 12}, {match.RuleAssignment, "looks random", "DB_TOKEN", 32}}},
		{"one\n\x1b[1mpwd\x1b[0m=hunter2x9", []Finding{{match.RuleAssignment, "is not the name of a variable", "pwd", 5}}},
		{"https://token-of-ada:pa55-w0rd@example.com\n", []Finding{{"env:X", "", "", 9}, {match.RuleURL, "", "", 22}}},
		{strings.Repeat("lorem ", 20000) + "password=hunter2x9\n", []Finding{{match.RuleAssignment, "is not the name of a variable", "password", 0}}},
		{`{"password": "correct horse"}`, nil},
		{`{"password": "correct+horse"}`, []Finding{{match.RuleAssignment, "is in quotes", "password", 15}}},
		{"password is hunter2x9", []Finding{{match.RuleAssignment, "has a digit, and 6 bytes", "", 13}}},
		{"export PASSWORD=sunflower\nclient_key: kq09zxlm2tnb5vrc8f3a\n", []Finding{
			{match.RuleAssignment, "is a word in a file of settings", "PASSWORD", 17}, {match.RuleAssignment, "looks random", "client_key", 13},
		}},
	} {
		var got []Finding
		w := r.Writer(io.Discard)
		w.Trace(func(f Finding) { got = append(got, f) })
		if _, err := io.WriteString(w, c.text); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%.60q: got %v, want %v", c.text, got, c.want)
		}
	}
}
