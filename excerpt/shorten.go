package excerpt

import (
	"strconv"
	"strings"
)

// Shorten returns a shorter excerpt of the same text as x, at most budget bytes,
// without the text itself. Lines are numbered as in x; the offsets of gaps are
// estimates.
func Shorten(x Excerpt, budget int) Excerpt {
	if len(x.Text) <= budget {
		return x
	}
	w := Writer{Max: budget}
	lines := strings.SplitAfter(x.Text, "\n")
	skipped, left := int64(0), x.OmittedLines
	for next := int64(1); len(lines) > 0; lines = lines[1:] {
		g, ok := parseGap(lines[0])
		if !ok || g.First != next || g.Lines() > left {
			_, _ = w.Write([]byte(lines[0]))
			next++
			continue
		}
		size := max(1, x.OmittedBytes/max(x.OmittedLines, 1)*g.Lines())
		w.Skip(g.Lines(), size)
		skipped += size
		left -= g.Lines()
		next = g.Last + 1
	}
	y := w.Excerpt(budget)
	y.OmittedBytes += x.OmittedBytes - skipped
	return y
}

// parseGap reads a line that is a gap of lines.
func parseGap(line string) (Gap, bool) {
	_, lines, _ := strings.Cut(line, " lines (")
	first, rest, _ := strings.Cut(lines, "-")
	last, _, _ := strings.Cut(rest, ")")
	var g Gap
	g.First, _ = strconv.ParseInt(first, 10, 64)
	g.Last, _ = strconv.ParseInt(last, 10, 64)
	return g, g.First >= 1 && g.Last >= g.First && line == g.String()+"\n"
}
