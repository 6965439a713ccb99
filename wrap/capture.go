package wrap

import (
	"bytes"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/shared/pipeline"
	"github.com/envwrap/envwrap/redact"
)

// memoryKeep is how much of a stream may be held in memory, in bytes: enough
// for a JSON document that shrinks below the inline limit when its white
// space goes. It grows with larger inline limits.
const memoryKeep = 1 << 20

// rescueKeep is how much of a stream is held in memory below a client, in bytes, if the store
// does not take it: the client then gets it, as it would without us.
const rescueKeep = 64 << 20

// A capture takes one redacted stream: it is summarised, kept in memory while
// it is small, and written to the store from the moment that it is over the
// inline limit. It never fails; the recorder reports at the end which bytes could not be stored.
// Its memory is bounded by memoryKeep or twice the inline limit, or by rescueKeep.
type capture struct {
	name  string
	sum   envelope.Summarizer // not to be used before finishSummary if there is a queue
	queue *summaryQueue       // of sum; nil while the stream is short
	bytes int64               // of the whole stream
	live  liveView

	memory []byte
	keep   int  // most bytes of memory
	whole  bool // memory is the whole stream
	rescue bool // memory may have rescueKeep bytes if the store fails
	pumped bool // end is called when nothing more comes

	store   *lazyStore
	spillAt int64 // bytes after which the store gets it
	max     int64 // most bytes for the store; 0 is no limit
	pending *artifact.Pending
	started bool                 // the store got bytes, or refused them
	stored  int64                // bytes that the store took
	clipped bool                 // the store got max bytes and no more
	kept    *envelope.Summarizer // of those; nil unless clipped
	err     error                // why the store did not take it
	lasting bool                 // live writes to a file in the store
	shareAs string               // the stream whose file that is; "" where other attempts write to it, too
	shared  bool                 // pending writes to that file: live only shows ahead
	full    bool                 // max is the room that the store had
	digest  string               // of the object, once committed

	onPart  func(dir, part string) // gets the name of the part file that a kill would leave; nil if none is made
	keepNow bool                   // the run has lasted long enough for that
	part    string                 // the name of that file

	limit      int64         // bytes after which overflowed is closed; 0 for no limit
	overflowed chan struct{} // nil without limit
	tripped    bool
}

// Write takes the next bytes of the redacted stream: always all of them.
func (c *capture) Write(p []byte) (int, error) {
	c.reserve(p)
	c.summarize(p)
	c.bytes += int64(len(p))
	if c.whole {
		c.memory = append(c.memory, p...)
	}
	switch {
	case c.digest != "": // it is replayed, and the store has it
	case c.started:
		c.spill(p)
	case c.bytes > c.spillAt:
		c.spill(c.memory)
	}
	if c.bytes > c.spillAt {
		c.store.used.Store(true)
	}
	c.keepPart()
	if c.whole && len(c.memory) > c.keep && !(c.rescue && c.err != nil && len(c.memory) <= rescueKeep) {
		c.whole, c.memory = false, nil
	}
	shown, last := c.shown(len(p))
	c.live.captured(p, shown, last)
	c.writeAhead(nil)
	if c.limit > 0 && !c.tripped && c.bytes > c.limit {
		c.tripped = true
		close(c.overflowed)
	}
	return len(p), nil
}

// reserve asks the store for room for the part of p that spill will write, and lowers
// max if there is less.
func (c *capture) reserve(p []byte) {
	after := c.bytes + int64(len(p))
	if c.clipped || c.err != nil || c.digest != "" || !c.started && after <= c.spillAt {
		return
	}
	c.reserveTo(after)
}

// reserveTo asks the store for room for the stream up to the offset after.
func (c *capture) reserveTo(after int64) {
	if c.begin(); c.err != nil {
		return
	}
	if c.max > 0 {
		after = min(after, c.max)
	}
	copies := 1
	if c.lasting && !c.shared {
		copies = 2
	}
	room := c.stored + c.pending.Reserve(after-c.stored, copies)
	switch {
	case room >= after:
	case room > 0 && room >= c.bytes:
		c.max, c.full = room, true
	default: // the bytes in memory do not fit either
		c.err, c.full = artifact.ErrFull, true
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

// shown returns how many of the n bytes that were written last are shown, and whether the
// live output ends with them. If it is a file in the store it has only as much as the store
// takes, which may have written it.
func (c *capture) shown(n int) (shown int, last bool) {
	full := c.lasting && c.full
	switch {
	case c.shared:
		return 0, full || c.clipped || c.err != nil
	case !full:
		return n, false
	case c.err != nil:
		return 0, true
	}
	return max(0, n-int(c.bytes-c.max)), true
}

// summarize counts p, and separately the part of it that the store takes.
func (c *capture) summarize(p []byte) {
	if left := c.max - c.bytes; c.max > 0 && c.kept == nil && int64(len(p)) > left {
		c.finishSummary()
		_, _ = c.sum.Write(p[:left])
		c.kept = c.sum.SoFar()
		p = p[left:]
	}
	if c.queue == nil && c.pumped && c.bytes > queueFrom {
		c.queue = newSummaryQueue(&c.sum)
	}
	if c.queue != nil {
		c.queue.write(p)
		return
	}
	_, _ = c.sum.Write(p)
}

// finishSummary waits until sum has everything that was written.
func (c *capture) finishSummary() {
	if c.queue != nil {
		c.queue.end()
		c.queue = nil
	}
}

// begin opens the store.
func (c *capture) begin() {
	if c.pending == nil && c.err == nil {
		c.pending, c.err = c.store.create(c.shareAs)
		c.shared = c.err == nil && c.pending.Shared()
	}
}

// spill gives p to the store. After an error the store gets nothing more.
func (c *capture) spill(p []byte) {
	c.started = true
	c.begin()
	if c.err != nil || c.clipped {
		return
	}
	if c.max > 0 && c.stored+int64(len(p)) > c.max {
		p = p[:c.max-c.stored]
		c.clipped = true
	}
	n, err := c.pending.Write(p)
	c.stored += int64(n)
	c.err = err
}

// end means that the stream has ended: the store begins to write it to disk while other
// work is left before commit.
func (c *capture) end() {
	c.finishSummary()
	if c.pending != nil && c.err == nil {
		c.pending.Finish()
	}
}

// commit makes the stream an object of the store and returns its digest. It
// needs the whole stream in memory or in the store already. A second call
// returns the same digest.
func (c *capture) commit(info artifact.Info) (string, error) {
	if c.digest != "" {
		return c.digest, nil
	}
	c.store.used.Store(true)
	if !c.started {
		c.spill(c.memory)
	}
	if c.err != nil {
		return "", c.err
	}
	digest, err := c.pending.Commit(info)
	c.digest = digest
	return digest, err
}

// discard removes the stream from the store if it was not committed.
func (c *capture) discard() {
	if c.pending != nil {
		c.pending.Discard()
	}
}

// A lazyStore opens the store when the first byte is to be stored. Both
// streams' pumps share it.
type lazyStore struct {
	open func() (*artifact.Store, string, error)

	once    sync.Once
	store   *artifact.Store
	warning string // is of interest if used
	err     error
	used    atomic.Bool // something was to stay in the store
}

// create begins an object, in the file of a job's stream where share names one.
func (l *lazyStore) create(share string) (*artifact.Pending, error) {
	l.once.Do(l.openOnce)
	if l.err != nil {
		return nil, l.err
	}
	if share != "" {
		return l.store.CreateShared(share)
	}
	return l.store.Create()
}

func (l *lazyStore) openOnce() {
	if l.open == nil {
		l.err = errNoStore
		return
	}
	l.store, l.warning, l.err = l.open()
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

// dir returns the store's directory, or "" if it is not open.
func (l *lazyStore) dir() string {
	if l.store == nil {
		return ""
	}
	return l.store.Dir()
}

var errNoStore = errors.New("no artifact store was given")

// A keptOutput takes what an early stage of a pipeline prints.
type keptOutput struct {
	stage   string // the program; "" of a compound command
	capture *capture
	masked  *redact.Writer
	line    []byte // the last line, as long as it has no end
	dropped bool   // the line was too long to be held
	early   bool   // a later stage went away first
	ended   bool

	mu sync.Mutex // guards all above

	bytes, lines int64 // of what was not captured
}

// heldLine bounds an unfinished line, in bytes.
const heldLine = 1 << 20

// Take implements [tap.Sink]. It passes on whole lines only: the reader may stop within a
// secret, which nothing would then mask.
func (o *keptOutput) Take(b []byte) {
	b = pipeline.WithoutOffers(b) // in the command line of the shell, as ps shows it
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.dropped || o.capture.bytes > o.capture.max || o.capture.err != nil {
		o.bytes += int64(len(b))
		o.lines += int64(bytes.Count(b, []byte{'\n'}))
		return
	}
	if end := bytes.LastIndexByte(b, '\n') + 1; end > 0 {
		_, _ = o.masked.Write(o.line)
		_, _ = o.masked.Write(b[:end])
		o.line, b = o.line[:0], b[end:]
	}
	if o.line = append(o.line, b...); len(o.line) > heldLine {
		o.dropped, o.bytes, o.line = true, int64(len(o.line)), nil
	}
}

// End implements [tap.Sink].
func (o *keptOutput) End(early bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.ended = true
	if o.early = early; !early {
		_, _ = o.masked.Write(o.line)
	}
	_ = o.masked.Close()
	o.capture.end()
}

// keepFromNow has the output written to the store from now on.
func (o *keptOutput) keepFromNow() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.ended {
		o.capture.keepNow = true
		o.capture.keepPart()
	}
}
