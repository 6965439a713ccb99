package shell

import (
	"strings"
	"testing"
)

// lastCases are texts for bash and the names of the stages of their last pipeline; "?"
// stands for a stage whose program is not known, and no names for a text whose last
// pipeline has one stage, or of which nothing is said.
var lastCases = []struct{ text, want string }{
	{"make | tail -5", "make tail"},
	{"make 2>&1 | tail -5", "make tail"},
	{"make |& tail", "make tail"},
	{"cd /x && make 2>&1 | tee log | grep -i error", "make tee grep"},
	{"cd x; go test ./... | cat", "go cat"},
	{"a | b\n", "a b"},
	{"a | b; ", "a b"},
	{"a |\n b # end", "a b"},
	{"a \\\n | b", "a b"},
	{"a|b|c|d", "a b c d"},
	{"FOO=1 BAR=\"$x\" make V=1 | tail", "make tail"},
	{"'/usr/bin/ma'ke | \"tail\"", "/usr/bin/make tail"},
	{"echo 'a | b' \"c | d\" | wc", "echo wc"},
	{"echo $(a | b; c) | wc", "echo wc"},
	{"echo `a | b` | wc", "echo wc"},
	{"echo \"$(cat \"$f\" | x)\" | wc", "echo wc"},
	{"echo ${x:-y} $((1|2)) $'a\\'|b' | wc", "echo wc"},
	{"echo ${x:-'|'} \"${y:-\"|\"}\" | b", "echo b"},
	{"make -j$(( $(nproc) * 2 )) | tail", "make tail"},
	{"cat <<X | tail -1\na | b\nX", "cat tail"},
	{"cat <<-'X' | tail -1\na | b\n\tX\n", "cat tail"},
	{"cat <<X\nx \\\n$y\nX\nmake | tail", "make tail"},
	{"cat <<X\nX\nmake | tail", "make tail"},
	{"for i in 1 2; do a | b; done; make | tail", "make tail"},
	{"if a | b; then c; elif d; then e; else f; fi\nmake | tail", "make tail"},
	{"while read x; do echo $x; done | tail", "? tail"},
	{"(a; b) | { c; } | tail > f", "? ? tail"},
	{"[[ a && b =~ (x|y) ]] && make | tail", "make tail"},
	{"[ -f x ] && make | tail", "make tail"},
	{"$CC x.c | tail", "? tail"},
	{"diff <(sort a) <(sort b) | tail", "diff tail"},
	{"time make | tail", "make tail"},
	{"time -p make | tail", "make tail"},
	{"exec 2>&1; make | tail", "make tail"},
	{"a &\nb | c", "b c"},
	{">log make | 2>/dev/null tail", "make tail"},
	{"set -o pipefail; make | tail", "make tail"},
	{"{ make | tail; }", "make tail"},
	{"cd x && { make; make test | tail; } > log 2>&1", "make tail"},
	{"time { { make | tail; }; }", "make tail"},
	{"if x; then make | tail; fi", "make tail"},
	{"if x; then a; elif y; then make | tail; else b; fi", "make tail"},
	{"if x; then\n\ta | b\nelse\n\techo no\nfi\n", "a b"},
	{"for i in 1; do make $i | tail; done", "make tail"},
	{"for i in a b\ndo\n\tif [ -f $i ]; then wc $i | cat; fi\ndone", "wc cat"},
	{"{ make | tail; } | cat", "? cat"},
	{"source .venv/bin/activate && pytest -q | tail -5", "pytest tail"},
	{". \"/a b/bin/activate\"; pytest | tail", "pytest tail"},
	{"(trap 'x' EXIT; . ./env; eval y); make | tail", "make tail"},
	{"v=$(. ./env; echo $V); make | tail", "make tail"},
	{"eval \"$x\" | tail", "eval tail"},
	{"case x in x) make | tail ;; esac", "make tail"},
	{"case $1 in a|b) c ;; *) d ;; esac; make | tail", "make tail"},
	{"(case x in x) ;; esac); make | tail", "make tail"},
	{"((1 | 2)); let \"x = 1\"; make | tail", "make tail"},
	{"run() { cd \"$1\"; return 1; }; make | tail", "make tail"},
	{"tail() { head; }; make | tail", "make ?"},
	{"function make { echo; }; make | tail", "? tail"},
	{"export A=b; declare -a c=(d e); make | tail", "make tail"},
	{"(\n" + strings.Repeat("(", 60) + "a" + strings.Repeat(")", 60) + "); a | b", "a b"},

	{"", ""},
	{"make", ""},
	{"make | tail &", ""},
	{"make | tail && echo ok", ""},
	{"make | tail || true", ""},
	{"! make | tail", ""},
	{"make | tail; echo $?", ""},
	{"(make | tail)", ""},
	{"! { make | tail; }", ""},
	{"{ make | tail; } &", ""},
	{"{ make | tail & }", ""},
	{"{ make | tail; } && echo ok", ""},
	{"{ make; }", ""},
	{"time", ""},
	{"if x; then a | b; else c | d; fi", ""},
	{"if x; then a | b; elif y; then c | d | e; fi", ""},
	{"if a | b; then c; fi", ""},
	{"while x; do make | tail; done", ""},
	{"for i in 1; do make | tail && break; done", ""},
	{"for ((;;)); do make | tail; done", ""},
	{"select x in a; do make | tail; done", ""},
	{"case x in x) a | b ;; *) c | d ;; esac", ""},
	{"case x in x) a | b ;& *) c ;; esac", ""},
	{"f() { make | tail; }; f", ""},
	{"trap 'x' EXIT; make | tail", ""},
	{"command trap 'x' EXIT; make | tail", ""},
	{"builtin command -p eval x; make | tail", ""},
	{"'ev'\\al x; make | tail", ""},
	{"eval x; make | tail", ""},
	{"return 0; make | tail", ""},
	{"f() { eval x; }; f; make | tail", ""},
	{". ./bin/activate x; make | tail", ""},
	{". $V/bin/activate; make | tail", ""},
	{"(eval x); eval y; make | tail", ""},
	{"make | eval x; make | tail", ""}, // with lastpipe it is the shell's own
	{". x; make | tail", ""},
	{"alias a=b; a | tail", ""},
}

func TestLast(t *testing.T) {
	for _, c := range lastCases {
		text, err := Parse(c.text, Bash)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		var names []string
		last, err := text.Last()
		if err == nil && len(last.Stages) > 1 {
			for _, s := range last.Stages {
				if s.Argv == nil {
					names = append(names, "?")
				} else {
					names = append(names, s.Name())
				}
			}
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("the last pipeline of %q is %q (%v), want %q", c.text, got, err, c.want)
		}
	}
}

// An answer that may be of another pipeline is recognized.
func TestLastOtherPipelines(t *testing.T) {
	for _, c := range []struct {
		text           string
		alone, certain bool
	}{
		{"a | b", true, true},
		{"a; b && c | d", true, true},
		{"a | b; c | d", false, true},
		{"a | b && c | d", false, true},
		{"a | b || c | d", false, false},
		{"if x; then a | b; exit; fi; c | d", false, false},
		{"if x; then a | b; command exit; fi; c | d", false, false},
		{"if x; then a | b | c; exit; fi; c | d", true, true},
		{"x=$(a | b); c | d", true, true},
		{"(a | b; exit); c | d", true, true},
		{"{ a | b; exit; } | c; d | e", false, true},
		{"a | { b | c; exit; }; d | e", false, false}, // with lastpipe it is the shell's own
		{"$MAYBE; a | b; c | d", false, false},
		{"{ a | b; }", true, true},
		{"a | b; { c | d; }", false, true},
		{"if a | b; then c | d; fi", false, false},
		{"a | b; for x in $none; do c | d; done", false, false},
		{"a | b; case x in y) c | d;; esac", false, false},
		{"if x; then a | b; fi", true, true},
		{"f() { a | b; exit; }; f; c | d", false, false},
	} {
		text, err := Parse(c.text, Bash)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		p, err := text.Last()
		if err != nil || p.Alone != c.alone || p.Certain != c.certain {
			t.Errorf("%q: alone %t, certain %t, %v; want %t, %t", c.text, p.Alone, p.Certain, err, c.alone, c.certain)
		}
	}
}

// An error names what is not certain, and where it is.
func TestLastError(t *testing.T) {
	for text, want := range map[string]string{
		"":                    "no command",
		"! a":                 "negated",
		"a &":                 "in the background",
		"cd x && source y; a": "source at byte 8 may change",
	} {
		parsed, err := Parse(text, Bash)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parsed.Last(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
