package excerpt

import (
	"encoding/binary"
	"math/bits"
)

// A factCache stores the facts of lines by their skeletons. Most lines of a long log
// repeat an earlier one but for numbers and digests, and are not scanned again. The
// facts of a line with a word of evidence depend on which of its numbers are 0, too;
// those that depend on other digits are not stored.
type factCache struct {
	lines [1 << memoBits]cachedFacts
	line  skeleton // of the line that was looked up last
	base  uint64   // its key, without zeroes
}

const memoBits = 12

type cachedFacts struct {
	key    uint64
	facts  facts
	zeroes bool // lines of this key have evidence, and entries for each choice of zeroes
}

// find returns the entry for a line, and the line's key; nil if the line has control
// characters or is longer than one piece. The entry has the line's facts if it has the
// same key. A line that is not UTF-8 has an entry, too, which holds the facts of lines
// that are.
func (m *factCache) find(line []byte) (*cachedFacts, uint64) {
	if m == nil || len(line) > wholeLine || !m.line.read(line) {
		return nil, 0
	}
	m.line.hideDigests()
	known, key := m.entry(m.line.sum + uint64(len(line)))
	m.base = key
	if known.key == key && known.zeroes {
		return m.withZeroes(line)
	}
	return known, key
}

// entry returns the place of the entry for a sum, and its key.
func (m *factCache) entry(sum uint64) (*cachedFacts, uint64) {
	key := mixAt(sum, 0) | 1 // never 0
	return &m.lines[key>>(64-memoBits)], key
}

// withZeroes returns the entry for the line that was looked up last by the numbers in it
// that are 0, too.
func (m *factCache) withZeroes(line []byte) (*cachedFacts, uint64) {
	return m.entry(m.base + m.line.zeroes(line))
}

// store keeps the facts of the line that was looked up last, unless they depend on
// digits. known and key are the result of find.
func (m *factCache) store(known *cachedFacts, key uint64, s *scan) {
	if s.digits {
		return
	}
	if s.matched && key == m.base {
		*known = cachedFacts{key: key, zeroes: true}
		known, key = m.withZeroes(s.text)
	}
	*known = cachedFacts{key: key, facts: s.facts}
}

// A skeleton is a line with each digit replaced by 0, and each digest and UUID by a
// constant of its length. A scan finds the same facts in two lines of one skeleton.
type skeleton struct {
	n    int                      // bytes of the line
	text [wholeLine/8 + 1]uint64  // the line, eight bytes each
	hex  [wholeLine/64 + 2]uint64 // a bit for each byte of text that is a hexadecimal digit
	sum  uint64                   // of the hashes of text's words
}

// Words of eight equal bytes.
const (
	lowBits  = 0x0101010101010101
	highBits = 0x80 * lowBits
	blanks   = ' ' * lowBits
	tabs     = '\t' * lowBits
)

// read makes the skeleton of a line of at most wholeLine bytes, without hiding digests.
// It reports whether the line has no control character of ASCII other than a tab.
func (s *skeleton) read(line []byte) bool {
	var sum, hex uint64
	last := lastWord(line)
	for i := 0; i < len(line); i += 8 {
		x := last
		if rest := line[i:]; len(rest) >= 8 {
			x = binary.LittleEndian.Uint64(rest)
		}
		ascii, above := x&^highBits, x&highBits
		controls := (^((ascii | highBits) - blanks) | (ascii + lowBits)) & highBits &^ above
		if controls != 0 && controls != ^((ascii^tabs)+0x7f*lowBits)&highBits&^above {
			return false
		}
		digits := (ascii + (0x80-'0')*lowBits) &^ (ascii + (0x7f-'9')*lowBits) & highBits &^ above
		lower := ascii | blanks
		letters := (lower + (0x80-'a')*lowBits) &^ (lower + (0x7f-'f')*lowBits) & highBits &^ above
		x &^= digits>>3 - digits>>7 // what a digit has more than 0
		sum += mixAt(x, i/8)
		s.text[i/8] = x
		hex |= (digits | letters) >> 7 * 0x0102040810204080 >> 56 << (i & 63)
		if i&63 == 56 {
			s.hex[i/64], hex = hex, 0
		}
	}
	end := (len(line) + 7) / 64
	s.hex[end], s.hex[end+1] = hex, 0
	s.n, s.sum = len(line), sum
	return true
}

// lastWord returns the bytes of line that follow its last whole word, with blanks
// after them.
func lastWord(line []byte) uint64 {
	n := len(line) % 8
	if n > 0 && n < len(line) {
		return binary.LittleEndian.Uint64(line[len(line)-8:])>>(64-8*n&63) | blanks<<(8*n&63)
	}
	x := uint64(blanks)
	for j, c := range line[:n] {
		x ^= uint64(c^' ') << (8 * j & 63)
	}
	return x
}

// hideDigests replaces each digest by a constant of its length that keeps whether its
// first and last bytes are letters, and each UUID by another constant.
func (s *skeleton) hideDigests() {
	end := 0
	for i := 0; i < s.n; i += 64 {
		v, next := s.hex[i/64], s.hex[i/64+1]
		// A run of 7 or more bits keeps those that 6 others follow.
		v, next = v&(v>>1|next<<63), next&(next>>1)
		v, next = v&(v>>2|next<<62), next&(next>>2)
		v &= v>>3 | next<<61
		for v &= ^uint64(0) << max(end-i, 0); v != 0; v &= ^uint64(0) << (end - i) {
			from := i + bits.TrailingZeros64(v)
			if end = s.runEnd(from + 7); end-from == 8 && s.isUUID(from) {
				end = from + uuidSize
				s.cover(from, end, 0x81, 0x81)
				continue
			}
			s.hide(from, end)
		}
	}
}

// zeroes returns a hash of the places in line, whose skeleton s is, of numbers of one
// digit that is 0.
func (s *skeleton) zeroes(line []byte) uint64 {
	var sum uint64
	before := uint64(0) // 0x80 if the byte before is a digit
	x := digitsOf(s.text[0])
	for i := 0; i < s.n; i += 8 {
		next := uint64(0)
		if i+8 < s.n {
			next = digitsOf(s.text[i/8+1])
		}
		for alone := x &^ (x<<8 | before) &^ (x>>8 | next<<56); alone != 0; alone &= alone - 1 {
			if j := i + bits.TrailingZeros64(alone)/8; j < len(line) && line[j] == '0' {
				sum = mixAt(sum+uint64(j)+1, 1)
			}
		}
		before, x = x>>56, next
	}
	return sum
}

// digitsOf returns the high bit of each byte of x that is the digit of a skeleton.
func digitsOf(x uint64) uint64 {
	x ^= '0' * lowBits
	return ^(x | (x&^highBits + 0x7f*lowBits)) & highBits
}

// isUUID does what [isUUID] does, at the beginning of a run of hexadecimal digits.
func (s *skeleton) isUUID(from int) bool {
	to := from + uuidSize
	if to > s.n || s.at(from+8) != '-' || s.at(from+13) != '-' || s.at(from+18) != '-' || s.at(from+23) != '-' {
		return false
	}
	hex := s.hex[from/64]>>(from&63) | s.hex[from/64+1]<<(64-from&63)
	const groups = 1<<36 - 1 - 1<<8 - 1<<13 - 1<<18 - 1<<23
	return hex&(1<<36-1) == groups &&
		(from == 0 || classes[s.at(from-1)] > digitClass) && (to == s.n || classes[s.at(to)] > digitClass)
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

// hide replaces text[from:to], a run of hexadecimal digits, if it is a digest.
func (s *skeleton) hide(from, to int) {
	if from > 0 && classes[s.at(from-1)] == letterClass || to < s.n && classes[s.at(to)] == letterClass {
		return
	}
	const letters = 0x40 * lowBits // the bit that digits do not have
	letter, digit := uint64(0), uint64(0)
	for i := from &^ 7; i < to; i += 8 {
		in := within(i, from, to)
		letter |= s.text[i/8] & in & letters
		digit |= ^s.text[i/8] & in & letters
	}
	if letter == 0 || digit == 0 { // a number or a word
		return
	}
	s.cover(from, to, 0x80|s.at(from)&0x40, 0x80|s.at(to-1)&0x40)
}

// cover replaces text[from:to] by first, zeros and last. No line has these bytes in
// ASCII text.
func (s *skeleton) cover(from, to int, first, last byte) {
	for i := from &^ 7; i < to; i += 8 {
		x := s.text[i/8] &^ within(i, from, to)
		if i <= from {
			x |= uint64(first) << (8 * (from - i) & 63)
		}
		if to <= i+8 {
			x |= uint64(last) << (8 * (to - 1 - i) & 63)
		}
		s.sum += mixAt(x, i/8) - mixAt(s.text[i/8], i/8)
		s.text[i/8] = x
	}
}

// within returns a mask of the bytes from:to that are in the eight-byte word at i.
func within(i, from, to int) uint64 {
	return ^uint64(0) << (8 * max(from-i, 0) & 63) & (^uint64(0) >> (8 * max(i+8-to, 0) & 63))
}

// at returns text[i].
func (s *skeleton) at(i int) byte { return byte(s.text[i/8] >> (8 * (i & 7))) }

// mixAt returns the hash of the line's eight-byte word with the index i.
func mixAt(x uint64, i int) uint64 {
	hi, lo := bits.Mul64(x, uint64(2*i+1)*0x9e3779b97f4a7c15)
	return hi ^ lo
}
