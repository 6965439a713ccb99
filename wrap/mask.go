package wrap

import (
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/shared/errtext"
	"github.com/envwrap/envwrap/redact"
)

// A masker masks the texts of a record.
type masker struct {
	redactor   *redact.Redactor
	argv       []string // masked
	argvCounts redact.Counts
}

// commandLine masks the command line, once: the first text that is masked makes the
// redactor's tables, for which there is time while the child runs.
func (m *masker) commandLine(argv []string) ([]string, redact.Counts) {
	if m.argv == nil {
		m.argv, m.argvCounts = m.redactor.Args(argv)
	}
	return m.argv, m.argvCounts
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

// text returns s with secrets masked, without counting them: they were counted in the
// stream that s is from.
func (m *masker) text(s string) string {
	masked, _ := m.redactor.String(s)
	return masked
}

// texts masks each of list in place, cuts what is long, and returns it.
func (m *masker) texts(list []string) []string {
	for i, s := range list {
		list[i] = errtext.Bound(m.text(s))
	}
	return list
}

func (m *masker) outcome(o *envelope.Outcome) {
	o.Message, o.Hint, o.Interpreter = m.text(o.Message), m.text(o.Hint), m.text(o.Interpreter)
	o.Suggestions = m.texts(o.Suggestions)
}

// bound cuts what is long in the masked texts of an outcome that is no adopted one: its
// message and hint have [errtext.Max] bytes together.
func bound(o *envelope.Outcome) {
	const hintMost = errtext.Max / 4
	o.Message, o.Hint = errtext.BoundTo(o.Message, errtext.Max-hintMost), errtext.BoundTo(o.Hint, hintMost)
	o.Interpreter = errtext.Bound(o.Interpreter)
}
