package jsontext

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

var samples = []string{
	"", " ", "null", "true", "fals", "-", "-0", "01", "1.", "1.5e+3", "1e", "[", "[1", "[1,", "[1,]", "[1 2]", "{", `{"a"`, `{"a":`, `{"a":1`,
	`{"a":1,`, `{"a":1,}`, `{a:1}`, `{"a" 1}`, `{"a":1}{}`, `{"a":1,"a":2}`, `{"a":1,"\u0061":2}`, `"\u00e9x\uff00"`, `"\ud83d\ude00"`, `"\ud83d"`, `"\ude00\ud83d"`,
	`"\ud83d\ud83d\ude00"`, `"\ud83dx"`, `"\ud83d\n"`, `"\u12`, `"\u12x4"`, `"\ud83d\u1"`, `"\x"`, `"\`, "\"\x01\"", "\"\xff\"", "{\"\xc3\xa9\":\"\xe2\x82\"}", "é", "[é]",
	`{"a":[1,-0.5e+10,"x"],"b":{"c":null,"d":true}}`, "[[],{},\"\",0,false]\n", strings.Repeat("[", 300) + strings.Repeat("]", 300),
	`{"` + strings.Repeat("n", 100) + `":1,"` + strings.Repeat("n", 100) + `":2}`,
}

// A Reader takes what encoding/json takes, but for what it refuses on
// purpose, and the walkers over what it took find the same values.
func checkAgainstStandard(t *testing.T, text []byte) {
	t.Helper()
	var soft []Fault
	fault := Check(text, 10_000, func(f Fault) bool { soft = append(soft, f); return true })
	if want := json.Valid(text); want != (fault == nil) {
		t.Fatalf("%q: valid is %v for encoding/json, and we say %v", text, want, fault)
	}
	checkPieces(t, text, fault == nil && len(soft) == 0)
	if fault != nil {
		noItem := fault.Text == "the text ends where a value should be" && bytes.HasSuffix(TrimSpace(text), []byte("["))
		if noItem && !strings.HasSuffix(fault.Pointer, "/0") {
			t.Fatalf("%q: no item at %q", text, fault.Pointer)
		}
		return
	}
	var want any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&want); err != nil {
		t.Fatal(err)
	}
	compacted := AppendCompact(nil, text)
	var standard bytes.Buffer
	if err := json.Compact(&standard, text); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(compacted, standard.Bytes()) {
		t.Fatalf("compact %q is %q, want %q", text, compacted, &standard)
	}
	start := SkipSpace(text, 0)
	if end := Skip(text, start); len(bytes.TrimSpace(text[end:])) > 0 {
		t.Fatalf("%q: skip ends at %d", text, end)
	}
	checkWalk(t, text, want)
	for _, f := range soft {
		if f.Rule == "json/utf8" && utf8.Valid(text) {
			t.Fatalf("%q: %v", text, f)
		}
		if f.Rule == "json/surrogate" && !bytes.Contains(bytes.ToLower(text), []byte(`\ud`)) {
			t.Fatalf("%q: %v", text, f)
		}
	}
}

// checkPieces reads a text byte by byte, and in one piece. Both find the same
// thing at the same place, and nothing in what [Check] finds flawless.
func checkPieces(t *testing.T, text []byte, flawless bool) {
	t.Helper()
	var bytewise, piece Reader
	bytewise.MaxDepth, bytewise.Single = 10_000, true
	piece.MaxDepth, piece.Single = 10_000, true
	for i := range text {
		bytewise.Write(text[i : i+1])
	}
	bytewise.Close()
	piece.Write(text)
	piece.Close()
	switch one, whole := bytewise.Fault(), piece.Fault(); {
	case (one == nil) != (whole == nil) || one != nil && *one != *whole:
		t.Fatalf("%q: byte by byte %v, in one piece %v", text, one, whole)
	case one != nil && one.Pointer != "":
		t.Fatalf("%q: in pieces, at %q", text, one.Pointer)
	case flawless && one != nil:
		t.Fatalf("%q: flawless for Check, and in pieces %v", text, one)
	case !flawless && one == nil && utf8.Valid(text):
		t.Fatalf("%q: flawless in pieces, and not for Check", text)
	}
}

func checkWalk(t *testing.T, raw json.RawMessage, want any) {
	t.Helper()
	switch want := want.(type) {
	case map[string]any:
		got := maps.Collect(Members(raw))
		if len(got) != len(want) {
			t.Fatalf("%q: members are %q", raw, got)
		}
		for name, value := range want {
			checkWalk(t, got[name], value)
		}
	case []any:
		n := 0
		for i, value := range Elements(raw) {
			checkWalk(t, value, want[i])
			n++
		}
		if n != len(want) {
			t.Fatalf("%q: %d elements, want %d", raw, n, len(want))
		}
	case string:
		if got := string(Unquote(TrimSpace(raw))); got != want {
			t.Fatalf("%q: text is %q, want %q", raw, got, want)
		}
	case json.Number:
		if string(bytes.TrimSpace(raw)) != string(want) {
			t.Fatalf("number %q, want %q", raw, want)
		}
	}
}

func TestReaderAgreesWithTheStandard(t *testing.T) {
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

func FuzzReader(f *testing.F) {
	for _, text := range samples {
		if len(text) < 2000 {
			f.Add([]byte(text))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) { checkAgainstStandard(t, text) })
}

// TestLongName has a name that one who reads in pieces need not keep, and the longest
// that is kept.
func TestLongName(t *testing.T) {
	for _, extra := range []int{0, 1} {
		text := []byte(`{"` + strings.Repeat("n", longestName+extra) + `":1}`)
		if fault := Check(text, 1, nil); fault != nil {
			t.Errorf("%d bytes: %v", longestName+extra, fault)
		}
		for _, split := range []int{0, 10, len(text) - 4, len(text) - 3} { // before and after its last quote
			r := Reader{MaxDepth: 1, Single: true}
			r.Write(text[:split])
			r.Write(text[split:])
			r.Close()
			if fault := r.Fault(); (fault != nil) != (extra > 0) || fault != nil && fault.Offset != int64(len(text)-4) {
				t.Errorf("%d bytes, of which %d come first: %v", longestName+extra, split, fault)
			}
		}
	}
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
		`["\ud83d\n\ude00"]`:                        "/0 json/surrogate;/0 json/surrogate",
		"[{\"\xff\":1}]":                            "/0 json/utf8",
		"{" + wide.String() + `"kbxx":1}`:           "/kbxx json/duplicate",
		"{" + wide.String() + `"z":{"kb":1},"q":0}`: "",
	} {
		var got []string
		Check([]byte(text), 100, func(f Fault) bool {
			got = append(got, f.Pointer+" "+f.Rule)
			return true
		})
		if strings.Join(got, ";") != want {
			t.Errorf("%.60q: %q, want %q", text, got, want)
		}
	}
}

func TestHugeNumbers(t *testing.T) {
	for in, want := range map[string]string{
		`{"a":1e400,"b":[-1E+999,2]}`:        `{"a":"1e400","b":["-1E+999",2]}`,
		`{"1e400":"1e400 \\\" 1e400","n":0}`: `{"1e400":"1e400 \\\" 1e400","n":0}`,
		`1e400`:                              `"1e400"`,
		`[1e308,1e-999,0]`:                   `[1e308,1e-999,0]`,
	} {
		if HasHugeNumber(json.RawMessage(in)) != (in != want) {
			t.Errorf("%s: whether it has one", in)
		}
		if got := string(QuoteHugeNumbers(json.RawMessage(in))); got != want {
			t.Errorf("%s became %s, not %s", in, got, want)
		}
	}
}

// A text in pieces is one value, lines or an array of so many items, or has a fault at an offset.
func TestReaderReports(t *testing.T) {
	for text, want := range map[string]string{
		"1\n2\n":                  "false true false 2 0",
		"1\n\n2\n3":               "false true false 3 0",
		"{\"a\":1}":               "true true false 1 0",
		"[1,[2],{\"a\":[4,5]}]":   "true true true 1 3",
		"[\n1,2]":                 "true false true 1 2",
		"[]":                      "true true true 1 0",
		"[1]\n{}":                 "false true true 2 1",
		"[1,2]\n[3]\n[4,5,6]":     "false true true 3 2",
		"[1] [2]":                 "4 json/trailing there is more after the value",
		"[\n1]\n2":                "5 json/trailing there is more after the value",
		"1\n[\n2]":                "3 json/syntax a value goes on in another line",
		"":                        "0 json/syntax there is no value",
		"{\"a\":1]":               "6 json/syntax ']' is where `,` or `}` should be",
		"[1}":                     "2 json/syntax '}' is where `,` or `]` should be",
		"{1":                      "1 json/syntax '1' is where a name in double quotes should be",
		"{\"a\":1,}":              "7 json/syntax '}' is where a name in double quotes should be",
		"{\"a\"1":                 "4 json/syntax '1' is where `:` should be",
		"[,":                      "1 json/syntax ',' is where a value should be",
		"-x":                      "1 json/syntax 'x' is where a digit should be",
		"1.x":                     "2 json/syntax 'x' is where a digit should be",
		"1ex":                     "2 json/syntax 'x' is where a digit should be",
		"1e+x":                    "3 json/syntax 'x' is where a digit should be",
		"[tru]":                   "1 json/syntax 't' is where a value should be",
		"é":                       "0 json/syntax 'Ã' is where a value should be",
		"[1":                      "2 json/syntax the text ends where `,` or `]` should be",
		"{":                       "1 json/syntax the text ends where a name in double quotes should be",
		"{\"a\"":                  "4 json/syntax the text ends where `:` should be",
		"-":                       "1 json/syntax the text ends where a digit should be",
		"\"a":                     "2 json/syntax the text ends inside a string",
		"\"a\\":                   "3 json/syntax the text ends inside a string",
		"\"\\x\"":                 "2 json/syntax JSON has no such escape",
		"\"\\u12x":                "2 json/syntax four hexadecimal digits must follow \\u",
		"\"\\u1":                  "2 json/syntax four hexadecimal digits must follow \\u",
		"\"\x01\"":                "1 json/syntax the control character U+0001 is not escaped in a string",
		"[[[[":                    "3 json/depth nested deeper than 3 levels",
		"{\"\\u0061\":1,\"a\":2}": "15 json/duplicate the name `a` is there already",
	} {
		r := Reader{MaxDepth: 3}
		r.Write([]byte(text))
		r.Close()
		got := fmt.Sprintf("%t %t %t %d %d", r.One(), r.Lines(), r.Array, r.Values, r.Items)
		if f := r.Fault(); f != nil {
			got = strings.ReplaceAll(fmt.Sprintf("%d %s %s", f.Offset, f.Rule, f.Text), `"`, "`")
		}
		if got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// Of an object in pieces only so many names are kept: a later one may be repeated.
func TestNamesInPieces(t *testing.T) {
	for n, known := range map[int]bool{mostNames: true, mostNames + 1: false} {
		r := Reader{MaxDepth: 1}
		r.Write([]byte("{"))
		for i := range n {
			r.Write(fmt.Appendf(nil, `"%d":0,`, i))
		}
		r.Write(fmt.Appendf(nil, `"%d":0}`, n-1))
		r.Close()
		if (r.Fault() != nil) != known {
			t.Errorf("the last of %d names is repeated: %v", n, r.Fault())
		}
	}
}
