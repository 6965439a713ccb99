package envelope

import (
	"fmt"
	"strconv"
	"strings"
)

// Shown is what the reader of a brief answer has seen while the command ran. The answer
// leaves that out.
type Shown struct {
	Stdout, Stderr ShownStream
	// All means that both streams were shown as they came.
	All bool
	// Text is everything that was shown, with the lines of envwrap's own; the answer's
	// budget is smaller by that.
	Text string
}

// ShownStream is the beginning of a stream.
type ShownStream struct {
	Lines int64  // whole lines
	Part  string // what was shown of the line after them
}

// of returns what was shown of a stream of the run, and false if nothing was.
func (s *Shown) of(name string) (ShownStream, bool) {
	if s == nil || s.All {
		return ShownStream{}, false
	}
	shown := s.Stdout
	if name == "stderr" {
		shown = s.Stderr
	}
	return shown, shown.Lines > 0 || shown.Part != ""
}

// rest returns text, the whole or an excerpt of a stream, without the lines that were
// shown. Gaps begin after them. seen is how many lines of gaps were shown.
func (s ShownStream) rest(text string) (rest string, seen int64) {
	var b strings.Builder
	n := int64(0) // the number of the line before
	for line := range strings.Lines(text) {
		if first, last, ok := gapLines(line); ok {
			from := max(first, s.Lines+1)
			seen += min(from, last+1) - first
			if n = last; from <= last {
				b.WriteString(gapLine(from, last))
			}
			continue
		}
		switch n++; {
		case n <= s.Lines:
		case n == s.Lines+1:
			b.WriteString(strings.TrimPrefix(line, s.Part))
		default:
			b.WriteString(line)
		}
	}
	return b.String(), seen
}

// gapLines returns the first and the last line that a gap of an excerpt stands for, and
// false for any other line.
func gapLines(line string) (first, last int64, ok bool) {
	inner, begins := strings.CutPrefix(line, "... ")
	inner, ends := strings.CutSuffix(strings.TrimSuffix(inner, "\n"), ") ...")
	_, numbers, has := strings.Cut(inner, " lines (")
	from, to, ranged := strings.Cut(numbers, "-")
	if !begins || !ends || !has || !ranged {
		return 0, 0, false
	}
	first, err1 := strconv.ParseInt(from, 10, 64)
	last, err2 := strconv.ParseInt(to, 10, 64)
	return first, last, err1 == nil && err2 == nil && first <= last
}

// gapLine returns the line of a gap, as an excerpt has it.
func gapLine(first, last int64) string {
	return fmt.Sprintf("... %s lines (%d-%d) ...\n", thousands(last-first+1), first, last)
}
