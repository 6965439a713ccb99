package term

import (
	"os"
	"strings"
	"testing"
)

func unpainted(s string) string {
	return strings.NewReplacer(paintName, "", paintText, "", paintWord, "", paintFault, "", paintNormal, "").Replace(s)
}

// Colours are all that is added, whatever the text.
func TestPaint(t *testing.T) {
	const doc = "{\n  \"status\": \"error\",\n  \"n\": [1, -2.5e3, true, null],\n  \"text\": \"a \\\"quoted\\\": {x}\"\n}\n"
	got := string(paint([]byte(doc)))
	if unpainted(got) != doc {
		t.Errorf("without colours it is %q", unpainted(got))
	}
	for _, want := range []string{
		paintName + `"status"` + paintNormal + ": " + paintFault + `"error"`,
		paintWord + "-2.5e3" + paintNormal,
		paintWord + "null" + paintNormal + "]",
		paintText + `"a \"quoted\": {x}"` + paintNormal,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in %q", want, got)
		}
	}
}

func FuzzPaint(f *testing.F) {
	for _, seed := range []string{`{"a":1}`, `{"a`, `{"\`, "{x", "{\x1b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, doc string) {
		if strings.Contains(doc, "\x1b[") {
			return // colours of its own
		}
		if got := unpainted(string(paint([]byte(doc)))); got != doc {
			t.Errorf("%q became %q", doc, got)
		}
	})
}

// A file has no colours, whatever the variables say.
func TestFilesHaveNoColours(t *testing.T) {
	env := func(name string) (string, bool) {
		value, ok := map[string]string{"TERM": "xterm", "CLICOLOR": "1"}[name]
		return value, ok
	}
	f, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if hasColours(f, env) || string(Painted(f, env, []byte("{}"))) != "{}" {
		t.Error("a file has colours")
	}
}

// EscapeJSON escapes control sequences without a change of meaning, and keeps the rest.
func TestInert(t *testing.T) {
	const doc = `{"text":"A` + "\u009b31m\x7f\u0080 é ¢ \u00a0 漢 😀\\u001b" + "\u202e\u2066" + `"}`
	const want = `{"text":"A\u009b31m\u007f\u0080 é ¢ ` + "\u00a0" + ` 漢 😀\u001b\u202e\u2066"}`
	if got := string(EscapeJSON([]byte(doc))); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
