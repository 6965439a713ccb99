package envelope

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestInterpret(t *testing.T) {
	long := strings.Repeat("[", MaxDepth)
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
		{long + strings.Repeat("]", MaxDepth), ParseAuto, long + strings.Repeat("]", MaxDepth), false},
		{"[" + long + strings.Repeat("]", MaxDepth) + "]", ParseAuto, "", false},

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
// counted. With a NUL, or a tenth of such bytes, it is none.
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

// The scanner takes what encoding/json takes, but for what it refuses on
// purpose, and the walkers over what it took find the same values.
func checkAgainstStandard(t *testing.T, text []byte) {
	t.Helper()
	var soft []Fault
	fault, _ := scan(text, 10_000, func(f Fault) bool { soft = append(soft, f); return true })
	if want := json.Valid(text); want != (fault == nil) {
		t.Fatalf("%q: valid is %v for encoding/json, and we say %v", text, want, fault)
	}
	if fault != nil {
		return
	}
	var want any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&want); err != nil {
		t.Fatal(err)
	}
	compacted := appendCompact(nil, text)
	var standard bytes.Buffer
	if err := json.Compact(&standard, text); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(compacted, standard.Bytes()) {
		t.Fatalf("compact %q is %q, want %q", text, compacted, &standard)
	}
	start := skipSpace(text, 0)
	if end := skip(text, start); len(bytes.TrimSpace(text[end:])) > 0 {
		t.Fatalf("%q: skip ends at %d", text, end)
	}
	checkWalk(t, text, want)
	for _, f := range soft {
		if f.Rule == "json/utf8" && utf8.Valid(text) {
			t.Fatalf("%q: %v", text, f)
		}
	}
}

func checkWalk(t *testing.T, raw json.RawMessage, want any) {
	t.Helper()
	switch want := want.(type) {
	case map[string]any:
		got := maps.Collect(members(raw))
		if len(got) != len(want) {
			t.Fatalf("%q: members are %q", raw, got)
		}
		for name, value := range want {
			checkWalk(t, got[name], value)
		}
	case []any:
		n := 0
		for i, value := range elements(raw) {
			checkWalk(t, value, want[i])
			n++
		}
		if n != len(want) {
			t.Fatalf("%q: %d elements, want %d", raw, n, len(want))
		}
	case string:
		if got := stringIn(raw); got != want {
			t.Fatalf("%q: text is %q, want %q", raw, got, want)
		}
	case json.Number:
		if string(bytes.TrimSpace(raw)) != string(want) {
			t.Fatalf("number %q, want %q", raw, want)
		}
	}
}

func TestScannerAgreesWithTheStandard(t *testing.T) {
	for _, text := range samples {
		checkAgainstStandard(t, []byte(text))
	}
	// Every document one byte away from these is a document of its own.
	for _, text := range []string{`{"a":[1,-0.5e+10,"x\u00e9\ud83d\ude00"],"b":{"c":null,"d":true}}`, "[[],{},\"\",0,false]\n"} {
		for i := range text {
			for c := range 128 {
				checkAgainstStandard(t, append(append([]byte(text[:i]), byte(c)), text[i+1:]...))
				checkAgainstStandard(t, append(append([]byte(text[:i]), byte(c)), text[i:]...))
			}
		}
	}
}

func FuzzScanner(f *testing.F) {
	for _, text := range samples {
		if len(text) < 2000 {
			f.Add([]byte(text))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) { checkAgainstStandard(t, text) })
}

// A soft fault names the place, however many names an object has.
func TestSoftFaultsHaveTheirPlace(t *testing.T) {
	var wide strings.Builder
	for _, n := range rand.New(rand.NewPCG(1, 2)).Perm(200) {
		wide.WriteString(`"k` + string(rune('a'+n%26)) + strings.Repeat("x", n/26) + `":0,`)
	}
	for text, want := range map[string]string{
		`{"a":{"b/c~":[0,{"x":1,"x":2}]}}`:          "/a/b~1c~0/1/x json/duplicate",
		`[1,["\udc00"]]`:                            "/1/0 json/surrogate",
		"[{\"\xff\":1}]":                            "/0 json/utf8",
		"{" + wide.String() + `"kbxx":1}`:           "/kbxx json/duplicate",
		"{" + wide.String() + `"z":{"kb":1},"q":0}`: "",
	} {
		var got []string
		scan([]byte(text), 100, func(f Fault) bool {
			got = append(got, f.Pointer+" "+f.Rule)
			return true
		})
		if strings.Join(got, ";") != want {
			t.Errorf("%.60q: %q, want %q", text, got, want)
		}
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
