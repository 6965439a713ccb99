package excerpt

import "sync/atomic"

// A side reads the batches of a text in a goroutine of its own, while the goroutine that writes
// the text fills the next one and sifts it, which depends on nothing that was read before. It is
// there only while lines are skipped: where all are read there is little to sift.
type side struct {
	full  chan *batch
	done  chan struct{}
	skims atomic.Bool // lines may be skipped after the batch that was read last
}

// sideBatches is how many batches may wait.
const sideBatches = freeBatches - 3 // one is filled, one is read, one is free before the next is begun

// Fork allows the Writer to use a second goroutine from now on, until Join, which must be called.
// That is of use in a long text in which most lines are new. The excerpt is the same. Until Join
// returns, no other method than Write may be called, but those that end the text, which call it.
func (w *Writer) Fork() { w.forks = !w.ended }

// Join waits until all that was written is read, and ends the second goroutine.
func (w *Writer) Join() {
	w.forks = false
	w.joinSide()
}

func (w *Writer) joinSide() {
	if w.side != nil {
		close(w.side.full)
		<-w.side.done
		w.side = nil
	}
}

// onSide has the second goroutine read a batch that is not the last one, if that is of use, and
// reports whether it does. It waits where too many batches are there.
func (w *Writer) onSide(b *batch) bool {
	switch {
	case w.side != nil && !w.side.skims.Load():
		w.joinSide()
		return false
	case w.side != nil:
	case !w.forks || !w.skims():
		return false
	default:
		w.startSide()
	}
	b.sift(evidenceSieve(), w.dict, b.raw[:b.whole], 0)
	w.side.full <- b
	return true
}

func (w *Writer) startSide() {
	s := &side{full: make(chan *batch, sideBatches), done: make(chan struct{})}
	s.skims.Store(true)
	w.side = s
	go func() {
		defer close(s.done)
		for b := range s.full {
			w.read(b)
			s.skims.Store(w.skims())
		}
	}()
}
