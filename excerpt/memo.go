package excerpt

import (
	"encoding/binary"
	"math/bits"
)

// A memo remembers what was read in lines, by all of their bytes but those of
// numbers and digests. Most lines of a long log are like one before, and are not
// read again. Only lines without a word of evidence are kept: what is said of
// those words may depend on digits.
type memo struct {
	lines [1 << memoBits]remembered
	key   skeleton
}

const memoBits = 12

type remembered struct {
	key   uint64
	facts facts
}

// at returns the place in the memo for a line, and its key; nil where the line
// is not printable ASCII, or is longer than one piece.
func (m *memo) at(line []byte) (*remembered, uint64) {
	if m == nil || len(line) > wholeLine {
		return nil, 0
	}
	key, ok := m.key.read(line)
	if !ok {
		return nil, 0
	}
	if m.key.hideDigests() {
		key = m.key.hash()
	}
	return &m.lines[key>>(64-memoBits)], key
}

// A skeleton is a line with each digit taken for 0, and each digest for one of
// its length. What a scan reads in two lines of one skeleton is the same.
type skeleton struct {
	n    int                      // bytes of the line
	text [wholeLine / 8]uint64    // those
	hex  [wholeLine/64 + 2]uint64 // a bit for each byte of text: it is a hexadecimal digit
}

// Words of eight bytes alike.
const (
	ones   = 0x0101010101010101
	high   = 0x80 * ones
	blanks = ' ' * ones
)

// read takes a line of at most wholeLine bytes. It returns the hash of its
// skeleton before digests are hidden, and whether all of the line is printable
// ASCII.
func (s *skeleton) read(line []byte) (key uint64, ok bool) {
	s.n = len(line)
	var h hash
	var hex uint64
	for i := 0; i < len(line); i += 8 {
		var x uint64
		if i+8 <= len(line) {
			x = binary.LittleEndian.Uint64(line[i:])
		} else {
			x = lastWord(line, i)
		}
		if (x|(x-blanks)|(x+ones))&high != 0 { // a byte below ' ' or above '~'
			return 0, false
		}
		digits := (x + (0x80-'0')*ones) &^ (x + (0x7f-'9')*ones) & high
		lower := x | blanks
		letters := (lower + (0x80-'a')*ones) &^ (lower + (0x7f-'f')*ones) & high
		x &^= digits>>3 - digits>>7 // what a digit has more than 0
		h.add(x)
		s.text[i/8] = x
		hex |= (digits | letters) >> 7 * 0x0102040810204080 >> 56 << (i & 63)
		if i&63 == 56 {
			s.hex[i/64], hex = hex, 0
		}
	}
	last := (len(line) + 7) / 64
	s.hex[last], s.hex[last+1] = hex, 0
	return h.sum(s.n), true
}

// lastWord returns the bytes of line from i on, less than eight, with blanks after
// its end.
func lastWord(line []byte, i int) uint64 {
	if n := len(line) - i; i > 0 {
		return binary.LittleEndian.Uint64(line[len(line)-8:])>>(64-8*n) | blanks<<(8*n)
	}
	x := uint64(blanks)
	for j, c := range line {
		x ^= uint64(c^' ') << (8 * j)
	}
	return x
}

// hideDigests takes each digest for one that has the same first and last byte, up
// to whether those are letters. It reports whether there was one.
func (s *skeleton) hideDigests() (found bool) {
	end := 0
	for i := 0; i < s.n; i += 64 {
		v, next := s.hex[i/64], s.hex[i/64+1]
		// Of a run of 7 or more, what is left in the end are the bits that 6 others follow.
		v, next = v&(v>>1|next<<63), next&(next>>1)
		v, next = v&(v>>2|next<<62), next&(next>>2)
		for v &= v>>3 | next<<61; v != 0; v &= v - 1 {
			if from := i + bits.TrailingZeros64(v); from >= end {
				end = s.runEnd(from + 7)
				found = s.hide(from, end) || found
			}
		}
	}
	return found
}

// runEnd returns where the run of hexadecimal digits ends that i is in or ends.
func (s *skeleton) runEnd(i int) int {
	for {
		n := min(bits.TrailingZeros64(^s.hex[i/64]>>(i&63)), 64-(i&63))
		if i += n; n == 0 || i&63 != 0 {
			return i
		}
	}
}

// hide hides text[from:to], a run of hexadecimal digits, if it is a digest.
func (s *skeleton) hide(from, to int) bool {
	if from > 0 && classes[s.at(from-1)] == letter || to < s.n && classes[s.at(to)] == letter {
		return false
	}
	first, last := classes[s.at(from)], classes[s.at(to-1)]
	i := from + 1
	for i < to && classes[s.at(i)] == first {
		i++
	}
	if i == to || i > from+40 { // a word, a number
		return false
	}
	for i := from &^ 7; i < to; i += 8 {
		s.text[i/8] &= 1<<(8*max(from-i, 0)) - 1 | ^uint64(0)<<(8*(to-i))
	}
	s.text[from/8] |= uint64(0x80|first) << (8 * (from & 7)) // no byte of ASCII
	s.text[(to-1)/8] |= uint64(0x80|last) << (8 * ((to - 1) & 7))
	return true
}

// at returns text[i].
func (s *skeleton) at(i int) byte { return byte(s.text[i/8] >> (8 * (i & 7))) }

// hash returns the hash of the skeleton.
func (s *skeleton) hash() uint64 {
	var h hash
	for _, x := range s.text[:(s.n+7)/8] {
		h.add(x)
	}
	return h.sum(s.n)
}

// A hash is that of a series of words, of which every other one can be added at the
// same time.
type hash struct{ a, b uint64 }

func (h *hash) add(x uint64) { h.a, h.b = h.b, mix(h.a^x) }

// sum returns the hash of the words of n bytes, which is never 0.
func (h *hash) sum(n int) uint64 { return mix(h.a+mix(h.b+uint64(n))) | 1 }

func mix(x uint64) uint64 {
	x *= 0x9e3779b97f4a7c15
	return x ^ x>>32
}
