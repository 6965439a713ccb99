package shell

import (
	"strings"
	"testing"
)

// The one command that can have set a status other than 0 is found, and none where two can,
// where something may end the text early, or where a builtin would not say that it failed.
func TestSetter(t *testing.T) {
	for _, c := range []struct {
		source, want string
		alone        bool
	}{
		{"cd d && grep x f", "grep", true},
		{"[ -f x ] && echo y", "[", true},
		{"[ -f x ] && [ -f y ]", "[", true},
		{"cd d && test -f x && test -f y", "test", true},
		{"[ -f x ] && test -f y", "", false},
		{"test -f x && grep x f", "", false},
		{"make; grep x f", "grep", false},
		{"x=1; grep $x f", "grep", true},
		{"x=$(make); grep $x f", "", false},
		{"cd $(make) && grep x f", "grep", false},
		{"eval 'cd d && grep x f'", "grep", true},
		{"eval make; eval grep x", "grep", false},
		{"exec 2>&1; grep x f", "grep", true},
		{"cd d && exec grep x f", "grep", true},
		{"exec make; grep x f", "", false},
		{"exec 2> f; grep x f", "", false},
		{"cd d 2> f; grep x f", "", false},
		{"cd d &> f; grep x f", "", false},
		{"cd d >& f; grep x f", "", false},
		{"(cd d; grep x f)", "grep", true},
		{"{ cd d; grep x f; } > f", "", false},
		{"a || b || grep x f", "grep", false},
		{"a && b || grep x f", "grep", false},
		{"a && grep x f", "", false},
		{"if a; then grep x f; fi", "grep", false},
		{"if a; then b; else c; fi", "", false},
		{"a | b; grep x f", "grep", false},
		{"cd d; a | b", "", false},
		{"cd d; ! a", "", false},
		{"cd d; a &", "", false},
		{"cd d & grep x f", "", false},
		{"for i in 1; do grep x f; done", "", false},
		{"f() { a; }; grep x f", "", false},
		{"set -e; grep x f", "", false},
		{"exit 1; grep x f", "", false},
		{"$x; grep x f", "", false},
		{"eval $x; grep x f", "", false},
		{"eval 'grep x f' 2> f", "", false},
		{"cd d", "", false},
		{"eval eval eval grep x f", "grep", true},
		{strings.Repeat("eval ", 2_000) + "grep x f", "", false},
	} {
		text, err := Parse(c.source, Bash)
		if err != nil {
			t.Errorf("%q: %v", c.source, err)
			continue
		}
		if s, ok := text.Setter(); ok != (c.want != "") || ok && (s.Name() != c.want || s.Alone != c.alone) {
			t.Errorf("%q: %q, alone %t, %t; want %q, %t", c.source, s.Name(), s.Alone, ok, c.want, c.alone)
		}
	}
}
