package shell

import (
	"fmt"
	"strings"
	"testing"
)

// describe writes a list as one line: each pipeline with the operator before it, and of
// each stage the program, its redirections and what else is known.
func describe(text *Text) string {
	var b strings.Builder
	for _, p := range text.List() {
		fmt.Fprintf(&b, "%s{", p.After)
		if p.Negated {
			b.WriteString("! ")
		}
		for i, s := range p.Stages {
			if i > 0 {
				b.WriteString(" | ")
			}
			for _, a := range s.Assignments {
				b.WriteString(a.In(text.Source) + " ")
			}
			b.WriteString(strings.Join(s.Args(), ","))
			for _, r := range s.Redirections {
				fmt.Fprintf(&b, " %s[%s]%s", r.Descriptor, r.Op, r.Target.Text)
			}
			if s.Input {
				b.WriteString(" input")
			}
			if s.Stderr {
				b.WriteString(" both")
			}
		}
		b.WriteString("}")
		if p.Background {
			b.WriteString(" bg")
		}
	}
	return b.String()
}

func TestList(t *testing.T) {
	for source, want := range map[string]string{
		"a b | c && ! d || e; f &\ng":            "{a,b | c}&&{! d}||{e};{f} bg&{g}",
		"a && b & c":                             "{a} bg&&{b} bg&{c}",
		"X=1 Y=$z a 2>&1 >f <g |& b":             "{X=1 Y=$z a 2[>&]1 [>]f [<]g input both | b}",
		"{ a; b; } 2>f | (c) | if d; then e; fi": "{ 2[>]f |  | }",
		"cat <<X | b <<< c {fd}>d 0<e 3<f\nX":    "{cat [<<]X input | b [<<<]c {fd}[>]d 0[<]e 3[<]f input}",
		"time -p a | b":                          "{a | b}",
		"export A=b C; declare -a d=(e)":         "{export,A=b,C};{declare,-a,d=(e)}",
		"let 'a = 1'":                            "{let,'a = 1'}",
		"> f":                                    "{ [>]f}",
		"A=b":                                    "{A=b }",
		"f() { a; }; f | g":                      "{};{ | g}",
		"time":                                   "{}",
		"":                                       "",
	} {
		text, err := Parse(source, Bash)
		if err != nil {
			t.Errorf("%q: %v", source, err)
			continue
		}
		if got := describe(text); got != want {
			t.Errorf("%q is %s, want %s", source, got, want)
		}
	}
}

// Spans are the parts of the text that stages and pipelines stand in.
func TestSpans(t *testing.T) {
	text, err := Parse("! A=1 make  2>&1|tail -5 >f;cat <<X && { b; } 3>&1 # c\nx\nX\n", Bash)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range text.List() {
		got = append(got, p.In(text.Source))
		for _, s := range p.Stages {
			got = append(got, s.In(text.Source))
		}
	}
	want := []string{"! A=1 make  2>&1|tail -5 >f", "A=1 make  2>&1", "tail -5 >f", "cat <<X", "cat <<X", "{ b; } 3>&1", "{ b; } 3>&1"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestOnly(t *testing.T) {
	for source, want := range map[string]string{
		"grep 'a b' f": "grep,a b,f", "X=1 a > f\n": "a", " a ; ": "a", "time a": "a", "\"a\" # b": "a",
		"a; b": "", "a && b": "", "a | b": "", "! a": "", "a &": "", "": "",
	} {
		text, err := Parse(source, POSIX)
		if strings.Contains(source, "time") {
			text, err = Parse(source, Bash)
		}
		if err != nil {
			t.Errorf("%q: %v", source, err)
			continue
		}
		stage, ok := text.Only()
		if got := strings.Join(stage.Args(), ","); got != want || ok != (want != "") {
			t.Errorf("the only command of %q is %q, %t; want %q", source, got, ok, want)
		}
	}
}
