package envelope

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/envwrap/envwrap/envelope/internal/wire"
)

// adoptedLines returns the error and the warnings of an adopted envelope as lines of
// output, since they are the command's words. Texts that shown, the part of the output
// that is shown, contains are left out.
func (v *view) adoptedLines(shown string) []string {
	if v.knownRun() == v.Result {
		return nil
	}
	hint := cmp.Or(v.Outcome.Hint, wire.StringIn(v.Outcome.Details.Get("hint")), wire.StringIn(v.Extra.Get("hint")))
	var lines []string
	for _, s := range []struct{ name, text string }{{"error", v.errorText(shown)}, {"hint", v.short(hint)}} {
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

// knownRun returns the run whose end envwrap saw. For a record that was read from
// another's envelope it is the run in the envelope's exec, if there is one.
func (r *Result) knownRun() *Result {
	if r.Exec == nil && r.Payload != nil {
		if exec := execIn(r.execFacts(), r.Ended); exec != nil {
			return exec
		}
	}
	return r.ended()
}

// execFacts returns the exec member of another's envelope, which holds the facts of a
// run, or nil.
func (r *Result) execFacts() json.RawMessage {
	for _, f := range []wire.Fields{wire.FieldsIn(r.Payload), r.Outcome.Details, r.Extra} {
		if exec := f.Get("exec"); isExec(exec) && wire.ReadInto(exec, new(wireExec)) {
			return exec
		}
	}
	return nil
}

// errorText returns the error's message without what the reader knows: the cause, if the
// text above shows it, and the status.
func (v *view) errorText(shown string) string {
	return v.trimStatus(v.trimShown(v.short(v.Outcome.Message), shown))
}

// errorParts returns errorText in two parts: envwrap's words, and those of the command or
// of its output.
func (v *view) errorParts(shown string) (own, words string) {
	own = v.trimShown(v.short(v.Outcome.Message), shown)
	if o := &v.Outcome; o.ClassifiedBy != ByEnvwrap || o.Code == EENVELOPE {
		own, words, _ = strings.Cut(own, ": ")
	}
	return v.trimStatus(own), words
}

// trimShown returns a message without the cause at its end, if shown contains it: as it is, or
// in parts, such as the name of a test and why it failed. Tabs, line breaks and runs of
// blanks are one blank, and a quote that shown has after a backslash is a quote.
func (v *view) trimShown(message, shown string) string {
	shown = strings.ReplaceAll(strings.Join(strings.Fields(shown), " "), `\"`, `"`)
	for i := range message {
		if line, ok := strings.CutPrefix(message[i:], ": "); ok && line != "" && (containsParts(shown, line) || containsParts(shown, spellHidden(line))) {
			return message[:i]
		}
	}
	return message
}

// containsParts reports whether shown contains a line, or both parts of it, before and after
// a colon, a semicolon or a mark of what was left out, but for words that link them.
func containsParts(shown, line string) bool {
	line = strings.ReplaceAll(strings.Join(strings.Fields(line), " "), `\"`, `"`)
	for _, link := range [...]string{"caused by ", "while handling ", "expected (-), received (+): "} { // of package testreport
		line = strings.TrimPrefix(line, link)
	}
	if strings.Contains(shown, line) {
		return true
	}
	for _, between := range [...]string{": ", "; ", " … "} {
		before, after, ok := strings.Cut(line, between)
		if ok && len(after) > 3 && strings.Contains(shown, before) && containsParts(shown, after) {
			return true
		}
	}
	return false
}

// trimStatus returns a message, or "" if it only has the name and the status of the
// command.
func (v *view) trimStatus(message string) string {
	o := &v.knownRun().Outcome
	switch {
	case message == v.Tool,
		o.ExitCode != nil && message == fmt.Sprintf("%s ended with status %d", v.Tool, *o.ExitCode),
		o.Signal != "" && strings.HasSuffix(message, o.Signal) && strings.HasPrefix(message, v.Tool+" "):
		return ""
	}
	return message
}
