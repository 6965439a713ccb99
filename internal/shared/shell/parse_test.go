package shell

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// Texts that the parser is known to read differently from a shell are refused. Each text
// parses; the comment says how bash 5.2 (declare -f), dash 0.5 or zsh 5.9 reads it.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		dialect Dialect
		text    string
	}{
		{Bash, "echo \"${x:-it's}\" | a; echo \"${y:-it's}\" | b"}, // dash, bash in POSIX mode: two pipelines
		{Bash, "cat <<X\n${x:-'}\nX\na | b; echo '}'\nX\nb | c"},   // and there
		{Bash, "!(a | b); c | d"},                                  // a negated subshell
		{Bash, "echo @(a|b) | c"},                                  // an error without extglob
		{Bash, "a `'`' | b | c; d '`'`"},                           // quotes within backquotes do not count outside
		{Bash, "a $((1+'2')) | b"},
		{Bash, "a $(( \\( )) | b"},
		{Bash, "a $(( $(b # )) ) | c\n) )) | d"},
		{Bash, "a ${b['c']} | d"},
		{Bash, "a=([$(b '$x')]=c) | d"},
		{Bash, "let a=1|b"},                  // a pipeline of let and b
		{Bash, "let 1&a | b"},                // in the background
		{Bash, "f() { a; } | b; c | d"},      // a function, then a stage
		{Bash, "f() { a; } && b; c | d"},     // a function, then a command
		{Bash, "f() a; c | d"},               // an error
		{Bash, "exit() { :; }; a | b"},       // no longer the builtin
		{Bash, "builtin() { :; }; a | b"},    //
		{Bash, "x | time y | z"},             // three stages: time is a program there
		{Bash, "time -- a | b"},              // -- is an option
		{Bash, "coproc x; a | b"},            //
		{Bash, "echo ${ a; } | b"},           // in 5.3 the shell itself runs a
		{Bash, "echo ${x:-<(} | a"},          // the brackets count within ${ }
		{Bash, "cat <<X\n${a}X\na | b\nX"},   // the document ends with the last line
		{Bash, "cat <<X\n$(b\nX\n)\nX\na|b"}, // it ends within the substitution
		{Bash, "cat <<-X\n$(b\n\tX\n)\nX\na|b"},
		{Bash, "cat <<X\na\\\nX\n$(\nX\n)\nX"}, // the second X ends it
		{Bash, "cat <<$'X'\na\nX\nb\n$X\nc"},
		{Bash, "cat <<\"a\\\"b\"\nx | y\na\"b\nc | d\na\\\"b\ne | f"}, // ends with a"b
		{Bash, "a \\\\\\\n| b"},                                       // a \ | b
		{Bash, "a | b # c \\\nd | e"},                                 // two lines: a comment has no continuation
		{Bash, "a&\\\n>f"},                                            // a &>f
		{Bash, "a $\\\n${b} | c"},                                     // a $${b}
		{Bash, "[[ a =~ $(b) ]] | c"},                                 // the parser loses count of brackets
		{POSIX, "((a); b)"},                                           // an expression or two subshells
		{POSIX, "[[ a && b ]]"},
		{POSIX, "time a | b"},
		{POSIX, "a $'b'"},
		{POSIX, "a $\"b\""},
		{POSIX, "a[1]=2"},
		{POSIX, "a+=2"},
		{Zsh, "a {b | c}"},      // the brace is a word of its own
		{Zsh, "a *(b)"},         //
		{Zsh, "a 12>f"},         // 12 is a word
		{Zsh, "repeat 3 a | b"}, // the body is a | b
		{Zsh, "f() { a }"},
		{Zsh, "a $[1|2]"},
		{Zsh, "a ${(f)${b}}"},
		{Zsh, "a &! b"},
	} {
		if text, err := Parse(c.text, c.dialect); err == nil {
			t.Errorf("%q is read: %+v", c.text, text.List())
		} else if !strings.Contains(err.Error(), "not certain") {
			t.Errorf("%q is refused for another reason: %v", c.text, err)
		}
	}
}

// Similar texts whose meaning is certain are accepted.
func TestNotRefused(t *testing.T) {
	for _, c := range []struct {
		dialect Dialect
		text    string
	}{
		{Bash, "echo ${x:-'a'} \"${x:-\"a\"}\" | b"},
		{Bash, "[[ a == @(b|c) && $x =~ ^(a|b\\ c)\"d\"$ ]] | b"},
		{Bash, "a `b \\`c\\`` | d"},
		{Bash, "a $((1 << 2)) $((x[1] + $(nproc))) | b"},
		{Bash, "let \"a = 1\" b=2 | c"},
		{Bash, "f() { a; }\ng() ( b )\nc | d"},
		{Bash, "cat <<X | b\n${a}\\\nX\n$(c)\nX"},
		{Bash, "cat <<-X\n\t$a\n\tX\n"},
		{Bash, "a |\\\n b &&\\\n c"},
		{POSIX, "a 2>&1 | { b; (c); } && FOO=1 d"},
		{Zsh, "a 2>&1 | { b; (c) } && FOO=1 d ${e} \"$f\" stash@{1}"},
	} {
		if _, err := Parse(c.text, c.dialect); err != nil {
			t.Errorf("%q: %v", c.text, err)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"a\x00b": "NUL", "a\r\nb": "carriage return", "a \xff": "UTF-8",
		strings.Repeat("a", maxText+1): "longer", "make | tail 'x": "quote", "make | (tail": "matching",
	} {
		if _, err := Parse(text, Bash); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v, want %q", text, err, want)
		}
	}
	for _, d := range []Dialect{0, -1, 4} {
		if _, err := Parse("a", d); err == nil {
			t.Errorf("dialect %d is known", d)
		}
	}
	if _, err := Parse(strings.Repeat("a ", maxText/2), Bash); err != nil {
		t.Error(err)
	}
}

// A text that is nested without an end costs little, whatever the parser calls itself for:
// what begins a construct, and what is repeated in it.
func TestHostileTexts(t *testing.T) {
	for _, c := range [][2]string{
		{"", "("},
		{"", "$("},
		{"", "{ "},
		{"", "`\\`"},
		{"", "\"$("},
		{"", "<("},
		{"", "${a:-"},
		{"", "${a["},
		{"", "${x/"},
		{"", "${x:"},
		{"", "$(("},
		{"", "$["},
		{"", "if "},
		{"", "while "},
		{"", "for i in a; do "},
		{"", "case x in x) "},
		{"", "f() "},
		{"", "! "},
		{"", "time "},
		{"", "coproc "},
		{"if a; then b; ", "elif c; then d; "},
		{"", "a=("},
		{"", "a["},
		{"((", "a["},
		{"$((", "-"},
		{"$((", "1?"},
		{"$((", "a="},
		{"$((", "1**"},
		{"$((", "1,"},
		{"[[ ", "! "},
		{"[[ ", "( "},
		{"[[ ", "a && "},
		{"[[ a =~ ", "("},
		{"", "a|"},
		{"", "a&&"},
		{"", "a;"},
		{"", "a\n"},
		{"", "a&"},
		{"", "a <<x\n"},
		{"", "a <<x $("},
		{"cat <<x\n", "$a"},
		{"", "@("},
		{"", "\\\n"},
		{"", "$"},
		{"", "'"},
		{"", "#\n"},
		{"", "é"},
	} {
		text := c[0] + strings.Repeat(c[1], maxText/len(c[1]))
		start := time.Now()
		parsed, err := Parse(text[:min(len(text), maxText)], Bash)
		if err == nil {
			parsed.List()
			_, _ = parsed.Last()
			parsed.Frame()
		}
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%q, repeated for 128 KiB, takes %v", c, took)
		}
	}
	deep := func(n int) string { return strings.Repeat("( ", n) + "a" + strings.Repeat(" )", n) }
	if _, err := Parse(deep(64), Bash); err != nil {
		t.Errorf("64 subshells within one another: %v", err)
	}
	if _, err := Parse(deep(10_000), Bash); !errors.Is(err, errDeep) {
		t.Errorf("10,000 subshells within one another: %v", err)
	}
}
