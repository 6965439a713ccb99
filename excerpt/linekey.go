package excerpt

import (
	"encoding/binary"
	"math/bits"
	"sync"
)

// A pairTable has a weight for each two adjacent bytes. The sum of the weights of a line is
// the same for lines that differ only in numbers and digests, whatever their length, and
// takes one addition for each byte. The low bits of a weight count second bytes that clean
// ASCII text does not have.
type pairTable [1 << 16]uint64

const (
	controlCount  = 1                             // the second byte ends a control character other than a tab
	foreignCount  = controlCount << pairFieldBits // the second byte is not ASCII
	pairWeight    = foreignCount << pairFieldBits // the unit of the weight proper
	pairFieldBits = 11                            // wholeLine fits
	pairField     = 1<<pairFieldBits - 1
)

// linePairs returns the table. It is made for the first text of more than one batch, in a fraction
// of a millisecond, and takes 512 KiB.
var linePairs = sync.OnceValue(func() *pairTable {
	t := new(pairTable)
	var firsts, seconds [pairKinds][256]uint64 // what bytes weigh as, by the kind of the other byte
	var kinds [256]uint8
	for c := range 256 {
		kinds[c] = pairKind(byte(c))
		for kind := range uint8(pairKinds) {
			firsts[kind][c] = uint64(weighsAs(byte(c), kind, 'd')) << 8
			seconds[kind][c] = uint64(weighsAs(byte(c), kind, 'b'))
		}
	}
	for y := 1; y < 256; y++ { // the bytes after the end of a line are read as 0, and weigh nothing
		count := uint64(0)
		if y < ' ' && y != '\t' || y == 0x7f {
			count = controlCount
		}
		if y >= 0x80 {
			count = foreignCount
		}
		row := (*[256]uint64)(t[y<<8:])
		for x, first := range &firsts[kinds[y]] {
			row[x] = count
			if kind := kinds[x]; kind != hexKind || kinds[y] != hexKind {
				row[x] += mixAt(first+seconds[kind][y]+1, 0) * pairWeight
			}
		}
		if kinds[y] >= signKind {
			row[y] = count
		}
		if row[0] |= controlCount; y >= 0x80 && y < 0xa0 {
			row[0xc2] += controlCount
		}
	}
	return t
})

// Kinds of bytes in a pair.
const (
	letterKind = iota // but those of digests
	hexKind           // digits and letters of digests, two of which weigh nothing
	signKind          // two equal ones weigh nothing, like the next one: a scan reads their run as one
	gapKind           // a blank or a colon
	pairKinds
)

func pairKind(c byte) uint8 {
	switch {
	case isHex(c):
		return hexKind
	case classes[c] == letterClass:
		return letterKind
	case classes[c] == spaceClass || c == ':':
		return gapKind
	}
	return signKind
}

// weighsAs returns the byte that c weighs as, next to a byte of a kind. All digits weigh the same,
// and beside most signs the letters of digests weigh as digits do. Beside a blank they do not, so
// that no word is lost, and b and d, which begin and end "bad", differ from the other letters.
func weighsAs(c byte, beside uint8, special byte) byte {
	switch {
	case classes[c] == digitClass, isHex(c) && beside == signKind:
		return '0'
	case !isHex(c) || beside != gapKind:
		return c
	case c|0x20 == special:
		return special
	}
	return 'a'
}

func isHex(c byte) bool {
	return classes[c] == digitClass || c|0x20 >= 'a' && c|0x20 <= 'f'
}

// sum returns the sum of the weights of pairs in line, eight at a time, and the rest of the line,
// with the byte that begins the next pair.
func (t *pairTable) sum(line []byte) (sum uint64, rest []byte) {
	for len(line) > 8 {
		sum += t[binary.LittleEndian.Uint16(line)] + t[binary.LittleEndian.Uint16(line[1:])] +
			t[binary.LittleEndian.Uint16(line[2:])] + t[binary.LittleEndian.Uint16(line[3:])] +
			t[binary.LittleEndian.Uint16(line[4:])] + t[binary.LittleEndian.Uint16(line[5:])] +
			t[binary.LittleEndian.Uint16(line[6:])] + t[binary.LittleEndian.Uint16(line[7:])]
		line = line[8:]
	}
	return sum, line
}

// last returns the sum of the weights of the bytes of x, as if 0 followed them.
func (t *pairTable) last(x uint64) uint64 {
	return t[uint16(x)] + t[uint16(x>>8)] + t[uint16(x>>16)] + t[uint16(x>>24)] +
		t[uint16(x>>32)] + t[uint16(x>>40)] + t[x>>48]
}

// of returns the sum of the weights of a line, as if a blank preceded it, and the line's
// key: of that sum, of those of its first 16 bytes and last 8, and of the signs or blanks
// that it begins with.
func (t *pairTable) of(line []byte) (sum, key uint64) {
	n := len(line)
	if n == 0 {
		return 0, 1
	}
	if line[n-1] == 0 {
		return controlCount, 1
	}
	sum = t[' '|uint64(line[0])<<8]
	head, tail, rest := uint64(0), uint64(0), line
	if n > 16 {
		first, _ := t.sum(line[:17])
		sum += first
		head, rest = sum, line[16:]
	}
	pairs, rest := t.sum(rest)
	sum += pairs
	if n >= 8 {
		x := eight(line, n-8)
		tail = t.last(x)
		sum += t.last(x >> (8 * (8 - len(rest)) & 63))
	} else {
		for j, c := range line[1:] {
			sum += t[uint64(line[j])|uint64(c)<<8]
		}
	}
	indent := 0
	for c := line[0]; indent < n && line[indent] == c && classes[c] > digitClass; {
		indent++
	}
	key = mixAt(sum/pairWeight, 1) + mixAt(head/pairWeight, 2) + mixAt(tail/pairWeight, 3) + uint64(indent)*lowBits
	return sum, mixAt(key, 0) | 1 // never 0
}

// zeroes returns a hash of the bytes around each number in line that is 0 and has no
// hexadecimal digit beside it.
func zeroes(line []byte) uint64 {
	var sum, before uint64 // before is 0x80 if the byte before y is a digit
	for i := 0; i < len(line); i += 8 {
		var x uint64
		if i+8 <= len(line) {
			x = eight(line, i)
		} else {
			x = wordAt(line, i)
		}
		y := x ^ '0'*lowBits
		zero := ^(y | (y&^highBits + 0x7f*lowBits)) & highBits
		digits := ^(y | (y&^highBits + (0x7f-9)*lowBits)) & highBits
		zero &^= digits<<8 | digits>>8 | before
		before = digits >> 56
		for ; zero != 0; zero &= zero - 1 {
			j := i + bits.TrailingZeros64(zero)/8
			if j > 0 && isHex(line[j-1]) || j+1 < len(line) && isHex(line[j+1]) {
				continue
			}
			around := uint64(1)
			for _, c := range line[max(0, j-6):min(len(line), j+6)] {
				if classes[c] == digitClass {
					c = '0'
				}
				around = (around ^ uint64(c)) * 0x100000001b3
			}
			sum += mixAt(around, 1)
		}
	}
	return sum
}
