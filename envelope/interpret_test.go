package envelope

import (
	"errors"
	"strings"
	"testing"
)

func TestInterpret(t *testing.T) {
	long := strings.Repeat("[", maxDepth)
	for _, c := range []struct {
		text  string
		parse Parse
		json  string // "" is text, "bytes" is binary
		fails bool
	}{
		{"", ParseAuto, "", false},
		{"{}\n", ParseAuto, "{}", false},
		{"\r\n\t [1] \n", ParseAuto, "[1]", false},
		{"12", ParseAuto, "", false},
		{`"x"`, ParseAuto, "", false},
		{"null", ParseAuto, "", false},
		{"{} {}", ParseAuto, "", false},
		{"{}x", ParseAuto, "", false},
		{`{"id":12345678901234567890,"x":1.10e+5}`, ParseAuto, `{"id":12345678901234567890,"x":1.10e+5}`, false},
		{`{"b":1,"a":2}`, ParseAuto, `{"b":1,"a":2}`, false},
		{`{"a":1,"a":1}`, ParseAuto, "", false},
		{`{"a":1,"\u0061":1}`, ParseAuto, "", false},
		{`{"a":{"b":1},"c":{"b":1}}`, ParseAuto, `{"a":{"b":1},"c":{"b":1}}`, false},
		{`[{"x":[{"k":1,"k":2}]}]`, ParseAuto, "", false},
		{`{"a":NaN}`, ParseAuto, "", false},
		{`[Infinity]`, ParseAuto, "", false},
		{"\ufeff{}", ParseAuto, "", false},
		{`["\ud800"]`, ParseAuto, "", false},
		{`["\ud83d\ude00"]`, ParseAuto, `["\ud83d\ude00"]`, false},
		{"[\"\xff\"]", ParseAuto, "bytes", false},
		{"\xff", ParseAuto, "bytes", false},
		{"{\"a\":\"\x00\"}", ParseAuto, "", false},
		{long + strings.Repeat("]", maxDepth), ParseAuto, long + strings.Repeat("]", maxDepth), false},
		{"[" + long + strings.Repeat("]", maxDepth) + "]", ParseAuto, "", false},

		{"12", ParseJSON, "12", false},
		{`"x"` + "\n", ParseJSON, `"x"`, false},
		{"null", ParseJSON, "null", false},
		{"", ParseJSON, "", true},
		{" \n", ParseJSON, "", true},
		{"nope", ParseJSON, "", true},
		{`{"a":1,"a":1}`, ParseJSON, "", true},
		{"\ufeff{}", ParseJSON, "", true},
		{"[\"\xff\"]", ParseJSON, "bytes", true},

		{"", ParseNDJSON, "[]", false},
		{"1\n\n{\"a\": 2}\r\n\"x\"", ParseNDJSON, `[1,{"a": 2},"x"]`, false},
		{"1 2\n", ParseNDJSON, "", true},
		{"[1,\n2]", ParseNDJSON, "", true},

		{"{}", ParseText, "", false},
	} {
		var s Stream
		err := s.Interpret([]byte(c.text), c.parse)
		got := string(s.JSON)
		if s.Binary != nil {
			got = "bytes"
		}
		var bad *ParseError
		if got != c.json || (err != nil) != c.fails || c.fails && !errors.As(err, &bad) {
			t.Errorf("parse %d, %.60q: %.60q, %v; want %.60q", c.parse, c.text, got, err, c.json)
		}
		if s.JSON == nil && s.Binary == nil && s.Text != c.text {
			t.Errorf("parse %d, %.60q: text is %.60q", c.parse, c.text, s.Text)
		}
	}
}

// Text with a few bytes that are no UTF-8 is text: each of them is U+FFFD, and
// counted. With a NUL, or a tenth of such bytes, it is not text.
func TestInterpretReplaces(t *testing.T) {
	for _, c := range []struct {
		raw, text string
		replaced  int64
	}{
		{"Gr\xfc\xdfe aus dem Norden\n", "Gr\ufffd\ufffde aus dem Norden\n", 2},
		{"a \ufffd that was there, and \xff\n", "a \ufffd that was there, and \ufffd\n", 1},
		{"cut within a character: \xe2\x82", "cut within a character: \ufffd\ufffd", 2},
		{"[1, 2, \"a long text\xff\"]", "[1, 2, \"a long text\ufffd\"]", 1},
		{"123456789\xff", "", 0},
		{"a NUL in a long line of text\x00\xff\n", "", 0},
		{"a NUL in a long line of text\x00\n", "a NUL in a long line of text\x00\n", 0},
	} {
		var s Stream
		if err := s.Interpret([]byte(c.raw), ParseAuto); err != nil {
			t.Fatal(err)
		}
		if s.Text != c.text || s.Replaced != c.replaced || s.Bytes != int64(len(c.raw)) || (s.Binary != nil) != (c.text == "") {
			t.Errorf("%q: text %q, %d replaced, %d bytes, binary %q", c.raw, s.Text, s.Replaced, s.Bytes, s.Binary)
		}
	}
}

// The caller's buffer may be used again.
func TestInterpretKeepsNoPartOfItsInput(t *testing.T) {
	raw := []byte(`{"a":1}`)
	var s Stream
	if err := s.Interpret(raw, ParseAuto); err != nil {
		t.Fatal(err)
	}
	copy(raw, "xxxxxxx")
	if string(s.JSON) != `{"a":1}` || string(s.Head) != `{"a":1}` || string(s.Tail) != `{"a":1}` {
		t.Errorf("%s %s %s", s.JSON, s.Head, s.Tail)
	}
}

func BenchmarkInterpret(b *testing.B) {
	record := `{"ts":"2026-11-20T10:00:00Z","level":"info","n":12345,"ok":true,"tags":["a","b"]},`
	text := []byte("[" + strings.Repeat(record, 12_000) + "0]")
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		var s Stream
		if err := s.Interpret(text, ParseAuto); err != nil || s.JSON == nil {
			b.Fatal(err)
		}
	}
}
