package wrap

import (
	"slices"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/shared/errtext"
	"github.com/envwrap/envwrap/redact"
)

// Mask returns the functions by which [envelope.Result.MaskTexts] masks a record. The records
// that this package returns are masked. A caller that adds texts to one has it masked
// again before it is shown or stored.
func Mask(r *redact.Redactor) envelope.Mask {
	m := masker{redactor: r}
	return m.mask()
}

// A masker masks the texts of a record. Secrets in them are not counted: they were
// counted in the stream that they are from, or in the command line.
type masker struct {
	redactor   *redact.Redactor
	argv       []string // the command line, masked; nil before commandLine
	argvCounts redact.Counts
}

// record masks all texts of a record that is finished.
func (m *masker) record(res *envelope.Result) { res.MaskTexts(m.mask()) }

func (m *masker) mask() envelope.Mask {
	return envelope.Mask{Text: m.text, Args: func(argv []string) []string {
		if slices.Equal(argv, m.argv) {
			return argv
		}
		masked, _ := m.redactor.Args(argv)
		return masked
	}}
}

// commandLine masks the command line, once. It does so before the record is finished,
// since what it masks is counted in the record, and since the first text that is masked
// makes the redactor's tables, for which there is time while the child runs.
func (m *masker) commandLine(argv []string) ([]string, redact.Counts) {
	if m.argv == nil {
		m.argv, m.argvCounts = m.redactor.Args(argv)
	}
	return m.argv, m.argvCounts
}

// text returns s with secrets masked.
func (m *masker) text(s string) string {
	masked, _ := m.redactor.String(s)
	return masked
}

// addCounts adds more to counts, which may be nil and may be changed.
func addCounts(counts, more redact.Counts) redact.Counts {
	if counts == nil && len(more) > 0 {
		counts = redact.Counts{}
	}
	for rule, n := range more {
		counts[rule] += n
	}
	return counts
}

func redactions(counts redact.Counts) envelope.Redactions {
	total := 0
	for _, n := range counts {
		total += n
	}
	if total == 0 {
		return envelope.Redactions{}
	}
	return envelope.Redactions{Total: total, ByRule: counts}
}

// bound cuts long values in the masked texts that envwrap itself has written into a
// record: its message and hint have [errtext.Max] bytes together.
func bound(res *envelope.Result) {
	const hintMost = errtext.Max / 4
	o := &res.Outcome
	for _, list := range [][]string{o.Suggestions, res.Warnings} {
		for i, s := range list {
			list[i] = errtext.Bound(s)
		}
	}
	o.Message, o.Hint = errtext.BoundTo(o.Message, errtext.Max-hintMost), errtext.BoundTo(o.Hint, hintMost)
	o.Interpreter = errtext.Bound(o.Interpreter)
}
