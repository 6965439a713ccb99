package jsontext

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
)

// Strings are written as they are, but for what JSON does not allow, and are read as they
// were written.
func TestAppendString(t *testing.T) {
	for s, want := range map[string]string{
		"": `""`, "plain": `"plain"`, `a"b\c/`: `"a\"b\\c/"`, "\n\r\t": `"\n\r\t"`, "\x00\x1f \x7f": "\"\\u0000\\u001f \x7f\"", "é<&>日": `"é<&>日"`, "\xff": "\"\ufffd\"",
		strings.Repeat("long ", 9) + "\x01": `"` + strings.Repeat("long ", 9) + `\u0001"`,
	} {
		got := AppendString([]byte("x"), s)
		if string(got) != "x"+want {
			t.Errorf("%q: got %s, want %s", s, got, want)
		}
		if read := Unquote(got[1:]); string(read) != ValidUTF8(s) {
			t.Errorf("%s is %q", got, read)
		}
		if end := Skip(append(got, `,"`...), 1); end != len(got) {
			t.Errorf("%s ends at %d, want %d", got, end, len(got))
		}
	}
}

func TestUnquote(t *testing.T) {
	for quoted, want := range map[string]string{
		`"\b\f\n\r\t\"\\\/"`: "\b\f\n\r\t\"\\/", `"\u0041\u00e9"`: "Aé", `"\ud83d\ude00!"`: "😀!", `"\ud83d!"`: "\ufffd!", `"\ud83d\u0041"`: "\ufffdA", `"\ude00\ud83d"`: "\ufffd\ufffd",
		"\"\xff\"": "\ufffd", "\"\\n\xff\"": "\n\ufffd", `"` + strings.Repeat("é", 40) + `"`: strings.Repeat("é", 40), `"\u12"`: "\ufffd", `"\ud83d\ud"`: "\ufffd\ufffd",
	} {
		if got := string(Unquote([]byte(quoted))); got != want {
			t.Errorf("%s: got %q, want %q", quoted, got, want)
		}
	}
}

// A string ends at a quotation mark with an even number of backslashes before it, however
// long it is.
func TestSkipString(t *testing.T) {
	for n := range 40 {
		for slashes := range 5 {
			text := `"` + strings.Repeat("x", n) + strings.Repeat(`\`, slashes) + `"`
			end := len(text)
			if text += ` x" `; slashes%2 == 1 {
				end = len(text) - 1
			}
			if got := Skip([]byte(text), 0); got != end {
				t.Errorf("%s ends at %d, want %d", text, got, end)
			}
		}
		if open := `"` + strings.Repeat("x", n) + `\"`; Skip([]byte(open), 0) != len(open) {
			t.Errorf("%s does not end", open)
		}
	}
}

// A truncated document has the members and elements before the cut.
func TestTruncated(t *testing.T) {
	for text, want := range map[string]string{
		``: ` 0`, `1`: ` 0`, ` {} x`: ` 3`, `{"a":1}`: `a=1; 7`, `{ "a" : [1, {}] , "b":"}" } `: `a=[1, {}]; b="}"; 27`,
		`{"a":1,"b":[1,`: `a=1; b=; 14`, `{"a":1,"b"`: `a=1; 10`, `{"a":1,"b":`: `a=1; b=; 11`, `{"a`: ` 3`, `{"a":1,`: `a=1; 7`, `{`: ` 1`,
		`[1, "a,]", [2,3] ,{"b":4}]`: `0=1; 1="a,]"; 2=[2,3]; 3={"b":4}; 0`, `[`: ` 0`, `[1,[2`: `0=1; 1=[2; 0`,
	} {
		var got strings.Builder
		end := Walk([]byte(text), func(name []byte, value json.RawMessage) bool {
			fmt.Fprintf(&got, "%s=%s;", name, value)
			return true
		})
		for i, value := range Elements([]byte(text)) {
			fmt.Fprintf(&got, "%d=%s;", i, value)
		}
		if s := strings.ReplaceAll(got.String(), ";", "; "); strings.TrimSuffix(s, " ")+fmt.Sprintf(" %d", end) != want {
			t.Errorf("%s: %s%d, want %s", text, s, end, want)
		}
	}
	for name := range Members([]byte(`{"a":1,"b":2}`)) {
		if name != "a" {
			t.Errorf("%s after the loop was left", name)
		}
		break
	}
	for i := range Elements([]byte(`[1,2]`)) {
		if i > 0 {
			t.Errorf("%d after the loop was left", i)
		}
		break
	}
}

func TestObject(t *testing.T) {
	o := AppendObject(Object{{[]byte("first"), []byte("0")}}, []byte(`{"a":1,"b":null,"a":2}`))
	if len(o) != 4 || string(o.Get("a")) != "1" || string(o.Get("first")) != "0" || !o.Has("b") || o.Has("c") || o.Get("") != nil {
		t.Errorf("got %q", o)
	}
	for path, want := range map[string]string{"a": "1", "b": `{"c":[2]}`, "b/c": "[2]", "b/d": "", "a/b": "", "b/c/0": "", "c": ""} {
		if got := Lookup([]byte(` {"a":1,"b":{"c":[2]},"a":3,"b":{"d":4}}`), strings.Split(path, "/")...); string(got) != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
	for raw, want := range map[string]byte{"": 0, " ": 0, "1": 0, " -1": 0, "\n\"x\"": '"', "{}": '{', "[]": '[', "true": 't', "false": 'f', "null": 'n'} {
		if got := Kind([]byte(raw)); got != want {
			t.Errorf("%q is %q", raw, got)
		}
	}
	if got := Pointer([]Step{{Name: []byte("a~b/c"), Index: -1}, {Index: 0}, {Index: 12}, {Index: -1}}); got != "/a~0b~1c/0/12/" {
		t.Errorf("got %s", got)
	}
	for text, want := range map[string]bool{`{"a":1,"a":[2]} `: true, "": false, "1 2": false, "[1,": false, "nul": false} {
		if Valid([]byte(text)) != want {
			t.Errorf("%s: not %t", text, want)
		}
	}
	var got []string
	Strings([]byte(`{"name":"a","list":["b",{"x":"c"}]}`), 10, func(r *Reader, s []byte) { got = append(got, r.Pointer()+"="+string(s)) })
	if s := strings.Join(got, " "); s != `/name="a" /list/0="b" /list/1/x="c"` {
		t.Errorf("got %s", s)
	}
}

func TestUnfinished(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "a": 0, "é": 0, "\xc3": 1, "a\xe6": 1, "a\xe6\x97": 2, "日": 0, "\xf0\x9f\x98": 3, "😀": 0, "\x80\x80\x80\x80": 0, "\xff": 0, "\xc3a": 0,
	} {
		if got := Unfinished([]byte(text)); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

func TestAppendFloat(t *testing.T) {
	for _, c := range []struct {
		f           float64
		plain, frac string
	}{
		{0, "0", "0.0"},
		{1, "1", "1.0"},
		{-0.5, "-0.5", "-0.5"},
		{1e21, "1000000000000000000000", "1000000000000000000000.0"},
		{math.NaN(), "0", "0.0"},
		{math.Inf(1), "0", "0.0"},
		{math.Inf(-1), "0", "0.0"},
	} {
		if got := string(AppendFloat(nil, c.f, false)); got != c.plain {
			t.Errorf("%v: %s", c.f, got)
		}
		if got := string(AppendFloat(nil, c.f, true)); got != c.frac {
			t.Errorf("%v with a fraction: %s", c.f, got)
		}
	}
}

// The text of a fault has the beginning of a long name, in whole characters.
func TestShorten(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{strings.Repeat("x", 80), strings.Repeat("x", 80)},
		{strings.Repeat("x", 81), strings.Repeat("x", 80) + "…"},
		{strings.Repeat("x", 79) + "éé", strings.Repeat("x", 79) + "…"},
		{strings.Repeat("x", 77) + "😀😀", strings.Repeat("x", 77) + "…"},
		{strings.Repeat("\x80", 99), strings.Repeat("\x80", 76) + "…"},
	} {
		if got := shorten([]byte(c.name)); got != c.want {
			t.Errorf("%q: %q", c.name, got)
		}
	}
}
