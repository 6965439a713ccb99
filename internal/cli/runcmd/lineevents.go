package runcmd

import (
	"bytes"
	"unicode/utf8"
)

// LineMost is the most bytes of a line that an event shows: the event with
// all its escapes stays under envelope.ProgressMost.
const LineMost = 512

// LineEvents cuts one of the command's streams into lines and makes an event
// of each. Its memory is that of one line's beginning. A program that rewrites its
// line with carriage returns is taken at its last word.
type LineEvents struct {
	To      *Streamer
	Stage   string
	head    []byte // of the line that is not ended
	size    int64  // of that line
	rewrite bool   // a carriage return has come: what follows takes the place of head
}

func (l *LineEvents) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		piece := p
		if i := bytes.IndexAny(p, "\r\n"); i >= 0 {
			piece = p[:i+1]
		}
		p = p[len(piece):]
		l.add(piece)
	}
	l.To.unended(l.text())
	return n, nil
}

// add takes a piece in which a line is ended, or rewritten, nowhere but at its end.
func (l *LineEvents) add(piece []byte) {
	l.size += int64(len(piece))
	text := bytes.TrimRight(piece, "\r\n")
	if l.rewrite && len(text) > 0 {
		l.head, l.rewrite = l.head[:0], false
	}
	if room := LineMost - len(l.head); room > 0 {
		l.head = append(l.head, text[:min(room, len(text))]...)
	}
	switch piece[len(piece)-1] {
	case '\n':
		l.end()
	case '\r':
		l.rewrite = true
	}
}

// text is the line as far as it has come.
func (l *LineEvents) text() string {
	if len(l.head) == LineMost {
		return string(wholeCharacters(l.head))
	}
	return string(l.head)
}

// end makes the event of the line that ends here.
func (l *LineEvents) end() {
	var stdout, stderr int64
	if l.Stage == "stdout" {
		stdout = l.size
	} else {
		stderr = l.size
	}
	l.To.line(l.Stage, l.text(), stdout, stderr)
	l.head, l.size, l.rewrite = l.head[:0], 0, false
}

// close makes an event of a last line that was not ended.
func (l *LineEvents) close() {
	if l.size > 0 {
		l.end()
	}
}

// wholeCharacters drops the beginning of a character that the end of p cut.
func wholeCharacters(p []byte) []byte {
	for i := 1; i < utf8.UTFMax && i <= len(p); i++ {
		if c := p[len(p)-i]; utf8.RuneStart(c) {
			if !utf8.FullRune(p[len(p)-i:]) {
				return p[:len(p)-i]
			}
			break
		}
	}
	return p
}
