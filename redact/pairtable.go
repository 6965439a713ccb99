package redact

// A pairTable has for each pair of bytes a bit for each bucket in which it
// begins or ends a window.
type pairTable struct{ begin, end [1 << 16]bucketSet }

// A bucketSet has a bit for each bucket.
type bucketSet uint32

// newPairTable makes the table of the windows of literals.
func newPairTable(lits []record) *pairTable {
	t := new(pairTable)
	var begin, end edges
	for i := range lits {
		for _, c := range lits[i].windows {
			w := windowOf(lits[i].literal, int(c.off))
			begin.set(&t.begin, &w, 0, 1<<c.bucket)
			end.set(&t.end, &w, 2, 1<<c.bucket)
		}
	}
	begin.spread(&t.begin)
	end.spread(&t.end)
	return t
}

// edges are the buckets of pairs of which any byte will do for the first or the
// second, by the other one.
type edges struct{ anyFirst, anySecond [256]bucketSet }

// set sets bits for every pair that the bytes k and k+1 of w can be.
func (e *edges) set(t *[1 << 16]bucketSet, w *window4, k int, bits bucketSet) {
	x, y := w.bytes[k], w.bytes[k+1]
	x2, y2 := x-w.other(k), y-w.other(k+1)
	switch {
	case !w.known[k]:
		e.anyFirst[y] |= bits
		e.anyFirst[y2] |= bits
	case !w.known[k+1]:
		e.anySecond[x] |= bits
		e.anySecond[x2] |= bits
	default:
		t[pair16(x, y)] |= bits
		t[pair16(x2, y)] |= bits
		t[pair16(x, y2)] |= bits
		t[pair16(x2, y2)] |= bits
	}
}

// spread sets the bits of the pairs of which any byte will do for one.
func (e *edges) spread(t *[1 << 16]bucketSet) {
	for c := range 256 {
		first, second := e.anyFirst[c], e.anySecond[c]
		for any := range 256 {
			if first != 0 {
				t[pair16(byte(any), byte(c))] |= first
			}
			if second != 0 {
				t[pair16(byte(c), byte(any))] |= second
			}
		}
	}
}

func pair16(x, y byte) int { return int(x) | int(y)<<8 }
