package wrap

import (
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/redact"
)

// maskArgv masks the command line, once: the first text that is masked makes the
// redactor's tables, for which there is time while the child runs.
func (r *run) maskArgv() ([]string, redact.Counts) {
	if r.argv == nil {
		r.argv, r.argvCounts = r.redactor.Args(r.c.Argv)
	}
	return r.argv, r.argvCounts
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
func (r *run) text(s string) string {
	masked, _ := r.redactor.String(s)
	return masked
}

func (r *run) masked(list []string) []string {
	for i, s := range list {
		list[i] = r.text(s)
	}
	return list
}

func (r *run) redactOutcome(o *envelope.Outcome) {
	o.Message, o.Hint, o.Interpreter = r.text(o.Message), r.text(o.Hint), r.text(o.Interpreter)
	o.Suggestions = r.masked(o.Suggestions)
}
