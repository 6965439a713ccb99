package dump

import "bytes"

// Values are known values that are followed byte by byte: a trie of them, with the links of
// Aho and Corasick from each beginning of a value to the longest that ends it.
type Values struct {
	nodes []node
	first [256]int32 // of the root
	rules []string
}

// A node is a beginning of a value.
type node struct {
	child, next int32 // the first that is a byte longer, and the next of the same length
	fallback    int32 // the longest beginning that ends this one
	depth       int32 // its length
	whole       int32 // length of the longest value that ends it
	rule        int32
	last        byte
}

// maxValue is how much of a value is followed at once. The pieces of a longer one are
// values of their own.
const maxValue = 4 << 10

// NewValues returns no values, to which some may be added.
func NewValues() *Values { return &Values{nodes: make([]node, 1, 256)} }

// Add adds a value. Line ends in it are left out, as they are where it is searched for.
func (v *Values) Add(value []byte, rule string) {
	if n := len(v.rules); n == 0 || v.rules[n-1] != rule {
		v.rules = append(v.rules, rule)
	}
	value = bytes.Join(bytes.FieldsFunc(value, func(r rune) bool { return r == '\r' || r == '\n' || r == 0 }), nil)
	for ; len(value) >= minValue; value = value[min(len(value), maxValue):] {
		n := int32(0)
		for _, c := range value[:min(len(value), maxValue)] {
			m := v.child(n, c)
			if m == 0 {
				m = int32(len(v.nodes))
				v.nodes = append(v.nodes, node{next: v.nodes[n].child, depth: v.nodes[n].depth + 1, last: c, rule: int32(len(v.rules) - 1)})
				if v.nodes[n].child = m; n == 0 {
					v.first[c] = m
				}
			}
			n = m
		}
		v.nodes[n].whole = v.nodes[n].depth
	}
}

// minValue is the length of the shortest value that is followed.
const minValue = 4

// Link completes the values, of which no more may be added.
func (v *Values) Link() {
	for queue := []int32{0}; len(queue) > 0; queue = queue[1:] {
		n := queue[0]
		for m := v.nodes[n].child; m != 0; m = v.nodes[m].next {
			d := &v.nodes[m]
			if n != 0 {
				d.fallback = v.after(v.nodes[n].fallback, d.last)
			}
			if of := &v.nodes[d.fallback]; d.whole == 0 && of.whole > 0 {
				d.whole, d.rule = of.whole, of.rule
			}
			queue = append(queue, m)
		}
	}
}

// child returns the node that is a byte longer than n, 0 if there is none.
func (v *Values) child(n int32, c byte) int32 {
	if n == 0 {
		return v.first[c]
	}
	m := v.nodes[n].child
	for m != 0 && v.nodes[m].last != c {
		m = v.nodes[m].next
	}
	return m
}

// after returns the longest beginning of a value that ends the bytes of n and c.
func (v *Values) after(n int32, c byte) int32 {
	for {
		if m := v.child(n, c); m != 0 || n == 0 {
			return m
		}
		n = v.nodes[n].fallback
	}
}
