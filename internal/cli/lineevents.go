package cli

import (
	"bytes"
	"unicode/utf8"
)

// lineMost is the most bytes of a line that an event shows: the event with
// all its escapes stays under envelope.ProgressMost.
const lineMost = 512

// lineEvents cuts one of the command's streams into lines and makes an event
// of each. Its memory is that of one line's beginning.
type lineEvents struct {
	to    *streamer
	stage string
	head  []byte // of the line that is not ended
	size  int64  // of that line
}

func (l *lineEvents) Write(p []byte) (int, error) {
	n := len(p)
	for {
		line, rest, ended := bytes.Cut(p, []byte{'\n'})
		l.size += int64(len(line))
		if room := lineMost - len(l.head); room > 0 {
			l.head = append(l.head, line[:min(room, len(line))]...)
		}
		if !ended {
			return n, nil
		}
		l.size++
		l.end()
		p = rest
	}
}

// end makes the event of the line that ends here.
func (l *lineEvents) end() {
	text := l.head
	if len(text) == lineMost {
		text = wholeCharacters(text)
	}
	var stdout, stderr int64
	if l.stage == "stdout" {
		stdout = l.size
	} else {
		stderr = l.size
	}
	l.to.line(l.stage, string(text), stdout, stderr)
	l.head, l.size = l.head[:0], 0
}

// close makes an event of a last line that was not ended.
func (l *lineEvents) close() {
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
