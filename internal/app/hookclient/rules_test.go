package hookclient

import (
	"testing"

	"github.com/envwrap/envwrap/internal/app/hook"
)

func permits(t *testing.T, allow, refuse, line string) bool {
	t.Helper()
	r := &claudeReader{}
	r.allow(allow)
	if refuse != "" {
		r.refuse(refuse)
	}
	text, err := hook.Parse(line, "bash")
	if err != nil {
		t.Fatal(err)
	}
	return r.rules.Permits(text)
}

// A rule that allows is one about commands.
func TestAllowed(t *testing.T) {
	for _, c := range []struct {
		rule, line string
		want       bool
	}{
		{"Bash", "make", true},
		{"Bash(*)", "cd x && make", true},
		{"Bash()", "for i in 1; do make $i; done", true},
		{"bash(make:*)", "make", false},
		{"Read(make)", "make", false},
		{"", "make", false},
		{"Bash(git status:*)", "git status -s", true},
		{"Bash(git status)", "git status -s", false},
	} {
		if got := permits(t, c.rule, "", c.line); got != c.want {
			t.Errorf("%s, %q: got %t", c.rule, c.line, got)
		}
	}
}

// A rule that denies or asks stops a text unless it is about something else.
func TestStopped(t *testing.T) {
	for _, c := range []struct {
		rule, line string
		want       bool
	}{
		{"Bash(*)", "make", true},
		{"Bash", "make", true},
		{"Bash(", "make", true},
		{"Bash(:*)", "make", true},
		{"Read(./.env)", "cat README", true},
		{"Edit(src/**)", "make > x", true},
		{"Read", "make", true},
		{"SomethingNew(x)", "make", true},
		{"*", "make", true},
		{"WebFetch(domain:example.com)", "make", false},
		{"mcp__github__delete", "make", false},
		{"Bash(rm -rf /)", "rm -rf /", true},
		{"Bash(rm:*)", "make", false},
		{"Bash(a/b:c)", "make", false},
		{"Bash(a b:c)", "make", false},
		{"Bash(a:c)", "make", true},
	} {
		if got := !permits(t, "Bash", c.rule, c.line); got != c.want {
			t.Errorf("%s, %q: got %t", c.rule, c.line, got)
		}
	}
}
