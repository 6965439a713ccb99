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

// captured shows the first bytes of p, which was captured, but for what was shown ahead of
// it, and counts p for the reporter. If last is set nothing is shown after them.
func (v *liveView) captured(p []byte, shown int, last bool) {
	fresh := v.skipShown(p)
	from := len(p) - len(fresh)
	v.show(p[from:max(from, shown)])
	if last {
		v.to = nil
	}
	v.count(fresh, p)
}

// show copies p to the live reader. If that reader goes away the copy ends, and the
// capture goes on.
func (v *liveView) show(p []byte) {
	if v.to == nil || len(p) == 0 {
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
