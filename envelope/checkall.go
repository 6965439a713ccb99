package envelope

import "io"

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

// CheckAll checks all documents of an input, several of them at a time, and
// calls report for each in their order. A Document that report gets has no Text.
// The hooks in Options must be safe for concurrent use. The error is the
// reader's. What is wrong with the input as a whole is for End.
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
