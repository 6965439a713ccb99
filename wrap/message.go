package wrap

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/excerpt"
	"github.com/envwrap/envwrap/internal/shared/testreport"
)

// why returns the line that says why a child that ran failed: the best of its output,
// or what its documentation says of the status, where that is more than "failed".
func (j *judgement) why(o *envelope.Outcome) string {
	if line := j.reason(); line != "" || j.vague {
		return line
	}
	if o.Kind == envelope.Findings { // the first of them
		first, _, _ := strings.Cut(strings.TrimLeft(string(j.res.Stdout.Head), "\r\n"), "\n")
		if line := oneLine(strings.ToValidUTF8(first, "\ufffd")); line != "" {
			return line
		}
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

// reason returns the line that says best why the child failed: of the report of a test
// runner that of its first failed test. Else it is of stderr, where one
// there says it about as well as any of stdout. Where none does it is the last
// non-empty line of stderr, or of the one stream where both were merged; then the
// line of stdout that is like no other.
func (j *judgement) reason() string {
	if line := j.reported(); line != "" {
		return line
	}
	line, weight := j.stderr.capture.sum.Best(lastLineMost)
	other, more := j.stdout.capture.sum.Best(lastLineMost)
	if more >= saysWhy && more > 2*weight {
		line = other
	}
	return withoutMeter(cmp.Or(oneLine(line), lastLine(j.res, j.c.Merge), oneLine(other)))
}

// reported returns why the first test failed, where the output is the report of a test
// runner, and the line that names the failure of a tool that prints more telling ones. What
// passing tests logged is no reason.
func (j *judgement) reported() string {
	if j.end.signal != 0 || j.end.lost {
		return ""
	}
	for _, s := range [...]*envelope.Stream{&j.res.Stdout, &j.res.Stderr} {
		text := s.Tail
		if s.Bytes > int64(len(text)) {
			text = slices.Concat(s.Head, []byte("\n"), text)
		}
		clean := excerpt.Clean(string(text))
		if line := cmp.Or(testreport.Reason(clean), testreport.Sentence(clean)); line != "" {
			return oneLine(line)
		}
	}
	return ""
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
