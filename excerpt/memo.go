package excerpt

import "encoding/binary"

// A memo remembers what was read in lines, by all of their bytes but the digits.
// Most lines of a long log are like one before, and are not read again. Only
// lines without a word of evidence are kept: what is said of those words may
// depend on digits.
type memo [1 << memoBits]remembered

const memoBits = 12

type remembered struct {
	key   uint64
	facts facts
}

// at returns the place in the memo for a line, and its key; nil where the line
// is not printable ASCII.
func (m *memo) at(line []byte) (*remembered, uint64) {
	key, ok := skeleton(line)
	if m == nil || !ok {
		return nil, 0
	}
	return &m[key>>(64-memoBits)], key
}

// skeleton returns the hash of line with each digit taken for 0, never 0, and
// whether all of it is printable ASCII.
func skeleton(line []byte) (hash uint64, ok bool) {
	const (
		ones  = 0x0101010101010101
		high  = 0x80 * ones
		prime = 0x9e3779b97f4a7c15
	)
	hash = uint64(len(line)) + 1
	var odd uint64
	for len(line) > 0 {
		var x uint64
		if len(line) >= 8 {
			x = binary.LittleEndian.Uint64(line)
			line = line[8:]
		} else {
			x = ' ' * ones
			for _, c := range line {
				x = x<<8 | uint64(c)
			}
			line = nil
		}
		odd |= x | (x - ' '*ones) | (x + ones) // high in a byte below ' ' or above '~'
		digits := ^((x ^ '0'*ones) + (0x80-10)*ones) & high
		mask := digits - digits>>7 | digits
		hash = (hash ^ (x&^mask | '0'*ones&mask)) * prime
		hash ^= hash >> 32
	}
	return hash*prime | 1, odd&high == 0
}
