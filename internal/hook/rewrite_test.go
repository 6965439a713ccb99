package hook

import (
	"strings"
	"testing"
)

func anything(string) bool { return true }

// One program gets envwrap before it, and nothing else changes.
func TestRewritten(t *testing.T) {
	for line, want := range map[string]string{
		"git status":                               "envwrap -- git status",
		"  make -j4 test\n":                        "  envwrap -- make -j4 test\n",
		"./run.sh":                                 "envwrap -- ./run.sh",
		"npm test 2>&1":                            "envwrap -- npm test 2>&1",
		"cd sub && go test ./...":                  "cd sub && envwrap -- go test ./...",
		"cd sub&&go vet ./...":                     "cd sub&&envwrap -- go vet ./...",
		"export A=1 && cd x && make":               "export A=1 && cd x && envwrap -- make",
		"make && echo done":                        "envwrap -- make && echo done",
		"CI=1 GOFLAGS=-race go test":               "CI=1 GOFLAGS=-race envwrap -- go test",
		`git commit -m "it's; done | really"`:      `envwrap -- git commit -m "it's; done | really"`,
		`grep -rn 'a && b > c' src`:                `envwrap -- grep -rn 'a && b > c' src`,
		`rg "say \"hi\" \$HOME" .`:                 `envwrap -- rg "say \"hi\" \$HOME" .`,
		`ls *.go $DIR`:                             `envwrap -- ls *.go $DIR`,
		`find . -name x\;y`:                        `envwrap -- find . -name x\;y`,
		"git commit -am message":                   "envwrap -- git commit -am message",
		"git log --format=%H#x":                    "envwrap -- git log --format=%H#x",
		"python3 script.py":                        "envwrap -- python3 script.py",
		"timeout 60 npm test":                      "envwrap -- timeout 60 npm test",
		"ssh host uptime":                          "envwrap -- ssh host uptime",
		"docker ps":                                "envwrap -- docker ps",
		"git -C sub commit -m x":                   "envwrap -- git -C sub commit -m x",
		"git tag -a v1 -m one":                     "envwrap -- git tag -a v1 -m one",
		"git add -A":                               "envwrap -- git add -A",
		`psql --command='select 1' db`:             `envwrap -- psql --command='select 1' db`,
		"bash -c 'a | b'":                          "envwrap -- bash -c 'a | b'",
		"sudo -n systemctl status":                 "envwrap -- sudo -n systemctl status",
		`git commit --message="multi` + "\nline\"": `envwrap -- git commit --message="multi` + "\nline\"",
	} {
		if got, ok := Rewrite(line, anything); !ok || got != want {
			t.Errorf("%q: got %q, %v, want %q", line, got, ok, want)
		}
	}
}

// Everything that is not understood as a whole, or must not be captured, stays
// as it is.
func TestLeftAlone(t *testing.T) {
	for _, line := range []string{
		"", "  ", "&&", "make &&", "&& make", "make && && make",
		"ls | wc -l", "make || true", "make; echo $?", "a & b", "npm start &", "sleep 100 &",
		"make > log", "make >> log 2>&1", "make 2> err", "make 2>&1 | tail", "sort < file", "make &> log", "make 2>&1 >log",
		"cat <<EOF\nhi\nEOF", "cat <<< hi", "cat > f <<'EOF'\nhi\nEOF",
		"echo $(date)", "make V=$(date)", "make V=`date`", `git commit -m "$(cat msg)"`, "git commit -m \"`date`\"", "diff <(a) <(b)",
		"(make)", "{ make; }", "if true; then make; fi", "for i in a b; do make; done", "while true; do x; done", "f() { x; }",
		"! make", "[[ -f x ]]", "case x in x) ;; esac", "time make",
		"make # quickly", "# a comment", "make\nmake", "make \\\n all", `echo "open`, `echo 'open`, `make \`,
		"cd sub", "export A=1", "echo hi", "source env.sh", ". env.sh", "alias x=y", "exec make", "eval make", "A=1", "pwd", "test -f x", "kill 1",
		"$CMD x", `"my prog" x`, "~/bin/x", "./*.sh",
		"git add . && git push", "make && make install",
		"ENVWRAP_OUTPUT=/tmp/x rm x", "A=1 ENVWRAP_STORE=/tmp/x make", "export ENVWRAP_OUTPUT=/tmp/x && rm x", "env ENVWRAP_TIMEOUT=1s make",
		`"ENVWRAP""_OUTPUT"=/tmp/x rm x`, `printf -v ENVWRAP_OUTPUT x && make`, "unset ENVWRAP && make",
		"envwrap -- make", "/usr/bin/envwrap -- make", "timeout 5 envwrap -- make", "ENVWRAP=0 make", "cd x && envwrap -- make",
		"vim file", "EDITOR=vi vim x", "less file", "man ls", "top", "ssh host", "ssh", "bash", "bash -i", "python3", "node", "env vim x", "timeout 5 top",
		"git commit", "git commit --amend", "git rebase -i HEAD~3", "git add -p", "docker run -it x", "kubectl exec -it pod", "kubectl edit x",
		"psql db", "mysql", "gdb prog", "sudo make install", "tail -f log", "journalctl --follow", "watch ls", "npm init", "fzf",
		"git -C sub commit", "git -c user.name=x commit -v", "git tag -a v1", "ssh -t host top", "python3 -i x.py", "jest --watch", "npx tsc -w", "npx vitest --watch=true",
		"bc", "ipython", "docker logs -f web", "docker attach web", "docker login", "kubectl logs -f pod", "terraform apply", "git mergetool", "aws configure",
		"ls \x00", "ls \ufffd",
	} {
		if got, ok := Rewrite(line, anything); ok || got != line {
			t.Errorf("%q became %q", line, got)
		}
	}
	if got, ok := Rewrite("ll -a", func(string) bool { return false }); ok {
		t.Errorf("a name that is no program became %q", got)
	}
}

// Whatever the line, all of it is still there.
func FuzzRewrite(f *testing.F) {
	for _, seed := range []string{"make", `a "b\"c" && d 2>&1`, "x='y' z", "a\\", "2>&1", "é && ü"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		got, ok := Rewrite(line, anything)
		if ok != (got != line) || strings.Replace(got, Prefix, "", 1) != line && ok {
			t.Errorf("%q became %q, %v", line, got, ok)
		}
	})
}
