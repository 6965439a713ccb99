package literal

// The filter finds windows in three steps, each of which notes the few places
// that the next looks at: a group of pairs, a pair, the window itself. None has
// a branch that depends on the text, which no processor could predict.
const (
	beyond  = windowSize + 1  // bytes after the last group: of its last window, and one beside it
	stretch = 2 * portion     // the most bytes that go through the steps together
	portion = 62 * GroupBytes // the most of which Scratch.others has a bit for each group, and two before it
)

// filter notes in at where b, which is a stretch or less with the byte before it and the
// bytes beyond it, may have a window, and returns how many there are. The first byte of
// the stretch is at i.
func (t *pairTable) filter(b []byte, i int, at *Scratch) uint32 {
	within := b[1 : len(b)-beyond+pairBytes]
	n := uint8(0)
	for from := 0; from+pairBytes < len(within); from += portion {
		part := within[from:min(len(within), from+portion+pairBytes)]
		n = t.groups(part, uint16(from), at, n)
		at.noteRows(i+from, len(part)/GroupBytes)
	}
	return t.near.keep(b, at, t.windows(within, at, uint32(n)))
}

// groups notes the groups of b, which is at i and a portion or less, and a pair, in which
// a pair begins a window and the next ends one of the same bucket, as those from the n-th
// on. It and pairs spell out their loads and tests, for the compiler leaves a no-op in the
// loop for each call that it inlines. Adding a one that depends on a condition compiles
// to no branch.
func (t *pairTable) groups(b []byte, i uint16, at *Scratch, n uint8) uint8 {
	begin, others := t.begin[pairAt(b)], at.others
	for ; len(b) >= GroupBytes+pairBytes; i += GroupBytes {
		w := b[:GroupBytes+pairBytes]
		x1, x2 := uint16(w[2])|uint16(w[3])<<8, uint16(w[4])|uint16(w[5])<<8
		x3, x4 := uint16(w[6])|uint16(w[7])<<8, uint16(w[8])|uint16(w[9])<<8
		m := begin&t.end[x1] | t.begin[x1]&t.end[x2] | t.begin[x2]&t.end[x3] | t.begin[x3]&t.end[x4]
		x5, x6 := uint16(w[10])|uint16(w[11])<<8, uint16(w[12])|uint16(w[13])<<8
		x7, x8 := uint16(w[14])|uint16(w[15])<<8, uint16(w[16])|uint16(w[17])<<8
		m |= t.begin[x4]&t.end[x5] | t.begin[x5]&t.end[x6] | t.begin[x6]&t.end[x7] | t.begin[x7]&t.end[x8]
		var one uint8
		if m&bucketBits != 0 {
			one = 1
		}
		at.groups[n] = i
		n += one
		others = others<<1 | uint64(m>>buckets)
		begin = t.begin[x8]
		b = b[GroupBytes:]
	}
	at.others = others
	return n
}

// windows notes the pairs of the first n groups that were noted.
func (t *pairTable) windows(b []byte, at *Scratch, n uint32) uint32 {
	m := uint32(0)
	for _, g := range at.groups[:n] {
		m = t.pairs((*[GroupBytes + pairBytes]byte)(b[g:]), g, at, m)
	}
	return m
}

// pairs notes the pairs of the group w, which is at g, as those from the m-th on.
func (t *pairTable) pairs(w *[GroupBytes + pairBytes]byte, g uint16, at *Scratch, m uint32) uint32 {
	begin := t.begin[uint16(w[0])|uint16(w[1])<<8]
	for k := 0; k < GroupBytes; k += 2 * pairBytes {
		x, y := uint16(w[k+2])|uint16(w[k+3])<<8, uint16(w[k+4])|uint16(w[k+5])<<8
		var first, second uint32
		if begin&t.end[x]&bucketBits != 0 {
			first = 1
		}
		if t.begin[x]&t.end[y]&bucketBits != 0 {
			second = 1
		}
		at.windows[m%uint32(len(at.windows))] = g + uint16(k)
		m += first
		at.windows[m%uint32(len(at.windows))] = g + uint16(k) + pairBytes
		m += second
		begin = t.begin[y]
	}
	return m
}
