package excerpt

import (
	"bytes"
)

// reasons are the lines that may say why something failed: those of the highest
// weight, and the earlier of two alike.
type reasons struct {
	best [8]reason
	n    int
	open int   // how many of them go on in a later line
	root chain // what the first of them came from

	words reason // what precedes the first line that reports the end
	ends  int    // how many such lines were seen while nothing preceded them
}

type reason struct {
	off   int64
	why   int
	kinds [rareKinds]uint32
	text  []byte
	goes  going
	ended bool // reports a failure that other lines explain
}

// going says whether a reason goes on in a later line.
type going uint8

const (
	complete    going = iota
	toNextLine        // in the next line
	toOuterLine       // in the next line that is not indented, which replaces it
	toInnerLine       // in the next line that is indented and no test's result, which replaces it
)

// A chain is a series of causes: "Caused by: x", "Caused by: y".
type chain struct {
	from, to int64 // offsets of its first line and of its last
	text     []byte
	open     bool // its last line goes on in the next line
}

// chainGap is how far apart in the text the causes of a chain are at most, and
// how far its first is from what it caused.
const chainGap = 16 << 10

// add takes p, the like of which was seen so often, where it may be the best
// line.
func (r *reasons) add(p *piece, f *facts, seen uint16) {
	why := f.why * often[min(log2(int64(seen), 1), len(often)-1)] / 100
	least := 0
	if r.n < len(r.best) {
		least = r.n
		r.n++
	} else {
		for i := range r.best {
			if r.best[i].why < r.best[least].why {
				least = i
			}
		}
		if r.best[least].why >= why {
			return
		}
	}
	b := &r.best[least]
	if b.goes != complete {
		r.open--
	}
	b.off, b.why, b.kinds, b.text, b.ended = p.off, why, p.kinds, append(b.text[:0], untimed(p.text)...), f.ended
	if b.goes = announces(b.text); b.goes != complete {
		r.open++
	}
}

// explain replaces p, the result of a test, by the first line that the test logged
// before, if any: ps are the lines before p, the nearest first.
func (r *reasons) explain(p *piece, ps []*piece) {
	var first []byte
	for _, log := range ps {
		text := untimed(log.text)
		if !bytes.HasPrefix(text, indent) || bytes.HasPrefix(bytes.TrimLeft(text, " "), testResult) {
			break
		}
		first = log.text
	}
	for i := range r.best[:r.n] {
		b := &r.best[i]
		if b.off != p.off || b.goes != toInnerLine {
			continue
		}
		b.why = max(b.why, named)
		if first != nil {
			b.goes, b.why, b.text = complete, logged, append(b.text[:0], bytes.TrimSpace(untimed(first))...)
			r.open--
		}
	}
}

// cause takes p where it continues the chain of causes, or begins it.
func (r *reasons) cause(p *piece) {
	text := skipBlank(untimed(p.text))
	if !bytes.HasPrefix(text, causedBy) && !bytes.HasPrefix(text, causeOf) {
		return
	}
	c := &r.root
	switch {
	case c.text == nil:
		c.from = p.off
	case p.off-c.to > chainGap:
		return
	}
	c.to, c.text = p.off, append(c.text[:0], text...)
	if c.open = announces(text) == toNextLine; c.open {
		r.open++
	}
}

var (
	causedBy = []byte("Caused by:")
	causeOf  = []byte("[cause]:") // node
)

// follow appends a line to the reasons before it that announce it.
func (r *reasons) follow(line []byte) {
	line = untimed(line)
	indented := len(line) > 0 && (line[0] == ' ' || line[0] == '\t')
	if line = bytes.TrimSpace(line); r.open == 0 || len(line) == 0 {
		return
	}
	for i := range r.best[:r.n] {
		b := &r.best[i]
		switch {
		case b.goes == toNextLine:
			b.text = append(append(bytes.TrimRight(b.text, " \t"), ' '), line...)
			if b.goes = announces(line); len(b.text) >= wholeLine {
				b.goes = complete
			}
		case b.goes == toOuterLine && !indented:
			b.goes, b.why, b.text = complete, max(b.why, raised), append(b.text[:0], line...)
		case b.goes == toInnerLine && !indented:
			b.goes = complete
		case b.goes == toInnerLine && !bytes.HasPrefix(line, testResult):
			b.goes, b.why, b.text = complete, max(b.why, logged), append(b.text[:0], line...)
		default:
			continue
		}
		if b.goes == complete {
			r.open--
		}
	}
	if r.root.open {
		r.root.text = append(append(r.root.text, ' '), line...)
		r.root.open = false
		r.open--
	}
}

// How well the exception after a traceback says why, the first line that a test of
// Go logged which failed, and the name of one that logged nothing.
const (
	raised = 60
	logged = 40
	named  = 20
)

// announces reports where a line goes on that does not say itself what went
// wrong: "panicked at src/main.rs:4:5:", "error: |-" in YAML, "Expected: 3",
// "ERROR in ./src/index.js 1:0-29", "Traceback (most recent call last):".
func announces(t []byte) going {
	t = bytes.TrimRight(t, " |->")
	switch {
	case bytes.HasPrefix(t, traceback):
		return toOuterLine
	case bytes.HasPrefix(bytes.TrimLeft(t, " "), testFailed):
		return toInnerLine
	case len(t) > 0 && t[len(t)-1] == ':', bytes.HasPrefix(t, errorIn):
		return toNextLine
	}
	if t = bytes.TrimLeft(t, " \t"); bytes.HasPrefix(t, bullet) {
		return toNextLine
	}
	if len(t) < 80 && bytes.HasPrefix(t, expected) && !bytes.Contains(t, received) {
		return toNextLine
	}
	return complete
}

var (
	traceback = []byte("Traceback (most recent call last)")
	errorIn   = []byte("ERROR in ./")
	received  = []byte("eceived")
	bullet    = []byte("● ") // the name of a test that failed

	indent     = []byte("    ")
	testResult = []byte("--- ")
	testFailed = []byte("--- FAIL: ")
)

// line returns the first line of a text of size bytes that says about as well as
// any why, and how well.
func (r *reasons) line(final *sketch, size int64) (text []byte, why int) {
	top := 0
	for i := range r.best[:r.n] {
		top = max(top, r.best[i].final(final, size))
	}
	var best *reason
	for i := range r.best[:r.n] {
		if b := &r.best[i]; b.final(final, size)*100 >= top*nearlyBest && (best == nil || b.off < best.off) {
			best = b
		}
	}
	if w := &r.words; w.text != nil && (best == nil || best.ended || best.why < weak && (best.off > w.off || w.off-best.off > farFrom)) {
		return w.text, lastSaid
	}
	if best == nil {
		return nil, 0
	}
	if c := &r.root; c.from > best.off && c.from-best.off < chainGap {
		return append(append(bytes.TrimSpace(best.text), "; "...), c.text...), best.why
	}
	return best.text, best.why
}

// final returns how well the line says why, less where its like occurs many
// times, and less at the beginning of a long text: what fails there and matters
// ends most commands.
func (r *reason) final(count *sketch, size int64) int {
	n := count.count(rareShape, r.kinds[rareShape])
	if h := r.kinds[rareFailure]; h != 0 {
		n = max(n, count.count(rareFailure, h))
	}
	why := r.why * often[min(log2(int64(n), 4), len(often)-1)] / 100
	if size > longText {
		why = why * int(100*(size+r.off)/size) / 200
	}
	return why
}

// A line that weighs less than weak, and is after the first report that something
// failed, or more than farFrom bytes before it, says less well why than what
// precedes that report, which weighs lastSaid.
const (
	weak     = 48
	farFrom  = 2 << 10
	lastSaid = 24
)

// lastWordsFrom is how many lines before the first report of a failure may belong
// to what the tool said last.
const lastWordsFrom = 10

// endsMost is how many reports of a failure are looked at for what precedes them.
const endsMost = 64

// lastWords returns what the tool said last, of the lines ps before a report that
// it failed, the nearest first: the nearest one that is not blank, or the one that
// announces a list and the first of that list. It has no text where no line is
// more than the command that a script prints before it runs it.
func lastWords(ps []*piece) (r reason) {
	var next []byte
	for _, p := range ps {
		text := bytes.TrimSpace(untimed(p.text))
		if len(text) == 0 {
			continue
		}
		if isCommand(text) {
			break
		}
		if next != nil && announces(text) == toNextLine {
			r.text = append(append(bytes.Clone(text), ' '), next...)
			break
		}
		if next = text; r.text == nil {
			r.off, r.text = p.off, bytes.Clone(text)
		}
	}
	return r
}

// isCommand reports whether t is a command that a script or a runner prints
// before it runs it: "$ make", "> make", "+ make", "##[group]Run make".
func isCommand(t []byte) bool {
	return len(t) > 2 && bytes.IndexByte(prompts, t[0]) >= 0 && t[1] == ' ' || bytes.HasPrefix(t, workflow)
}

var (
	prompts  = []byte("$>+#%")
	workflow = []byte("##[")
)

// longText is the size from which on a text is a log of several steps.
const longText = 64 << 10

// nearlyBest is the percentage of the highest weight from which on the first
// line says as well why.
const nearlyBest = 66
