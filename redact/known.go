package redact

import (
	"bytes"
	"cmp"
	"slices"
)

// minKnown is the least number of bytes of a known value that is looked for.
const minKnown = 4

// A knownSet finds known values in all their spellings.
type knownSet struct {
	needles []needle
}

// A needle is one spelling of a known value.
type needle struct {
	text   []byte
	rule   string
	around class // neighbours of this class are masked, too
}

func newKnownSet(values []Value) *knownSet {
	k := &knownSet{}
	seen := map[string]bool{}
	add := func(text, rule string, around class) {
		if len(text) >= minKnown && !seen[text] {
			seen[text] = true
			k.needles = append(k.needles, needle{[]byte(text), rule, around})
		}
	}
	for _, v := range values {
		for _, part := range parts(v.Secret) {
			for _, s := range spellingsOf(part) {
				add(s.text, v.Rule, s.around)
			}
		}
	}
	return k
}

// find appends a span for each known value in b, in order.
func (k *knownSet) find(spans []span, b []byte) []span {
	for _, n := range k.needles {
		for i := 0; ; {
			j := bytes.Index(b[i:], n.text)
			if j < 0 {
				break
			}
			start, end := i+j, i+j+len(n.text)
			if n.around != 0 {
				start -= runBack(b[max(0, start-256):start], n.around)
				end += run(b[end:min(len(b), end+4096)], n.around)
			}
			spans = append(spans, span{start, end, n.rule})
			i = end
		}
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	return spans
}
