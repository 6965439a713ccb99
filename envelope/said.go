package envelope

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/envwrap/envwrap/envelope/internal/wire"
)

// said returns what an adopted envelope says of its error, and its warnings, as lines of
// output: they are the command's words. shown is what is shown of its output; what that
// has is left out.
func (v *view) said(shown string) []string {
	if v.judged() == v.Result {
		return nil
	}
	hint := cmp.Or(v.Outcome.Hint, wire.StringIn(v.Outcome.Details.Get("hint")), wire.StringIn(v.Extra.Get("hint")))
	var lines []string
	for _, s := range []struct{ name, text string }{{"error", v.reason(shown)}, {"hint", v.short(hint)}} {
		text := oneLine(s.text)
		quoted := strings.Trim(string(wire.MustEncode(text)), `"`) // as a payload has it
		if text != "" && !v.Outcome.OK() && !strings.Contains(shown, text) && !strings.Contains(shown, quoted) {
			lines = append(lines, s.name+": "+text)
		}
	}
	for _, warning := range v.texts(v.Warnings) {
		lines = append(lines, "warning: "+oneLine(warning))
	}
	return lines
}

// judged returns the run that envwrap can speak for. Where a record was read from an
// envelope that does not decode as one of ours it is what its exec says.
func (r *Result) judged() *Result {
	if r.Exec == nil && r.Payload != nil {
		if exec := execIn(r.execSaid(), r.Ended); exec != nil {
			return exec
		}
	}
	return r.ended()
}

// execSaid returns the facts of a run that another's envelope has, nil if there are none.
func (r *Result) execSaid() json.RawMessage {
	for _, f := range []wire.Fields{wire.FieldsIn(r.Payload), r.Outcome.Details, r.Extra} {
		if exec := f.Get("exec"); isExec(exec) && wire.ReadInto(exec, new(wireExec)) {
			return exec
		}
	}
	return nil
}

// reason returns the error's message without what the reader knows: the line
// that says why, where the text above shows it, and the status.
func (v *view) reason(shown string) string {
	return v.news(v.unshown(v.short(v.Outcome.Message), shown))
}

// ownReason is reason in two parts: what envwrap says, and the words that are of the
// command, or of what it printed.
func (v *view) ownReason(shown string) (own, words string) {
	own = v.unshown(v.short(v.Outcome.Message), shown)
	if o := &v.Outcome; o.ClassifiedBy != ByEnvwrap || o.Code == EENVELOPE {
		own, words, _ = strings.Cut(own, ": ")
	}
	return v.news(own), words
}

// unshown returns a message without the line at its end that says why, if shown has it.
func (v *view) unshown(message, shown string) string {
	for i := range message {
		if line, ok := strings.CutPrefix(message[i:], ": "); ok && line != "" && strings.Contains(shown, line) {
			return message[:i]
		}
	}
	return message
}

// news returns a message, or "" if it has no more than the name and the status of what
// was run.
func (v *view) news(message string) string {
	o := &v.judged().Outcome
	switch {
	case message == v.Tool,
		o.ExitCode != nil && message == fmt.Sprintf("%s ended with status %d", v.Tool, *o.ExitCode),
		o.Signal != "" && strings.HasSuffix(message, o.Signal) && strings.HasPrefix(message, v.Tool+" "):
		return ""
	}
	return message
}
