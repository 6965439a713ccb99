package hookclient

import (
	"testing"

	"github.com/envwrap/envwrap/internal/hook"
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

// A rule that allows has to match each command of a text as it is.
func TestAllowed(t *testing.T) {
	for _, c := range []struct {
		rule, line string
		want       bool
	}{
		{"Bash", "make", true},
		{"Bash(*)", "cd x && make", true},
		{"Bash()", "for i in 1; do make $i; done", true},
		{"Bash(git status)", "git status", true},
		{"Bash(git status)", " git status \n", true},
		{"Bash(git status)", "git status -s", false},
		{"Bash(git status:*)", "git status -s", true},
		{"Bash(git status:*)", "git status", true},
		{"Bash(git status:*)", "git statusx", false},
		{"Bash(git *)", "git status 2>&1", true},
		{"Bash(git *)", "github", false},
		{"Bash(git * --stat)", "git log --stat", true},
		{"Bash(git * --stat)", "git log", false},
		{"Bash(*-test)", "unit-test", true},
		{"Bash(make:*)", "cd x && make", true},
		{"Bash(make:*)", "cd ../x && make", false},
		{"Bash(make:*)", "cd /x && make", false},
		{"Bash(git:*)", "cd x && git status", false},
		{"Bash(make:*)", "make && make install", true},
		{"Bash(make:*)", "make | tail -5 | grep -c x", true},
		{"Bash(make:*)", "make | tail -5 /etc/passwd", false},
		{"Bash(make:*)", "make | grep x -f y", false},
		{"Bash(make:*)", "make | sh", false},
		{"Bash(make:*)", "make > x", false},
		{"Bash(make:*)", "make; (make)", false},
		{"Bash(make:*)", "! make", false},
		{"Bash(make:*)", "make &", true}, // never rewritten
		{"Bash(make:*)", "CC=evil make", false},
		{"Bash(make:*)", "timeout 5 make", false},
		{"Bash(make:*)", "make V=$HOME", false},
		{"Bash(make:*)", "make $(x)", false},
		{"Bash(make:*)", "make <(x)", false},
		{"Bash(make:*)", `make \; x`, false},
		{"Bash(find:*)", "find . -delete", false},
		{"Bash(flock:*)", "flock x make", false},
		{"bash(make:*)", "make", false},
		{"Read(make)", "make", false},
		{"", "make", false},
	} {
		if got := permits(t, c.rule, "", c.line); got != c.want {
			t.Errorf("%s, %q: got %t", c.rule, c.line, got)
		}
	}
}

// A rule that denies or asks stops a text wherever it could match: after other
// programs, in a text for a shell, by a path, in quotes.
func TestStopped(t *testing.T) {
	for _, c := range []struct {
		rule, line string
		want       bool
	}{
		{"Bash(rm:*)", "rm -rf /", true},
		{"Bash(rm *)", "rm -rf /", true},
		{"Bash(rm -rf /)", "rm -rf /", true},
		{"Bash(rm:*)", "sudo -n rm x", true},
		{"Bash(rm:*)", "/bin/rm x", true},
		{"Bash(/bin/rm:*)", "/bin/rm x", true},
		{"Bash(rm:*)", "bash -c 'cd x; rm y'", true},
		{"Bash(rm:*)", `"r"m x`, true},
		{"Bash(rm:*)", `bash -c 'r'"m x"`, true},
		{"Bash(rm:*)", `r\m x`, true},
		{"Bash(rm:*)", "$X y", true},
		{"Bash(rm:*)", "/bin/r? x", true},
		{"Bash(rm:*)", "xargs rm", true},
		{"Bash(rm:*)", "make && rm x", true},
		{"Bash(rm:*)", "x=$(rm y); f() { make; }", true},
		{"Bash(rm:*)", "cat <<E\nrm x\nE", true},
		{"Bash(RM:*)", "rm x", true},
		{"Bash(r*)", "rm x", true},
		{"Bash(r*:*)", "rm x", true},
		{"Bash(*)", "make", true},
		{"Bash", "make", true},
		{"Bash(", "make", true},
		{"Bash(:*)", "make", true},
		{"Bash(git push:*)", "git -C x push", true},
		{"Bash(git push:*)", "git status", false},
		{"Bash(rm:*)", "npm run format", false},
		{"Bash(rm:*)", "make", false},
		{"Read(./.env)", "cat README", true},
		{"Read(./.env)", "prog .env", true},
		{"Read(**/*.pem)", "prog a/b.pem", true},
		{"Edit(src/**)", "make > x", true},
		{"Edit(src/**)", "make", false},
		{"Read", "make", true},
		{"SomethingNew(x)", "make", true},
		{"*", "make", true},
		{"WebFetch(domain:example.com)", "make", false},
		{"mcp__github__delete", "make", false},
	} {
		if got := !permits(t, "Bash", c.rule, c.line); got != c.want {
			t.Errorf("%s, %q: got %t", c.rule, c.line, got)
		}
	}
}

// FuzzPermit: a rule that denies the very text, or its first word and more,
// always stops it.
func FuzzPermit(f *testing.F) {
	for _, line := range []string{"rm -rf /", "a && b", `"x y" z`, "é ü", "a*b", "./x --y=z", "a\\ b", "--", "_ +", "A | b", "$"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		text, err := hook.Parse(line, "bash")
		if err != nil || len(text.Calls) == 0 {
			return
		}
		for _, pattern := range []string{line, text.Calls[0].Source + ":*", text.Calls[0].Program() + " *", "*"} {
			rules := hook.Rules{Allow: []hook.Rule{{Every: true}}, Refuse: []hook.Rule{{Pattern: pattern}}}
			if rules.Permits(text) {
				t.Errorf("%q is rewritten where %q is denied", line, pattern)
			}
		}
	})
}
