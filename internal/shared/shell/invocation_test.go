package shell

import (
	"strings"
	"testing"
)

func TestReadInvocation(t *testing.T) {
	for line, want := range map[string]string{ // the text, and the options
		"bash -c T": "T", "/bin/bash -c T name x": "T", "bash.exe -c T": "T", "sh -c T": "T", "dash -c T": "T", "zsh -c T": "T",
		"bash -lc T": "T -l", "bash -ec T": "T -e", "bash -euo pipefail -c T": "T -e -u pipefail", "bash -O extglob -xc T": "T extglob -x",
		"bash --norc -c T": "T --norc", "bash -c -- T": "T", "bash -c - T": "T", "bash -l -c T": "T -l", "bash -c -l T": "T -l",
		"bash T": "", "bash -c": "", "bash": "", "fish -c T": "", "make -c T": "", "bash --rcfile x -c T": "", "bash +e -c T": "", "bash -c +e T": "", "bash -co": "", "": "",
	} {
		argv := strings.Fields(line)
		inv, ok := ReadInvocation(argv)
		got := strings.Join(append([]string{inv.Text}, inv.Options...), " ")
		if !ok {
			got = ""
		}
		if got != want || ok && (argv[inv.Arg] != "T" || inv.Dialect != DialectOf(argv[0])) {
			t.Errorf("%q: %q at %d, %t; want %q", line, got, inv.Arg, ok, want)
		}
	}
}

// The options of a program that is no shell are not read: those of a compiler are thousands.
func TestReadInvocationOfOtherPrograms(t *testing.T) {
	argv := []string{"cc", "-Ia", "-Ib", "-c", "x.c"}
	if n := testing.AllocsPerRun(10, func() { ReadInvocation(argv) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
