package decode

import (
	"encoding/binary"

	"github.com/envwrap/envwrap/redact/internal/ascii"
)

// Runs calls add with the bounds of each run of least encoded bytes or more in b that may
// be a text: paths, names and digests decode to none. A run of so many bytes has eight at
// one of the positions that are examined, and so have as many bytes of it that may be of a
// text: which runs are found does not depend on where b begins.
func Runs(b []byte, least int, add func(start, end int)) {
	if len(b) < least {
		return // without the table, which most arguments need not
	}
	var at placeList
	end, t, stride := 0, roles(), least-8
	for from := 0; from < len(b); from += runPlaces * stride {
		part := b[from:]
		for _, k := range at[:t.keep(part, &at, longWords(part, &at, stride))] {
			i := from + int(k)
			if i < end || !longAround(b, i) {
				continue
			}
			start := i - ascii.RunBack(b[end:i], RunByte)
			end = i + ascii.LongRun(b[i:], RunByte)
			for end-start >= least && (b[start] == '+' || b[start] == '-') {
				start++ // of a diff, or of an option
			}
			if end-start >= least && encodesText(b[start:end], least) {
				add(start, end)
			}
		}
	}
}

// runPlaces is how many positions are examined together.
const runPlaces = 128

// A placeList has the positions that a step has noted: no more than runPlaces, but an
// index of one byte is always within it.
type placeList [1 << 8]uint16

// longWords notes in at the positions, every stride bytes, of long words in b, and returns
// how many there are.
func longWords(b []byte, at *placeList, stride int) uint8 {
	if stride == MinKnownRun-8 {
		return wordsEvery[[MinKnownRun - 8]byte](b, at)
	}
	return wordsEvery[[MinRun - 8]byte](b, at)
}

// wordsEvery is longWords with a stride that is a constant, the length of an array, for
// which the loop needs no checks of bounds. The loop has no branch that depends on the
// text.
func wordsEvery[S [MinRun - 8]byte | [MinKnownRun - 8]byte](b []byte, at *placeList) uint8 {
	var step S
	n, i := uint8(0), uint16(0)
	b = b[:min(len(b), runPlaces*len(step))]
	for ; len(b) > len(step); i += uint16(len(step)) {
		w := b[:8]
		x := uint64(w[0]) | uint64(w[1])<<8 | uint64(w[2])<<16 | uint64(w[3])<<24 |
			uint64(w[4])<<32 | uint64(w[5])<<40 | uint64(w[6])<<48 | uint64(w[7])<<56
		var one uint8
		if ((x-leastBytes)|x)&topBits == 0 { // longWord, spelled out as in groups
			one = 1
		}
		at[n] = i
		n += one
		b = b[len(step):]
	}
	if len(b) >= 8 {
		at[n] = i
		n += uint8(longWord(binary.LittleEndian.Uint64(b)))
	}
	return n
}

// longAround reports whether 16 bytes on one side of the eight at b[i:] are long words,
// too, as they are in a run of 40 and more.
func longAround(b []byte, i int) bool {
	at := func(i int) uint32 { return longWord(binary.LittleEndian.Uint64(b[i:])) }
	return i >= 16 && at(i-16)&at(i-8) != 0 || i+24 <= len(b) && at(i+8)&at(i+16) != 0
}

// longWord returns 1 if the eight bytes of x are no white space, quotes or brackets: each
// is a plus, the least of the characters of encoded texts, or more.
func longWord(x uint64) uint32 { return uint32((((x-leastBytes)|x)&topBits>>7 - 1) >> 63) }

const (
	leastBytes = 0x2b2b2b2b2b2b2b2b // '+' eight times
	topBits    = 0x8080808080808080
)

// keep keeps of the first n positions in at those where eight bytes of b may be of an
// encoded text, and returns how many there are. It has no branch that depends on the text.
func (t *roleTable) keep(b []byte, at *placeList, n uint8) uint8 {
	kept := uint8(0)
	for _, k := range at[:n] {
		w := (*[8]byte)(b[k:])
		m := t[0][w[0]] & t[1][w[1]] & t[2][w[2]] & t[3][w[3]] & t[0][w[4]] & t[1][w[5]] & t[2][w[6]] & t[3][w[7]]
		var one uint8
		if m != 0 {
			one = 1
		}
		at[kept] = k
		kept += one
	}
	return kept
}

// maxSamples is how many samples of a run, less one, are examined.
const maxSamples = 16

// encodesText reports whether some least bytes in a row of b may be of a text. It examines
// samples if b is long.
func encodesText(b []byte, least int) bool {
	t, step := roles(), max(4, (len(b)-least)/maxSamples&^3)
	for i := 0; i+least <= len(b); i += step {
		if t.common(b[i:i+least], allRoles) != 0 {
			var buf [MaxReadings]Reading
			return len(Readings(buf[:0], b)) > 0
		}
	}
	return false
}
