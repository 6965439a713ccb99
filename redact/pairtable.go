package redact

// A pairTable has for each pair of bytes a bit for each bucket in which it
// begins or ends a window.
type pairTable struct{ begin, end [1 << 16]uint16 }

// fill makes the table.
func (p *prefilter) fill() *pairTable {
	t := new(pairTable)
	for i := range p.lits {
		for _, c := range p.lits[i].windows {
			w := windowOf(p.lits[i].literal, int(c.off))
			set(&t.begin, w, 0, 1<<c.bucket)
			set(&t.end, w, 2, 1<<c.bucket)
		}
	}
	return t
}

// set sets bits for every pair that the bytes k and k+1 of w can be.
func set(t *[1 << 16]uint16, w window4, k int, bits uint16) {
	x, y := int(w.bytes[k]), int(w.bytes[k+1])<<8
	x2, y2 := x-int(w.other(k)), y-int(w.other(k+1))<<8
	switch {
	case !w.known[k]:
		for i := range 256 {
			t[y|i] |= bits
			t[y2|i] |= bits
		}
	case !w.known[k+1]:
		for i := range 256 {
			t[i<<8|x] |= bits
			t[i<<8|x2] |= bits
		}
	default:
		t[y|x] |= bits
		t[y|x2] |= bits
		t[y2|x] |= bits
		t[y2|x2] |= bits
	}
}
