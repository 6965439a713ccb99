package cli

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// The warning about what was ignored of a project's file has the first keys.
func TestWarning(t *testing.T) {
	for _, c := range []struct {
		refused []string
		why     error
		want    []string
		lacks   string
	}{
		{[]string{"env", "a\nb"}, nil, []string{`P: ignored of this trusted file: env (why), "a\nb"`}, "To allow"},
		{[]string{"env"}, errUntrusted, []string{"P is not trusted; ignored: env (why). To allow them, read the file and run: envwrap config trust P"}, "more"},
		{numbered(20), nil, []string{"k19"}, "more"},
		{numbered(21), nil, []string{"k19, and 1 more"}, "k20"},
	} {
		f := &ConfigFile{Path: "P", Refused: c.refused}
		f.warn(map[string]refusal{"env": {why: "why"}}, c.why)
		got := strings.Join(f.Ignored, "\n")
		for _, want := range c.want {
			if !strings.Contains(got, want) || strings.Contains(got, c.lacks) {
				t.Errorf("%q: got %s", c.refused, got)
			}
		}
	}
	f := &ConfigFile{Path: "P"}
	if f.warn(nil, errors.New("any")); f.Ignored != nil {
		t.Errorf("nothing was ignored: %q", f.Ignored)
	}
}

func numbered(n int) []string {
	var keys []string
	for i := range n {
		keys = append(keys, fmt.Sprintf("k%02d", i))
	}
	return keys
}

// A project's file may lower what the user allows, not raise it.
func TestAtMost(t *testing.T) {
	restraint := AtMost(func(_ *Env, value string) (int64, bool) { return int64(len(value)), value != "bad" })
	for _, c := range []struct {
		now, before string
		ok          bool
	}{
		{"1", "22", true}, {"22", "22", true}, {"333", "22", false}, {"bad", "22", true}, {"1", "bad", false},
	} {
		if why := restraint(nil, nil, []string{"ignored", c.now}, []string{c.before}); (why == "") != c.ok {
			t.Errorf("%s after %s: %q", c.now, c.before, why)
		}
	}
	for path, want := range map[string]bool{"/a/b": true, "/a/b/c": true, "/a": false, "/a/bc": false, "/a/b/../c": false, "b": false} {
		if Within(path, "/a/b") != want {
			t.Errorf("%s: %t", path, !want)
		}
	}
}
