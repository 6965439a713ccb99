package wrap

import (
	"fmt"
	"strings"
	"time"

	"github.com/envwrap/envwrap/envelope"
)

// withLastLine is a message about a child that ran, with the last line that it
// printed about it.
func withLastLine(message string, res *envelope.Result, merged bool) string {
	if last := lastLine(res, merged); last != "" {
		return message + ": " + last
	}
	return message
}

// ended says how the child ended.
func (j *judgement) ended() string {
	switch {
	case j.end.lost:
		return "ended, and the system did not say how"
	case j.end.signal != 0:
		return "was ended by " + j.end.name
	}
	return fmt.Sprintf("ended with status %d", j.end.code)
}

// lastLineMost is the most characters of output in a message.
const lastLineMost = 200

// lastLine is the last non-empty line of stderr, or of the one stream where
// both were merged.
func lastLine(res *envelope.Result, merged bool) string {
	tail := res.Stderr.Tail
	if merged {
		tail = res.Stdout.Tail
	}
	text := strings.ToValidUTF8(string(tail), "\ufffd")
	for text != "" {
		i := strings.LastIndexAny(text, "\n\r")
		if line := oneLine(text[i+1:]); line != "" {
			return line
		}
		text = text[:max(i, 0)]
	}
	return ""
}

// oneLine drops colours and control characters, and what is over the limit.
func oneLine(s string) string {
	s = strings.TrimSpace(strings.Map(printable, stripANSI(s)))
	if runes := []rune(s); len(runes) > lastLineMost {
		return string(runes[:lastLineMost])
	}
	return s
}

func printable(c rune) rune {
	switch {
	case c == '\t', c == '\n', c == '\r':
		return ' '
	case c < ' ', c == 0x7f, c >= 0x80 && c < 0xa0:
		return -1
	}
	return c
}

// stripANSI removes escape sequences of colours and cursor moves (ECMA-48, CSI).
func stripANSI(s string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(s, "\x1b[")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		end := strings.IndexFunc(rest, func(c rune) bool { return c >= '@' && c <= '~' })
		s = rest[end+1:]
	}
}

// seconds spells a duration as the message has it: "1 s", "1.5 s".
func seconds(d time.Duration) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.3f", d.Seconds()), "0"), ".") + " s"
}
