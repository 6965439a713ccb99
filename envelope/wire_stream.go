package envelope

import (
	"encoding/json"
	"strings"

	"github.com/envwrap/envwrap/envelope/internal/mimetype"
	"github.com/envwrap/envwrap/envelope/internal/preview"
	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/excerpt"
	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// The stream object and what hangs on it: common to all dialects that show a
// stream as more than its text.

type wireStream struct {
	Bytes     wire.Count      `json:"bytes" doc:"length of the whole redacted stream"`
	Lines     wire.Count      `json:"lines" doc:"newlines, plus one for an unfinished last line"`
	Text      *string         `json:"text,omitempty" doc:"the content, where it is text"`
	JSON      json.RawMessage `json:"json,omitempty" doc:"the content, where it is one JSON value"`
	Base64    []byte          `json:"base64,omitempty" doc:"the content, where it is no UTF-8"`
	Artifact  wire.Digest     `json:"artifact,omitempty" doc:"where the content is: the digest of an object in the store"`
	Replaced  wire.Count      `json:"replaced,omitempty" doc:"bytes that are no UTF-8, each of which is U+FFFD in text"`
	Exact     wire.Digest     `json:"exact,omitempty" doc:"the digest of the stream as it was, in the store, where text is not that, or base64 was not shown"`
	Truncated bool            `json:"truncated,omitempty" doc:"true where not all of the stream was kept"`
	Excerpt   *wireExcerpt    `json:"excerpt,omitempty" doc:"what a diagnosis needs of a stream that is in the store"`
	Summary   *wireSummary    `json:"summary,omitempty" doc:"what the artifact is, where data.summary describes another"`
	Read      string          `json:"read,omitempty" doc:"the command that prints what was left out, or the largest part of it"`
	Rest      wire.Fields     `json:",inline"`
}

type wireExcerpt struct {
	Text         string      `json:"text" doc:"lines of the stream, and a line for each gap: ... 412 lines (118-529) ..."`
	OmittedBytes wire.Count  `json:"omitted_bytes" doc:"bytes that text leaves out"`
	OmittedLines wire.Count  `json:"omitted_lines" doc:"lines of which nothing is shown"`
	Rest         wire.Fields `json:",inline"`
}

type wireSummary struct {
	StatusCode  *int64          `json:"status_code,omitempty" doc:"status of an HTTP response"`
	SizeBytes   wire.Count      `json:"size_bytes" doc:"size of the artifact"`
	Kind        wire.Filled     `json:"kind" doc:"MIME type"`
	RecordCount *wire.Count     `json:"record_count,omitempty" doc:"elements of an array, lines of NDJSON"`
	Lines       *wire.Count     `json:"lines,omitempty" doc:"lines of a text"`
	Preview     json.RawMessage `json:"preview" is:"present" doc:"a bounded sample, the same each time"`
	Headers     json.RawMessage `json:"headers,omitempty" doc:"headers of an HTTP response"`
	Pagination  json.RawMessage `json:"pagination,omitempty" doc:"how the result was paged"`
	Rest        wire.Fields     `json:",inline"`
}

// omission is between the two ends of a text that was cut.
const omission = "... [truncated] ..."

// stream spells s. Exactly one of its contents is there; an empty stream is an
// empty text.
func (v *view) stream(s *Stream) *wireStream {
	w := &wireStream{Bytes: wire.Count(s.Bytes), Lines: wire.Count(s.Lines), Truncated: s.Truncated}
	switch {
	case s.Artifact != "":
		x := v.excerpt(s)
		w.Artifact, w.Read = wire.Digest(s.Artifact), s.readingGap(x)
		w.Excerpt = &wireExcerpt{Text: x.Text, OmittedBytes: wire.Count(x.OmittedBytes), OmittedLines: wire.Count(x.OmittedLines)}
	case s.JSON != nil && v.hasRoom(s.JSON) && !(v.floats && jsontext.HasHugeNumber(s.JSON)):
		w.JSON = s.JSON
	case len(s.Binary) > 0:
		w.Base64, w.Exact = s.Binary, wire.Digest(s.Exact)
		if n := v.cut.inline * 3 / 4; n > 0 && n < len(s.Binary) {
			w.Base64, w.Truncated = s.Binary[:n], true
		}
	default:
		text, whole := v.text(s)
		w.Text, w.Truncated = &text, s.Truncated || !whole
		if s.JSON != nil && whole { // the white space around it may be unknown
			w.Bytes, w.Lines = wire.Count(len(text)), wire.Count(lineCount([]byte(text)))
		}
		w.Replaced, w.Exact = wire.Count(s.Replaced), wire.Digest(s.Exact)
	}
	return w
}

// text returns the content of a stream that stays in the envelope as text, and
// whether it is all there is.
func (v *view) text(s *Stream) (text string, whole bool) {
	if s.Text == "" && s.Excerpt != nil {
		x := v.excerpt(s)
		return x.Text, x.OmittedBytes == 0
	}
	text = s.Text
	if s.JSON != nil {
		text = string(s.JSON)
		if int64(len(text)) != s.Bytes && int64(len(s.Head)) >= s.Bytes {
			text = jsontext.ValidUTF8(string(s.Head)) // with the white space around it
		}
	}
	if v.cut.inline == 0 || len(text) <= v.cut.inline {
		return text, true
	}
	x := excerpt.Of(text, v.cut.inline)
	return x.Marked(), false
}

// spokenSize returns the bytes of a stream as the envelope shows it: of JSON whose white space
// is not known those of the value.
func (v *view) spokenSize(s *Stream) int64 {
	if s.JSON == nil {
		return s.Bytes
	}
	if text, whole := v.text(s); whole {
		return int64(len(text))
	}
	return s.Bytes
}

// showsWhole reports whether the stream object of s shows all of it.
func (v *view) showsWhole(s *Stream) bool {
	if s.Artifact != "" || s.Truncated || s.Bytes == 0 && len(s.Tail) > 0 { // of the last, only the tail is known
		return false
	}
	_, whole := v.text(s)
	return whole
}

// joinEnds puts the omission mark on a line of its own between both ends.
func joinEnds(head, tail string) string {
	if head == "" || strings.HasSuffix(head, "\n") {
		return head + omission + "\n" + tail
	}
	return head + "\n" + omission + "\n" + tail
}

// longestExcerpt returns the size of the longest excerpt of the run, in bytes. What only has
// a tail may have one as long as that.
func (v *view) longestExcerpt() int {
	longest := 0
	for _, r := range [...]*Result{v.Result, v.Result.Exec} {
		if r == nil {
			continue
		}
		for _, s := range [...]*Stream{&r.Stdout, &r.Stderr} {
			if s.Excerpt != nil {
				longest = max(longest, len(s.Excerpt.Text))
			} else {
				longest = max(longest, len(s.Tail))
			}
		}
	}
	return longest
}

// excerpt returns what there is room for of a stream that is not shown whole.
func (v *view) excerpt(s *Stream) *Excerpt {
	switch {
	case s.Excerpt != nil:
	case s.Bytes > 0 && int64(len(s.Tail)) == s.Bytes: // read from a dialect that has only the end
		return (&Excerpt{Text: strings.ToValidUTF8(string(s.Tail), "\ufffd")}).Within(v.cut.excerpt)
	default:
		return &Excerpt{OmittedBytes: s.Bytes, OmittedLines: s.Lines}
	}
	return s.Excerpt.Within(v.cut.excerpt)
}

func (v *view) summary(s *Stream) *wireSummary {
	if s.Artifact == "" {
		return nil
	}
	y := s.Summary
	if y == nil {
		y = &Summary{SizeBytes: s.Bytes}
	}
	w := &wireSummary{SizeBytes: wire.Count(y.SizeBytes), Kind: wire.Filled(y.Kind), Preview: v.preview(s, y.Preview)}
	if w.Kind == "" {
		w.Kind = "application/octet-stream"
	}
	w.RecordCount, w.Lines = converted[wire.Count](y.RecordCount), converted[wire.Count](y.Lines)
	w.countLines(wire.Count(s.Lines))
	return w
}

// countLines fills in what a caller did not count of a text or of NDJSON.
func (w *wireSummary) countLines(n wire.Count) {
	switch {
	case w.Kind == mimetype.Text && w.Lines == nil:
		w.Lines = &n
	case w.Kind == mimetype.NDJSON && w.RecordCount == nil:
		w.RecordCount = &n
	}
}

// previewBeside is the most bytes of a preview of a stream that has an excerpt,
// which shows more.
const previewBeside = 200

// preview returns p, the preview of s, cut where there is no room: of a text both ends
// get shorter, of a JSON value the last members are left out.
func (v *view) preview(s *Stream, p json.RawMessage) json.RawMessage {
	if jsontext.Kind(p) != '{' {
		return json.RawMessage("{}")
	}
	room := v.cut.preview
	if s.Excerpt != nil && (room == 0 || room > previewBeside) {
		room = previewBeside
	}
	if room == 0 || len(p) <= room {
		return p
	}
	var text preview.Preview
	if wire.ReadInto(p, &text) && text.Head+text.Tail != "" {
		for n := room / 2; n > 0; n /= 2 {
			short := preview.Preview{Head: firstLines(text.Head, n), Tail: tailBytes(text.Tail, n)}
			if i := strings.IndexByte(short.Tail, '\n'); i+1 < len(short.Tail) && len(short.Tail) < len(text.Tail) {
				short.Tail = short.Tail[i+1:]
			}
			if raw := wire.MustEncode(&short); len(raw) <= room {
				return raw
			}
		}
	}
	var keep wire.Fields
	for name, value := range jsontext.Members(p) {
		if room -= len(name) + len(value) + 4; room > 0 {
			keep.Add(name, value)
		}
	}
	return wire.EncodeValue(&keep)
}

// result reads a stream object back.
func (w *wireStream) result(summary *wireSummary) Stream {
	s := Stream{
		Bytes: int64(w.Bytes), Lines: int64(w.Lines), Truncated: w.Truncated,
		JSON: w.JSON, Binary: w.Base64, Artifact: string(w.Artifact), Read: w.Read,
		Replaced: int64(w.Replaced), Exact: string(w.Exact),
	}
	if w.Text != nil {
		s.Text = *w.Text
	}
	if e := w.Excerpt; e != nil {
		s.Excerpt = &Excerpt{Text: e.Text, OmittedBytes: int64(e.OmittedBytes), OmittedLines: int64(e.OmittedLines)}
	}
	if w.Summary != nil {
		summary = w.Summary
	}
	if summary != nil && s.Artifact != "" {
		s.Summary = summary.result()
	}
	return s
}

func (w *wireSummary) result() *Summary {
	return &Summary{
		SizeBytes: int64(w.SizeBytes), Kind: string(w.Kind), Preview: w.Preview,
		RecordCount: converted[int64](w.RecordCount), Lines: converted[int64](w.Lines),
	}
}

func jsonStream(raw json.RawMessage) Stream {
	return Stream{JSON: raw, Bytes: int64(len(raw)), Lines: lineCount(raw)}
}

// isStream reports whether an object is meant to be a stream object.
func isStream(object json.RawMessage) bool {
	f := wire.FieldsIn(object)
	return f.Get("bytes") != nil && f.Get("lines") != nil &&
		(f.Get("artifact") != nil || f.Get("base64") != nil || f.Get("truncated") != nil || f.Get("exact") != nil)
}

func checkStream(p *wire.Problems, pointer string, w *wireStream) {
	if w == nil {
		p.Add(pointer, "member/null", "null is where an object should be")
		return
	}
	contents := 0
	for _, there := range []bool{w.Text != nil, w.JSON != nil, w.Base64 != nil, w.Artifact != ""} {
		if there {
			contents++
		}
	}
	if contents != 1 {
		p.Add(pointer, "output/content", "exactly one of text, json, base64 and artifact must be there; there are %d", contents)
	}
	if w.Text == nil && (w.Replaced > 0 || w.Exact != "" && w.Base64 == nil) {
		p.Add(pointer+"/text", "output/replaced", "beside replaced there must be the text, and beside exact that or base64")
	}
	if w.Artifact != "" && w.Excerpt == nil {
		p.Add(pointer+"/excerpt", "output/excerpt", "beside an artifact there must be an excerpt")
	}
	if w.Artifact != "" && w.Read == "" {
		p.Add(pointer+"/read", "output/read", "beside an artifact there must be the command that shows it")
	}
	checkStreamSize(p, pointer, w)
}

// checkStreamSize compares the counts with the content, where all of it is here.
func checkStreamSize(p *wire.Problems, pointer string, w *wireStream) {
	var content []byte
	grown := int64(0) // bytes, by what was replaced
	switch {
	case w.Truncated:
		return
	case w.Text != nil:
		content = []byte(*w.Text)
		grown = int64(w.Replaced) * int64(replacementGrowth)
	case w.Base64 != nil:
		content = w.Base64
	default:
		return
	}
	if n := int64(len(content)) - grown; int64(w.Bytes) != n {
		p.Add(pointer+"/bytes", "output/bytes", "%d here, and the content has %d", w.Bytes, n)
	}
	if n := lineCount(content); int64(w.Lines) != n {
		p.Add(pointer+"/lines", "output/lines", "%d here, and the content has %d", w.Lines, n)
	}
}

// checkPreviewSize checks "Preview bounds" of the document.
func checkPreviewSize(p *wire.Problems, pointer string, sample json.RawMessage) {
	if len(sample) <= preview.MaxBytes {
		return
	}
	if short, err := wire.Encode(sample); err == nil && len(short) > preview.MaxBytes {
		p.Add(pointer+"/preview", "protocol/preview-size", "the preview has %d bytes; %d are allowed", len(short), preview.MaxBytes)
	}
}
