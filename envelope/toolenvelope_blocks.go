package envelope

import (
	"encoding/base64"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/excerpt"
	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// frameBlocks puts the markdown before the JSON.
func frameBlocks(doc []byte, v *view) []byte {
	text := v.Markdown
	if text == "" {
		text = markdownBlock(v)
	} else if v.cut.tail > 0 {
		text = wire.Shorten(text, v.cut.tail)
	}
	out := guardMarks(spellHidden(jsontext.ValidUTF8(text)))
	b := append([]byte(out), "\n\n"+toolMark...)
	return base64.StdEncoding.AppendEncode(b, doc)
}

// guardMarks indents the lines of a text that a reader might take for the
// block with the JSON.
func guardMarks(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, toolMarks) {
			lines[i] = " " + line
		}
	}
	return strings.Join(lines, "\n")
}

// A toolMarkdown makes the block for people.
type toolMarkdown struct {
	*view
	parts []string // paragraphs
}

func (v *toolMarkdown) add(part string) { v.parts = append(v.parts, part) }

// addCode adds output as a block of code, unless it is empty.
func (v *toolMarkdown) addCode(text string) {
	if text != "" {
		fence := fenceFor(text)
		v.add(fence + "\n" + text + "\n" + fence)
	}
}

// markdownBlock returns the block for people.
func markdownBlock(plain *view) string {
	tool := strings.ReplaceAll(plain.titled(), "`", "'")
	v := toolMarkdown{plain, []string{"# " + tool, "**Instruction:** `" + tool + "`"}}
	if v.Jobs != nil && v.Outcome.OK() {
		v.addJobs()
	} else {
		v.add(v.ending())
		shown := v.shownOutput()
		v.addCode(shown)
		v.addCode(strings.Map(visible, strings.Join(v.adoptedLines(shown), "\n")))
		v.addNotes()
	}
	return strings.Join(v.parts, "\n\n")
}

// addNotes adds what the block with the JSON has no place for: the stderr of a run
// whose payload is its stdout, and warnings.
func (v *toolMarkdown) addNotes() {
	if v.Outcome.OK() && v.Stdout.isJSON() {
		if text := v.withReading("", func(s namedStream) bool { return s.Stream != &v.Stderr }); text != "" {
			v.add(text)
		}
	}
	for _, w := range v.texts(v.ended().Warnings) {
		v.add("**Warning:** " + strings.Map(visible, oneLine(w)))
	}
}

// titled returns the name of the program in the title: of an adopted envelope that of the
// program which printed it, unless it is a name as programs have them.
func (v *view) titled() string {
	plain := func(c rune) bool {
		return c < 0x80 && (c == '-' || c == '_' || c == '.' || unicode.IsLetter(c) || unicode.IsDigit(c))
	}
	if v.Exec != nil && strings.ContainsFunc(v.Tool, func(c rune) bool { return !plain(c) }) {
		return oneLine(v.Exec.Tool)
	}
	return v.Tool
}

// ending says in one sentence how the run ended.
func (v *toolMarkdown) ending() string {
	if o := &v.Outcome; o.OK() || v.Exec != nil {
		end, how := v.knownRun(), string(o.Kind)
		status := "Ended"
		if end.Outcome.ExitCode != nil {
			status = fmt.Sprintf("Ended with status %d", *end.Outcome.ExitCode)
		}
		if !o.OK() {
			how = string(o.Code) + " " + how
		}
		return fmt.Sprintf("%s after %s (%s).", status, wire.SpokenSeconds(wire.Seconds(end.Duration)), how)
	}
	text := strings.TrimPrefix(v.short(v.Outcome.Message), v.Tool)
	text = strings.TrimRight(strings.TrimLeft(text, ": "), ".")
	first, size := utf8.DecodeRuneInString(text)
	return fmt.Sprintf("%c%s (%s).", unicode.ToUpper(first), text[size:], v.foreignCode())
}

// runInText returns the record of a run whose payload is the array that it printed, and whose
// end only the markdown says, as [toolMarkdown.ending] does; nil if there is no such
// sentence. An object may be the payload of another's envelope that was translated.
func (w *toolEnvelope) runInText() *Result {
	r := w.result()
	rest, titled := strings.CutPrefix(w.markdown, "# "+r.Tool+"\n\n**Instruction:** `"+r.Tool+"`\n\n")
	sentence, _, _ := strings.Cut(rest, "\n")
	var status int
	var lasted float64
	var unit, word string
	if n, err := fmt.Sscanf(sentence, "Ended with status %d after %f %s %s", &status, &lasted, &unit, &word); !titled || n < 4 || err != nil {
		return nil
	}
	word = strings.TrimSuffix(strings.TrimPrefix(word, "("), ").")
	payload := r.Payload
	if !isOutcome(word) || !Kind(word).OK() || jsontext.Kind(payload) != '[' {
		return nil
	}
	if unit == "ms" {
		lasted /= 1000
	}
	r.Command, r.Payload, r.Extra = CommandName(r.Tool), nil, nil
	r.Stdout = jsonStream(payload)
	r.Outcome.Kind, r.Outcome.ExitCode = Kind(word), &status
	r.setSpan(string(w.Meta.TS), wire.FromSeconds(lasted))
	return r
}

// Bounds of the output in the markdown.
const (
	shownLines = 20
	shownBytes = 2 << 10
)

// shownOutput returns the last lines of the output; of a run that failed an excerpt:
// of stderr where it printed something there, else of stdout.
func (v *toolMarkdown) shownOutput() string {
	s := &v.Stdout
	if (!v.Outcome.OK() && v.Stderr.Bytes > 0) || s.Bytes == 0 {
		s = &v.Stderr
	}
	return v.shownText(s)
}

// shownText returns the last lines of a stream, as they do no harm in Markdown and in
// a terminal; "" where there is no room, or no stream.
func (v *toolMarkdown) shownText(s *Stream) string {
	if s == nil || s.Binary != nil || v.cut.tail > 0 {
		return ""
	}
	if text, whole := s.whole(); !v.Outcome.OK() && (whole || s.Excerpt != nil) {
		x := s.Excerpt
		if whole {
			x = excerptOf(excerpt.Of(text, shownBytes), nil)
		}
		return strings.Trim(strings.Map(visible, x.Within(shownBytes).Text), "\n")
	}
	text := strings.Map(visible, excerpt.Clean(s.end()))
	return strings.Trim(lastLines(tailBytes(text, shownBytes), shownLines), "\n")
}

// visible keeps control characters from doing something in a terminal or to
// the lines of the block.
func visible(r rune) rune {
	switch {
	case r == '\n' || r == '\t':
		return r
	case r == '\r' || r == '\u2028' || r == '\u2029' || r == '\v' || r == '\f':
		return '\n'
	case isControl(r):
		return utf8.RuneError
	}
	return r
}

// fenceFor returns a code fence that does not occur in text.
func fenceFor(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence
}

// unframeBlocks finds the JSON in the last line, and returns the text before that line as
// the markdown.
func unframeBlocks(text []byte) (doc []byte, markdown string, fault *wire.Fault) {
	line := lastLine(string(text))
	encoded, ok := strings.CutPrefix(line, toolMark)
	if !ok {
		return nil, "", &wire.Fault{Pointer: "", Rule: "tool-envelope/marker", Text: fmt.Sprintf("the last line does not begin with %q", toolMark)}
	}
	doc, err := base64.StdEncoding.Strict().DecodeString(encoded)
	if err != nil {
		return nil, "", &wire.Fault{Pointer: "", Rule: "tool-envelope/base64", Text: "the last line is not padded standard base64: " + err.Error()}
	}
	before := strings.TrimRight(string(text), "\r\n")
	return doc, strings.TrimRight(before[:len(before)-len(line)], "\r\n"), nil
}

// toolMark begins the line with the JSON; toolMarks begins such a line in any
// version.
const (
	toolMark  = "__ENVELOPE_V1__:"
	toolMarks = "__ENVELOPE_V"
)

// shownJobs is how many jobs the markdown lists.
const shownJobs = 20

// addJobs says for people what an answer about jobs says.
func (v *toolMarkdown) addJobs() {
	j := v.Jobs
	switch one := j.one(); {
	case one != nil:
		v.add(one.sentence())
	case j.Cleanup != nil:
		v.add(j.Cleanup.report().Summary + ".")
	default:
		v.add(fmt.Sprintf("%s, %d waiting, %d over.", runningJobs(j.Counts.Running), j.Counts.Queued, j.Counts.Ended))
	}
	if j.All {
		var lines []string
		last := j.List[max(0, len(j.List)-shownJobs):]
		for i := range last {
			lines = append(lines, "- "+last[i].sentence())
		}
		if lines != nil {
			v.add(strings.Join(lines, "\n"))
		}
	}
	for _, s := range []*Stream{j.Stderr, j.Stdout} {
		v.addCode(v.shownText(s))
	}
	if j.Next != "" {
		v.add("Next: `" + strings.ReplaceAll(oneLine(j.Next), "`", "'") + "`")
	}
}

func runningJobs(n int) string {
	if n == 1 {
		return "1 job running"
	}
	return fmt.Sprintf("%d jobs running", n)
}

// sentence says how far a job is.
func (j *Job) sentence() string {
	name := j.ID
	if len(j.Argv) > 0 {
		name += " (" + strings.ReplaceAll(wire.Shorten(oneLine(baseName(j.Argv[0])), 64), "`", "'") + ")"
	}
	after := " after " + wire.SpokenSeconds(wire.Seconds(j.Elapsed))
	switch {
	case j.State == JobQueued && j.Position != nil:
		return fmt.Sprintf("%s waits at place %d.", name, *j.Position)
	case j.State == JobQueued:
		return name + " waits."
	case j.State == JobRunning:
		return name + " runs, for " + wire.SpokenSeconds(wire.Seconds(j.Elapsed)) + " so far."
	case j.State == JobOK && j.ExitCode != nil:
		return fmt.Sprintf("%s ended with status %d%s.", name, *j.ExitCode, after)
	case j.State == JobOK:
		return name + " ended" + after + "."
	case j.State == JobCanceled:
		return name + " was canceled" + after + "."
	case j.State == JobLost:
		return name + " was lost: nobody saw how it ended."
	case j.Code != "":
		return fmt.Sprintf("%s failed%s (%s).", name, after, wire.Shorten(oneLine(string(j.Code)), nameMax))
	}
	return name + " failed" + after + "."
}
