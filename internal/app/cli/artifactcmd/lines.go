package artifactcmd

import (
	"io"
	"strconv"
	"strings"

	"github.com/envwrap/envwrap/internal/app/cli"
)

// A lineSpan is a range of lines, written as in the gaps of an excerpt: from the first to
// the last, both counted from 1. The zero value means all lines.
type lineSpan struct {
	first, last int // last is 0 for the end
}

func (l lineSpan) isSet() bool { return l != lineSpan{} }

func linesOption(l *lineSpan) *cli.Option {
	return &cli.Option{
		Name: "lines", Value: "A:B", NoEnv: true,
		Help: "only lines A to B, counted from 1",
		Set:  cli.Into(l, parseLines),
	}
}

// parseLines reads A:B, A: (to the end), :B (from the beginning) or A alone.
func parseLines(s string) (lineSpan, error) {
	a, b, isRange := strings.Cut(s, ":")
	l := lineSpan{first: 1}
	var err, err2 error
	if a != "" {
		l.first, err = strconv.Atoi(a)
	}
	switch {
	case !isRange:
		l.last = l.first
	case b != "":
		l.last, err2 = strconv.Atoi(b)
	}
	if s == "" || err != nil || err2 != nil || l.first < 1 || l.last < 0 || b == "0" || l.last != 0 && l.last < l.first {
		return lineSpan{}, cli.BadValue(s, "range of lines", "Write it like 118:529, as a gap in an excerpt names it; 118: is all from line 118 on.")
	}
	return l, nil
}

// within returns the offsets at which the lines begin and end in a file of
// size bytes.
func (l lineSpan) within(o interface {
	io.ReaderAt
	Size() int64
},
) (from, to int64, err error) {
	if from, err = endOfLine(o, l.first-1); err != nil {
		return 0, 0, err
	}
	if l.last == 0 {
		return from, o.Size(), nil
	}
	n, err := endOfLine(io.NewSectionReader(o, from, o.Size()-from), l.last-l.first+1)
	return from, from + n, err
}
