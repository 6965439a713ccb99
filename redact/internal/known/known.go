// Package known finds values that are known beforehand, in all the encodings in which
// programs write them.
package known

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"math/bits"
	"slices"
	"strings"
	"sync"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/dump"
	"github.com/envwrap/envwrap/redact/internal/encodings"
	"github.com/envwrap/envwrap/redact/internal/match"
)

const (
	// maxShort is the number of short needles past which no more are added for mixed
	// encodings.
	maxShort = 8
	// maxNeedle is the greatest length of a needle: longer encodings are searched for in
	// pieces.
	maxNeedle = 4 << 10
)

// A Value is a secret that is known beforehand, and the name of its rule in counts.
type Value struct{ Rule, Secret string }

// A Set finds known values in all their encodings. Each step of the search looks at one
// window of four bytes: each needle has a window at each alignment.
type Set struct {
	needles []needle
	short   []needle // too short for windows
	plain   []needle // the values as they are
	filter  []uint64 // a bit for each hash of a window; sparse
	heads   []uint32 // by hash: index into chain, plus 1
	chain   []needleWindow
	shift   uint // of a hash, to an index into heads
	hidden  bool
	step    int // from one place that is looked at to the next

	// Followed returns the values as they are followed over lines. It is nil without values.
	Followed func() *dump.Values

	filterShift uint // of a hash, to a bit of filter
}

type needleWindow struct {
	want   uint32
	first  uint32 // the window at the start of the needle
	needle uint32
	off    uint32
	next   uint32
}

// NewSet returns the set of values, in all their encodings.
func NewSet(values []Value) *Set {
	k := &Set{hidden: len(values) > 0 && len(values) <= encodings.MaxRare}
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
			if len(values) <= encodings.MaxNested && len(part) <= encodings.MaxMixed && !seen["\v"+part] {
				seen["\v"+part] = true
				encodings.Lists(part, func(text string, l *encodings.List) {
					k.add(needle{text: []byte(text), rule: v.Rule, list: l})
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
			k.add(needle{text: []byte(m), rule: RulePacked})
		}
	}
	slices.SortStableFunc(k.short, func(a, b needle) int { return bytes.Compare(a.text, b.text) })
	k.index()
	if len(k.plain) > 0 {
		k.Followed = sync.OnceValue(func() *dump.Values { return followed(k.plain, len(values) <= encodings.MaxNested) })
	}
	return k
}

// followed returns the values that are followed over lines: if all is set also in base64
// and hex, which may be encoded again.
func followed(plain []needle, all bool) *dump.Values {
	v := dump.NewValues()
	for _, n := range plain {
		v.Add(n.text, n.rule)
		if !all {
			continue
		}
		for _, f := range encodings.Of(string(n.text)) {
			if h := hex.EncodeToString(n.text); f.Around != 0 || strings.EqualFold(f.Text, h) {
				v.Add([]byte(f.Text), n.rule)
			}
		}
	}
	v.Link()
	return v
}

// RulePacked marks the start of a compressed text. Its spans are decoded and searched for
// secrets; they are neither masked nor counted.
const RulePacked = "\x00packed"

// packedMarks are the first bytes that gzip writes without a time, in base64 and hex, and
// with the escapes of a URL. The built-in rules find more of it.
var packedMarks = [...]string{"H4sIAAAAAAA", "D6FQQAAAAAAAA", "1f8b080000000000", "1F8B080000000000", "%1f%8b%08%00", "%1F%8B%08%00"}

// add adds a needle to those of its length. Only a few are short: a text is searched for
// each of these by itself.
func (k *Set) add(n needle) {
	switch {
	case len(n.text) >= encodings.MinWindowed:
		k.needles = append(k.needles, n)
	case n.mixed == nil || len(k.short) < maxShort:
		k.short = append(k.short, n)
	}
}

const (
	WindowSize = 4                                      // in bytes
	narrowStep = encodings.MinWindowed - WindowSize + 1 // where a needle is shorter than is enough for wideStep
	wideStep   = encodings.MinWide - WindowSize + 1
	minFilter  = 18 // bits of a hash
	maxFilter  = 21
	sparseness = 5 // more bits than it takes to number the windows
)

// index makes the filter and the lists of windows.
func (k *Set) index() {
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

// Find appends a span for each known value in b to spans, in order.
func (k *Set) Find(spans []match.Span, b []byte) []match.Span {
	if len(k.filter) > 0 {
		for i := 0; ; {
			i = k.skip(b, i)
			end := min(len(b), i+skipped)
			if i+WindowSize > end {
				break
			}
			for ; i < end; i += k.step {
				if i+WindowSize > len(b) {
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
	return k.Finish(spans, b)
}

// Hidden reports whether values are also searched for with invisible characters in them.
func (k *Set) Hidden() bool { return k.hidden }

// Step returns in how many of its first bytes a needle has windows.
func (k *Set) Step() int { return k.step }

// Needles returns the needles that have windows: the encodings of values that are long
// enough, or the parts that all their encodings have.
func (k *Set) Needles() [][]byte {
	texts := make([][]byte, len(k.needles))
	for i := range k.needles {
		texts[i] = k.needles[i].text
	}
	return texts
}

// skipped is how many bytes are skipped at once.
const skipped = 4 * wideStep

// skip returns the first offset from i on, in steps, at or soon after which a window of a
// needle may be.
func (k *Set) skip(b []byte, i int) int {
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

// Finish appends a span for each of the short needles in b, and sorts all spans.
func (k *Set) Finish(spans []match.Span, b []byte) []match.Span {
	for i := 0; i < len(k.short); {
		same := i + 1 // those of near-equal values have one text
		for same < len(k.short) && bytes.Equal(k.short[same].text, k.short[i].text) {
			same++
		}
		spans = find(k.short[i:same], spans, b)
		i = same
	}
	if len(spans) > 1 {
		slices.SortFunc(spans, func(a, b match.Span) int { return cmp.Compare(a.Start, b.Start) })
	}
	return spans
}

// At appends spans for the needles that have a window at b[i:], of which four bytes are
// there.
func (k *Set) At(spans []match.Span, b []byte, i int) []match.Span {
	x := windowAt(b[i:])
	h := windowHash(x)
	if f := h >> (k.filterShift & 31); k.filter[f>>6]>>(f&63)&1 != 0 {
		return k.verify(spans, b, i, x, h)
	}
	return spans
}

// verify appends spans for the needles that have the window x at b[i:].
func (k *Set) verify(spans []match.Span, b []byte, i int, x, h uint32) []match.Span {
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

// Begins reports whether b ends in the beginning of a known value, and the value's rule.
func (k *Set) Begins(b []byte) (rule string, ok bool) {
	for _, n := range k.plain {
		for i := max(0, len(b)-len(n.text)+1); i+minBegun <= len(b); i++ {
			j := bytes.Index(b[i:], n.text[:minBegun])
			if j < 0 {
				break
			}
			i += j
			if bytes.HasPrefix(n.text, b[i:]) {
				return n.rule, true
			}
		}
	}
	return "", false
}

// BegunBefore returns n, or less if a known value may have begun in b[:n]: if the
// beginning of one ends b.
func (k *Set) BegunBefore(b []byte, n int) int {
	for _, needles := range [][]needle{k.needles, k.short, k.plain} {
		for i := range needles {
			text := needles[i].text
			if needles[i].list != nil {
				continue // its first digits may as well be of a number
			}
			for from := max(0, len(b)-len(text)+1); from < n; from++ {
				j := bytes.IndexByte(b[from:n], text[0])
				if j < 0 {
					break
				}
				if from += j; bytes.HasPrefix(text, b[from:]) && !percentage(b, from) {
					n = from
				}
			}
		}
	}
	return n
}

// percentage reports whether b ends at i with the sign of a percentage, with which an
// encoded value might begin as well.
func percentage(b []byte, i int) bool {
	return i > 0 && i == len(b)-1 && b[i] == '%' && ascii.Is(b[i-1], ascii.Digit)
}
