package wrap

import "testing"

func TestNotFoundByShell(t *testing.T) {
	for line, want := range map[string]string{
		"sh: 1: gti: not found\n":                     "gti",
		"bash: line 1: gti: command not found\n":      "gti",
		"zsh:1: command not found: gti\n":             "gti",
		"sh: gti: not found\n":                        "gti",
		"one\nbash: line 3: a-b: command not found\n": "a-b",
		"sh: 1: /x/y: not found\n":                    "",
		"the page was not found\n":                    "",
		"not found":                                   "",
		"":                                            "",
	} {
		if got := notFoundByShell([]byte(line)); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}
