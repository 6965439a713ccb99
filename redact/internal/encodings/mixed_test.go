package encodings

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"
)

func inJSON(s string) string {
	b, _ := json.Marshal(s)
	return string(b[1 : len(b)-1])
}

func inASCII(s string) string { return strings.Trim(strconv.QuoteToASCII(s), `"`) }

// utf16Escaped writes each character that is no ASCII letter as \uXXXX.
func utf16Escaped(s string) string {
	var out strings.Builder
	for _, c := range utf16.Encode([]rune(s)) {
		if c < 0x80 && (c|0x20 >= 'a' && c|0x20 <= 'z') {
			out.WriteByte(byte(c))
		} else {
			fmt.Fprintf(&out, `\u%04x`, c)
		}
	}
	return out.String()
}

// A value that is written with escapes is found from its run of letters on, and all of it.
func TestMixed(t *testing.T) {
	codes := map[string]func(string) string{
		"as it is": func(s string) string { return s },
		"query":    url.QueryEscape, "path": url.PathEscape, "query twice": func(s string) string { return url.QueryEscape(url.QueryEscape(s)) },
		"JSON": inJSON, "JSON twice": func(s string) string { return inJSON(inJSON(s)) }, "Go": inASCII, "UTF-16": utf16Escaped,
		"XML": html.EscapeString, "XML in JSON": func(s string) string { return inJSON(html.EscapeString(s)) },
		"hex entities": func(s string) string {
			return strings.NewReplacer("<", "&#x3c;", "&", "&#x26;", "é", "&#233;").Replace(s)
		},
		"shell":       func(s string) string { return strings.ReplaceAll(s, "'", `'\''`) },
		"SQL":         func(s string) string { return strings.ReplaceAll(s, "'", `''`) },
		"CSV":         func(s string) string { return strings.ReplaceAll(s, `"`, `""`) },
		"backslashes": func(s string) string { return strings.NewReplacer("<", `\<`, "&", `\&`, " ", `\ `).Replace(s) },
	}
	for _, value := range []string{`a<b&c walnutsoup d'e"f`, `a\walnutsoup\\`, "é%walnutsoup+😀!", "x=walnutsoup/y", "a\twalnutsoup%41"} {
		anchor, m := MixedOf(value)
		if anchor != "walnutsoup" {
			t.Fatalf("%q: looked for by %q", value, anchor)
		}
		for name, encode := range codes {
			if name == "Go" && strings.Contains(value, "😀") {
				continue // \U0001f600 is not read
			}
			b := []byte("=" + encode(value) + "=")
			start := bytes.Index(b, []byte(anchor))
			if from, to, ok := m.Span(b, start, start+len(anchor)); !ok || from != 1 || to != len(b)-1 {
				t.Errorf("%s: %q: %d to %d, %t", name, b, from, to, ok)
			}
			for _, other := range []string{strings.Replace(string(b), "walnutsoup", "?walnutsoup", 1), strings.Replace(string(b), "walnutsoup", "walnutsoup?", 1)} {
				start := strings.Index(other, anchor)
				if from, to, ok := m.Span([]byte(other), start, start+len(anchor)); ok {
					t.Errorf("%s: %q is another value: %d to %d", name, other, from, to)
				}
			}
		}
	}
	for _, value := range []string{"letters4", "ab-cd-ef", strings.Repeat("walnut-", MaxMixed/7+1)} {
		if anchor, m := MixedOf(value); anchor != "" || m != nil {
			t.Errorf("%q: looked for by %q", value, anchor)
		}
	}
}

// A value is among the encodings of what encodes it.
func TestOf(t *testing.T) {
	inBackslashes := strings.NewReplacer(" ", `\ `, `"`, `\"`, `\`, `\\`, "'", `\'`, "<", `\<`, "&", `\&`, ">", `\>`, "!", `\!`)
	for _, value := range []string{"pa", "pass", "a/b c", `a"b\c'd`, "<é&😀>", "p!-w.o+r:d_=@%", "longer-than-that"} {
		forms := Of(value)
		for _, f := range forms[1:] {
			if f.Text == value || len(f.Text) < Min {
				t.Errorf("%q is looked for as %q", value, f.Text)
			}
		}
		for name, text := range map[string]string{
			"itself": value, "hex": hex.EncodeToString([]byte(value)), "HEX": strings.ToUpper(hex.EncodeToString([]byte(value))),
			"query": url.QueryEscape(value), "JSON": inJSON(value), "JSON twice": inJSON(inJSON(value)), "Go": inASCII(value),
			"shell": strings.ReplaceAll(value, "'", `'\''`), "backslashes": inBackslashes.Replace(value), "XML": strings.NewReplacer(`"`, "&quot;", "'", "&apos;").Replace(strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(value)),
		} {
			found := false
			for _, f := range forms {
				found = found || f.Text == text
			}
			if anchor, _ := MixedOf(value); !found && len(anchor) < MinWindowed && text != value {
				t.Errorf("%q: %s: no %q", value, name, text)
			}
		}
	}
}
