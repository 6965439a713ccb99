package below

import (
	"slices"
	"strings"
	"testing"
)

// A diff has the lines that differ between the first and the last common ones.
func TestDiff(t *testing.T) {
	for _, c := range []struct {
		name, want string
		change     Change
	}{
		{"a new file", "+{\n+}\n", Change{After: []byte("{\n}\n")}},
		{"a removed file", "-{\n-}\n", Change{Before: []byte("{\n}\n")}},
		{"lines in the middle", "-b\n-c\n+B\n", Change{Before: []byte("a\nb\nc\nd\n"), After: []byte("a\nB\nd\n")}},
		{"lines at the end", "+b\n", Change{Before: []byte("a\n"), After: []byte("a\nb\n")}},
		{"lines at the beginning", "-a\n", Change{Before: []byte("a\nb\n"), After: []byte("b\n")}},
		{"nothing", "", Change{Before: []byte("a\n"), After: []byte("a\n")}},
		{"a file of envwrap's own", "", Change{After: []byte("a\n"), Own: true}},
	} {
		if got := c.change.Diff(); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// Only groups whose one hook calls envwrap for this client are taken out.
func TestForeignHooksStay(t *testing.T) {
	const own, foreign, other = `{"command":"/opt/envwrap hook codex --x"}`, `{"command":"audit hook codex"}`, `{"command":"envwrap hook gemini"}`
	codex, _ := Lookup(Codex)
	for _, c := range []struct{ hooks, want string }{
		{`[{"hooks":[` + own + `]}]`, `{}`},
		{`[{"hooks":[` + own + `]},{"hooks":[` + foreign + `]}]`, `{"hooks":{"PreToolUse":[{"hooks":[` + foreign + `]}]}}`},
		{`[{"hooks":[` + foreign + `,` + own + `]}]`, `{"hooks":{"PreToolUse":[{"hooks":[` + foreign + `]}]}}`},
		{`[{"hooks":[` + own + `,` + foreign + `]},` + own + `]`, `{"hooks":{"PreToolUse":[{"hooks":[` + foreign + `]}]}}`},
		{`[{"hooks":[` + other + `]},{"hooks":[]},{"command":"envwrap hook"},5]`, ""},
	} {
		doc := `{"hooks":{"PreToolUse":` + c.hooks + `}}`
		want := c.want
		if want == "" {
			want = doc
		}
		if got := string(remove([]byte(doc), codex.legacy.path, codex.oursBefore)); got != want {
			t.Errorf("%s: got %s, want %s", c.hooks, got, want)
		}
	}
}

// The command line of a sample is decided as the client's own is.
func TestSample(t *testing.T) {
	p := &Place{Dir: "/data/below"}
	for _, c := range Clients {
		argv, env, err := p.Sample(c, "echo 'a b'")
		switch c.Name {
		case Cursor:
			if err == nil {
				t.Errorf("%s has a sample: %q", c.Name, argv)
			}
			continue
		case Codex:
			if !slices.Equal(argv, []string{"/bin/bash", "-c", "echo 'a b'"}) || !slices.Contains(env, "BASH_ENV=/data/below/codex-bash-env") {
				t.Errorf("%s: %q, %q, %v", c.Name, argv, env, err)
			}
			continue
		}
		a, ok := Decide(argv, func(name string) (string, bool) {
			for _, pair := range env {
				if value, ok := strings.CutPrefix(pair, name+"="); ok {
					return value, true
				}
			}
			return "", false
		})
		if err != nil || !ok || !a.Wrap || a.Client != c.Name {
			t.Errorf("%s: %q is %+v, %t, %v", c.Name, argv, a, ok, err)
		}
	}
}
