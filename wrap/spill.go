package wrap

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/shared/limitbuf"
)

// spill moves streams to the store that may not stay inline: those over the capture
// limit or not in memory, those that the dialect wants there, and then the largest
// until the rest fits.
func (w *recorder) spill() {
	if w.res.Exec != nil && !w.res.Nested && w.c.Placement.Keep != envelope.KeepLarge && !w.res.Outcome.OK() {
		w.keepPrinted()
	}
	slots := w.slots()
	for _, s := range slots {
		if !s.capture.whole || !s.nested && w.over(s.capture) || w.keeps(s) {
			w.move(s)
		}
	}
	envelope.MakeRoom(slots, slot.weight,
		func() bool { return w.c.Placement.Fits(w.res, w.c.inlineLimit()) },
		w.move)
	for _, s := range w.slots() {
		w.keepExact(s)
	}
}

// keepExact puts a stream that the envelope shows as text into the store where
// that text is not what was printed, byte for byte. Without a store the envelope
// has the bytes.
func (w *recorder) keepExact(s slot) {
	if !w.c.Placement.Keep.WantsExact(s.stream) || s.nested && s.stream.Replaced > 0 {
		return // the envwrap that ran the nested command has its output
	}
	c := s.capture
	digest, err := c.commit(w.info(c, c.sum.Summary().Kind))
	switch {
	case err == nil && !c.clipped:
		s.stream.Exact, s.stream.Read = digest, w.c.reading(digest)
	case w.c.Below:
		w.storeFailed(s, cmp.Or(err, artifact.ErrFull))
	case s.stream.Replaced > 0:
		s.stream.Text, s.stream.Replaced, s.stream.Binary = "", 0, c.memory
	default:
		w.warn(c.name + " could not be stored as it was printed")
	}
}

// info returns what the store's index says of a stream. The record is not finished then, so
// the command's name is masked here, too.
func (w *recorder) info(c *capture, kind string) artifact.Info {
	return artifact.Info{Kind: kind, Command: w.mask.mask().Command(w.res.Command), Stream: c.name}
}

// weight returns how many bytes of the record moving the slot to the store would save; 0
// if it was moved already.
func (s slot) weight() int64 {
	if s.stream.Artifact != "" {
		return -1
	}
	return s.capture.bytes
}

func (w *recorder) slots() []slot {
	out := slot{capture: w.stdout.capture, stream: &w.res.Stdout}
	errs := slot{capture: w.stderr.capture, stream: &w.res.Stderr}
	switch {
	case w.res.Nested:
		errs.stream = &w.res.Exec.Stderr
		return append(slices.Clone(w.within), errs)
	case w.res.Exec != nil:
		out.payload = true
		errs.stream = &w.res.Exec.Stderr
	}
	return []slot{out, errs}
}

// captureNested captures the streams in the envelope of a nested run: each can go
// to the store as if the run had been made here.
func (w *recorder) captureNested() {
	if !w.res.Nested {
		return
	}
	for _, s := range []slot{{stream: &w.res.Stdout}, {stream: &w.res.Stderr}} {
		w.loadNested(s)
		content, parse := s.stream.Content()
		if len(content) == 0 || s.stream.Stored() != "" {
			continue
		}
		s.nested = true
		s.capture = &capture{
			name: streamName(s.stream == &w.res.Stderr), whole: true, keep: len(content), spillAt: math.MaxInt64,
			sum:   envelope.Summarizer{Parse: parse, ExcerptMax: w.c.excerptMost()},
			store: w.run.store, max: w.c.MaxArtifact,
		}
		_, _ = s.capture.Write(content)
		w.within = append(w.within, s)
	}
}

// loadNested reads a stream of a nested run from the store if its envelope, as those of
// delegator/v3.6, has the digest and the size alone: one that fits is shown, of others
// the summary and an excerpt.
func (w *recorder) loadNested(s slot) {
	known, digest := s.stream, s.stream.Artifact
	if digest == "" || known.Bytes <= 0 || known.Lines > 0 || known.Excerpt != nil && known.Excerpt.Text != "" || w.c.Load == nil {
		return
	}
	sum := envelope.Summarizer{ExcerptMax: w.c.excerptMost()}
	if err := w.c.Load(digest, &sum); err != nil {
		return
	}
	loaded := sum.Stream()
	if loaded.Bytes > w.c.inlineLimit() {
		*known = sum.Spilled(digest, known.Read, w.c.excerptMost())
		return
	}
	var content bytes.Buffer
	if w.c.Load(digest, &content) == nil && loaded.Interpret(content.Bytes(), envelope.ParseAuto) == nil {
		*known = loaded
	}
}

func streamName(stderr bool) string {
	if stderr {
		return "stderr"
	}
	return "stdout"
}

// discardNested removes from the store the nested streams that were not committed.
func (w *recorder) discardNested() {
	for _, s := range w.within {
		s.capture.discard()
	}
}

// keeps reports whether the dialect wants the stream in the store although it is
// small. An adopted envelope stays unchanged.
func (w *recorder) keeps(s slot) bool {
	if s.capture.bytes == 0 || w.res.Exec != nil && !s.nested {
		return false
	}
	return w.c.Placement.Keep.Wants(w.res, s.stream)
}

// keepPrinted puts a failed envelope that the child printed into the store, as
// any failed command's output: a dialect that shows no payload beside an error
// would lose the child's.
func (w *recorder) keepPrinted() {
	w.move(slot{capture: w.stdout.capture, stream: &w.res.Exec.Stdout})
}

// move puts a stream into the store and leaves an excerpt. Where the store
// fails, what cannot stay inline is cut to head and tail.
func (w *recorder) move(s slot) {
	c := s.capture
	if c.bytes == 0 || s.stream.Artifact != "" {
		return
	}
	spilled := c.sum.Spilled
	if w.reads(s) {
		spilled = c.sum.SpilledReading
	}
	out := spilled("", "", w.excerptSize()) // while the bytes go to the disk
	if c.kept != nil {
		out.Summary = c.kept.Summary()
	}
	digest, err := c.commit(w.info(c, out.Summary.Kind))
	if err != nil {
		w.storeFailed(s, err)
		return
	}
	if s.payload {
		w.res.Payload = nil
	}
	out.Artifact, out.Read = digest, w.c.reading(digest)
	if out.IsJSON() && out.Bytes <= documentMost && w.c.Load != nil && w.c.Queries != nil && w.c.Queries() {
		out.Excerpt = out.Excerpt.Queried(w.c.document(digest))
	}
	out.Truncated = s.stream.Truncated || c.kept != nil || !s.nested && w.over(c) && c.name == "stdout"
	*s.stream = out
	if c.kept != nil {
		w.warn(clippedText(c))
	}
}

// Bounds of the part of a stored JSON document that is read to find a query.
const (
	documentMost = 64 << 20 // bytes of a document
	documentPart = 4 << 20  // bytes of it that are kept
)

// document returns a function that reads the beginning of a stored JSON document.
func (c *Command) document(digest string) func() []byte {
	return sync.OnceValue(func() []byte {
		doc := limitbuf.NewBuffer(documentPart)
		if err := c.Load(digest, doc); err != nil {
			return nil
		}
		return doc.Bytes()
	})
}

// clippedText returns the warning that the store took only the beginning of a stream.
func clippedText(c *capture) string {
	all, kept := c.sum.Stream(), c.kept.Stream()
	limit := "--max-artifact"
	if c.full {
		limit = "--store-max"
	}
	return fmt.Sprintf("%s: the store kept the first %d of %d bytes and %d of %d lines; the other %d bytes are lost (%s)",
		c.name, kept.Bytes, all.Bytes, kept.Lines, all.Lines, all.Bytes-kept.Bytes, limit)
}

// reading returns the command line that prints an artifact.
func (c *Command) reading(digest string) string {
	if c.Read == nil {
		return "envwrap artifact cat " + envelope.ShortDigest(digest)
	}
	return c.Read(digest)
}

// storeFailed keeps what it can: a stream that is small stays inline as it is, in a
// dialect of text also one that is in memory (memoryKeep, below a client rescueKeep); of a
// larger one head and tail do.
func (w *recorder) storeFailed(s slot, err error) {
	if w.storeErr == nil {
		w.storeErr = err
		w.warn("the artifact store failed: " + err.Error())
	}
	c := s.capture
	w.res.Unstored = true
	small := c.bytes <= w.c.inlineLimit() || w.c.Placement.Keep.IsText()
	if s.payload || c.whole && small && (w.c.Below || !w.over(c)) {
		return
	}
	out := c.sum.Stream()
	head, tail, bytes, lines := c.sum.Ends(w.excerptSize())
	out.Text = head + tail
	if bytes > 0 {
		lost := fmt.Sprintf("%d of %d bytes of %s", bytes, c.bytes, c.name)
		if !slices.Contains(w.lost, lost) { // the second time, where a dialect keeps all output
			w.lost = append(w.lost, lost)
		}
		out.Text = fmt.Sprintf("%s\n... [%d bytes (%d lines) are lost: they could not be stored] ...\n%s", strings.TrimSuffix(head, "\n"), bytes, lines, tail)
	}
	out.Truncated = bytes > 0
	*s.stream = out
}

// The bytes of excerpt, both streams together, unless the caller says otherwise. The excerpt of
// a success fills the inline limit and the budget, and has excerptError at least: more output
// never gives the reader less.
const (
	excerptError = 8 << 10
	excerptOK    = 256 << 10
)

// excerptSize returns how many bytes of excerpt the record has at most.
func (w *recorder) excerptSize() int {
	switch {
	case w.c.Excerpt > 0:
		return w.c.Excerpt
	case w.res.Outcome.OK():
		return w.c.excerptMost()
	}
	return excerptError
}

// excerptMost returns how many bytes of excerpt a record of the command has at most.
func (c *Command) excerptMost() int {
	if c.Excerpt > 0 {
		return max(c.Excerpt, excerptError)
	}
	return max(excerptError, int(min(c.inlineLimit(), excerptOK)))
}

// reads reports whether the reader of a stream wants it by its shape, and not what a
// diagnosis needs.
func (w *recorder) reads(s slot) bool {
	return w.res.Outcome.OK() && s.capture.name == "stdout" && !reportsWork(w.c.Argv)
}

// fitExcerpts shortens the excerpts of a success until the record fits into the inline
// limit and the budget, to excerptError at the least.
func (w *recorder) fitExcerpts() {
	if w.c.Excerpt == 0 && w.res.Outcome.OK() {
		w.c.Placement.ShrinkExcerpts(w.res, w.c.inlineLimit(), excerptError)
	}
}

// shareExcerpts divides the bytes of excerpt between two streams that are in the
// store: each has half, and the other one the rest if it needs less.
func (w *recorder) shareExcerpts() {
	var stored []slot
	for _, s := range w.slots() {
		if s.stream.Artifact != "" && s.stream.Excerpt != nil {
			stored = append(stored, s)
		}
	}
	if len(stored) < 2 {
		return
	}
	size := w.excerptSize()
	a, b := stored[0], stored[1]
	if len(a.stream.Excerpt.Text) > len(b.stream.Excerpt.Text) {
		a, b = b, a
	}
	share := min(size/2, len(a.stream.Excerpt.Text))
	for s, n := range map[*slot]int{&a: share, &b: size - share} {
		if len(s.stream.Excerpt.Text) > n {
			s.stream.Excerpt = s.stream.Excerpt.Within(n)
		}
	}
}

// keepOutputs puts what early stages printed into the store, and names it in the record,
// unless the envelope shows all of it. What was masked in it counts as what was masked in the
// streams does.
func (w *recorder) keepOutputs() {
	ended := w.res
	if w.res.Exec != nil {
		ended = w.res.Exec
	}
	if t := w.replayed; t != nil {
		ended.Kept, w.keptMasked = slices.Clone(t.Kept), t.KeptMasked
		for i := range ended.Kept {
			ended.Kept[i].Read = w.c.reading(ended.Kept[i].Artifact)
		}
	}
	for _, o := range w.kept {
		c := o.capture
		shown := w.stdout.capture
		if c.bytes == 0 || c.whole && o.bytes == 0 && shown.whole && bytes.Contains(shown.memory, c.memory) {
			continue
		}
		digest, err := c.commit(artifact.Info{Kind: c.sum.Summary().Kind, Command: w.mask.mask().Command(w.res.Command), Stream: c.name})
		if err != nil {
			if !w.c.Below { // the client would have no more of it
				w.warn("what an early stage of the pipeline printed could not be kept: " + err.Error())
			}
			continue
		}
		if slices.ContainsFunc(ended.Kept, func(k envelope.Kept) bool { return k.Artifact == digest }) {
			continue
		}
		all := c.sum.Stream()
		ended.Kept = append(ended.Kept, envelope.Kept{
			Program: o.stage, Bytes: all.Bytes + o.bytes, Lines: all.Lines + o.lines, Early: o.early, Truncated: c.clipped || o.dropped,
			Artifact: digest, Read: w.c.reading(digest),
		})
		w.keptMasked = addCounts(w.keptMasked, o.masked.Counts())
	}
	if len(w.keptMasked) > 0 {
		ended.Redactions = redactions(addCounts(addCounts(nil, ended.Redactions.ByRule), w.keptMasked))
	}
}
