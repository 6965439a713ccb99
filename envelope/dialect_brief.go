package envelope

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

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

// keptUnnamed is how many bytes an early stage may print that are not named in the answer to a
// command which succeeds below a client: to name them costs some 70 characters in each answer.
const keptUnnamed = 2 << 10

// A briefWriter writes one view.
type briefWriter struct {
	*view
	run   *Result // whose end the last line says
	b     strings.Builder
	facts []string // what there is to say about the streams
}

// writeBrief returns the output and the last line. All that the last line has is known
// from the run that envwrap made, but for the code and the outcome of an adopted
// envelope, which are words of a list; the rest of what that says is output.
func writeBrief(v *view) []byte {
	w := briefWriter{view: v, run: v.knownRun()}
	switch {
	case w.Jobs != nil:
		w.jobs()
	case w.run != w.Result && !w.Outcome.OK() && string(w.Payload) == "{}":
	case w.hasPayload():
		w.b.WriteString(briefText(string(w.Payload), false))
	default:
		w.output(namedStream{"stdout", &w.Stdout})
	}
	if w.Jobs == nil {
		for _, line := range w.adoptedLines(w.b.String() + w.Stderr.end()) {
			w.b.WriteString(briefText(line, false))
		}
		w.errors()
	}
	if w.Jobs != nil && w.Outcome.OK() {
		return []byte(strings.TrimSuffix(w.b.String(), "\n"))
	}
	why, hint := "", ""
	if w.run == w.Result { // of an adopted envelope both are output
		var words string
		if why, words = w.errorParts(w.seen() + w.b.String()); words != "" {
			w.b.WriteString(briefText("error: "+words, false))
		}
		hint = w.short(w.Outcome.Hint)
	}
	text := w.b.Len()
	w.b.WriteString(w.status())
	head := w.b.Len()
	for _, origin := range w.origins() {
		w.add(origin)
	}
	w.add(unbracketed.Replace(why))
	for _, fact := range w.facts {
		w.add(fact)
	}
	for _, k := range w.run.Kept {
		if v.opt.Below && w.Outcome.OK() && k.Bytes <= keptUnnamed {
			continue
		}
		w.add(unbracketed.Replace(w.short(k.text())))
	}
	if !w.Outcome.OK() {
		w.add(unbracketed.Replace(hint))
	}
	masked := w.run.Redactions.Total
	if v.opt.Below { // nobody asks there what of the command's own words the record has masked
		masked = min(masked, strings.Count(w.seen()+w.b.String()[:text], mask))
	}
	if masked > 0 {
		w.add(fmt.Sprintf("%d masked", masked))
	}
	warned := false
	for _, warning := range w.texts(w.run.Warnings) {
		// that the store failed may be the reason already
		if _, cause, ok := strings.Cut(warning, ": "); !ok || !strings.HasSuffix(why, ": "+cause) {
			w.add("warning: " + unbracketed.Replace(warning))
			warned = true
		}
	}
	if v.opt.Below {
		return w.below(w.b.String()[:text], w.b.String()[head:], warned)
	}
	w.b.WriteByte(']')
	return []byte(w.b.String())
}

// origins says where the answer comes from, unless the command ran once, here and now.
func (w *briefWriter) origins() (origins []string) {
	if w.run.Source == "cache" {
		origin := "cached " + ago(w.run.CacheAge)
		if w.run.Stale {
			origin += ", being refreshed"
		}
		origins = append(origins, origin)
	}
	if name := w.run.Runner; name != "" && name != "exec" {
		origins = append(origins, "on "+unbracketed.Replace(name))
	}
	if n, err := strconv.Atoi(string(w.run.Outcome.Details.Get("attempts"))); err == nil && n > 1 {
		origins = append(origins, fmt.Sprintf("tried %d times", n))
	}
	return origins
}

// below returns the text and the last line of a command whose status the reader sees
// elsewhere. facts has a "; " before each fact; warned means that one of them is a warning.
func (w *briefWriter) below(text, facts string, warned bool) []byte {
	o, end := &w.Outcome, &w.run.Outcome
	head := ""
	switch {
	case o.Kind == Warning && warned: // the word would stand twice
	case o.OK() && o.Kind != Success:
		head = string(o.Kind)
	case o.OK() || o.Code == ERUNTIME && o.Kind == Failure && end.Signal == "" && !endedWell(end):
	default:
		head = string(o.Code) + " " + string(o.Kind)
	}
	if end.Signal != "" {
		head = strings.TrimSuffix(end.Signal+" "+head, " ")
	}
	line := strings.TrimPrefix(head+facts, "; ")
	if line == "" {
		return []byte(w.withItsEnd(text))
	}
	return []byte(text + briefBelow + ": " + line + "]\n")
}

// seen returns what the reader has seen before the answer.
func (w *briefWriter) seen() string {
	if w.opt.Shown == nil {
		return ""
	}
	if w.opt.Shown.All {
		return string(w.Stdout.Tail) + string(w.Stderr.Tail)
	}
	return w.opt.Shown.Text
}

// withItsEnd returns the text without the newline that was added, if the command's last
// line has none.
func (w *briefWriter) withItsEnd(text string) string {
	last := &w.Stdout
	if w.Stderr.Bytes > 0 {
		last = &w.Stderr
	}
	if n := len(last.Text); n > 0 && last.Text[n-1] != '\n' {
		return strings.TrimSuffix(text, "\n")
	}
	return text
}

// add adds a part to the last line.
func (w *briefWriter) add(part string) {
	if part = strings.TrimSuffix(spellHidden(oneLine(part)), "."); part != "" {
		w.b.WriteString("; " + part)
	}
}

// unbracketed keeps words from outside from ending the last line before its end.
var unbracketed = strings.NewReplacer("[", "(", "]", ")")

// status opens the last line: "[exit 2 ERUNTIME failure, 12.4 s".
func (w *briefWriter) status() string {
	o, end := &w.Outcome, &w.run.Outcome
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
	if w.run.Duration >= briefSlow {
		line += fmt.Sprintf(", %.1f s", w.run.Duration.Seconds())
	}
	return line
}

// errors writes what went to stderr: of a nested run, then of the process itself.
func (w *briefWriter) errors() {
	list := []namedStream{{"stderr", &w.Stderr}}
	if w.Exec != nil {
		list = append(list, namedStream{"stderr", &w.Exec.Stderr})
	}
	headed := w.b.Len() == 0 || w.opt.Shown != nil
	for _, s := range list {
		if s.Bytes == 0 && s.end() == "" {
			continue
		}
		if !headed && !w.opt.Below {
			w.b.WriteString(briefStderr + "\n")
			headed = true
		}
		w.output(s)
	}
}

// output writes the shown part of one stream.
func (w *briefWriter) output(s namedStream) {
	if s.Bytes == 0 && s.end() == "" || w.opt.Shown != nil && w.opt.Shown.All {
		return
	}
	text, note := w.streamText(s)
	w.b.WriteString(text)
	if note != "" {
		w.facts = append(w.facts, note)
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
	case len(s.Binary) > 0 && w.opt.Whole && w.opt.Below:
		return string(s.Binary), ""
	case len(s.Binary) > 0:
		text, replaced := readable(s.Binary)
		if n := w.cut.inline; text == "" || n > 0 && len(text) > n {
			return "", fmt.Sprintf("%s: %s bytes that are no text%s", s.name, thousands(s.Bytes), read)
		}
		text, _ = w.unseen(s, briefText(text, false))
		return text, spokenBytes(replaced) + " of no text replaced" + read
	case x != nil && x.OmittedLines > 0:
		text, seen := w.unseen(s, briefText(x.Text, true))
		if x.OmittedLines == seen {
			return text, ""
		}
		return text, fmt.Sprintf("%s of %s lines left out%s", thousands(x.OmittedLines-seen), thousands(s.Lines), read)
	case x != nil && x.OmittedBytes > 0:
		return briefText(x.Text, true), fmt.Sprintf("%s of %s bytes left out%s", thousands(x.OmittedBytes), thousands(s.Bytes), read)
	case x != nil && s.Replaced > 0:
		text, _ := w.unseen(s, briefText(x.Text, true))
		return text, spokenBytes(s.Replaced) + " of no UTF-8 replaced" + read
	case x != nil:
		text, _ := w.unseen(s, briefText(x.Text, true))
		return text, ""
	}
	text, whole := w.text(s.Stream)
	if text == "" && len(s.Tail) > 0 { // another dialect keeps no more of it
		text, whole = string(s.Tail), utf8.RuneCount(s.Tail) < stderrTailMost
	}
	if !whole || s.Truncated {
		note = s.name + " is cut" + read
	}
	text, _ = w.unseen(s, briefText(text, false))
	return text, note
}

// unseen returns the text of a stream without what the reader has seen of it, and how many
// lines of gaps that were.
func (w *briefWriter) unseen(s namedStream, text string) (string, int64) {
	shown, ok := w.opt.Shown.of(s.name)
	if !ok || w.run != w.Result {
		return text, 0
	}
	return shown.rest(text)
}

// shownExcerpt returns the excerpt of a stream that is not shown unchanged, and nil for
// any other. The excerpt of a text that the record holds has all of it, cleaned, and with
// similar lines folded if the store has the text. Of a success nothing is folded that is read
// from front to back, as rows of CSV are.
func (w *briefWriter) shownExcerpt(s *Stream) *Excerpt {
	switch {
	case s.Excerpt != nil || s.Artifact != "":
		return w.excerpt(s)
	case s.Text == "" || s.Truncated || w.opt.Whole:
		return nil
	}
	text := s.Text
	if s.Replaced > 0 && int64(len(s.Head)) >= s.Bytes {
		text = string(s.Head) // gaps count its bytes
	}
	x := excerpt.Excerpt{Text: excerpt.Clean(text)}
	if s.Exact != "" && !(w.Outcome.OK() && excerpt.ShapeOf([]byte(text)) == excerpt.Document) {
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
		fmt.Fprintf(&w.b, "[job %s ", job.ID)
		if job.Name != "" {
			fmt.Fprintf(&w.b, "(%s) ", unbracketed.Replace(spellHidden(oneLine(w.short(job.Name)))))
		}
		fmt.Fprint(&w.b, job.State)
		if job.ExitCode != nil {
			fmt.Fprintf(&w.b, ", exit %d", *job.ExitCode)
		}
		if job.Elapsed >= time.Second {
			fmt.Fprintf(&w.b, ", %.0f s", job.Elapsed.Seconds())
		}
		switch line := job.Activity; {
		case job.Message != "" && !job.State.Over():
			w.word(job.Message)
		case line != "" && j.Kind != JobsTail:
			w.word(line)
		case j.All:
			w.word(strings.Join(job.Argv, " "))
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

// word adds words of a job's to its line, which they cannot end.
func (w *briefWriter) word(text string) {
	w.b.WriteString(": " + unbracketed.Replace(spellHidden(oneLine(w.short(text)))))
}
