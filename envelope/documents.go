package envelope

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/envwrap/envwrap/envelope/internal/check"
	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// documentMost is the most bytes of one document of an input.
const documentMost = 64 << 20

// A Document is one envelope of the input of [Documents].
type Document struct {
	Line int    // line number of its beginning, from 1
	In   string // JSON Pointer to the text that contains it in the result of an MCP tool; else ""
	Text []byte // valid until the next document is asked for
}

// Documents returns the envelopes of an input. If its first line is a complete JSON
// object, each line is a document (NDJSON), and memory does not grow with their number.
// Otherwise the input is one document: indented JSON, or the two blocks of
// tool-envelope/v1. In the result of an MCP tool,
// {"content":[{"type":"text","text":...}]}, or its list alone, each text that looks
// like a document is one. An error ends the sequence.
func Documents(r io.Reader) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		in := lineReader{r: bufio.NewReaderSize(r, 64<<10)}
		first, err := in.next()
		if err == nil && isObject(first) {
			for err == nil && unpack(Document{Line: in.line, Text: first}, yield) {
				first, err = in.next()
			}
			if err != nil && !errors.Is(err, io.EOF) {
				yield(Document{}, err)
			}
			return
		}
		if err == nil {
			first, err = in.all(bytes.Clone(first))
		}
		if err != nil && !errors.Is(err, io.EOF) {
			yield(Document{}, err)
			return
		}
		if len(jsontext.TrimSpace(first)) > 0 {
			unpack(Document{Line: 1, Text: first}, yield)
		}
	}
}

// A lineReader reads lines of up to documentMost bytes and skips empty ones.
type lineReader struct {
	r    *bufio.Reader
	line int
	long []byte
}

// next returns the next line that is not empty; it is valid until the next call.
func (in *lineReader) next() ([]byte, error) {
	for {
		line, err := in.read()
		if len(line) > 0 {
			in.line++
		}
		if len(jsontext.TrimSpace(line)) > 0 {
			return line, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

func (in *lineReader) read() ([]byte, error) {
	in.long = in.long[:0]
	for {
		part, err := in.r.ReadSlice('\n')
		if err == nil && len(in.long) == 0 {
			return part, nil
		}
		in.long = append(in.long, part...)
		if len(in.long) > documentMost {
			return nil, tooLong()
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return in.long, err
		}
	}
}

// all returns first and the rest of the input.
func (in *lineReader) all(first []byte) ([]byte, error) {
	rest, err := io.ReadAll(io.LimitReader(in.r, documentMost))
	if len(first)+len(rest) > documentMost {
		return nil, tooLong()
	}
	return append(first, rest...), err
}

func tooLong() error {
	return fmt.Errorf("read a document: it has more than %d MiB", documentMost>>20)
}

// unpack yields the documents in d: those of an MCP result, or d itself.
func unpack(d Document, yield func(Document, error) bool) bool {
	found := false
	for inner := range contentTexts(d) {
		found = true
		if !yield(inner, nil) {
			return false
		}
	}
	return found || yield(d, nil)
}

// contentTexts yields the documents in the text blocks of an MCP result.
func contentTexts(d Document) iter.Seq[Document] {
	return func(yield func(Document) bool) {
		at, content := contentIn(d.Text)
		var before []string
		for i, block := range jsontext.Elements(content) {
			f := wire.FieldsIn(block)
			text := wire.StringIn(f.Get("text"))
			if wire.StringIn(f.Get("type")) != "text" {
				continue
			}
			inner := Document{Line: d.Line, In: at + "/" + strconv.Itoa(i) + "/text", Text: []byte(text)}
			if isMarkedBlock(text) {
				inner.Text = []byte(strings.Join(append(before, text), "\n\n"))
			} else if _, ok := Guess(inner.Text); !ok {
				before = append(before, text)
				continue
			}
			if !yield(inner) {
				return
			}
		}
	}
}

// contentIn returns the content blocks of an MCP result, of one in its JSON-RPC frame, or
// of a bare list, with their JSON Pointer; nil if there are none.
func contentIn(text []byte) (at string, content json.RawMessage) {
	switch jsontext.Kind(text) {
	case '[':
		if jsontext.Valid(text) {
			return "", text
		}
	case '{':
		if !bytes.Contains(text, []byte(`"content"`)) || !jsontext.Valid(text) {
			return "", nil
		}
		if own := jsontext.Lookup(text, "content"); own != nil {
			return "/content", own
		}
		return "/result/content", jsontext.Lookup(text, "result", "content")
	}
	return "", nil
}

// isMarkedBlock reports whether a text block begins with the mark of a dialect and is
// therefore the last one of a document of several blocks.
func isMarkedBlock(text string) bool {
	return slices.ContainsFunc(dialects[:], func(d *dialect) bool { return d.mark != "" && strings.HasPrefix(text, d.mark) })
}

// A Checker checks the envelopes of one input in order, each by itself and all
// together: progress events must be numbered and end with one result. The zero value is
// ready to use. It is not safe for concurrent use.
type Checker struct {
	Dialect Dialect // nil: that of each document, as Guess finds it
	Options ValidateOptions

	documents int
	stream    check.Stream
}

// Checked is the result of a Checker for one document.
type Checked struct {
	Dialect Dialect // nil if the document is in none
	Faults  []Fault // nil if nothing is wrong
}

// Check checks the next document.
func (c *Checker) Check(doc []byte) Checked { return c.follow(c.examine(doc)) }

// examine checks a document by itself. It does not touch the stream's state,
// so that many documents may be examined at a time.
func (c *Checker) examine(text []byte) examined {
	d := marked(text)
	if c.Dialect != nil {
		d = c.Dialect.self()
	}
	if d != nil {
		w, faults := d.validate(text, c.Options)
		return newExamined(d, w, faults)
	}
	doc := parse(text)
	defer doc.reader.Release()
	d, known := guess(doc.reader.Top.Has)
	if doc.broken { // Top lacks what follows the fault
		var guessed Dialect
		if guessed, known = Guess(text); known {
			d = guessed.self()
		}
	}
	if !known {
		return examined{Checked: Checked{Faults: unknownFaults(text)}}
	}
	w, faults := d.take(&doc, "", c.Options.Strict)
	return newExamined(d, w, append(faults, c.Options.inspect(d, text)...))
}

func newExamined(d Dialect, w wireDoc, faults []wire.Fault) examined {
	x := examined{Checked: Checked{d, faults}}
	if w, ok := w.(interface{ event() check.Event }); ok {
		event := w.event()
		x.event = &event
	}
	return x
}

// follow adds what an examined document means to the stream that it is in.
func (c *Checker) follow(x examined) Checked {
	c.documents++
	if x.event != nil {
		x.Faults = append(x.Faults, c.stream.Next(x.event)...)
	}
	return x.Checked
}

// End returns the faults of the input as a whole. It is called after the last
// document.
func (c *Checker) End() []Fault {
	switch {
	case c.documents == 0:
		return []wire.Fault{{Pointer: "", Rule: "stream/empty", Text: "there is no envelope"}}
	case c.stream.Open():
		return []wire.Fault{{Pointer: "", Rule: "stream/no-end", Text: "the progress events are followed by no result"}}
	}
	return nil
}

// An examined document has been checked by itself.
type examined struct {
	Checked
	event *check.Event // nil where it can be no part of a stream
}

// Bounds of a batch.
const (
	batchDocuments = 256
	batchBytes     = 256 << 10
)

// A batch is some documents in a row, in memory of their own.
type batch struct {
	docs []Document
	size int
	said []examined
	err  error         // the reader's, after the documents
	done chan struct{} // closed when all are examined
}

// CheckAll checks all documents of an input in as many goroutines as workers, and calls
// report for each in order, with a Document that has no Text. The functions in Options
// must be safe for concurrent use. CheckAll returns an error of r; End returns the faults
// of the input as a whole.
func (c *Checker) CheckAll(r io.Reader, workers int, report func(Document, Checked)) error {
	work := make(chan *batch, workers)
	order := make(chan *batch, 2*workers)
	go cutBatches(r, work, order)
	for range max(workers, 1) {
		go func() {
			for b := range work {
				for _, d := range b.docs {
					b.said = append(b.said, c.examine(d.Text))
				}
				close(b.done)
			}
		}()
	}
	var err error
	for b := range order {
		<-b.done
		for i, d := range b.docs {
			d.Text = nil
			report(d, c.follow(b.said[i]))
		}
		err = b.err
	}
	return err
}

// cutBatches reads the input and hands its documents out, to be worked on and
// in their order.
func cutBatches(r io.Reader, work, order chan<- *batch) {
	defer close(order)
	defer close(work)
	b := &batch{done: make(chan struct{})}
	hand := func() {
		order <- b
		work <- b
		b = &batch{done: make(chan struct{})}
	}
	for d, err := range Documents(r) {
		if err != nil {
			b.err = err
			break
		}
		d.Text = append([]byte(nil), d.Text...)
		b.docs = append(b.docs, d)
		if b.size += len(d.Text); len(b.docs) == batchDocuments || b.size > batchBytes {
			hand()
		}
	}
	hand()
}
