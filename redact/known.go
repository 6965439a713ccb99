package redact

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/encodings"
)

const (
	// maxShort is the number of short needles beyond which no more are added for
	// mixed encodings.
	maxShort = 8
	// maxNeedle is the greatest; longer encodings are looked for in pieces.
	maxNeedle = 4 << 10
)

// A knownSet finds known values in all their encodings. One window of four
// bytes is looked at in each step of text: each needle has a window at each
// alignment.
type knownSet struct {
	needles []needle
	short   []needle // too short for windows
	plain   []needle // the values as they are
	filter  []uint64 // a bit for each hash of a window; sparse
	heads   []uint32 // by hash: index into chain, plus 1
	chain   []needleWindow
	shift   uint // of a hash, to an index into heads
	step    int  // from one place that is looked at to the next

	filterShift uint // of a hash, to a bit of filter
}

// A needle is one encoding of a known value, or the part that all its encodings have.
type needle struct {
	text   []byte
	rule   string
	around ascii.Class // neighbours of this class are masked, too
	mixed  *encodings.Mixed
	dump   *encodings.Dump
}

type needleWindow struct {
	want   uint32
	first  uint32 // the window at the start of the needle
	needle uint32
	off    uint32
	next   uint32
}

func newKnownSet(values []Value) *knownSet {
	k := &knownSet{}
	seen := map[string]bool{}
	for _, v := range values {
		for _, part := range parts(v.Secret) {
			if len(part) > minBegun {
				k.plain = append(k.plain, needle{text: []byte(part), rule: v.Rule})
			}
			forms := encodings.Of(part)
			if len(values) <= encodings.MaxRare && len(part) <= encodings.MaxMixed {
				forms = append(forms, encodings.Rare(part, len(values) <= encodings.MaxNested)...)
			}
			for _, s := range forms {
				for _, text := range pieces(s.Text) {
					if len(text) < encodings.Min || seen[text] || strings.Contains(text, "\n") {
						continue
					}
					seen[text] = true
					k.add(needle{text: []byte(text), rule: v.Rule, around: s.Around})
				}
			}
			if len(values) <= encodings.MaxNested && len(part) <= encodings.MaxDumped && !seen["\t"+part] {
				seen["\t"+part] = true
				encodings.Dumps(part, func(text string, d *encodings.Dump) {
					k.add(needle{text: []byte(text), rule: v.Rule, dump: d})
				})
			}
			if anchor, l := encodings.MixedOf(part); l != nil && !seen["\n"+part] {
				seen["\n"+part] = true
				k.add(needle{text: []byte(anchor), rule: v.Rule, mixed: l})
			}
		}
	}
	if len(k.needles) > 0 {
		for _, m := range packedMarks {
			k.add(needle{text: []byte(m), rule: rulePacked})
		}
	}
	k.index()
	return k
}

// rulePacked is of what is no secret but the start of something compressed, which
// may have one in it. It is in no count.
const rulePacked = "\x00packed"

// packedMarks are what gzip writes without a time, in base64 and hex, and with the
// escapes of a URL. Where there are built-in rules they find more of it.
var packedMarks = [...]string{"H4sIAAAAAAA", "D6FQQAAAAAAAA", "1f8b080000000000", "1F8B080000000000", "%1f%8b%08%00", "%1F%8B%08%00"}

// add adds a needle to those of its length. There may be few short runs only: a text is
// looked through for each.
func (k *knownSet) add(n needle) {
	switch {
	case len(n.text) >= encodings.MinWindowed:
		k.needles = append(k.needles, n)
	case n.mixed == nil || len(k.short) < maxShort:
		k.short = append(k.short, n)
	}
}

const (
	windowSize = 4                                      // in bytes
	narrowStep = encodings.MinWindowed - windowSize + 1 // where a needle is shorter than is enough for wideStep
	wideStep   = encodings.MinWide - windowSize + 1
	minFilter  = 18 // bits of a hash
	maxFilter  = 21
	sparseness = 5 // more bits than it takes to number the windows
)

// index makes the filter and the lists of windows.
func (k *knownSet) index() {
	if len(k.needles) == 0 {
		return
	}
	k.step = wideStep
	for i := range k.needles {
		if len(k.needles[i].text) < encodings.MinWide {
			k.step = narrowStep
		}
	}
	number := bits.Len(uint(len(k.needles) * k.step))
	size := min(maxFilter, max(minFilter, number+sparseness))
	k.filter, k.filterShift = make([]uint64, 1<<(size-6)), uint(32-size)
	k.heads = make([]uint32, 1<<number)
	k.shift = uint(32 - number)
	k.chain = make([]needleWindow, 0, len(k.needles)*k.step)
	for i := range k.needles {
		for off := range k.step {
			x := windowAt(k.needles[i].text[off:])
			h := windowHash(x)
			f := h >> k.filterShift
			k.filter[f>>6] |= 1 << (f & 63)
			head := &k.heads[h>>k.shift]
			k.chain = append(k.chain, needleWindow{x, windowAt(k.needles[i].text), uint32(i), uint32(off), *head})
			*head = uint32(len(k.chain))
		}
	}
}

// pieces cuts an encoding that is longer than a needle may be.
func pieces(s string) []string {
	var out []string
	for len(s) > maxNeedle {
		n := maxNeedle
		if len(s)-n < encodings.MinWindowed {
			n -= encodings.MinWindowed
		}
		out = append(out, s[:n])
		s = s[n:]
	}
	return append(out, s)
}

func windowAt(b []byte) uint32 { return binary.LittleEndian.Uint32(b) }

func windowHash(x uint32) uint32 { return x * 0x9e3779b1 }

// find appends a span for each known value in b, in order.
func (k *knownSet) find(spans []span, b []byte) []span {
	if len(k.filter) > 0 {
		for i := 0; ; {
			i = k.skip(b, i)
			end := min(len(b), i+skipped)
			if i+windowSize > end {
				break
			}
			for ; i < end; i += k.step {
				if i+windowSize > len(b) {
					continue
				}
				x := windowAt(b[i:])
				h := windowHash(x)
				if f := h >> (k.filterShift & 31); k.filter[f>>6]>>(f&63)&1 != 0 {
					spans = k.verify(spans, b, i, x, h)
				}
			}
		}
	}
	return k.finish(spans, b)
}

// skipped is how many bytes are skipped at once.
const skipped = 4 * wideStep

// skip returns the first place from i on, in steps, at or soon after which a window of
// a needle may be.
func (k *knownSet) skip(b []byte, i int) int {
	filter, shift, narrow := k.filter, k.filterShift&31, k.step == narrowStep
	for ; i+skipped <= len(b); i += skipped {
		w := (*[skipped]byte)(b[i:])
		f, g := windowHash(windowAt(w[0:4]))>>shift, windowHash(windowAt(w[8:12]))>>shift
		m := filter[f>>6]>>(f&63) | filter[g>>6]>>(g&63)
		f, g = windowHash(windowAt(w[16:20]))>>shift, windowHash(windowAt(w[24:28]))>>shift
		m |= filter[f>>6]>>(f&63) | filter[g>>6]>>(g&63)
		if narrow {
			f, g = windowHash(windowAt(w[4:8]))>>shift, windowHash(windowAt(w[12:16]))>>shift
			m |= filter[f>>6]>>(f&63) | filter[g>>6]>>(g&63)
			f, g = windowHash(windowAt(w[20:24]))>>shift, windowHash(windowAt(w[28:32]))>>shift
			m |= filter[f>>6]>>(f&63) | filter[g>>6]>>(g&63)
		}
		if m&1 != 0 {
			break
		}
	}
	return i
}

// finish appends a span for each of the short needles in b, and puts all in
// order.
func (k *knownSet) finish(spans []span, b []byte) []span {
	for i := range k.short {
		spans = k.short[i].find(spans, b)
	}
	if len(spans) > 1 {
		slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	}
	return spans
}

// at appends the needles that have a window at b[i:].
func (k *knownSet) at(spans []span, b []byte, i int) []span {
	x := windowAt(b[i:])
	h := windowHash(x)
	if f := h >> (k.filterShift & 31); k.filter[f>>6]>>(f&63)&1 != 0 {
		return k.verify(spans, b, i, x, h)
	}
	return spans
}

// verify appends the needles that have the window x at b[i:].
func (k *knownSet) verify(spans []span, b []byte, i int, x, h uint32) []span {
	for c := k.heads[h>>k.shift]; c != 0; {
		w := &k.chain[c-1]
		c = w.next
		start := i - int(w.off)
		if w.want != x || start < 0 || windowAt(b[start:]) != w.first {
			continue
		}
		if n := &k.needles[w.needle]; bytes.HasPrefix(b[start:], n.text) {
			spans = n.append(spans, b, start)
		} else if size := n.broken(b[start:]); size > 0 {
			part := needle{text: n.text[:size], rule: n.rule, around: n.around}
			spans = part.append(spans, b, start)
		}
	}
	return spans
}

// minBroken is the least part of a needle that is looked for at the end of a line: one
// that has a window at each alignment.
const minBroken = encodings.MinWide

// broken returns how much of a needle in base64 or hex begins b and ends its line, as
// where the text is folded there.
func (n *needle) broken(b []byte) int {
	if n.around == 0 {
		return 0
	}
	end := bytes.IndexByte(b[:min(len(b), len(n.text)+1)], '\n')
	if end > 0 && b[end-1] == '\r' {
		end--
	}
	if end < minBroken || !bytes.HasPrefix(n.text, b[:end]) {
		return 0
	}
	return end
}

// append appends the span of the needle at b[start:], if that is one. Those of a
// needle that repeats itself, and overlap, become one.
func (n *needle) append(spans []span, b []byte, start int) []span {
	s := n.span(b, start)
	if n.mixed != nil || n.dump != nil {
		find := n.mixed.Span
		if n.dump != nil {
			find = n.dump.Span
		}
		from, to, ok := find(b, start, start+len(n.text))
		if !ok {
			return spans
		}
		s = span{start: from, end: to, rule: n.rule}
	}
	if last := len(spans) - 1; last >= 0 && spans[last].joins(s) {
		spans[last].start = min(spans[last].start, s.start)
		spans[last].end = max(spans[last].end, s.end)
		return spans
	}
	return append(spans, s)
}

// find appends a span for each occurrence of the needle in b.
func (n *needle) find(spans []span, b []byte) []span {
	for i := 0; ; {
		j := bytes.Index(b[i:], n.text)
		if j < 0 {
			return spans
		}
		spans = n.append(spans, b, i+j)
		i += j + len(n.text)
	}
}

const (
	maxBefore = 256  // neighbours that are masked before a needle
	maxAfter  = 4096 // and after it
)

// span returns the needle at b[start:], with the neighbours that belong to it.
func (n *needle) span(b []byte, start int) span {
	end := start + len(n.text)
	if n.around == 0 {
		return span{start: start, end: end, rule: n.rule}
	}
	start -= ascii.RunBack(b[max(0, start-maxBefore):start], n.around&^ascii.Equals)
	end += ascii.Run(b[end:min(len(b), end+maxAfter)], n.around)
	return span{start: start, end: end, rule: n.rule, coded: true}
}

// minBegun is the least part of a secret that shows that it begins.
const minBegun = 3
