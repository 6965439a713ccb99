package envelope

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/envwrap/envwrap/envelope/internal/mimetype"
	"github.com/envwrap/envwrap/envelope/internal/preview"
	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/excerpt"
	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// A Summarizer reads a redacted stream and keeps what an envelope shows of it: counts,
// both ends, an excerpt, the kind of its content. Its memory is constant, and what it
// returns does not depend on how the stream was cut into writes. The zero value is
// ready to use. It is not safe for concurrent use.
type Summarizer struct {
	// Parse is how the stream is interpreted; with ParseText no JSON parser runs. It
	// must be set before the first Write.
	Parse Parse
	// ExcerptMax is the largest n, in bytes, that Excerpt is called with; 0 is
	// [excerpt.DefaultMax]. Below 0 there is no excerpt, and no line is scored. It must be
	// set before the first Write.
	ExcerptMax int

	text     *excerpt.Writer
	outline  *excerpt.Outline // of a list that is longer than head
	bytes    int64
	newlines int64
	head     []byte
	more     []byte // after head, up to ExcerptMax
	tail     []byte // up to twice tailKeep, so that it is moved now and then only
	utf8     utf8Checker
	json     *jsontext.Reader // nil before the first byte, and where it cannot be JSON
	notJSON  bool
	judged   bool // binary is known
	binary   bool // it is not readable, and of what follows nothing is scored
	ended    bool
}

// Write reads the next bytes of the stream. It never fails, and keeps no part of p.
func (s *Summarizer) Write(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	s.parse(p)
	s.excerpts()
	if s.utf8.bad && !s.judged && len(s.head) == headKeep { // nothing will change its mind
		s.judged, s.binary = true, !s.readable()
	}
	if s.text != nil && !s.binary {
		_, _ = s.text.Write(p)
	}
	s.bytes += int64(len(p))
	s.newlines += int64(bytes.Count(p, []byte{'\n'}))
	s.utf8.write(p)
	had := len(s.head)
	s.head = append(s.head, p[:min(len(p), headKeep-had)]...)
	if after := p[len(s.head)-had:]; len(s.more) < s.ExcerptMax-headKeep {
		s.more = append(s.more, after[:min(len(after), s.ExcerptMax-headKeep-len(s.more))]...)
	}
	switch {
	case s.outline != nil:
		_, _ = s.outline.Write(p)
	case s.text == nil:
	case had < headKeep && len(s.head) == headKeep && excerpt.ShapeOf(s.head) == excerpt.Listing:
		s.outline = new(excerpt.Outline)
		_, _ = s.outline.Write(s.head)
		_, _ = s.outline.Write(p[headKeep-had:])
	}
	s.keepTail(p)
	return len(p), nil
}

// excerpts makes the writer that chooses the excerpt, if there is to be one.
func (s *Summarizer) excerpts() {
	if s.text == nil && s.ExcerptMax >= 0 {
		s.text = &excerpt.Writer{Max: s.ExcerptMax}
	}
}

// Fork allows a second goroutine for the excerpt of what is written until Join, which must
// follow: see [excerpt.Writer.Fork].
func (s *Summarizer) Fork() {
	if s.excerpts(); s.text != nil {
		s.text.Fork()
	}
}

// Join waits until all that was written is read, and ends the second goroutine.
func (s *Summarizer) Join() {
	if s.text != nil {
		s.text.Join()
	}
}

func (s *Summarizer) keepTail(p []byte) {
	if len(p) >= tailKeep {
		s.tail = append(s.tail[:0], p[len(p)-tailKeep:]...)
		return
	}
	if len(s.tail)+len(p) > 2*tailKeep {
		n := copy(s.tail, s.tail[len(s.tail)-tailKeep:])
		s.tail = s.tail[:n]
	}
	s.tail = append(s.tail, p...)
}

// parse follows the stream for as long as it can be JSON.
func (s *Summarizer) parse(p []byte) {
	if s.notJSON || s.Parse == ParseText {
		return
	}
	if s.json == nil {
		s.json = &jsontext.Reader{
			MaxDepth: maxDepth, Containers: s.Parse == ParseAuto, Single: s.Parse == ParseJSON, Empty: s.Parse == ParseNDJSON,
		}
	}
	s.json.Write(p)
	s.notJSON = s.json.Fault() != nil
}

// end closes the books; Write is not called again.
func (s *Summarizer) end() {
	if s.ended {
		return
	}
	s.ended = true
	s.tail = s.tail[max(0, len(s.tail)-tailKeep):]
	if s.json != nil && s.json.Fault() == nil {
		s.json.Close()
	}
}

// SoFar returns a Summarizer of what was written until now, for a stream whose rest is
// not stored. An incomplete character at its end does not make it binary.
func (s *Summarizer) SoFar() *Summarizer {
	c := *s
	c.text = new(excerpt.Writer) // of which nobody wants an excerpt
	c.head, c.tail = bytes.Clone(s.head), bytes.Clone(s.tail)
	c.utf8.rest = nil
	if s.json != nil {
		parser := *s.json
		c.json = &parser
	}
	return &c
}

// Stream returns the stream without content: Bytes, Lines, Head and Tail, which are
// shared with the Summarizer. Write must not be called after this or any method that
// returns something about the stream.
func (s *Summarizer) Stream() Stream {
	s.end()
	return Stream{Bytes: s.bytes, Lines: s.lines(), Head: s.head, Tail: s.tail}
}

// Spilled returns the stream without content, which is stored under digest: with an
// excerpt of at most n bytes, a summary, and read, the command that prints it.
func (s *Summarizer) Spilled(digest, read string, n int) Stream {
	return s.spilled(digest, read, s.Excerpt(n))
}

// SpilledReading is Spilled with the excerpt of Reading.
func (s *Summarizer) SpilledReading(digest, read string, n int) Stream {
	return s.spilled(digest, read, s.Reading(n))
}

func (s *Summarizer) spilled(digest, read string, x *Excerpt) Stream {
	out := s.Stream()
	out.Artifact, out.Read = digest, read
	out.Excerpt, out.Summary = x, s.Summary()
	return out
}

func (s *Summarizer) lines() int64 {
	if n := len(s.tail); n > 0 && s.tail[n-1] != '\n' {
		return s.newlines + 1
	}
	return s.newlines
}

// Excerpt returns an excerpt of at most n bytes, with what a diagnosis needs. It is
// empty for content that is not text, nor nearly so.
func (s *Summarizer) Excerpt(n int) *Excerpt {
	s.end()
	if !s.readable() || s.text == nil {
		return &Excerpt{OmittedBytes: s.bytes, OmittedLines: s.lines()}
	}
	return newExcerpt(chosen{s.text}, n)
}

// Reading returns an excerpt of at most n bytes for a reader of a success:
// of a text that is read from front to back its beginning, of a list the first lines of each
// file or directory, of a report what Excerpt chooses.
func (s *Summarizer) Reading(n int) *Excerpt {
	s.end()
	if !s.readable() || s.text == nil || !s.isJSON() && excerpt.ShapeOf(s.head) == excerpt.Report {
		return s.Excerpt(n)
	}
	if s.outline == nil && s.bytes < headKeep && excerpt.ShapeOf(s.head) == excerpt.Listing {
		s.outline = new(excerpt.Outline)
		_, _ = s.outline.Write(s.head)
	}
	return newExcerpt(&front{s.text, slices.Concat(s.head, s.more), s.outline}, n)
}

// Best returns the line, cut to n characters, that best explains why a command failed,
// and a weight: see [excerpt.Writer.Best].
func (s *Summarizer) Best(n int) (line string, weight int) {
	s.end()
	if s.text == nil || !s.readable() {
		return "", 0
	}
	return s.text.Best(n)
}

// Ends returns at most n bytes from both ends of a text, a quarter of them from the
// beginning, and how many bytes and lines are left out between.
func (s *Summarizer) Ends(n int) (head, tail string, omittedBytes, omittedLines int64) {
	s.end()
	if !s.readable() {
		return "", "", s.bytes, s.lines()
	}
	head, tail = string(s.head), string(s.tail)
	if int64(len(head)) >= s.bytes {
		if len(head) <= n {
			return head, "", 0, 0
		}
		tail = head
	}
	head = firstLines(head, n/4)
	tail, atLine := tailLines(tail, n-n/4, int64(len(tail)) >= s.bytes)
	omittedBytes = max(s.bytes-int64(len(head)+len(tail)), 0)
	omittedLines = max(s.newlines-int64(strings.Count(head, "\n")+strings.Count(tail, "\n")), 0)
	if omittedBytes > 0 && !atLine {
		omittedLines++
	}
	return head, tail, omittedBytes, omittedLines
}

// Err returns a *[ParseError] if Parse is ParseJSON or ParseNDJSON and the stream is not
// that, else nil.
func (s *Summarizer) Err() error {
	s.end()
	switch {
	case s.Parse != ParseJSON && s.Parse != ParseNDJSON:
		return nil
	case s.json == nil && s.Parse == ParseNDJSON:
		return nil
	case s.json == nil:
		return &ParseError{0, "there is no value"}
	case s.json.Fault() != nil:
		return &ParseError{s.json.Fault().Offset, s.json.Fault().Text}
	case s.Parse == ParseNDJSON && s.json.Broken:
		return &ParseError{s.json.Offset(), "a value goes on in another line"}
	case !s.utf8.valid():
		return &ParseError{s.utf8.at, "the text is not valid UTF-8"}
	}
	return nil
}

// isJSON reports whether the stream is one JSON value, as Parse has it.
func (s *Summarizer) isJSON() bool {
	return s.json != nil && s.json.One() && s.utf8.valid() && s.Parse != ParseNDJSON
}

// isNDJSON reports whether the stream is values on lines of their own.
func (s *Summarizer) isNDJSON() bool {
	return s.json != nil && s.json.Lines() && s.utf8.valid() && (s.json.Values > 1 || s.Parse == ParseNDJSON)
}

// Summary describes the whole stream. If only its beginning was stored, the Summary of
// SoFar describes the artifact.
func (s *Summarizer) Summary() *Summary {
	s.end()
	y := &Summary{SizeBytes: s.bytes, Kind: s.kind()}
	switch {
	case s.isJSON():
		y.Preview = preview.JSON(s.head, preview.MaxBytes)
		if s.json.Array {
			y.RecordCount = &s.json.Items
		}
	case s.isNDJSON():
		y.Preview = preview.JSON(append([]byte{'['}, s.head...), preview.MaxBytes)
		y.RecordCount = &s.json.Values
	case s.readable():
		y.Preview = s.previewText()
		n := s.lines()
		y.Lines = &n
	default:
		y.Preview = json.RawMessage(`{}`)
	}
	return y
}

// previewText returns both ends, much shorter than the excerpt that is mostly beside
// it, and within the bound of a preview however many escapes it needs.
func (s *Summarizer) previewText() json.RawMessage {
	for n := preview.EndBytes; ; n /= 2 {
		head, tail, _, _ := s.Ends(n)
		if raw := wire.MustEncode(&preview.Preview{Head: head, Tail: tail}); len(raw) <= preview.MaxBytes {
			return raw
		}
	}
}

// A utf8Checker checks a stream that comes in pieces.
type utf8Checker struct {
	rest []byte // the beginning of a character whose end has not come yet
	bad  bool
	at   int64 // bytes checked, or where the first bad one is
}

func (u *utf8Checker) write(p []byte) {
	if u.bad {
		return
	}
	for len(u.rest) > 0 && len(p) > 0 {
		u.rest, p = append(u.rest, p[0]), p[1:]
		if !utf8.FullRune(u.rest) {
			continue
		}
		if u.bad = !utf8.Valid(u.rest); u.bad {
			return
		}
		u.at += int64(len(u.rest))
		u.rest = u.rest[:0]
	}
	whole := len(p) - jsontext.Unfinished(p)
	if u.bad = !utf8.Valid(p[:whole]); u.bad {
		u.at += int64(validLength(p))
		return
	}
	u.at += int64(whole)
	u.rest = append(u.rest, p[whole:]...)
}

// valid reports whether all was UTF-8; nothing more comes.
func (u *utf8Checker) valid() bool { return !u.bad && len(u.rest) == 0 }

// validLength returns how much of p is UTF-8 from its beginning.
func validLength(p []byte) int {
	for i := 0; i < len(p); {
		r, size := utf8.DecodeRune(p[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return len(p)
}

// kind returns the MIME type of the stream.
func (s *Summarizer) kind() string {
	switch {
	case s.isJSON():
		return mimetype.JSON
	case s.isNDJSON():
		return mimetype.NDJSON
	case s.utf8.valid() && !mimetype.HasControls(s.head):
		return mimetype.OfText(s.head)
	}
	if s.readable() {
		return mimetype.OfBytes(s.head, mimetype.Mixed)
	}
	return mimetype.OfBytes(s.head, mimetype.Bytes)
}

// readable reports whether the stream is text for a reader's purposes: UTF-8,
// or nearly so, as an old encoding with a letter here and there is.
func (s *Summarizer) readable() bool {
	if s.utf8.valid() {
		return true
	}
	return !mimetype.HasControls(s.head) && isNearlyText(s.head)
}
