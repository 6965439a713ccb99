package wrap

import (
	"bytes"
	"io"
	"sync/atomic"
	"time"
)

// A liveView shows a stream while it is captured: its bytes to a live reader, and their
// number and the last line to the reporter.
type liveView struct {
	to      io.Writer       // nil without a live reader, or after it went away
	ahead   []byte          // shown before it was captured
	printed chan<- struct{} // gets one when something was printed; nil without a reporter

	// The reporter reads these from another goroutine.
	bytes, lines atomic.Int64
	line         atomic.Pointer[shownLine]
}

type shownLine struct {
	text string
	at   time.Time
}

// show copies p to the live reader. If that reader goes away the copy ends, and the
// capture goes on.
func (v *liveView) show(p []byte) {
	if v.to == nil {
		return
	}
	if _, err := v.to.Write(p); err != nil {
		v.to = nil
	}
}

// showAhead shows bytes that the capture will get later, and counts them for the
// reporter. keep gets them before they are shown.
func (v *liveView) showAhead(settled []byte, keep func(more []byte)) {
	more, ok := bytes.CutPrefix(settled, v.ahead)
	if !ok || len(more) == 0 {
		return
	}
	v.ahead = append(v.ahead, more...)
	keep(more)
	v.show(more)
	v.count(more, v.ahead)
}

// skipShown returns p without the bytes that were shown ahead of it. If the two differ it returns p
// from where they do, so that nothing that is masked in p is shown again.
func (v *liveView) skipShown(p []byte) []byte {
	n := 0
	for n < len(p) && n < len(v.ahead) && p[n] == v.ahead[n] {
		n++
	}
	if n < len(p) {
		v.ahead = v.ahead[:0]
	} else {
		v.ahead = append(v.ahead[:0], v.ahead[n:]...)
	}
	return p[n:]
}

// count counts the output for the reporter, and keeps the last line of text that is
// not empty. Fresh is the end of text that was not counted before.
func (v *liveView) count(fresh, text []byte) {
	if v.printed == nil {
		return
	}
	v.bytes.Add(int64(len(fresh)))
	v.lines.Add(int64(bytes.Count(fresh, []byte{'\n'})))
	if line := newestLine(text); line != "" {
		v.line.Store(&shownLine{text: line, at: time.Now()})
	}
	select {
	case v.printed <- struct{}{}:
	default: // it is known already
	}
}

// storePatience is how long a run waits for a store before it shows output that the store
// does not have.
const storePatience = time.Second

// keepAfter has the output of a run that takes longer than LiveAfter written to the store
// as it comes, where a kill of this process leaves it, and then calls Lasting. It returns a
// function that ends that.
func (r *run) keepAfter() (end func()) {
	if r.c.LiveAfter <= 0 {
		return func() {}
	}
	done := make(chan struct{})
	timer := time.AfterFunc(r.c.LiveAfter, func() {
		defer close(done)
		if r.c.Kept != nil && r.store.opensWithin(storePatience) {
			for _, o := range r.kept { // first: no stream shows anything before its own part is made
				o.keepFromNow()
			}
			for _, s := range r.both() {
				s.keepFromNow()
			}
		}
		if r.c.Lasting != nil {
			r.c.Lasting()
		}
	})
	return func() {
		if !timer.Stop() {
			<-done
		}
	}
}

// opensWithin opens the store, and reports whether that succeeded in time.
func (l *lazyStore) opensWithin(patience time.Duration) bool {
	opened := make(chan struct{})
	go func() {
		l.once.Do(l.openOnce)
		close(opened)
	}()
	select {
	case <-opened:
		return l.err == nil
	case <-time.After(patience):
		return false
	}
}

// keepFromNow has the stream written to the store from now on.
func (s *stream) keepFromNow() {
	if s.read == nil || !s.unfinished.on {
		return
	}
	s.unfinished.mu.Lock()
	defer s.unfinished.mu.Unlock()
	if !s.unfinished.ended {
		s.capture.keepNow = true
		s.capture.keepPart()
	}
}

// keepPart makes a part file of a stream that printed something, all of which it has. It
// does so once; a store that fails changes nothing unless the stream has to go there.
func (c *capture) keepPart() {
	if !c.keepNow || c.onPart == nil || c.digest != "" || c.bytes == 0 && len(c.live.ahead) == 0 {
		return
	}
	c.keepNow = false
	if !c.started {
		if c.reserveTo(c.bytes); c.err == nil {
			c.spill(c.memory)
		}
	}
	if c.err == nil && !c.clipped {
		c.part, c.err = c.pending.Live()
	}
	c.onPart(c.store.dir(), c.part)
	c.writeAhead(c.live.ahead)
}

// keepAhead takes bytes that are about to be shown before they are captured.
func (c *capture) keepAhead(more []byte) {
	c.keepPart()
	c.writeAhead(more)
}

// writeAhead has the part file end with the bytes that were shown before they were captured;
// more is the end of these.
func (c *capture) writeAhead(more []byte) {
	if c.part != "" && c.err == nil {
		c.pending.WriteAhead(len(c.live.ahead)-len(more), more)
	}
}

// dir returns the store's directory, or "" if it is not open.
func (l *lazyStore) dir() string {
	if l.store == nil {
		return ""
	}
	return l.store.Dir()
}
