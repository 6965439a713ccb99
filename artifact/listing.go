package artifact

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"time"
)

// A Listing is a list of entries that takes a third of the memory of an []Entry.
type Listing struct {
	rows   []*row   // existing objects, in order
	chunks [][]row  // all, as they became known
	slots  []int32  // a hash table: 1 + the place in chunks of an object; 0 is free
	texts  []string // of all rows
	known  map[string]uint32
}

// chunkRows is how many rows lie together.
const chunkRows = 1 << 10

// A row is an Entry with its texts in the Listing.
type row struct {
	key    key
	nanos  int64 // Unix time
	size   int64
	texts  [5]uint32 // places of kind, command, stream, run, part; the first is 0 where nothing is known yet
	exists bool
}

// Listing returns an entry for every object, the newest first. The entry of an object
// without an index line comes from its file. Index lines of removed objects are left out.
// An object in several stores is listed once.
func (a Stores) Listing() (*Listing, error) {
	l := &Listing{texts: []string{""}, known: map[string]uint32{}} // text 0 marks a row without an entry
	for _, s := range a {
		if err := l.add(s); err != nil {
			return nil, err
		}
	}
	for _, chunk := range l.chunks {
		for i := range chunk {
			if r := &chunk[i]; r.exists {
				l.rows = append(l.rows, r)
			}
		}
	}
	l.slots = nil
	slices.Reverse(l.rows) // nearly in order
	slices.SortFunc(l.rows, func(a, b *row) int {
		return cmp.Or(cmp.Compare(b.nanos, a.nanos), bytes.Compare(a.key[:], b.key[:]))
	})
	return l, nil
}

// add adds the objects of a store.
func (l *Listing) add(s *Store) error {
	err := s.index.eachLine(func(_ string, e *Entry) {
		if k, ok := keyOf(e.Digest[len(digestPrefix):]); ok {
			l.merge(l.row(k), e)
		}
	}, nil)
	if err := s.fs.IgnoreForeign(indexDir, err); err != nil {
		return err
	}
	var unlisted []string
	err = inShards(s.objects, s.fs.Names, func(files []string) {
		for _, file := range files {
			name, _ := cutSuffix(file)
			k, ok := keyOf(name)
			if !ok {
				continue
			}
			r := l.row(k)
			if r.exists = true; r.texts[0] == 0 {
				unlisted = append(unlisted, name)
			}
		}
	})
	if err != nil {
		return fmt.Errorf("list artifacts in %q: %w", s.dir, err)
	}
	for _, name := range unlisted {
		k, _ := keyOf(name)
		r := l.row(k)
		e, err := s.objects.entry(name)
		if r.exists = err == nil; r.exists {
			l.merge(r, &e)
		}
	}
	return nil
}

// row returns the row of an object, a new one where it has none yet.
func (l *Listing) row(k key) *row {
	n := max(0, len(l.chunks)-1) * chunkRows
	if len(l.chunks) > 0 {
		n += len(l.chunks[len(l.chunks)-1])
	}
	if 2*n >= len(l.slots) {
		l.slots = make([]int32, max(2*chunkRows, 2*len(l.slots)))
		for i := range n {
			*l.slot(l.at(i).key) = int32(i + 1)
		}
	}
	slot := l.slot(k)
	if *slot == 0 {
		if n%chunkRows == 0 {
			l.chunks = append(l.chunks, make([]row, 0, chunkRows))
		}
		last := &l.chunks[len(l.chunks)-1]
		*last = append(*last, row{key: k})
		*slot = int32(n + 1)
	}
	return l.at(int(*slot) - 1)
}

func (l *Listing) at(i int) *row { return &l.chunks[i/chunkRows][i%chunkRows] }

// slot returns where an object is in the table, or should be. A digest is its own hash.
func (l *Listing) slot(k key) *int32 {
	for i := binary.LittleEndian.Uint32(k[:]); ; i++ {
		slot := &l.slots[i&uint32(len(l.slots)-1)]
		if *slot == 0 || l.at(int(*slot)-1).key == k {
			return slot
		}
	}
}

// merge adds an entry to the row of its object.
func (l *Listing) merge(r *row, e *Entry) {
	if r.texts[0] != 0 {
		both := l.entry(r)
		both.merge(e)
		e = &both
	}
	r.nanos, r.size = 0, e.Size
	if y := e.Time.Year(); y > 1677 && y < 2262 { // what has a number of nanoseconds
		r.nanos = e.Time.UnixNano()
	}
	for i, text := range [...]string{e.Kind, e.Command, e.Stream, e.Run, e.Part} {
		place, ok := l.known[text]
		if !ok {
			place = uint32(len(l.texts))
			l.texts = append(l.texts, text)
			if len(l.known) < internLimit { // the ids of runs are many
				l.known[text] = place
			}
		}
		r.texts[i] = place
	}
}

// Len returns the number of objects.
func (l *Listing) Len() int { return len(l.rows) }

// Entry returns the entry of the i-th object.
func (l *Listing) Entry(i int) Entry { return l.entry(l.rows[i]) }

func (l *Listing) entry(r *row) Entry {
	var digest [len(digestPrefix) + hexLen]byte
	hex.Encode(digest[copy(digest[:], digestPrefix):], r.key[:])
	return Entry{
		Digest: string(digest[:]), Size: r.size, Time: time.Unix(0, r.nanos).UTC(),
		Kind: l.texts[r.texts[0]], Command: l.texts[r.texts[1]], Stream: l.texts[r.texts[2]], Run: l.texts[r.texts[3]], Part: l.texts[r.texts[4]],
	}
}

// Keep removes the objects for which wanted returns false.
func (l *Listing) Keep(wanted func(e *Entry) bool) {
	l.rows = slices.DeleteFunc(l.rows, func(r *row) bool {
		e := l.entry(r)
		return !wanted(&e)
	})
}

// Sort sorts the objects; equal ones keep their order.
func (l *Listing) Sort(compare func(a, b Entry) int) {
	slices.SortStableFunc(l.rows, func(a, b *row) int { return compare(l.entry(a), l.entry(b)) })
}

// Truncate removes all but the first n objects.
func (l *Listing) Truncate(n int) { l.rows = l.rows[:min(n, len(l.rows))] }

// List is [Stores.List] for one store.
func (s *Store) List() ([]Entry, error) { return Stores{s}.List() }

// List returns the entries of [Stores.Listing].
func (a Stores) List() ([]Entry, error) {
	l, err := a.Listing()
	if err != nil {
		return nil, err
	}
	list := make([]Entry, 0, l.Len())
	for i := range l.Len() {
		list = append(list, l.Entry(i))
	}
	return list, nil
}
