package envelope

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// testdata/envelopes/streams.txt has streams, as quoted strings with how often
// each is there, and below each what a Summarizer says of it. UPDATE=1 writes
// that anew, and keeps the streams.
func TestStreams(t *testing.T) {
	t.Parallel()
	path := filepath.Join("..", "testdata", "envelopes", "streams.txt")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "  ") {
			continue
		}
		b.WriteString(line)
		raw := repeated(t, line)
		said := ""
		for _, parse := range []Parse{ParseAuto, ParseJSON, ParseNDJSON, ParseText} {
			s := Summarizer{Parse: parse}
			half := len(raw) / 2
			_, _ = s.Write(raw[:half])
			soFar := s.SoFar().Summary().Kind
			_, _ = s.Write(raw[half:])
			now := fmt.Sprintf("%s lines %d error %v after half %s judged %t\n", described(s.Summary()), s.Stream().Lines, s.Err(), soFar, s.judged)
			if now != said {
				fmt.Fprintf(&b, "  parse %d: %s", parse, now)
			}
			said = now
		}
		s := Summarizer{}
		_, _ = s.Write(raw)
		for _, n := range []int{0, 3, 8, 40, 40_000, 100_000} {
			head, tail, omitted, lines := s.Ends(n)
			x := s.Excerpt(n)
			now := fmt.Sprintf("%s %s %d %d excerpt %s %d %d %s\n", bothEnds(head), bothEnds(tail), omitted, lines, bothEnds(x.Text), x.OmittedBytes, x.OmittedLines, x.Gap)
			if now != said {
				fmt.Fprintf(&b, "  ends %d: %s", n, now)
			}
			said = now
		}
		best, weight := s.Best(60)
		fmt.Fprintf(&b, "  best %q %d\n", best, weight)
	}
	compareGolden(t, path, b.Bytes())
}

// repeated returns a stream as a line spells it: "a" "b"*7.
func repeated(t *testing.T, line string) (raw []byte) {
	for rest := strings.TrimSpace(line); rest != ""; {
		quoted, err := strconv.QuotedPrefix(rest)
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		piece, _ := strconv.Unquote(quoted)
		times := 1
		rest = rest[len(quoted):]
		if n, _ := fmt.Sscanf(rest, "*%d", &times); n > 0 {
			rest = strings.TrimLeft(rest, "*0123456789")
		}
		raw = append(raw, strings.Repeat(piece, times)...)
		rest = strings.TrimSpace(rest)
	}
	return raw
}

func described(y *Summary) string {
	said := fmt.Sprintf("%d %s %s", y.SizeBytes, y.Kind, bothEnds(string(y.Preview)))
	if y.RecordCount != nil {
		said += fmt.Sprintf(" records %d", *y.RecordCount)
	}
	if y.Lines != nil {
		said += fmt.Sprintf(" of %d lines", *y.Lines)
	}
	return said
}

// bothEnds quotes a text, with its length instead of its middle where it is long.
func bothEnds(s string) string {
	if len(s) <= 100 {
		return strconv.Quote(s)
	}
	return fmt.Sprintf("%q…%d…%q", s[:30], len(s), s[len(s)-30:])
}
