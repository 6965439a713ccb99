package failpattern

import "testing"

// Shell distinguishes the messages for 126 and 127, and ignores those of programs.
func TestShell(t *testing.T) {
	for line, want := range map[string]struct {
		reason Reason
		name   string
	}{
		"sh: 1: gti: not found\n":                                         {NotFound, "gti"},
		"/bin/sh: 1: tsc: not found\n":                                    {NotFound, "tsc"},
		"bash: line 1: gti: command not found\n":                          {NotFound, "gti"},
		"./run.sh: line 12: gti: command not found\n":                     {NotFound, "gti"},
		"zsh:1: command not found: gti\n":                                 {NotFound, "gti"},
		"(eval):1: command not found: gti\n":                              {NotFound, "gti"},
		"f: command not found: gti\n":                                     {NotFound, "gti"},
		"f:12: command not found: gti\n":                                  {NotFound, "gti"},
		"zsh:1: no such file or directory: ./x y\n":                       {NotFound, "./x y"},
		"(eval):.:1: no such file or directory: ./x\n":                    {NoScript, "./x"},
		"zsh: can't open input file: x.sh\n":                              {NoScript, "x.sh"},
		"(eval):1: permission denied: ./f\n":                              {NotExecutable, "./f"},
		"(eval):1: ./x: bad interpreter: /x: no such file or directory\n": {NoInterpreter, "./x"},
		"(eval):1: X: parameter not set\n":                                {Unset, "X"},
		"bash: line 1: exec: gti: not found\n":                            {NotFound, "gti"},
		"sh: 1: exec: gti: not found\n":                                   {NotFound, "gti"},
		"sh: gti: not found\n":                                            {NotFound, "gti"},
		"one\nbash: line 3: a-b: command not found\ntwo\n":                {NotFound, "a-b"},
		"sh: 1: /x/y: not found\n":                                        {NotFound, "/x/y"},
		"bash: line 1: ./x: No such file or directory\n":                  {NotFound, "./x"},
		"bash: x.sh: No such file or directory\n":                         {NoScript, "x.sh"},
		"bash: line 1: ./x: cannot execute: required file not found\n":    {NoInterpreter, "./x"},
		"bash: line 1: X: unbound variable\n":                             {Unset, "X"},
		"sh: 1: X: parameter not set\n":                                   {Unset, "X"},
		"bash: line 1: X: parameter null or not set\n":                    {Unset, "X"},
		"bash: line 1: ./f: Permission denied\n":                          {NotExecutable, "./f"},
		"bash: line 1: /tmp: Is a directory\n":                            {NotExecutable, "/tmp"},
		"./p: error while loading shared libraries: libx.so.1: cannot open shared object file: No such file or directory\n": {NoLibrary, "libx.so.1"},
		"Error loading shared library libx.so.1: No such file or directory (needed by ./p)\n":                               {NoLibrary, "libx.so.1"},
		"the page was not found\n":            {},
		"a.py:1: permission denied\n":         {},
		"a: permission denied: x\n":           {},
		"error: config: not found\n":          {},
		"cat: x: No such file or directory\n": {},
		"cp: x: Permission denied\n":          {},
		"not found":                           {},
		"":                                    {},
	} {
		for _, streams := range [][2]string{{line, ""}, {"other\n", line}} {
			reason, name, ok := Shell([]byte(streams[0]), []byte(streams[1]))
			if reason != want.reason || name != want.name || ok != (want.reason != 0) {
				t.Errorf("%q: %d %q, want %d %q", line, reason, name, want.reason, want.name)
			}
		}
	}
}

// A variable is demanded where both the text and the shell name it.
func TestDemanded(t *testing.T) {
	for _, c := range []struct {
		line, text string
		want       bool
	}{
		{"bash: line 1: X: is unset", "echo ${X:?is unset}", true},
		{"bash: line 7: X: set it: now", "echo ${X?set it: now}", true},
		{"bash: line 1: Y: is unset", "echo ${X:?is unset}", false},
		{"tool: line 1: X: is unset", "echo ${X:?is unset}; tool", false},
		{"bash: line 1: X: is unset", "echo $X", false},
		{"", "echo ${X:?}", false},
	} {
		if name, ok := Demanded([]byte(c.line+"\n"), c.text); ok != c.want || ok && name != "X" {
			t.Errorf("%q in %q: %q, %t, want %t", c.line, c.text, name, ok, c.want)
		}
	}
}

// Of several programs that were not found, the one that a runner names is found.
func TestMissingOf(t *testing.T) {
	stderr := []byte("nice: ‘gti’: No such file or directory\nxargs: tsc: No such file or directory\nbash: line 1: mak: command not found\n")
	for runner, want := range map[string]string{"nice": "gti", "xargs": "tsc", "env": ""} {
		if got := MissingOf(runner, stderr); got != want {
			t.Errorf("%s: %q, want %q", runner, got, want)
		}
	}
}

// A program that another one could not run is found by its message.
func TestMissing(t *testing.T) {
	for line, want := range map[string]string{
		"env: ‘gti’: No such file or directory":                           "gti",
		"env: 'gti': No such file or directory":                           "gti",
		"nice: gti: No such file or directory":                            "gti",
		"timeout: failed to run command ‘gti’: No such file or directory": "gti",
		"xargs: gti: No such file or directory":                           "gti",
		"make: tsc: No such file or directory":                            "tsc",
		"make[1]: tsc: No such file or directory":                         "tsc",
		"sudo: gti: command not found":                                    "gti",
		"sh: 1: tsc: not found":                                           "tsc",
		"bash: line 1: X: unbound variable":                               "",
		"make: *** No rule to make target 'x'.  Stop.":                    "",
		"make: *** x: No such file or directory":                          "",
		"ls: x: No such file or directory":                                "",
		"":                                                                "",
	} {
		name, ok := Missing([]byte(line), nil)
		if ok != (want != "") || ok && name != want {
			t.Errorf("%q: %q, %t, want %q", line, name, ok, want)
		}
	}
}
