package wrap

import (
	"cmp"
	"fmt"

	"github.com/envwrap/envwrap/envelope"
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
