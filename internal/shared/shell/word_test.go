package shell

import "testing"

// A word is read as the shell reads it, as far as that is known without running it.
func TestWord(t *testing.T) {
	type word struct {
		text            string
		literal, single bool
	}
	for source, want := range map[string]word{
		`a\ b`:                       {"a b", true, true},
		"a\\\nb":                     {"ab", true, true},
		`'a b'c`:                     {"a bc", true, true},
		"\"a\\\"b\\\\c\\$d\\`e\\x\"": {"a\"b\\c$d`e\\x", true, true},
		"\"a\\\nb\"":                 {"ab", true, true},
		`''`:                         {"", true, true},
		`$"x y"`:                     {"x y", true, true},
		`$`:                          {"$", true, true},
		`a$`:                         {"a$", true, true},
		`$.`:                         {"$.", true, true},
		`$x`:                         {"$x", false, false},
		`$1x`:                        {"$1x", false, false},
		`$-`:                         {"$-", false, false},
		`$_a1-`:                      {"$_a1-", false, false},
		`"$x y"`:                     {"$x y", false, true},
		`a"$x"'y'`:                   {"a$xy", false, true},
		`"$x"$y`:                     {"$x$y", false, false},
		`"$x"*`:                      {"$x*", false, false},
		`"$@"`:                       {"$@", false, false},
		`"${a[@]}"`:                  {"${a[@]}", false, false},
		`"${!a}"`:                    {"${!a}", false, false},
		`"${x:-y}"`:                  {"${x:-y}", false, true},
		`"a$"`:                       {"a$", true, true},
		`*`:                          {"*", false, false},
		`a?`:                         {"a?", false, false},
		`\*`:                         {"*", true, true},
		`'*'`:                        {"*", true, true},
		`[`:                          {"[", true, true},
		`a[b`:                        {"a[b", true, true},
		`[b]`:                        {"[b]", false, false},
		`[b\]`:                       {"[b]", true, true},
		`{a,b}`:                      {"{a,b}", false, false},
		`{1..3}`:                     {"{1..3}", false, false},
		`{"a",b}`:                    {"{a,b}", false, false},
		`{}`:                         {"{}", true, true},
		`stash@{1}`:                  {"stash@{1}", true, true},
		`{a,b`:                       {"{a,b", true, true},
		`~`:                          {"~", false, false},
		`~"x"`:                       {"~x", false, false},
		`a=~`:                        {"a=~", false, false},
		`a:~/b`:                      {"a:~/b", false, false},
		`HEAD~1`:                     {"HEAD~1", true, true},
		"`a \\`b\\``":                {"`a \\`b\\``", false, false},
		`$(a)`:                       {"$(a)", false, false},
		`"$(a "b")"`:                 {"$(a \"b\")", false, true},
		`$((1+2))`:                   {"$((1+2))", false, false},
		`${a}b`:                      {"${a}b", false, false},
		`$'a b'`:                     {"a b", true, true},
		`$'a\'b\nc'`:                 {`a\'b\nc`, false, true},
		`"$'a'"`:                     {"$'a'", true, true},
		`<(a b)`:                     {"<(a b)", false, false},
		`a=b`:                        {"a=b", true, true},
		`#a`:                         {"", false, false}, // a comment
	} {
		text, err := Parse("echo "+source, Bash)
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		stage, ok := text.Only()
		if !ok || len(stage.Argv) != 2 {
			if want.text != "" {
				t.Errorf("%s: %+v, %t", source, stage, ok)
			}
			continue
		}
		w := stage.Argv[1]
		if got := (word{w.Text, w.Literal, w.Single}); got != want || w.In(text.Source) != source {
			t.Errorf("%s: got %+v at %q, want %+v", source, got, w.In(text.Source), want)
		}
	}
}

// Whether a word is literal depends on the dialect.
func TestWordOfDialect(t *testing.T) {
	for source, want := range map[string]string{ // the dialects in which it is literal
		`a~b`: "bash sh", `HEAD^`: "bash sh", `a#b`: "bash sh", `=ls`: "bash sh", `a=b`: "bash sh zsh", `{}`: "bash sh",
		`a[b`: "bash sh", `{a,b}`: "", `a`: "bash sh zsh", `[`: "bash sh zsh", `"a~b"`: "bash sh zsh",
	} {
		got := ""
		for _, shell := range []string{"bash", "sh", "zsh"} {
			text, err := Parse("echo "+source, DialectOf(shell))
			if err != nil {
				t.Errorf("%s: %v", source, err)
				continue
			}
			if stage, ok := text.Only(); ok && stage.Literal() {
				if got != "" {
					got += " "
				}
				got += shell
			}
		}
		if got != want {
			t.Errorf("%s is literal in %q, want %q", source, got, want)
		}
	}
}
