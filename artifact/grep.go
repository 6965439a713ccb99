package artifact

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/envwrap/envwrap/artifact/internal/search"
)

// A Grep describes a search for lines.
type Grep struct {
	Pattern    string // a regular expression (RE2, as package regexp reads it)
	Fixed      bool   // Pattern is a plain text
	IgnoreCase bool
	Before     int   // lines of context before a match
	After      int   // lines of context after a match
	MaxMatches int   // stop after so many matching lines; 0 is no limit
	MaxBytes   int64 // stop when the lines shown have so many bytes; 0 is no limit
}

// A Line is a line that a search shows.
type Line struct {
	Number int64  // from 1
	Offset int64  // of the first byte of Text
	Size   int    // bytes of the whole line, without the newline
	More   bool   // the line is longer than Size, too long to be counted
	Text   []byte // shorter than Size where MaxBytes cut it; valid during the call only
	Match  bool   // it matches, and is not just context
}

// A GrepResult counts what a search found.
type GrepResult struct {
	Matches   int  // matching lines that were shown
	Truncated bool // a limit of the Grep ended the search
}

// A Searcher finds the lines that a [Grep] describes. It may be used for any number of
// inputs, one after the other.
type Searcher struct {
	g    Grep
	find search.Finder
	most int // bytes of a line that is searched as a whole: longestLine, less in tests
}

// errManyLines is the error of a pattern that can only match several lines.
var errManyLines = errors.New("a line has no newline in it: look for one line at a time, or for any of several with a|b")

// NewSearcher prepares a search. An error means that the pattern is invalid.
func NewSearcher(g Grep) (*Searcher, error) {
	pattern := g.Pattern
	if g.Fixed {
		pattern = regexp.QuoteMeta(pattern)
	}
	if g.IgnoreCase {
		pattern = "(?i)" + pattern
	}
	f, err := search.New(pattern)
	if strings.Contains(g.Pattern, "\n") {
		err = errManyLines
	}
	if err != nil {
		return nil, fmt.Errorf("read pattern %q: %w", g.Pattern, err)
	}
	return &Searcher{g, f, longestLine}, nil
}

// Sizes of a search's buffer, in bytes. A line that is longer than longestLine is
// searched in pieces.
const (
	grepBuffer  = 1 << 20
	longestLine = 16 << 20
	// pieceOverlap is how many bytes at the end of a piece are searched again with the
	// next piece. A match across the border is found if it is no longer than that.
	pieceOverlap = 64 << 10
)

// errEnough ends a search that has reached a limit.
var errEnough = errors.New("enough")

// Search reads r until its end or a limit, and calls show for every matching line and
// its context, in order. A line that would exceed MaxBytes is cut, around
// the match, to the bytes that remain. An error of show ends the search and is returned.
//
// A line above 16 MiB is searched in pieces of that size: ^ and $ also match at their
// borders, and a match across a border is found if it has at most 64 KiB.
func (s *Searcher) Search(r io.Reader, show func(Line) error) (GrepResult, error) {
	w := &window{g: s.g, find: s.find, most: s.most, show: show, buf: make([]byte, 0, grepBuffer)}
	for {
		eof, err := w.fill(r)
		if err == nil {
			err = w.scan(eof)
		}
		if errors.Is(err, errEnough) {
			w.result.Truncated = true
			return w.result, nil
		}
		if err != nil || eof {
			return w.result, err
		}
	}
}

// A window is the part of an input that a search has in memory.
type window struct {
	g      Grep
	find   search.Finder
	most   int
	show   func(Line) error
	result GrepResult
	buf    []byte
	base   int64 // offset of buf[0] in the input
	next   int   // where in buf the first line begins that was not searched
	shown  int   // end in buf of the last line that was shown
	after  int   // lines of context that are still owed
	lines  int64 // newlines before buf[count]
	count  int
	bytes  int64 // of the lines shown
	piece  bool  // the bytes searched are a piece of a longer line
	inside bool  // next lies inside a line that has no match yet
	seen   bool  // next lies inside a line that was shown
}

// fill moves the bytes that are still needed to the front and reads more after them. It
// reports whether the input has ended.
func (w *window) fill(r io.Reader) (bool, error) {
	keep := w.next
	if !w.inside && !w.seen { // in front of such a line there is nothing to keep
		keep = w.lineBefore(w.next, w.g.Before)
	}
	w.lines += int64(bytes.Count(w.buf[w.count:w.next], newline))
	w.count = w.next - keep
	w.next -= keep
	w.shown = max(0, w.shown-keep)
	w.base += int64(keep)
	w.buf = w.buf[:copy(w.buf, w.buf[keep:])]
	if free := cap(w.buf) - len(w.buf); free < grepBuffer/2 {
		w.buf = append(make([]byte, 0, 2*cap(w.buf)), w.buf...)
	}
	n, err := io.ReadFull(r, w.buf[len(w.buf):cap(w.buf)])
	w.buf = w.buf[:len(w.buf)+n]
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return true, nil
	}
	return false, err
}

var newline = []byte{'\n'}

// scan searches the whole lines of the window; at the end of the input also
// the last, unfinished one.
func (w *window) scan(eof bool) error {
	if w.seen && !w.pass() {
		return nil
	}
	end := len(w.buf)
	w.piece = false
	if !eof {
		end = bytes.LastIndexByte(w.buf[w.next:], '\n') + 1 + w.next
		if end == w.next && len(w.buf)-w.next >= w.most {
			end, w.piece = len(w.buf), true
		}
	}
	for w.next < end {
		at := w.find(w.buf[w.next:end])
		if at < 0 {
			break
		}
		if err := w.match(w.next+at, end); err != nil {
			return err
		}
		w.inside = false
	}
	w.seen = w.piece && w.next == end
	w.inside = w.piece && !w.seen
	err := w.owed(end)
	if w.next = end; w.inside {
		w.next -= pieceOverlap
	}
	return err
}

// pass skips the rest of a line that was shown, and reports whether the next one has
// begun.
func (w *window) pass() bool {
	i := bytes.IndexByte(w.buf[w.next:], '\n')
	if i < 0 {
		w.next = len(w.buf)
		return false
	}
	w.next, w.seen = w.next+i+1, false
	return true
}

// match shows the line around a match at a position of buf, and its context.
func (w *window) match(at, end int) error {
	begin := bytes.LastIndexByte(w.buf[w.next:at], '\n') + 1 + w.next
	if err := w.owed(begin); err != nil {
		return err
	}
	from := max(w.lineBefore(begin, w.g.Before), w.shown)
	for from < begin {
		stop := w.lineEnd(from, begin)
		if err := w.emit(from, stop, -1); err != nil {
			return err
		}
		from = stop
	}
	stop := w.lineEnd(begin, end)
	w.result.Matches++
	if err := w.emit(begin, stop, at); err != nil {
		return err
	}
	w.next, w.after = stop, w.g.After
	if w.g.MaxMatches > 0 && w.result.Matches >= w.g.MaxMatches {
		return w.enough(end)
	}
	return nil
}

// enough ends the search after the last match, with its context.
func (w *window) enough(end int) error {
	if err := w.owed(end); err != nil {
		return err
	}
	return errEnough
}

// owed shows the context that is still due after the last match, up to a position of
// buf.
func (w *window) owed(end int) error {
	for from := w.next; w.after > 0 && from < end; w.after-- {
		stop := w.lineEnd(from, end)
		if err := w.emit(from, stop, -1); err != nil {
			return err
		}
		from = stop
	}
	return nil
}

// emit shows the line buf[from:stop], which may end in a newline, and where
// there is a match at a position of it.
func (w *window) emit(from, stop, at int) error {
	match := at >= 0
	more := w.piece || w.inside && from == w.next
	w.lines += int64(bytes.Count(w.buf[w.count:from], newline))
	w.count = from
	w.shown = stop
	end := from + len(bytes.TrimSuffix(w.buf[from:stop], newline))
	size := end - from
	if w.g.MaxBytes > 0 {
		cut, ok := w.fit(from, end, at)
		if !ok {
			if match {
				w.result.Matches--
			}
			return errEnough
		}
		from, end = cut[0], cut[1]
	}
	w.bytes += int64(end - from + 1)
	return w.show(Line{Number: w.lines + 1, Offset: w.base + int64(from), Size: size, More: more, Text: w.buf[from:end], Match: match})
}

// fit returns the part of the line buf[from:end] to show, and whether there is room
// for it. fit cuts a line that exceeds the limit by itself to the bytes that remain;
// a line of context leaves room for its match.
func (w *window) fit(from, end, at int) (cut [2]int, ok bool) {
	size, most, room := int64(end-from+1), w.g.MaxBytes, w.g.MaxBytes-w.bytes
	if at < 0 {
		most, at = most/8, from
	}
	if size <= most {
		return [2]int{from, end}, size <= room
	}
	n := int(min(most, room))
	if n <= 0 {
		return cut, false
	}
	begin := min(max(from, at-n/4), end-min(n, end-from))
	return trimRunes(w.buf, begin, min(begin+n, end)), true
}

// trimRunes moves both ends of a piece of text inwards to where characters
// begin.
func trimRunes(b []byte, from, end int) [2]int {
	for i := 0; i < utf8.UTFMax-1 && from < end && !utf8.RuneStart(b[from]); i++ {
		from++
	}
	for i := 0; i < utf8.UTFMax-1 && from < end && end < len(b) && !utf8.RuneStart(b[end]); i++ {
		end--
	}
	return [2]int{from, end}
}

// lineEnd returns where the line that begins at from ends, with its newline.
func (w *window) lineEnd(from, limit int) int {
	if i := bytes.IndexByte(w.buf[from:limit], '\n'); i >= 0 {
		return from + i + 1
	}
	return limit
}

// lineBefore returns where the n-th line before the one at from begins.
func (w *window) lineBefore(from, n int) int {
	for ; n > 0 && from > 0; n-- {
		from = bytes.LastIndexByte(w.buf[:from-1], '\n') + 1
	}
	return from
}
