package envelope

import (
	"io"

	"github.com/envwrap/envwrap/envelope/internal/check"
	"github.com/envwrap/envwrap/envelope/internal/wire"
)

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
	if c.Dialect == nil && marked(text) == nil {
		doc := parse(text)
		defer doc.reader.Release()
		if d, known := guess(doc.reader.Top.Has); known && !doc.broken {
			w, faults := d.take(&doc, "", c.Options.Strict)
			return newExamined(d, w, append(faults, c.Options.inspect(d, text)...))
		}
	}
	d := c.Dialect
	if d == nil {
		var known bool
		if d, known = Guess(text); !known {
			return examined{Checked: Checked{Faults: unknownFaults(text)}}
		}
	}
	w, faults := d.self().validate(text, c.Options)
	return newExamined(d, w, faults)
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
