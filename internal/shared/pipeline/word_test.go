package pipeline

import "testing"

// A word is read as the shell reads it, as far as that is known without running it.
func TestWord(t *testing.T) {
	for text, want := range map[string]Word{
		`a\ b`:                       {"a b", true, false},
		"a\\\nb":                     {"ab", true, false},
		`'a b'c`:                     {"a bc", true, true},
		"\"a\\\"b\\\\c\\$d\\`e\\x\"": {"a\"b\\c$d`e\\x", true, true},
		"\"a\\\nb\"":                 {"ab", true, true},
		`$"x y"`:                     {"x y", true, false},
		`$`:                          {"$", true, false},
		`a$`:                         {"a$", true, false},
		`$x`:                         {"$x", false, false},
		`"$x y"`:                     {"$x y", false, true},
		`"a$"`:                       {"a$", true, true},
		`*`:                          {"*", false, false},
		`a?`:                         {"a?", false, false},
		`[`:                          {"[", true, false},
		`a[b`:                        {"a[b", false, false},
		`{a,b}`:                      {"{a,b}", false, false},
		`~`:                          {"~", false, false},
		"`a \\` b`":                  {"`a \\` b`", false, false},
		`$(a)`:                       {"$(a)", false, false},
		`$((1+2))`:                   {"$((1+2))", false, false},
		`${a}b`:                      {"${a}b", false, false},
		`$'a\'b\nc'`:                 {"a\\'b\\nc", false, false},
		`"$'a'"`:                     {"$'a'", true, true},
		`$1x`:                        {"$1x", false, false},
		`$-`:                         {"$-", false, false},
		`$_a1-`:                      {"$_a1-", false, false},
		`<(a b)`:                     {"<(a b)", false, false},
		`a=b`:                        {"a=b", true, false},
		`\*`:                         {"*", true, false},
		`'*'`:                        {"*", true, true},
		`$0`:                         {"$0", false, false},
		`$9`:                         {"$9", false, false},
		`"$(a "b")"`:                 {"$(a \"b\")", false, true},
		`$.`:                         {"$.", true, false},
	} {
		p, ok := Read("echo " + text + " | cat")
		if !ok || len(p.Stages) != 2 || len(p.Stages[0].Argv) != 2 {
			t.Errorf("%s: %+v, %t", text, p, ok)
			continue
		}
		if got := p.Stages[0].Argv[1]; got != want || p.Stages[0].Args()[1] != got.Text {
			t.Errorf("%s: got %+v, want %+v", text, got, want)
		}
	}
}
