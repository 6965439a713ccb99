package failpattern

import (
	"bytes"

	"github.com/envwrap/envwrap/internal/shared/escape"
)

// How much of a stream's end is read.
const (
	maxBytes = 16 << 10
	maxLines = 30
	maxLine  = 1 << 10 // longer lines lose their middle
)

// lastLines calls yield for the last lines that are not blank, the last one
// first, until it returns false. The lines are plain: in lower case, without
// escape sequences, with a blank for every control character.
func lastLines(stream []byte, yield func(line string) bool) {
	rawLines(stream, func(line []byte) bool {
		return yield(string(plain(line)))
	})
}

// rawLines is lastLines for lines as they are.
func rawLines(stream []byte, yield func(line []byte) bool) {
	stream = stream[max(0, len(stream)-maxBytes):]
	for left := maxLines; left > 0 && len(stream) > 0; {
		start := bytes.LastIndexByte(stream, '\n') + 1
		line := bytes.TrimSpace(stream[start:])
		stream = stream[:max(0, start-1)]
		if len(line) == 0 {
			continue
		}
		left--
		if !yield(line) {
			return
		}
	}
}

// plain makes a line easy to search.
func plain(line []byte) []byte {
	if len(line) > maxLine {
		line = append(append(bytes.Clone(line[:maxLine/2]), ' '), line[len(line)-maxLine/2:]...)
	}
	text := make([]byte, 0, len(line))
	for len(line) > 0 {
		c := line[0]
		if c == escape.Esc {
			line = line[escape.Len(line):]
			continue
		}
		line = line[1:]
		switch {
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		case c < ' ':
			c = ' '
		}
		text = append(text, c)
	}
	return text
}
