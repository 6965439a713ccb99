package shell

import "testing"

// The only command of a text is found, and nothing where there may be another.
func TestSole(t *testing.T) {
	for source, want := range map[string]string{
		"grep x f": "grep", "X=1 grep \"$x\" f": "grep", "exec grep x f": "grep", "command grep x": "grep", "command -v x": "command",
		"[[ a == b ]]": "[[", "((1))": "((", "{ grep x f; }": "grep", "( grep x f )": "grep", "time make": "make", "# x\ngrep x f\n": "grep",
		"a; b": "", "a && b": "", "a | b": "", "! a": "", "a &": "", "{ a; } > f": "", "if a; then b; fi": "", "$x f": "", "f() { a; }": "", "x=$(a)": "", "> f": "", "": "",
	} {
		text, err := Parse(source, Bash)
		if err != nil {
			t.Errorf("%q: %v", source, err)
			continue
		}
		if s, ok := text.Sole(); ok != (want != "") || ok && s.Name() != want {
			t.Errorf("%q: %q, %t; want %q", source, s.Name(), ok, want)
		}
	}
}

// The command that a shell began last decides the status, if it is not within something that
// changes or hides that.
func TestFindDecider(t *testing.T) {
	for _, c := range []struct{ source, named, want string }{
		{"cd d && grep x f", "cd d", "cd"},
		{"cd d && grep x f", "grep x f", "grep"},
		{"cd d && grep x f > out 2>&1", "grep x f > out 2>&1", "grep"},
		{"a; [[ x ]]", "[[ x ]]", "[["},
		{"if a; then b; else c; fi", "c", "c"},
		{"if a; then b; else c; fi", "a", ""},
		{"case x in y) a;; esac; b", "a", "a"},
		{"a; ! b", "b", ""},
		{"b; ! b", "b", ""},
		{"a; b &", "b", ""},
		{"a; b | c", "c", "c"},
		{"a; b | c", "b", ""},
		{"set -o pipefail; b | c", "c", ""},
		{"a; (b)", "a", ""},
		{"a; for i in 1; do b; done", "b", ""},
		{"while a; do b; done", "a", ""},
		{"a; { b; } > f", "b", ""},
		{"a; > f", "a", ""},
		{"a; b | (c)", "a", ""},
		{"a; (b) | (c)", "a", ""},
		{"eval x; a", "a", ""},
		{"f() { a; }; f; b", "f", ""},
		{"a; b", "d", ""},
		{"a; b", "a; b", ""},
	} {
		text, err := Parse(c.source, Bash)
		if err != nil {
			t.Errorf("%q: %v", c.source, err)
			continue
		}
		name := ""
		if deciders, ok := text.Deciders(); ok {
			if s, _, ok := FindDecider(deciders, c.named); ok {
				name = s.Name()
			}
		}
		if name != c.want {
			t.Errorf("%q, last %q: %q, want %q", c.source, c.named, name, c.want)
		}
	}
}

// A shell that fails before it runs a command says so, unless its standard error is elsewhere.
func TestStagePlain(t *testing.T) {
	for source, want := range map[string][2]bool{ // plain, hides
		"a b": {true, false}, "a 2>&1 >/dev/null": {true, false}, "a <<< x": {true, false}, "a 2>&-": {true, false},
		"a $x": {false, false}, "X=1 a": {false, false}, "a > f": {false, false}, "a < f": {false, false}, "a 2> f": {false, false}, "a > f 2>&1": {false, false}, "a &> f": {false, false},
		"a 2>/dev/null < f": {false, true}, "a 2>&1 > f": {false, true}, "a &>/dev/null < f": {false, true},
	} {
		text, err := Parse(source, Bash)
		if err != nil {
			t.Errorf("%q: %v", source, err)
			continue
		}
		s, _ := text.Sole()
		if got := [2]bool{s.Plain(), s.Hides()}; got != want {
			t.Errorf("%q: %t, want %t", source, got, want)
		}
	}
}

// An answer of the shell is certain only if no program ran that could have written it.
func TestFindDeciderOthers(t *testing.T) {
	for source, want := range map[string]Others{
		"cd d && grep x f": Builtins, "x=1; cd d; [ -f y ] && export z=2; grep x f": Builtins, "set -e; echo a > b; grep x f": Builtins,
		"make && grep x f": Programs, "grep x f && make": Programs, "cd $(make); grep x f": Programs, "x=`make`; grep x f": Programs, "f() { make; }; f; grep x f": Programs,
		"$make; grep x f": Programs, ". bin/activate; grep x f": Programs, "make | cat; grep x f": Programs, "make & grep x f": Programs, "cd d; grep x <(make)": Programs, "grep x g; grep x f": Lookers,
		"ls d && grep x f": Lookers, "ls d | make; grep x f": Programs, "ls() { make; }; ls && grep x f": Programs, "PATH=d ls && grep x f": Programs, "./ls && grep x f": Programs,
		"ls $(make) && grep x f": Programs, "grep x f && cat f 2>/dev/null": Lookers,
	} {
		text, err := Parse(source, Bash)
		if err != nil {
			t.Errorf("%q: %v", source, err)
			continue
		}
		deciders, _ := text.Deciders()
		named := "grep x f"
		if source == "cd d; grep x <(make)" {
			named = "grep x <(make)"
		}
		if _, others, _ := FindDecider(deciders, named); others != want {
			t.Errorf("%q: others is %d, want %d", source, others, want)
		}
	}
}
