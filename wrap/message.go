package wrap

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/excerpt"
)

// why returns the line that says why a child that ran failed: the best of its output,
// or what its documentation says of the status, where that is more than "failed".
func (j *judgement) why(o *envelope.Outcome) string {
	if line := j.reason(); line != "" || j.vague {
		return line
	}
	return o.Meaning
}

// because returns a message with the line that says why, if there is one.
func because(message, line string) string {
	if line == "" {
		return message
	}
	return message + ": " + line
}

// saysWhy is the weight from which on a line of output is better than the last
// one: see [excerpt.Writer.Best].
const saysWhy = 10

// reason returns the line that says best why the child failed: of stderr, where one
// there says it about as well as any of stdout. Where none does it is the last
// non-empty line of stderr, or of the one stream where both were merged; then the
// line of stdout that is like no other.
func (j *judgement) reason() string {
	line, weight := j.stderr.capture.sum.Best(lastLineMost)
	other, more := j.stdout.capture.sum.Best(lastLineMost)
	if more >= saysWhy && more > 2*weight {
		line = other
	}
	return withoutMeter(cmp.Or(oneLine(line), lastLine(j.res, j.c.Merge), oneLine(other)))
}

// withoutMeter removes the progress meter of curl, which does not end its line before
// the message.
func withoutMeter(line string) string {
	if !strings.Contains(line, " --:--:-- ") {
		return line
	}
	return cmp.Or(strings.TrimLeft(line, "0123456789:-.kMGTP% "), line)
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

// lastLine returns the last non-empty line of stderr, or of the one stream where
// both were merged. It leaves out a GNU program's "Try 'tar --help' ...".
func lastLine(res *envelope.Result, merged bool) string {
	tail := res.Stderr.Tail
	if merged {
		tail = res.Stdout.Tail
	}
	text := strings.ToValidUTF8(string(tail), "\ufffd")
	for text != "" {
		i := strings.LastIndexAny(text, "\n\r")
		if line := oneLine(text[i+1:]); line != "" && !strings.HasPrefix(line, "Try '") {
			return line
		}
		text = text[:max(i, 0)]
	}
	return ""
}

// oneLine drops colours and control characters, and what is over the limit.
func oneLine(s string) string {
	s = strings.TrimSpace(strings.Map(printable, excerpt.Clean(s)))
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

// seconds spells a duration as the message has it: "1 s", "1.5 s".
func seconds(d time.Duration) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.3f", d.Seconds()), "0"), ".") + " s"
}
