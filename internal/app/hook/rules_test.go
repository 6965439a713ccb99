package hook

import "testing"

func parsed(t *testing.T, line string) *Text {
	t.Helper()
	text, err := Parse(line, "bash")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// A rule that allows has to match each command of a text as it is.
func TestAllowed(t *testing.T) {
	for _, c := range []struct {
		pattern, line string
		want          bool
	}{
		{"git status", "git status", true},
		{"git status", " git status \n", true},
		{"git status", "git status -s", false},
		{"git status:*", "git status -s", true},
		{"git status:*", "git status", true},
		{"git status:*", "git statusx", false},
		{"git *", "git status 2>&1", true},
		{"git *", "github", false},
		{"git * --stat", "git log --stat", true},
		{"git * --stat", "git log", false},
		{"*-test", "unit-test", true},
		{"make:*", "cd x && make", true},
		{"make:*", "cd ../x && make", false},
		{"make:*", "cd /x && make", false},
		{"git:*", "cd x && git status", false},
		{"make:*", "make && make install", true},
		{"make:*", "make | tail -5 | grep -c x", true},
		{"make:*", "make | tail -5 /etc/passwd", false},
		{"make:*", "make | grep x -f y", false},
		{"make:*", "make | sh", false},
		{"make:*", "make > x", false},
		{"make:*", "make; (make)", false},
		{"make:*", "! make", false},
		{"make:*", "make &", true}, // never rewritten
		{"make:*", "CC=evil make", false},
		{"make:*", "timeout 5 make", false},
		{"make:*", "make V=$HOME", false},
		{"make:*", "make $(x)", false},
		{"make:*", "make <(x)", false},
		{"make:*", `make \; x`, false},
		{"find:*", "find . -delete", false},
		{"flock:*", "flock x make", false},
		{"", "make", false},
		{"git *o* --stat", "git log --stat", true},
		{"git *x*", "git log", false},
		{"make:*", "make | cat", true},
		{"make:*", "make | cat x", false},
		{"make:*", "cat 5 && make", false},
		{"make:*", "grep x && make", false},
		{"make:*", "make | grep -i x", true},
		{"make:*", "make | grep", false},
		{"make:*", "cd && make", false},
		{"make:*", "echo x && pwd && make", true},
		{"make:*", "echo x", false},
		{"find:*", "find . -name x", true},
		{"find:*", "/usr/bin/find . -exec x", false},
	} {
		rules := Rules{Allow: []Rule{{Pattern: c.pattern}}}
		if got := rules.Permits(parsed(t, c.line)); got != c.want {
			t.Errorf("%s, %q: got %t", c.pattern, c.line, got)
		}
	}
	for _, line := range []string{"make", "cd x && make", "for i in 1; do make $i; done"} {
		rules := Rules{Allow: []Rule{{Pattern: "none"}, {Every: true}}}
		if !rules.Permits(parsed(t, line)) {
			t.Errorf("%q is not allowed where everything is", line)
		}
	}
}

// Words match the first ones of a command, each with its alternatives.
func TestAllowedWords(t *testing.T) {
	rules := Rules{Allow: []Rule{{Words: [][]string{{"git"}, {"log", "diff"}}}}}
	for line, want := range map[string]bool{
		"git log": true, "git diff": true, "git diff -p x": true, `"git" 'log'`: true, "cd x; git log": false, "git log | head -3": true,
		"git": false, "git push": false, "git -C x log": false, "log git": false, "git log $X": false, "A=1 git log": false,
	} {
		if got := rules.Permits(parsed(t, line)); got != want {
			t.Errorf("%q: got %t", line, got)
		}
	}
}

// A rule that forbids or asks stops a text wherever it could match: after other
// programs, in a text for a shell, by a path, in quotes.
func TestStopped(t *testing.T) {
	for _, c := range []struct {
		rule       Rule
		file, line string
		want       bool
	}{
		{Rule{Pattern: "rm:*"}, "", "rm -rf /", true},
		{Rule{Pattern: "rm *"}, "", "rm -rf /", true},
		{Rule{Pattern: "rm -rf /"}, "", "rm -rf /", true},
		{Rule{Pattern: "rm:*"}, "", "sudo -n rm x", true},
		{Rule{Pattern: "rm:*"}, "", "/bin/rm x", true},
		{Rule{Pattern: "/bin/rm:*"}, "", "/bin/rm x", true},
		{Rule{Pattern: "rm:*"}, "", "bash -c 'cd x; rm y'", true},
		{Rule{Pattern: "rm:*"}, "", `"r"m x`, true},
		{Rule{Pattern: "rm:*"}, "", `bash -c 'r'"m x"`, true},
		{Rule{Pattern: "rm:*"}, "", `r\m x`, true},
		{Rule{Pattern: "rm:*"}, "", "$X y", true},
		{Rule{Pattern: "rm:*"}, "", "/bin/r? x", true},
		{Rule{Pattern: "rm:*"}, "", "xargs rm", true},
		{Rule{Pattern: "rm:*"}, "", "make && rm x", true},
		{Rule{Pattern: "rm:*"}, "", "x=$(rm y); f() { make; }", true},
		{Rule{Pattern: "rm:*"}, "", "cat <<E\nrm x\nE", true},
		{Rule{Pattern: "RM:*"}, "", "rm x", true},
		{Rule{Pattern: "r*"}, "", "rm x", true},
		{Rule{Pattern: "r*:*"}, "", "rm x", true},
		{Rule{Pattern: "git push:*"}, "", "git -C x push", true},
		{Rule{Pattern: "git push:*"}, "", "git status", false},
		{Rule{Pattern: "rm:*"}, "", "npm run format", false},
		{Rule{Pattern: "rm:*"}, "", "make", false},
		{Rule{}, "./.env", "cat README", true},
		{Rule{}, "./.env", "prog .env", true},
		{Rule{}, "**/*.pem", "prog a/b.pem", true},
		{Rule{}, "src/**", "make > x", true},
		{Rule{}, "src/**", "make", false},
		{Rule{Every: true}, "", "make", true},
		{Rule{Words: [][]string{{"git"}, {"push", "pull"}}}, "", "git -C x pull", true},
		{Rule{Words: [][]string{{"git"}, {"push", "pull"}}}, "", "git log", false},
		{Rule{}, "//etc/x", "prog /etc/x", true},
		{Rule{}, "~/x", "prog y", false},
	} {
		rules := Rules{Allow: []Rule{{Every: true}}}
		if c.file != "" {
			rules.Files = []string{c.file}
		} else {
			rules.Refuse = []Rule{c.rule}
		}
		if got := !rules.Permits(parsed(t, c.line)); got != c.want {
			t.Errorf("%+v %s, %q: got %t", c.rule, c.file, c.line, got)
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
		text, err := Parse(line, "bash")
		if err != nil || len(text.Calls) == 0 {
			return
		}
		for _, pattern := range []string{line, text.Calls[0].Source + ":*", text.Calls[0].Program() + " *", "*"} {
			rules := Rules{Allow: []Rule{{Every: true}}, Refuse: []Rule{{Pattern: pattern}}}
			if rules.Permits(text) {
				t.Errorf("%q is rewritten where %q is denied", line, pattern)
			}
		}
	})
}
