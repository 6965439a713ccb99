package gitleaks_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/redact/gitleaks"
)

const config = `
title = "own rules"

[extend]
useDefault = true

[allowlist]
stopwords = ["sample"]

[[rules]]
id = "acme-ticket"
regex = '''acme-([a-z]{4})-(\d{6})'''
secretGroup = 2
keywords = ["ACME-"]

[[rules]]
id = "first-group"
regex = '''(?i)badge[ =]+(?:x|([a-z0-9]{8}))'''
entropy = 2.0
keywords = ["badge"]
[[rules.allowlists]]
condition = "AND"
regexes = ['''^zz''']
stopwords = ["quux"]

[[rules]]
id = "whole"
regex = '''QQ[0-9]{5}'''

[[rules]]
id = "elsewhere"
regex = '''WW[0-9]{5}'''
[[rules.allowlists]]
paths = ['''x''']
[[rules.allowlists]]
condition = "AND"
commits = ["abc"]
stopwords = ["ww"]
[[rules.allowlists]]
condition = "AND"
regexes = ['''^WW9''']
[[rules.allowlists]]
condition = "AND"
stopwords = ["777"]

[[rules]]
id = "absent-group"
regex = '''ZZ(x*)[0-9]{4}|ZY[0-9]{4}'''
secretGroup = 1
keywords = ["ZZ", "ZY"]

[[rules]]
id = "by-path"
path = '''\.pem$'''
`

func load(t *testing.T, text string) *redact.Redactor {
	t.Helper()
	rules, _, err := gitleaks.Load("own.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return redact.New(redact.Options{Rules: rules})
}

func TestRules(t *testing.T) {
	r := load(t, config)
	for _, c := range []struct{ in, want, rule string }{
		{"see acme-wxyz-123456 now", "see acme-wxyz-*** now", "acme-ticket"},
		{"see ACME-wxyz-123456 now", "see ACME-wxyz-123456 now", ""}, // the expression minds case
		{"badge = a1b2c3d4.", "badge = ***.", "first-group"},
		{"badge = aaaaaaab.", "badge = aaaaaaab.", ""}, // entropy
		{"badge = samplea1", "badge = samplea1", ""},   // the allowlist of all rules
		{"badge = zzquux12", "badge = zzquux12", ""},   // both parts hold
		{"badge = zzq1ux12", "badge = ***", "first-group"},
		{"n QQ12345 m QQ54321", "n *** m ***", "whole"},
		{"n WW12345", "n ***", "elsewhere"}, // paths and commits say nothing of a stream
		{"n WW91234", "n WW91234", ""},
		{"n WW17770", "n WW17770", ""},
		{"n ZZx1234", "n ZZ***1234", "absent-group"},
		{"n ZZ1234 ZY1234", "n ZZ1234 ZY1234", ""},
		{"acme-abcd-111222 acme-abcd-333444", "acme-abcd-*** acme-abcd-***", "acme-ticket"},
	} {
		got, counts := r.String(c.in)
		if got != c.want {
			t.Errorf("%q: got %q, want %q", c.in, got, c.want)
		}
		if (counts[c.rule] > 0) != (c.rule != "") {
			t.Errorf("%q: counts are %v, want some of %q", c.in, counts, c.rule)
		}
		if again, _ := r.String(got); again != got {
			t.Errorf("%q: masked twice it is %q", got, again)
		}
	}
}

// A rule is found wherever its keyword stands on a long line.
func TestLongLine(t *testing.T) {
	r := load(t, config)
	for _, before := range []int{0, 1, 511, 512, 3583, 3584, 4096, 40000, 49152, 65530, 100000} {
		in := strings.Repeat("x", before) + " acme-wxyz-123456 " + strings.Repeat("y", 30000)
		if got, _ := r.String(in); strings.Contains(got, "123456") {
			t.Errorf("after %d bytes: not masked", before)
		}
	}
}

func TestNotices(t *testing.T) {
	_, notices, err := gitleaks.Load("own.toml", []byte(config+"speed = 1\n"))
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Join(notices, "\n")
	for _, want := range []string{`line 54: rule "by-path": path is ignored`, `line 26: rule "whole" has no keywords`, "[extend]", "rules.speed"} {
		if !strings.Contains(all, want) {
			t.Errorf("no notice has %q:\n%s", want, all)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		name, text string
		line       int
		rule, want string
	}{
		{"no TOML", "a = 1\nb = \n", 2, "", "expected value"},
		{"a bad regex", "[[rules]]\nid = 'a'\nregex = 'x'\n\n[[rules]]\nid = 'b'\ndescription = '''\nx\n[[rules]]\n'''\nregex = '(['\n", 11, "b", "missing closing ]"},
		{"no id", "[[rules]]\nregex = 'x'\n", 1, "", "without an id"},
		{"no regex", "[[rules]]\nid = 'a'\n", 2, "a", "neither regex nor path"},
		{"a group too many", "[[rules]]\nid = 'a'\nregex = '(x)'\nsecretGroup = 2\n", 4, "a", "1 groups"},
		{"a bad allowlist", "[[rules]]\nid = 'a'\nregex = 'x'\n[[rules.allowlists]]\nregexes = ['(']\n", 1, "a", "allowlist"},
		{"a bad condition", "[[allowlists]]\ncondition = 'XOR'\n", 0, "", "XOR"},
		{"a bad target", "[allowlist]\nregexTarget = 'commit'\n", 0, "", "commit"},
		{"a wrong type", "[[rules]]\nid = 7\n", 2, "", "id"},
	} {
		_, _, err := gitleaks.Load("own.toml", []byte(c.text))
		var e *gitleaks.Error
		if !errors.As(err, &e) {
			t.Errorf("%s: error is %v", c.name, err)
			continue
		}
		if e.File != "own.toml" || e.Line != c.line || e.Rule != c.rule || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error is %q (line %d, rule %q); want line %d, rule %q, %q", c.name, err, e.Line, e.Rule, c.line, c.rule, c.want)
		}
	}
}

// An error names the file, and the line and the rule where they are known.
func TestErrorText(t *testing.T) {
	why := errors.New("why")
	for want, e := range map[string]*gitleaks.Error{
		`read redaction rules: "F": why`:                   {File: "F", Err: why},
		`read redaction rules: "F", line 1: why`:           {File: "F", Line: 1, Err: why},
		`read redaction rules: "F", rule "R": why`:         {File: "F", Rule: "R", Err: why},
		`read redaction rules: "F", line 7, rule "R": why`: {File: "F", Line: 7, Rule: "R", Err: why},
	} {
		if e.Error() != want || !errors.Is(e, why) {
			t.Errorf("got %s, want %s", e, want)
		}
	}
}
