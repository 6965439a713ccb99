package wrap

import "github.com/envwrap/envwrap/envelope"

const (
	// queueFrom is how many bytes of a stream are summarized by the goroutine that
	// reads it. A longer stream is worth a goroutine.
	queueFrom = 256 << 10

	queueBuffers    = 4        // of a stream
	queueBufferSize = 64 << 10 // bytes of each
)

// A summaryQueue summarizes a stream in a goroutine of its own, while the goroutine
// that writes to it redacts and stores the next bytes. It holds queueBuffers of
// the stream at most; write waits where they are full.
type summaryQueue struct {
	cur        []byte
	full, free chan []byte
	done       chan struct{}
}

// newSummaryQueue starts the goroutine. Until end returns, nobody else may use sum.
func newSummaryQueue(sum *envelope.Summarizer) *summaryQueue {
	q := &summaryQueue{
		cur:  make([]byte, 0, queueBufferSize),
		full: make(chan []byte, queueBuffers),
		free: make(chan []byte, queueBuffers),
		done: make(chan struct{}),
	}
	for range queueBuffers - 1 {
		q.free <- nil // is made when it is needed
	}
	go func() {
		defer close(q.done)
		sum.Fork()
		defer sum.Join()
		for p := range q.full {
			_, _ = sum.Write(p)
			q.free <- p[:0]
		}
	}()
	return q
}

// write takes a copy of p.
func (q *summaryQueue) write(p []byte) {
	for len(p) > 0 {
		if len(q.cur) == cap(q.cur) {
			q.full <- q.cur
			if q.cur = <-q.free; q.cur == nil {
				q.cur = make([]byte, 0, queueBufferSize)
			}
		}
		n := min(len(p), cap(q.cur)-len(q.cur))
		q.cur, p = append(q.cur, p[:n]...), p[n:]
	}
}

// end waits until all that was written is summarized, and ends the goroutine.
func (q *summaryQueue) end() {
	q.full <- q.cur
	close(q.full)
	<-q.done
}
