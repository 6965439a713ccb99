package hook

import (
	"encoding/json"
	"testing"
)

func rulesOf(t *testing.T, allow, deny, ask []string) *Rules {
	t.Helper()
	text, err := json.Marshal(map[string]any{"permissions": map[string]any{"allow": allow, "deny": deny, "ask": ask, "defaultMode": "default"}})
	if err != nil {
		t.Fatal(err)
	}
	r, err := ParseRules(text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A rule that allows has to match each command of a line as it is.
func TestAllowed(t *testing.T) {
	for _, c := range []struct {
		rule, line string
		want       bool
	}{
		{"Bash", "make", true},
		{"Bash(*)", "cd x && make", true},
		{"Bash()", "make", true},
		{"Bash(git status)", "git status", true},
		{"Bash(git status)", " git status \n", true},
		{"Bash(git status)", "git status -s", false},
		{"Bash(git status:*)", "git status -s", true},
		{"Bash(git status:*)", "git status", true},
		{"Bash(git status:*)", "git statusx", false},
		{"Bash(git:*)", "git status 2>&1", true},
		{"Bash(git *)", "git status", true},
		{"Bash(git *)", "github", false},
		{"Bash(git * --stat)", "git log --stat", true},
		{"Bash(git * --stat)", "git log", false},
		{"Bash(*-test)", "unit-test", true},
		{"Bash(make:*)", "cd x && make", false},
		{"Bash(make:*)", "make && make install", true},
		{"Bash(make:*)", "CC=evil make", false},
		{"Bash(make:*)", "timeout 5 make", false},
		{"Bash(make:*)", "make V=$HOME", false},
		{"Bash(make:*)", `make \; x`, false},
		{"Bash(make:*)", "make | sh", false},
		{"Bash(make:*)", "make 'a\nb'", false},
		{"bash(make:*)", "make", false},
		{"Read(make)", "make", false},
		{"", "make", false},
	} {
		if got := rulesOf(t, []string{c.rule}, nil, nil).Permit(c.line); got != c.want {
			t.Errorf("%s, %q: got %t", c.rule, c.line, got)
		}
	}
}

// A rule that denies or asks stops a line wherever it could match: behind other
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
		{"Bash(rm:*)", "xargs rm", true},
		{"Bash(rm:*)", "make && rm x", true},
		{"Bash(RM:*)", "rm x", true},
		{"Bash(r*)", "rm x", true},
		{"Bash(r*:*)", "rm x", true},
		{"Bash(*)", "make", true},
		{"Bash(* rm)", "make", true},
		{"Bash", "make", true},
		{"Bash(", "make", true},
		{"Bash(:*)", "make", true},
		{"Bash(git push:*)", "git -C x push", true},
		{"Bash(git push:*)", "git status", false},
		{"Bash(git push)", "git push origin", true},
		{"Bash(rm:*)", "npm run format", false},
		{"Bash(rm:*)", "make", false},
		{"Read(./.env)", "cat README", true},
		{"Edit(/etc/**)", "make", true},
		{"SomethingNew(x)", "make", true},
		{"*", "make", true},
		{"WebFetch(domain:example.com)", "make", false},
		{"mcp__github__delete", "make", false},
	} {
		for _, r := range []*Rules{rulesOf(t, []string{"Bash"}, []string{c.rule}, nil), rulesOf(t, []string{"Bash"}, nil, []string{c.rule})} {
			if got := !r.Permit(c.line); got != c.want {
				t.Errorf("%s, %q: got %t", c.rule, c.line, got)
			}
		}
	}
}

// What is not understood as rules may be rules.
func TestParseRules(t *testing.T) {
	for text, understood := range map[string]bool{
		`{}`: true, `{"permissions":{}}`: true, `{"permissions":{"allow":["Bash"]},"model":"x"}`: true,
		``: false, `[]`: false, `{"permissions":[]}`: false, `{"permissions":{"deny":"Bash(rm:*)"}}`: false,
		`{"permissions":{"deny":[{"rule":"Bash"}]}}`: false, "{ // a comment\n}": false, `{"allowManagedPermissionRulesOnly":"yes"}`: false,
	} {
		r, err := ParseRules([]byte(text))
		if (err == nil) != understood {
			t.Errorf("%s: %+v, %v", text, r, err)
		}
	}
}

// FuzzPermit: a rule that denies the very line, or its first word and more,
// always stops it.
func FuzzPermit(f *testing.F) {
	for _, line := range []string{"rm -rf /", "a && b", `"x y" z`, "é ü", "a*b", "./x --y=z", "a\\ b", "--", "_ +"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		list, ok := split(line)
		if !ok {
			return
		}
		for _, rule := range []string{line, list[0][0].text + ":*", list[0][0].text + " *", "*"} {
			r := &Rules{allow: []string{"*"}}
			r.add(false, "Bash("+rule+")")
			if r.Permit(line) {
				t.Errorf("%q is rewritten where %q is denied", line, rule)
			}
		}
	})
}
