package envelope

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/envwrap/envwrap/envelope/internal/mimetype"
	"github.com/envwrap/envwrap/envelope/internal/preview"
	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/excerpt"
	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// samples are streams of all kinds that commands print.
var samples = []string{
	"", "\n", "a", "a\n", "a\nb", "\n\n\n", "ok \t12\n",
	`{}`, ` {"a":1} `, "[1,2,3]\n", "[]", `[{"a":1,"b":[1,{"c":null}]},{"a":2}]`,
	"{\"a\":1}\n{\"a\":2}\n", "{\"a\":1} {\"a\":2}", "{\"a\":\n1}\n{\"a\":2}", "[1]\n\n[2]\n", "1\n2\n", "\"x\"", "12", "-0.5e+10", "true\n", "nul",
	`{"a":1,"a":2}`, `{"a":1,"\u0061":2}`, `{"a":NaN}`, "\ufeff{}", `{"a":"\ud83d\ude00"}`, `["\ud83d"]`, `["\ude00"]`, `["\ud83d\n"]`, `["\ud83dx"]`,
	"[\"a\tb\"]", `["\x"]`, `[01]`, `[1.]`, `[1e]`, `[.5]`, `[+1]`, `[1,]`, `[,1]`, `{"a"}`, `{"a":1,}`, `{a:1}`, `[1 2]`, `[}`, `{]`, `{"a":1]`, "[1]x", "[1]]",
	strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth),
	strings.Repeat("[", maxDepth+1) + strings.Repeat("]", maxDepth+1),
	"\xff\xfe", "[\"\xff\"]", "caf\xe9 au lait, s'il vous pla\xeet\n", "\x89PNG\r\n\x1a\n\x00\x00", "日本語\nテキスト", "日本\xe6", "\x00\x01\x02",
	strings.Repeat("0123456789\n", 13_000), strings.Repeat("é", 70_000), strings.Repeat("x", 3*tailKeep) + "\n",
	"[" + strings.Repeat(`{"name":"value","n":1},`, 6_000) + `{"last":true}]`,
}

// summarize feeds text in pieces of the sizes given, over and over.
func summarize(text string, p Parse, sizes ...int) *Summarizer {
	s := &Summarizer{Parse: p}
	rest := []byte(text)
	for i := 0; len(rest) > 0; i++ {
		n := min(max(sizes[i%len(sizes)], 1), len(rest))
		s.Write(rest[:n])
		rest = rest[n:]
	}
	return s
}

// told is everything a Summarizer says.
func told(s *Summarizer) string {
	stream := s.Spilled("sha256:0", "read", 4096)
	return fmt.Sprintf("%q %+v %s %v", [][]byte{stream.Head, stream.Tail}, stream.Excerpt.Text, wire.MustEncode(new(view).summary(&stream)), s.Err())
}

func TestSummarizerDoesNotDependOnTheWrites(t *testing.T) {
	t.Parallel()
	for _, text := range samples {
		for p := ParseAuto; p <= ParseText; p++ {
			want := told(summarize(text, p, len(text)))
			for _, sizes := range [][]int{{1}, {2, 3}, {7}, {4096}, {65536}, {1, 70_000}} {
				if len(text) > 1000*sizes[0] && sizes[0] < 100 && p != ParseAuto {
					continue // once is enough for large texts in small pieces
				}
				if got := told(summarize(text, p, sizes...)); got != want {
					t.Errorf("parse %d, %.40q in pieces of %v:\n%.600s\nwant\n%.600s", p, text, sizes, got, want)
				}
			}
		}
	}
}

// Interpret and the Summarizer agree about which outputs are one value.
// Without an excerpt a Summarizer says the same of a stream, but for its text.
func TestSummarizerWithoutExcerpt(t *testing.T) {
	for _, text := range samples {
		want, s := summarize(text, ParseAuto, len(text)), &Summarizer{ExcerptMax: -1}
		_, _ = s.Write([]byte(text))
		if !reflect.DeepEqual(s.Summary(), want.Summary()) || !reflect.DeepEqual(s.Stream(), want.Stream()) || s.Excerpt(100).Text != "" {
			t.Errorf("%.40q: %+v %+v, want %+v %+v", text, s.Summary(), s.Stream(), want.Summary(), want.Stream())
		}
	}
}

func TestSummarizerAgreesWithInterpret(t *testing.T) {
	for _, text := range samples {
		for p := ParseAuto; p <= ParseText; p++ {
			checkAgreement(t, []byte(text), p)
		}
	}
}

func checkAgreement(t *testing.T, text []byte, p Parse) {
	t.Helper()
	s := summarize(string(text), p, 11)
	var whole Stream
	err := whole.Interpret(text, p)
	got := s.Stream()
	if (err == nil) != (s.Err() == nil) {
		t.Errorf("parse %d, %.80q: Interpret says %v, Summarizer %v", p, text, err, s.Err())
	}
	if p == ParseAuto && (whole.JSON != nil) != s.isJSON() {
		t.Errorf("%.80q: JSON for Interpret is %v, for Summarizer %v", text, whole.JSON != nil, s.isJSON())
	}
	if got.Bytes != whole.Bytes || got.Lines != whole.Lines || !bytes.Equal(got.Head, whole.Head) || !bytes.Equal(got.Tail, whole.Tail) {
		t.Errorf("parse %d, %.80q: counts or ends differ from Interpret's", p, text)
	}
	if s.utf8.valid() != utf8.Valid(text) {
		t.Errorf("%.80q: valid is %v", text, s.utf8.valid())
	}
}

// A name is known again in whatever pieces it comes and however it is escaped,
// among few names and many, and in its own object only.
func TestSummarizerFindsRepeatedNames(t *testing.T) {
	var many strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&many, `"k%d":{"a":1,"b":2},`, i)
	}
	for _, c := range []struct {
		text     string
		repeated bool
	}{
		{`{"a":1,"b":{"a":2,"b":[{"a":3},{"a":4}]},"c":0}`, false},
		{`{"a":1,"b":{"c":2},"a":3}`, true},
		{`{"a":1,"\u0061":3}`, true},
		{`{"\"":1,"\u0022":3}`, true},
		{`{"é":1,"\u00e9":3}`, true},
		{`[{"x":{"a":1}},{"x":{"a":1,"a":2}}]`, true},
		{`{` + many.String() + `"z":0}`, false},
		{`{` + many.String() + `"k17":0}`, true},
		{`{` + many.String() + `"z":{"a":1,"a":2}}`, true},
	} {
		for _, n := range []int{1, 7, len(c.text)} {
			s := summarize(c.text, ParseJSON, n)
			if got := s.Err() != nil; got != c.repeated || s.isJSON() == c.repeated {
				t.Errorf("%.60q in pieces of %d: %v", c.text, n, s.Err())
			}
		}
	}
}

func FuzzSummarizer(f *testing.F) {
	for i, text := range samples {
		if len(text) < 4096 {
			f.Add([]byte(text), uint8(i), uint8(3), uint8(1))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, parse, a, b uint8) {
		p := Parse(parse % 4)
		if got, want := told(summarize(string(text), p, int(a), int(b))), told(summarize(string(text), p, len(text))); got != want {
			t.Fatalf("in pieces %s\nin one %s", got, want)
		}
		checkAgreement(t, text, p)
	})
}

func TestSummaryKinds(t *testing.T) {
	for _, c := range []struct{ text, kind, preview string }{
		{"", mimetype.Text, `{}`},
		{"one\ntwo\n", mimetype.Text, `{"head":"one\ntwo\n"}`},
		{`{"id":1,"name":"x"}`, mimetype.JSON, `{"first_keys":["id","name"]}`},
		{`[{"id":1,"name":"x"},{"id":2}]`, mimetype.JSON, `{"first_keys":["id","name"],"sample_record":{"id":1,"name":"x"}}`},
		{"[1,2]", mimetype.JSON, `{}`},
		{"{\"a\":1}\n{\"a\":2}\n", mimetype.NDJSON, `{"first_keys":["a"],"sample_record":{"a":1}}`},
		{"12\n13\n", mimetype.Text, `{"head":"12\n13\n"}`},
		{"<!DOCTYPE html>\n", "text/html; charset=utf-8", `{"head":"<!DOCTYPE html>\n"}`},
		{"\x89PNG\r\n\x1a\n\x00\x00\xff", "image/png", `{}`},
		{"\x1f\x8b\x08\x00\xff", "application/gzip", `{}`},
		{"\x00\xff\x00\xff", mimetype.Bytes, `{}`},
		{"caf\xe9 au lait et du sucre\n", mimetype.Mixed, `{"head":"caf` + "\ufffd" + ` au lait et du sucre\n"}`},
	} {
		y := summarize(c.text, ParseAuto, 2).Summary()
		if y.Kind != c.kind || string(y.Preview) != c.preview {
			t.Errorf("%q: %s %s, want %s %s", c.text, y.Kind, y.Preview, c.kind, c.preview)
		}
	}
}

func TestRecordCount(t *testing.T) {
	for text, want := range map[string]int64{
		"[]": 0, "[ ]": 0, "[[1,2],[3]]": 2, "[{\"a\":[1,2,3]}]": 1, "[1]\n[2]\n[3]\n": 3, "[1,\n2]": 2,
	} {
		y := summarize(text, ParseAuto, 1).Summary()
		if y.RecordCount == nil || *y.RecordCount != want {
			t.Errorf("%q: record_count %v, want %d", text, y.RecordCount, want)
		}
	}
	if y := summarize(`{"a":[1,2]}`, ParseAuto, 1).Summary(); y.RecordCount != nil || y.Lines != nil {
		t.Errorf("an object has record_count %v and lines %v", y.RecordCount, y.Lines)
	}
}

// A preview is bounded whatever the output holds: long names, long values,
// characters that need escapes.
func TestPreviewIsBounded(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("\x01", 50_000), strings.Repeat("\"\\\n", 50_000), strings.Repeat("日", 50_000),
		`{"` + strings.Repeat("k", 5000) + `":1,"b":2}`,
		`{` + strings.Repeat(`"`+strings.Repeat("\\u0001", 300)+`":1,`, 1) + `"z":0}`,
		`[{"a":"` + strings.Repeat("\\\"", 20_000) + `","b":[` + strings.Repeat("1,", 500) + `1],"c":3}]`,
		`[{` + strings.Repeat(`"a":"`, 1) + strings.Repeat("x", 40_000) + `"}]`,
	} {
		y := summarize(text, ParseAuto, 4096).Summary()
		if len(y.Preview) > preview.MaxBytes || !jsontext.Valid(y.Preview) {
			t.Errorf("%.30q: preview of %d bytes: %.200s", text, len(y.Preview), y.Preview)
		}
	}
	var wide strings.Builder
	for i := range 30 {
		fmt.Fprintf(&wide, `"%d":0,`, i)
	}
	y := summarize("{"+wide.String()+`"z":0}`, ParseAuto, 100).Summary()
	if n := strings.Count(string(y.Preview), ",") + 1; n != preview.MaxKeys {
		t.Errorf("%d names in %s", n, y.Preview)
	}
	long := `[{"id":7,"note":"` + strings.Repeat("x", 2000) + `","tags":[` + strings.Repeat(`"t",`, 100) + `"t"]},{"id":8}]`
	want := `{"first_keys":["id","note","tags"],"sample_record":{"id":7,"note":"` + strings.Repeat("x", 63) + `…"}}`
	if got := string(summarize(long, ParseAuto, 100).Summary().Preview); got != want {
		t.Errorf("preview %s, want %s", got, want)
	}
}

// The shown bytes of both ends and the omitted bytes add up to the stream.
func TestEndsAddUp(t *testing.T) {
	for _, text := range samples {
		for _, n := range []int{0, 1, 5, 64, 4096, 1 << 20} {
			s := summarize(text, ParseText, 4096)
			if !s.readable() {
				continue
			}
			head, tail, bytes, lines := s.Ends(n)
			if len(head)+len(tail) > max(n, 0) {
				t.Errorf("%.20q: %d bytes shown, limit %d", text, len(head)+len(tail), n)
			}
			if !strings.HasPrefix(text, head) || !strings.HasSuffix(text, tail) {
				t.Errorf("%.20q: head %.20q, tail %.20q are not its ends", text, head, tail)
			}
			omitted := text[len(head) : len(text)-len(tail)]
			if bytes != int64(len(omitted)) || lines != lineCount([]byte(omitted)) {
				t.Errorf("%.20q within %d: %d bytes, %d lines left out; they are %d, %d", text, n, bytes, lines, len(omitted), lineCount([]byte(omitted)))
			}
			if utf8.ValidString(text) && !(utf8.ValidString(head) && utf8.ValidString(tail)) {
				t.Errorf("%.20q within %d: a character is cut", text, n)
			}
		}
	}
}

func TestEndsAreAQuarterHeadAtLines(t *testing.T) {
	text := strings.Repeat("0123456789abcde\n", 1000)
	head, tail, _, lines := summarize(text, ParseText, 4096).Ends(4096)
	if len(head) != 1024 || len(tail) != 3072 || lines != 1000-256 {
		t.Errorf("head %d, tail %d, %d lines left out", len(head), len(tail), lines)
	}
	head, tail, _, lines = summarize("short\n"+strings.Repeat("x", 9000)+"\nend\n", ParseText, 4096).Ends(4096)
	if head != "short\n" || tail != "end\n" || lines != 1 {
		t.Errorf("got %q and %q, %d lines left out", head, tail, lines)
	}
}

// A shorter excerpt is one of the same stream, also where it is made of an
// excerpt that was read.
func TestExcerptShrinks(t *testing.T) {
	text := differing(4000) + "main.c:3:5: error: no member\n" + differing(3000)
	s := summarize(text, ParseText, 4096)
	long := s.Excerpt(4096)
	read := &Excerpt{Text: long.Text, OmittedBytes: long.OmittedBytes, OmittedLines: long.OmittedLines}
	for name, x := range map[string]*Excerpt{"made": long, "read": read} {
		short := x.Within(500)
		if len(short.Text) > 500 || !strings.Contains(short.Text, "error: no member\n") || !strings.HasPrefix(short.Gap, "--lines ") {
			t.Errorf("%s: %+v", name, short)
		}
		shown := 0
		for line := range strings.Lines(short.Text) {
			if !excerpt.IsGap(strings.TrimSuffix(line, "\n")) {
				shown++
			}
		}
		if int(short.OmittedLines) != 7001-shown || short.OmittedBytes <= long.OmittedBytes {
			t.Errorf("%s: %d lines shown, %d left out; %d bytes", name, shown, short.OmittedLines, short.OmittedBytes)
		}
		if x.Within(0) != x || x.Within(1<<20) != x {
			t.Errorf("%s: changed without need", name)
		}
	}
}

func TestReadingNamesTheLargestGap(t *testing.T) {
	x := &Excerpt{Gap: "--lines 3:9"}
	for command, want := range map[string]string{
		"":                                    "envwrap artifact cat --lines 3:9 0",
		"envwrap artifact cat --store /x '1'": "envwrap artifact cat --lines 3:9 --store /x '1'",
		"envwrap artifact cat --lines 1:2 1":  "envwrap artifact cat --lines 3:9 1",
		"envwrap artifact cat --bytes 1:20 1": "envwrap artifact cat --lines 3:9 1",
		"something else that prints it":       "something else that prints it",
	} {
		s := Stream{Artifact: "sha256:0", Read: command}
		if got := s.readingGap(x); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if got := s.readingGap(new(Excerpt)); got != s.reading() {
			t.Errorf("%q, want %q", got, s.reading())
		}
	}
}

func TestParseErrorTellsWhere(t *testing.T) {
	s := summarize("[1,\n x]", ParseJSON, 2)
	var bad *ParseError
	if !errors.As(s.Err(), &bad) || bad.Offset != 5 {
		t.Errorf("got %v", s.Err())
	}
	var whole Stream
	if err := whole.Interpret([]byte("[1,\n x]"), ParseJSON); !errors.As(err, &bad) || bad.Offset != 5 {
		t.Errorf("got %v", err)
	}
	if !reflect.DeepEqual(whole.Text, "[1,\n x]") {
		t.Errorf("the text is %q", whole.Text)
	}

	// In many lines the place is that in all of them, and it is told once.
	err := whole.Interpret([]byte("{}\n x\n"), ParseNDJSON)
	if want := "at byte 4"; err == nil || !strings.HasSuffix(err.Error(), want) || strings.Count(err.Error(), "byte") != 1 {
		t.Errorf("got %v; want one %q", err, want)
	}
}

func BenchmarkSummarizer(b *testing.B) {
	line := "2026-11-20T10:00:00Z INFO request served path=/v1/items status=200 took=1.2ms\n"
	record := `{"ts":"2026-11-20T10:00:00Z","level":"info","n":12345,"ok":true,"tags":["a","b"]},`
	for _, c := range []struct{ name, text string }{
		{"text", strings.Repeat(line, 13_000)},
		{"utf8", strings.Repeat("größer als je zuvor – 日本語のログ行\n", 20_000)},
		{"binary", strings.Repeat("\x00\x01\xfe\xff", 1<<18)},
		{"json", "[" + strings.Repeat(record, 12_000) + "0]"},
	} {
		b.Run(c.name, func(b *testing.B) {
			text := []byte(c.text)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				var s Summarizer
				for p := text; len(p) > 0; {
					n := min(len(p), 64<<10)
					s.Write(p[:n])
					p = p[n:]
				}
			}
		})
	}
}
