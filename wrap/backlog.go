package wrap

import "github.com/envwrap/envwrap/envelope"

const (
	// backlogFrom is how many bytes of a stream are summarized by the goroutine that
	// reads it. What is longer is worth a goroutine.
	backlogFrom = 256 << 10

	backlogBuffers = 4        // of a stream
	backlogSize    = 64 << 10 // bytes of each
)

// A backlog summarizes a stream in a goroutine of its own, while the goroutine
// that writes to it redacts and stores what comes next. It holds backlogBuffers of
// the stream at most; write waits where they are full.
type backlog struct {
	cur        []byte
	full, free chan []byte
	done       chan struct{}
}

// newBacklog starts the goroutine. Until end returns, nobody else may use sum.
func newBacklog(sum *envelope.Summarizer) *backlog {
	b := &backlog{
		cur:  make([]byte, 0, backlogSize),
		full: make(chan []byte, backlogBuffers),
		free: make(chan []byte, backlogBuffers),
		done: make(chan struct{}),
	}
	for range backlogBuffers - 1 {
		b.free <- nil // is made when it is needed
	}
	go func() {
		defer close(b.done)
		for p := range b.full {
			_, _ = sum.Write(p)
			b.free <- p[:0]
		}
	}()
	return b
}

// write takes a copy of p.
func (b *backlog) write(p []byte) {
	for len(p) > 0 {
		if len(b.cur) == cap(b.cur) {
			b.full <- b.cur
			if b.cur = <-b.free; b.cur == nil {
				b.cur = make([]byte, 0, backlogSize)
			}
		}
		n := min(len(p), cap(b.cur)-len(b.cur))
		b.cur, p = append(b.cur, p[:n]...), p[n:]
	}
}

// end waits until all that was written is summarized, and ends the goroutine.
func (b *backlog) end() {
	b.full <- b.cur
	close(b.full)
	<-b.done
}
