package excerpt

import (
	"bytes"
)

// explanations holds the lines that may say why something failed: those of the highest
// weight, and the earlier of two equal ones.
type explanations struct {
	best [8]explanation
	n    int
	open int        // how many of them continue in a later line
	root causeChain // the causes of the first of them

	words explanation // what precedes the first line that reports the end
	ends  int         // how many such lines were read while no text preceded them
}

type explanation struct {
	off       int64
	why       int
	kinds     [rareKinds]uint32
	text      []byte
	continues continuation
	ended     bool // reports a failure that other lines explain
}

// A continuation says in which line an explanation continues.
type continuation uint8

const (
	endsHere    continuation = iota
	onNextLine               // in the next line
	onOuterLine              // in the next line that is not indented, which replaces it
	onInnerLine              // in the next line that is indented and no test's result, which replaces it
)

// A causeChain is a series of causes: "Caused by: x", "Caused by: y".
type causeChain struct {
	from, to int64 // offsets of its first line and of its last
	text     []byte
	open     bool // its last line continues in the next line
}

// chainGap is the largest distance in bytes between two causes of a chain, and between
// its first cause and the explanation that it belongs to.
const chainGap = 16 << 10

// add stores p if it may be the best line. seen is how often a similar line was read.
func (r *explanations) add(p *piece, f *facts, seen uint16) {
	why := f.why * repeatPercent[min(log2(int64(seen), 1), len(repeatPercent)-1)] / 100
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
	if b.continues != endsHere {
		r.open--
	}
	b.off, b.why, b.kinds, b.text, b.ended = p.off, why, p.kinds, append(b.text[:0], untimed(p.text)...), f.ended
	if b.continues = continuationOf(b.text); b.continues != endsHere {
		r.open++
	}
}

// takes reports whether add may store a line of the weight.
func (r *explanations) takes(why int) bool {
	if r.n < len(r.best) {
		return true
	}
	for i := range r.best {
		if r.best[i].why < why {
			return true
		}
	}
	return false
}

// explain replaces p, the result of a test, by the first line that the test logged
// before, if any. ps holds the lines before p, the nearest first.
func (r *explanations) explain(p *piece, ps []*piece) {
	var first []byte
	for _, log := range ps {
		text := untimed(log.text)
		if !bytes.HasPrefix(text, testIndent) || bytes.HasPrefix(bytes.TrimLeft(text, " "), testResultMark) {
			break
		}
		first = log.text
	}
	for i := range r.best[:r.n] {
		b := &r.best[i]
		if b.off != p.off || b.continues != onInnerLine {
			continue
		}
		b.why = max(b.why, testNameWeight)
		if first != nil {
			b.continues, b.why, b.text = endsHere, loggedWeight, append(b.text[:0], bytes.TrimSpace(untimed(first))...)
			r.open--
		}
	}
}

// cause adds p, which names a cause, to the chain of causes if it is near enough.
func (r *explanations) cause(p *piece) {
	text := skipBlank(untimed(p.text))
	c := &r.root
	switch {
	case c.text == nil:
		c.from = p.off
	case p.off-c.to > chainGap:
		return
	}
	c.to, c.text = p.off, append(c.text[:0], text...)
	if c.open = continuationOf(text) == onNextLine; c.open {
		r.open++
	}
}

// follow appends a line to the explanations that continue in it.
func (r *explanations) follow(line []byte) {
	line = untimed(line)
	indented := len(line) > 0 && (line[0] == ' ' || line[0] == '\t')
	if line = bytes.TrimSpace(line); r.open == 0 || len(line) == 0 {
		return
	}
	for i := range r.best[:r.n] {
		b := &r.best[i]
		switch {
		case b.continues == onNextLine:
			b.text = append(append(bytes.TrimRight(b.text, " \t"), ' '), line...)
			if b.continues = continuationOf(line); len(b.text) >= wholeLine {
				b.continues = endsHere
			}
		case b.continues == onOuterLine && !indented:
			b.continues, b.why, b.text = endsHere, max(b.why, raisedWeight), append(b.text[:0], line...)
		case b.continues == onInnerLine && !indented:
			b.continues = endsHere
		case b.continues == onInnerLine && !bytes.HasPrefix(line, testResultMark):
			b.continues, b.why, b.text = endsHere, max(b.why, loggedWeight), append(b.text[:0], line...)
		default:
			continue
		}
		if b.continues == endsHere {
			r.open--
		}
	}
	if r.root.open {
		r.root.text = append(append(r.root.text, ' '), line...)
		r.root.open = false
		r.open--
	}
}

// Weights of the exception after a traceback, of the first line that a failed test of Go
// logged, and of the name of one that logged nothing.
const (
	raisedWeight   = 60
	loggedWeight   = 40
	testNameWeight = 20
)

// continuationOf returns where a line continues that does not name the failure itself: "panicked at src/main.rs:4:5:", "error: |-" in YAML, "Expected: 3",
// "ERROR in ./src/index.js 1:0-29", "Traceback (most recent call last):".
func continuationOf(t []byte) continuation {
	t = bytes.TrimRight(t, " |->")
	switch {
	case bytes.HasPrefix(t, tracebackHeader):
		return onOuterLine
	case bytes.HasPrefix(bytes.TrimLeft(t, " "), testFailedMark):
		return onInnerLine
	case len(t) > 0 && t[len(t)-1] == ':', bytes.HasPrefix(t, webpackError):
		return onNextLine
	}
	if t = bytes.TrimLeft(t, " \t"); bytes.HasPrefix(t, testBullet) {
		return onNextLine
	}
	if len(t) < 80 && bytes.HasPrefix(t, expectedLabel) && !bytes.Contains(t, receivedLabel) {
		return onNextLine
	}
	return endsHere
}

var (
	tracebackHeader = []byte("Traceback (most recent call last)")
	webpackError    = []byte("ERROR in ./")
	receivedLabel   = []byte("eceived")
	testBullet      = []byte("● ") // the name of a test that failed

	testIndent     = []byte("    ")
	testResultMark = []byte("--- ")
	testFailedMark = []byte("--- FAIL: ")
)

// line returns the first line whose weight is nearly the highest, and the weight. final
// counts the lines of the whole text, which has size bytes.
func (r *explanations) line(final *sketch, size int64) (text []byte, why int) {
	top := 0
	for i := range r.best[:r.n] {
		top = max(top, r.best[i].final(final, size))
	}
	var best *explanation
	for i := range r.best[:r.n] {
		if b := &r.best[i]; b.final(final, size)*100 >= top*nearlyBestPercent && (best == nil || b.off < best.off) {
			best = b
		}
	}
	if w := &r.words; w.text != nil && (best == nil || best.ended || best.why < weakWeight && (best.off > w.off || w.off-best.off > farBytes)) {
		return w.text, lastWordsWeight
	}
	if best == nil {
		return nil, 0
	}
	if c := &r.root; c.from > best.off && c.from-best.off < chainGap {
		return append(append(bytes.TrimSpace(best.text), "; "...), c.text...), best.why
	}
	return best.text, best.why
}

// final returns the line's weight: lower if similar lines occur many times, and lower at
// the beginning of a long text, because a failure that matters there ends most commands.
func (r *explanation) final(count *sketch, size int64) int {
	n := count.count(rareShape, r.kinds[rareShape])
	if h := r.kinds[rareFailure]; h != 0 {
		n = max(n, count.count(rareFailure, h))
	}
	why := r.why * repeatPercent[min(log2(int64(n), 4), len(repeatPercent)-1)] / 100
	if size > longLog {
		why = why * int(100*(size+r.off)/size) / 200
	}
	return why
}

// The lines that precede the first report of a failure weigh lastWordsWeight. They are
// preferred to a line that weighs less than weakWeight if that line is after the report,
// or more than farBytes before it.
const (
	weakWeight      = 48
	farBytes        = 2 << 10
	lastWordsWeight = 24
)

// lastWordsFrom is the number of lines before the first report of a failure that
// lastWords reads.
const lastWordsFrom = 10

// endsMost is the number of reports of a failure whose preceding lines are read.
const endsMost = 64

// lastWords returns the last message before a report of a failure. ps holds the lines
// before the report, the nearest first. The message is the nearest line that is not
// blank, or the heading of a list with the list's first line. It is empty if a command
// that a script prints before it runs it is nearer.
func lastWords(ps []*piece) (r explanation) {
	var next []byte
	for _, p := range ps {
		text := bytes.TrimSpace(untimed(p.text))
		if len(text) == 0 {
			continue
		}
		if isCommand(text) {
			break
		}
		if next != nil && continuationOf(text) == onNextLine {
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

// isBanner reports whether t is one of the two lines that npm prints before it runs a
// script: "> app@1.0.0 lint" (or only the script's name) and "> eslint .". They are read
// after an empty line; preceding returns the lines before t, the nearest first.
func isBanner(t []byte, preceding func(n int) []*piece) bool {
	if !bytes.HasPrefix(t, bannerMark) {
		return false
	}
	if isScriptName(t) {
		return true
	}
	ps := preceding(2)
	return len(ps) > 0 && bytes.HasPrefix(ps[0].text, bannerMark) &&
		(isScriptName(ps[0].text) || len(ps) == 2 && len(ps[1].text) == 0 && !bytes.Contains(ps[0].text[len(bannerMark):], bannerMark[1:]))
}

// isScriptName reports whether a line that begins with bannerMark names a package, its
// version and a script.
func isScriptName(t []byte) bool {
	name, script, ok := bytes.Cut(t[len(bannerMark):], bannerMark[1:])
	at := bytes.LastIndexByte(name, '@')
	return ok && len(script) > 0 && at > 0 && at+1 < len(name) && classes[name[at+1]] == digitClass
}

var bannerMark = []byte("> ")

// longLog is the least size, in bytes, of a text that is treated as a log of several steps.
const longLog = 64 << 10

// nearlyBestPercent is the share of the highest weight that the first line needs to be
// preferred.
const nearlyBestPercent = 66
