package envelope

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/envwrap/envwrap/excerpt"
)

// brief/v1: our own, what a model reads (docs/dialects.md). It is no JSON: the
// output itself, and one last line in brackets with the facts. It is only
// written: nothing adopts it, and Validate does not know it.
var briefV1 = dialect{
	name: "brief/v1",
	text: writeBrief,
	keep: func(o EncodeOptions) Keep {
		if o.Whole {
			return KeepHidden
		}
		return KeepExact
	},
}

// briefSlow is the duration from which on the last line has it.
const briefSlow = 10 * time.Second

// A briefWriter writes one view.
type briefWriter struct {
	*view
	b     strings.Builder
	facts []string // what there is to say about the streams
}

// writeBrief returns the output and the last line.
func writeBrief(v *view) []byte {
	w := briefWriter{view: v}
	switch {
	case w.Jobs != nil:
		w.jobs()
	case w.hasPayload():
		w.b.WriteString(briefText(string(w.Payload), false))
	default:
		w.streams()
	}
	shown := w.b.String()
	if w.Jobs != nil && w.Outcome.OK() {
		return []byte(strings.TrimSuffix(shown, "\n"))
	}
	parts := []string{w.status()}
	why := w.reason(shown)
	if why != "" {
		parts = append(parts, why)
	}
	parts = append(parts, w.facts...)
	if hint := w.short(w.Outcome.Hint); hint != "" && !w.Outcome.OK() {
		parts = append(parts, hint)
	}
	if n := w.Redactions.Total; n > 0 {
		parts = append(parts, fmt.Sprintf("%d masked", n))
	}
	for _, warning := range w.texts(w.Warnings) {
		// that the store failed may be the reason already
		if _, cause, ok := strings.Cut(warning, ": "); !ok || !strings.HasSuffix(why, ": "+cause) {
			parts = append(parts, "warning: "+warning)
		}
	}
	for i, part := range parts {
		parts[i] = strings.TrimSuffix(spellHidden(oneLine(part)), ".")
	}
	w.b.WriteString(strings.Join(parts, "; ") + "]")
	return []byte(w.b.String())
}

// status opens the last line: "[exit 2 ERUNTIME failure, 12.4 s".
func (w *briefWriter) status() string {
	o, end := &w.Outcome, w.end()
	status := "-"
	switch {
	case end.Signal != "":
		status = end.Signal
	case end.ExitCode != nil:
		status = fmt.Sprint(*end.ExitCode)
	}
	line := briefEnd + status
	switch {
	case o.Code != "":
		line += " " + string(o.Code) + " " + string(o.Kind)
	case o.Kind != Success:
		line += " " + string(o.Kind)
	}
	if w.Duration >= briefSlow {
		line += fmt.Sprintf(", %.1f s", w.Duration.Seconds())
	}
	return line
}

// end returns the outcome that has the exit status: of an adopted envelope that names
// none, that of the run that printed it.
func (w *briefWriter) end() *Outcome {
	if o := &w.Outcome; w.Exec == nil || o.ExitCode != nil || o.Signal != "" {
		return o
	}
	return &w.Exec.Outcome
}

// reason returns the error's message without what the reader knows: the line
// that says why, where the text above shows it, and the status.
func (w *briefWriter) reason(shown string) string {
	why := w.short(w.Outcome.Message)
	for i := range why {
		if line, ok := strings.CutPrefix(why[i:], ": "); ok && line != "" && strings.Contains(shown, line) {
			why = why[:i]
			break
		}
	}
	o := w.end()
	if o.ExitCode != nil && why == fmt.Sprintf("%s ended with status %d", w.Tool, *o.ExitCode) {
		return ""
	}
	if o.Signal != "" && strings.HasSuffix(why, o.Signal) && strings.HasPrefix(why, w.Tool+" ") {
		return ""
	}
	return why
}

// streams writes what the command printed.
func (w *briefWriter) streams() {
	streams := []namedStream{{"stdout", &w.Stdout}, {"stderr", &w.Stderr}}
	for i, s := range streams {
		if s.Bytes == 0 && s.end() == "" {
			continue
		}
		text, note := w.streamText(s)
		if i == 1 && w.b.Len() > 0 {
			w.b.WriteString(briefStderr + "\n")
		}
		w.b.WriteString(text)
		if note != "" {
			w.facts = append(w.facts, note)
		}
	}
}

// streamText returns the text of one stream, and what of it is not shown.
func (w *briefWriter) streamText(s namedStream) (text, note string) {
	x := w.shownExcerpt(s.Stream)
	read := ""
	switch {
	case s.Stored() == "":
	case x == nil:
		read = ": " + s.reading()
	default:
		read = ": " + s.readingGap(x)
	}
	switch {
	case len(s.Binary) > 0:
		return "", fmt.Sprintf("%s: %s bytes that are no text%s", s.name, thousands(s.Bytes), read)
	case x != nil && x.OmittedLines > 0:
		return briefText(x.Text, true), fmt.Sprintf("%s of %s lines left out%s", thousands(x.OmittedLines), thousands(s.Lines), read)
	case x != nil && x.OmittedBytes > 0:
		return briefText(x.Text, true), fmt.Sprintf("%s of %s bytes left out%s", thousands(x.OmittedBytes), thousands(s.Bytes), read)
	case x != nil && s.Replaced > 0:
		return briefText(x.Text, true), spokenBytes(s.Replaced) + " of no UTF-8 replaced" + read
	case x != nil:
		return briefText(x.Text, true), ""
	}
	text, whole := w.text(s.Stream)
	if !whole || s.Truncated {
		note = s.name + " is cut" + read
	}
	return briefText(text, false), note
}

// shownExcerpt returns what is shown of a stream that is not shown as it is: of a text
// that is here all of it, cleaned, and with the lines that are alike folded where
// the store has them. nil is a stream that is shown as it is.
func (w *briefWriter) shownExcerpt(s *Stream) *Excerpt {
	switch {
	case s.Excerpt != nil:
		return w.excerpt(s)
	case s.Text == "" || s.Truncated || w.opt.Whole:
		return nil
	}
	text := s.Text
	if s.Replaced > 0 && int64(len(s.Head)) >= s.Bytes {
		text = string(s.Head) // gaps count its bytes
	}
	x := excerpt.Excerpt{Text: excerpt.Clean(text)}
	if s.Exact != "" {
		x = excerpt.Folded(text)
	}
	if n := w.cut.inline; n > 0 && len(x.Text) > n {
		x = excerpt.Of(text, n)
	}
	return excerptOf(x, nil)
}

// briefText is output as it appears in the text: guarded, and ended by a newline. An
// excerpt has gaps of its own.
func briefText(text string, excerpted bool) string { return guard(endLine(text), !excerpted) }

// endLine returns a text with a newline at its end, unless it is empty.
func endLine(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}

// jobMarks begin the lines of an answer about jobs.
var jobMarks = []string{"[job ", "[no jobs]"}

// jobs writes an answer about jobs: a line a job, and what one has printed.
func (w *briefWriter) jobs() {
	j := w.Jobs
	if j.Kind == JobsTail {
		for _, s := range []*Stream{j.Stdout, j.Stderr} {
			if s != nil && s.Bytes > 0 {
				text, _ := w.text(s)
				w.b.WriteString(guard(endLine(text), true, jobMarks...))
			}
		}
	}
	for i := range j.List {
		job := &j.List[i]
		fmt.Fprintf(&w.b, "[job %s %s", job.ID, job.State)
		if job.ExitCode != nil {
			fmt.Fprintf(&w.b, ", exit %d", *job.ExitCode)
		}
		if job.Elapsed >= time.Second {
			fmt.Fprintf(&w.b, ", %.0f s", job.Elapsed.Seconds())
		}
		if line := job.Activity; line != "" && j.Kind != JobsTail {
			fmt.Fprintf(&w.b, ": %s", w.short(line))
		} else if j.All {
			fmt.Fprintf(&w.b, ": %s", w.short(strings.Join(job.Argv, " ")))
		}
		if !job.State.Over() && !j.All {
			fmt.Fprintf(&w.b, "; envwrap job wait %s", job.ID)
		}
		w.b.WriteString("]\n")
	}
	if c := j.Cleanup; c != nil {
		fmt.Fprintf(&w.b, "[%d stuck, %d old]\n", len(c.Stuck), c.OldFound)
	}
	if j.All && len(j.List) == 0 && j.Cleanup == nil {
		w.b.WriteString("[no jobs]\n")
	}
	if j.Omitted > 0 {
		fmt.Fprintf(&w.b, "[%d more: %s]\n", j.Omitted, j.Next)
	}
}

// thousands spells a number with commas: 5,120.
func thousands(n int64) string {
	digits := []byte(fmt.Sprint(n))
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = slices.Insert(digits, i, ',')
	}
	return string(digits)
}
