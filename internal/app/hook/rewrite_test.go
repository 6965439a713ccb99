package hook

import (
	"errors"
	"strings"
	"testing"
)

func bash() Options {
	return Options{Shell: "bash", Runs: func(string) bool { return true }}
}

func rewrite(t *testing.T, line string, o Options) (string, bool) {
	t.Helper()
	parsed, err := Parse(line, o.Shell)
	if err != nil {
		return line, false
	}
	return parsed.Rewrite(o)
}

// A simple command gets envwrap before it; all else becomes one text.
func TestRewritten(t *testing.T) {
	for line, want := range map[string]string{
		"git status":                          "envwrap -f brief -- git status",
		"  make -j4 test\n":                   "  envwrap -f brief -- make -j4 test\n",
		"CI=1 GOFLAGS=-race go test":          "CI=1 GOFLAGS=-race envwrap -f brief -- go test",
		"make $X *.c":                         "envwrap -f brief -- make $X *.c",
		"cd sub && go test ./...":             "cd sub && envwrap -f brief -- go test ./...",
		"cd a; export B=1; make":              "cd a; export B=1; envwrap -f brief -- make",
		"npm test 2>&1":                       "envwrap -f brief -- bash -c 'npm test 2>&1'",
		"make | tail -5":                      "envwrap -f brief -- bash -c 'make | tail -5'",
		"make; echo $?":                       "envwrap -f brief -- bash -c 'make; echo $?'",
		"cd x && make | tail && echo ok":      "cd x && envwrap -f brief -- bash -c 'make | tail && echo ok'",
		"cd x\nmake\nmake test\n":             "cd x\nenvwrap -f brief -- bash -c 'make\nmake test'\n",
		"echo 'it' && make 'x'":               `envwrap -f brief -- bash -c 'echo '\''it'\'' && make '\''x'\'''`,
		"cat big <<EOF\nx\nEOF":               "envwrap -f brief -- bash -c 'cat big <<EOF\nx\nEOF'",
		"f() { make; }; f":                    "envwrap -f brief -- bash -c 'f() { make; }; f'",
		"make # quickly":                      "envwrap -f brief -- bash -c 'make # quickly'",
		"(cd a && make)":                      "envwrap -f brief -- bash -c '(cd a && make)'",
		"source env/bin/activate && pytest":   "envwrap -f brief -- bash -c 'source env/bin/activate && pytest'",
		"! make":                              "envwrap -f brief -- bash -c '! make'",
		`git commit -m "x; y | z"`:            `envwrap -f brief -- git commit -m "x; y | z"`,
		"ls -R":                               "envwrap -f brief -- ls -R",
		"test -f x":                           "",
		"ls -la":                              "",
		"ls | wc -l":                          "",
		"mkdir -p a && cd a":                  "",
		"cd a && make; echo done":             "", // done is said although cd failed
		"make; cd a":                          "",
		"cd a && make && cd ..":               "",
		"npm start &":                         "",
		"(sleep 1 & make)":                    "",
		"coproc make":                         "",
		"make | less":                         "",
		"echo $(vim x)":                       "",
		"timeout 5 envwrap -- make":           "",
		"ENVWRAP=0 make":                      "",
		"make && ENVWRAP_FORMAT=brief make":   "",
		"$CMD x":                              "",
		"eval make":                           "",
		"exec make":                           "",
		"if true":                             "",
		"echo 'open":                          "",
		"make\r\nmake":                        "",
		"make \x00":                           "",
		"make \xff":                           "",
		"":                                    "",
		"# nothing":                           "",
		strings.Repeat("make;", maxText/5+10): "",
	} {
		got, ok := rewrite(t, line, bash())
		if want == "" {
			want = line
		}
		if got != want || ok != (want != line) {
			t.Errorf("%.80q: got %q, %v, want %q", line, got, ok, want)
		}
	}
}

// Brackets may be nested as deep as maxOpen, and any number of them may follow each other.
func TestNesting(t *testing.T) {
	for _, pair := range [][2]string{{"( ", " )"}, {"{ ", " ;}"}, {"echo $(", ")"}, {"echo ${a:-`", "`}"}, {"echo ${a[", "]}"}} {
		nested := func(depth int) string {
			return strings.Repeat(pair[0], depth) + "make" + strings.Repeat(pair[1], depth)
		}
		each := open(pair[0])
		if _, err := Parse(nested(maxOpen/each+1), "bash"); !errors.Is(err, errText) {
			t.Errorf("%q: more than %d levels: %v", pair, maxOpen, err)
		}
		if _, err := Parse(nested(maxOpen/each), "bash"); errors.Is(err, errText) {
			t.Errorf("%q: %d levels: %v", pair, maxOpen, err)
		}
	}
	for _, line := range []string{
		strings.Repeat("( ", maxOpen) + "make" + strings.Repeat(" )", maxOpen),
		"make " + strings.Repeat("$(nproc) ", 2*maxOpen),
		"make '" + strings.Repeat(")", 2*maxOpen) + "' $(nproc)",
	} {
		if _, ok := rewrite(t, line, bash()); !ok {
			t.Errorf("%.20q...: left as it is", line)
		}
	}
}

// Options decide about cheap commands, shells that last, and names that are no
// programs.
func TestOptions(t *testing.T) {
	all := bash()
	all.All = true
	if got, ok := rewrite(t, "ls -la", all); !ok || got != Prefix+"ls -la" {
		t.Errorf("got %q, %v", got, ok)
	}
	if got, ok := rewrite(t, "cd sub", all); ok {
		t.Errorf("cd became %q", got)
	}
	lasting := bash()
	lasting.Persistent = true
	for _, line := range []string{"X=1; make", "set -e; make", "f() { make; }; f", "source env && make"} {
		if got, ok := rewrite(t, line, lasting); ok {
			t.Errorf("%q became %q", line, got)
		}
	}
	zsh := bash()
	zsh.Shell = "zsh"
	if got, ok := rewrite(t, "make | tail", zsh); !ok || got != Prefix+"zsh -c 'make | tail'" {
		t.Errorf("got %q, %v", got, ok)
	}
	for _, missing := range []string{"ll", "envwrap", "bash"} {
		o := bash()
		o.Runs = func(name string) bool { return name != missing }
		if got, ok := rewrite(t, "ll | make", o); ok {
			t.Errorf("without %s: became %q", missing, got)
		}
	}
}

// What is interactive stays as it is, wherever it stands.
func TestInteractive(t *testing.T) {
	for _, line := range []string{
		"vim file", "EDITOR=vi vim x", "man ls", "top", "ssh host", "bash", "bash -i", "python3", "node", "env vim x", "env python3", "timeout 5 top",
		"git commit", "git commit --amend", "git rebase -i HEAD~3", "git add -p", "docker run -it x", "kubectl exec -it pod",
		"psql db", "gdb prog", "sudo make install", "tail -f log", "journalctl --follow", "npm init", "make && fzf",
		"git -C sub commit", "jest --watch", "npx tsc -w", "docker logs -f web", "terraform apply", "aws configure",
	} {
		if got, ok := rewrite(t, line, bash()); ok {
			t.Errorf("%q became %q", line, got)
		}
	}
	for _, line := range []string{"ssh host uptime", "docker ps", "git commit -am x", "sudo -n systemctl status", "python3 x.py"} {
		if _, ok := rewrite(t, line, bash()); !ok {
			t.Errorf("%q was left alone", line)
		}
	}
}

// Whatever the text, it is still there: as it was, or quoted once.
func FuzzRewrite(f *testing.F) {
	for _, seed := range []string{"make", `a "b\"c" && d 2>&1`, "x='y' z | w", "a\\", "é && ü", "cd a && b\nc", "cat <<E | x\nit's\nE\n", "a " + strings.Repeat("$(", maxText/2-1)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		parsed, err := Parse(line, "bash")
		if err != nil {
			return
		}
		got, ok := parsed.Rewrite(bash())
		if ok != (got != line) {
			t.Errorf("%q became %q, %v", line, got, ok)
		}
		if !ok {
			return
		}
		back := strings.Replace(got, Prefix, "", 1)
		if _, shell, found := strings.Cut(got, Prefix+"bash -c '"); back != line && found {
			head, _, _ := strings.Cut(got, Prefix)
			back = head + strings.ReplaceAll(shell, `'\''`, "\x00")
			back = strings.ReplaceAll(strings.Replace(back, "'", "", 1), "\x00", "'")
		}
		if back != line {
			t.Errorf("%q became %q, which is %q again", line, got, back)
		}
		(&Rules{Allow: []Rule{{Pattern: "make *"}}, Refuse: []Rule{{Pattern: "rm *"}}}).Permits(parsed)
	})
}
