package artifactcmd

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/shared/term"
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

// warnBeyond says on stderr that an artifact has fewer lines than the first of the range,
// which begins at from.
func (l lineSpan) warnBeyond(c *cli.Call, o *artifact.Object, from int64) {
	if l.first == 1 || from < o.Size() {
		return
	}
	n, last := 0, byte('\n')
	b := make([]byte, 64<<10)
	for off := int64(0); off < o.Size(); {
		k, err := o.ReadAt(b, off)
		n += bytes.Count(b[:k], []byte{'\n'})
		if off += int64(k); k > 0 {
			last = b[k-1]
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return // reading the range says why
		}
	}
	if last != '\n' {
		n++
	}
	c.Complain(fmt.Errorf("artifact %s has %s: line %d is beyond its end", cli.ShortID(o.Digest()), term.Plural(n, "line"), l.first))
}
