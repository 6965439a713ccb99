package excerpt

// A pool keeps the pieces of the highest priority, as many as fit into limit
// bytes. It is a binary heap with the lowest priority first.
type pool struct {
	limit int
	size  int
	heap  []piece
	floor int16    // pieces of this priority were dropped; a new piece stays if its priority is higher
	free  [][]byte // text of pieces that left
}

// pieceCost is the memory that a piece needs besides its text, in bytes.
const pieceCost = 64

// add stores a copy of p if there is room or a piece of lower priority to drop.
func (l *pool) add(p *piece) {
	if p.prio <= 0 {
		return
	}
	if l.size > l.limit && p.prio <= l.heap[0].prio {
		l.floor = max(l.floor, l.heap[0].prio)
		return
	}
	c := *p
	var text []byte
	if n := len(l.free); n > 0 {
		text, l.free = l.free[n-1], l.free[:n-1]
	}
	text = append(text[:0], p.text...)
	c.text = text
	l.size += len(c.text) + pieceCost
	l.heap = append(l.heap, c)
	l.up(len(l.heap) - 1)
	for l.size > l.limit && len(l.heap) > 1 && l.heap[0].prio < p.prio {
		l.drop()
	}
}

// drop forgets the piece of the lowest priority.
func (l *pool) drop() {
	n := len(l.heap) - 1
	out := l.heap[0]
	l.floor = max(l.floor, out.prio)
	l.size -= len(out.text) + pieceCost
	l.free = append(l.free, out.text)
	l.heap[0] = l.heap[n]
	l.heap[n] = piece{}
	l.heap = l.heap[:n]
	l.down(0)
}

// lower reports whether a leaves the heap before b: of the same priority, the
// later one.
func lower(a, b *piece) bool {
	return a.prio < b.prio || a.prio == b.prio && a.off > b.off
}

func (l *pool) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if !lower(&l.heap[i], &l.heap[parent]) {
			return
		}
		l.heap[i], l.heap[parent] = l.heap[parent], l.heap[i]
		i = parent
	}
}

func (l *pool) down(i int) {
	if i >= len(l.heap) {
		return
	}
	p := l.heap[i]
	for {
		least := 2*i + 1
		if least >= len(l.heap) {
			break
		}
		if next := least + 1; next < len(l.heap) && lower(&l.heap[next], &l.heap[least]) {
			least = next
		}
		if !lower(&l.heap[least], &p) {
			break
		}
		l.heap[i] = l.heap[least]
		i = least
	}
	l.heap[i] = p
}
