package excerpt

import (
	"encoding/binary"
	"math/bits"
)

// blockRoom is the size of a block of 64 bytes with those after it that may be looked at, too.
const blockRoom = 72

// skimLines adds whole lines of raw, and returns the rest: from the line before which skipsDull
// reports false, if there is one, or the last blockRoom bytes or more. It looks at 64 bytes at a
// time, and at single lines only if they have a word that may be evidence, or are sampled.
func (r *reader) skimLines(b *batch, raw []byte) []byte { //nolint:funlen // one loop, for speed
	var (
		begin, first, lines int // of the line, and of the run of skipped ones before it
		before              uint64
		strange             bool // the line has bytes, in earlier blocks, of which no estimate is made
		room                = batchPieces - len(b.pieces) - b.hidden
		busy                = r.placesMatter() // nor is the line dull for other reasons
		density, skimmed    = r.density, r.skimmed
	)
	if r.sieve == nil {
		r.sieve = evidenceSieve()
	}
	r.words = r.words[:0]
	for at := 0; at+blockRoom <= len(raw) && lines+64 <= room; at += 64 {
		block := (*[blockRoom]byte)(raw[at:])
		letters, newlines, odd := classify(block)
		found := r.sieve.candidates(block, letters, before)
		before = letters >> 63
		for ; newlines != 0; newlines &= newlines - 1 {
			end := at + bits.TrailingZeros64(newlines)
			upTo := newlines ^ (newlines - 1) // the bytes of the block as far as the newline
			if (found|odd)&upTo == 0 && !busy && end-begin <= wholeLine && !mayMark(raw[begin:]) {
				if end > begin {
					skimmed++
				}
				if end == begin || skimmed%skimSample != 0 {
					lines++
					density -= density >> 6
					begin = end + 1
					continue
				}
				r.sampled = true
			}
			r.density, r.skimmed = density, skimmed
			line := raw[begin:end]
			if !r.sampled && odd&upTo == 0 && !strange && r.skipsLine(line, begin, at, found&upTo) {
				lines++
				r.addDensity(r.estimate.top)
				density, skimmed = r.density, r.skimmed
				begin = end + 1
				strange, busy, r.words = false, r.placesMatter(), r.words[:0]
				found, odd = found&^upTo, odd&^upTo
				continue
			}
			if lines > 0 {
				r.addRun(b, raw[first:begin-1], lines, begin-first)
				room -= lines
				lines = 0
			}
			r.addLine(b, line, len(line)+1, false)
			room--
			begin = end + 1
			if !r.skims() || !r.skipsDull() {
				return raw[begin:]
			}
			first = begin
			density, skimmed = r.density, r.skimmed
			strange, busy, r.words = false, r.placesMatter(), r.words[:0]
			found, odd = found&^upTo, odd&^upTo
		}
		strange = strange || odd != 0
		busy = busy || found|odd != 0
		for ; found != 0; found &= found - 1 {
			r.words = append(r.words, uint16(at+bits.TrailingZeros64(found)))
		}
	}
	r.density, r.skimmed = density, skimmed
	if lines > 0 {
		r.addRun(b, raw[first:begin-1], lines, begin-first)
	}
	return raw[begin:]
}

// skipsLine reports whether a line is skipped that begins at begin, and has words that may be
// evidence: those of r.words, and a bit for each in the block at at.
func (r *reader) skipsLine(line []byte, begin, at int, found uint64) bool {
	if len(line) == 0 {
		r.estimate.top = 0
		return true
	}
	if len(line) > wholeLine {
		return false
	}
	e := &r.estimate
	e.begin(line)
	for _, w := range r.words {
		e.word(r.sieve, r.dict, int(w)-begin)
	}
	for ; found != 0; found &= found - 1 {
		e.word(r.sieve, r.dict, at+bits.TrailingZeros64(found)-begin)
	}
	e.end()
	return !r.mayStay(e) && r.passOver()
}

// placesMatter reports whether a line may be kept that has a place in a file, and no evidence.
func (r *reader) placesMatter() bool { return r.rarity().dull+placeMost > int(r.pool.floor) }

// mayMark reports whether a line that t begins with may begin with signs that weigh something. The
// first eight bytes must be readable.
func mayMark(t []byte) bool {
	i := bits.TrailingZeros64((eight(t, 0)&^highBits+(0x7f-' ')*lowBits)&highBits) / 8
	return i == 8 || markStarts[t[i]]
}

// skipsDull reports whether, where lines are skipped, the next one may be.
func (r *reader) skipsDull() bool {
	return r.near == 0 && r.why.open == 0 && !r.within && r.rarity().dull <= int(r.pool.floor)
}

// markStarts holds the characters that a line whose signs weigh something begins with.
var markStarts = [256]bool{
	'0': true, '1': true, '2': true, '3': true, '4': true, '5': true, '6': true, '7': true, '8': true, '9': true,
	'H': true, 'E': true, '<': true, '>': true, '+': true, '-': true, ':': true, '|': true, ']': true,
}

// classify returns which of 64 bytes are letters, which are newlines, and which are neither
// printable ASCII nor tabs or newlines, a bit for each.
func classify(b *[blockRoom]byte) (letters, newlines, odd uint64) {
	const gather = 0x0002040810204081 // moves the high bit of each byte to the highest byte
	plain := uint64(highBits)
	for i := 0; i < 64; i += 8 {
		x := binary.LittleEndian.Uint64(b[i : i+8])
		y := x &^ highBits
		lower := y | blanks
		letter := (lower + (0x80-'a')*lowBits) ^ (lower + (0x7f-'z')*lowBits)
		letters = letters>>8 | letter&highBits*gather&(0xff<<56)
		other := y ^ '\n'*lowBits + 0x7f*lowBits | x
		newlines = newlines>>8 | other&highBits*gather&(0xff<<56)
		blank := (y + (0x80-'\t')*lowBits) ^ (y + (0x7f-'\n')*lowBits)
		plain &= y + (0x80-' ')*lowBits | blank
		odd |= x | (y + lowBits)
	}
	if (odd|^plain)&highBits == 0 {
		return letters, ^newlines, 0
	}
	odd = 0
	for i, c := range b[:64] {
		if (c < ' ' || c > '~') && c != '\t' && c != '\n' {
			odd |= 1 << i
		}
	}
	return letters, ^newlines, odd
}

// candidates returns which of the words that begin in the first 64 bytes of a block may be
// evidence, a bit for each. before is 1 if a letter precedes the block.
func (v *sieve) candidates(b *[blockRoom]byte, letters, before uint64) (found uint64) {
	two := letters & (letters>>1 | 1<<63) // beyond the block there may be letters
	three := two & (two>>1 | 3<<62)
	words := letters &^ (letters<<1 | before)
	names := words & three & (three>>3 | 7<<61)
	capitals := uint64(0)
	for words &= three; words != 0; words &= words - 1 {
		i := bits.TrailingZeros64(words)
		x := binary.LittleEndian.Uint32(b[i : i+4])
		s := startOf(x)
		found |= v.starts[s>>6&1023] >> (s & 63) & 1 << i
		capitals |= uint64(^x>>5&1) << i
	}
	for starts := found; starts != 0; starts &= starts - 1 {
		i := bits.TrailingZeros64(starts)
		h := lettersHash(binary.LittleEndian.Uint64(b[i : i+8]))
		found ^= ^v.letters[h>>6&255] >> (h & 63) & 1 << i
	}
	for names &= capitals &^ found; names != 0; names &= names - 1 {
		i := bits.TrailingZeros64(names)
		end := i + bits.TrailingZeros64(^(letters >> i))
		if end >= 64 || endsException(binary.LittleEndian.Uint32(b[end-4:end])) {
			found |= names & -names
		}
	}
	return found
}
