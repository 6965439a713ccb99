package cache

import (
	"encoding/json"
	"testing"
)

// The example of RFC 8785, section 3.2.3, and what its section 3.2.2.2 says of
// strings.
func TestCanonical(t *testing.T) {
	got := string(object{
		"\u20ac":     text("Euro Sign"),
		"\r":         text("Carriage Return"),
		"\ufb33":     text("Hebrew Letter Dalet With Dagesh"),
		"1":          text("One"),
		"\U0001f600": text("Emoji: Grinning Face"),
		"\u0080":     text("Control"),
		"\u00f6":     text("Latin Small Letter O With Diaeresis"),
	}.appendTo(nil))
	want := `{"\r":"Carriage Return","1":"One","` + "\u0080" + `":"Control","ö":"Latin Small Letter O With Diaeresis",` +
		`"€":"Euro Sign","😀":"Emoji: Grinning Face","` + "\ufb33" + `":"Hebrew Letter Dalet With Dagesh"}`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for in, want := range map[string]string{
		"\u20ac$\u000f\nA'B\"\\\\\"/": `"€$\u000f\nA'B\"\\\\\"/"`,
		"\b\t\n\f\r\x00\x1f\x7f":      `"\b\t\n\f\r\u0000\u001f` + "\x7f" + `"`,
		"<&>\u2028":                   `"<&>` + "\u2028" + `"`,
		"\xff":                        "\"\uffff/w==\"",
		"\uffff":                      "\"\uffff77+/\"",
	} {
		if got := string(text(in).appendTo(nil)); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if got := string(list{texts([]string{"a", "b"}), null{}, object{}}.appendTo(nil)); got != `[["a","b"],null,{}]` {
		t.Errorf("got %s", got)
	}
}

// Any bytes are written as JSON, and different strings are written differently.
func FuzzCanonical(f *testing.F) {
	f.Add("a", "b")
	f.Add("\xff", "\ufffd")
	f.Add("\xff", "\uffff/w==")
	f.Add("\x00", "\\u0000")
	f.Fuzz(func(t *testing.T, a, b string) {
		x, y := text(a).appendTo(nil), text(b).appendTo(nil)
		var s string
		if err := json.Unmarshal(x, &s); err != nil {
			t.Fatalf("%q: %v", x, err)
		}
		if (a == b) != (string(x) == string(y)) {
			t.Fatalf("%q and %q are %q and %q", a, b, x, y)
		}
	})
}
