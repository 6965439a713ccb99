package excerpt

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// blockRoom is the size of a block of 64 bytes with those after it that may be looked at, too.
const blockRoom = 72

// A sifted holds what the sieve found in the whole lines of a text, or in the first ones.
type sifted struct {
	lines  []siftedLine
	bounds []bounds // of those lines that may have evidence
	words  []uint16 // words of a line that may be evidence, in earlier blocks
}

// A siftedLine is a line of less than batchSize bytes, which may end in CR LF.
type siftedLine struct {
	end   uint16 // offset of its newline
	found uint16 // dullLine, strangeLine, or firstBounds and the number of its bounds
}

const (
	dullLine    = iota // it has no evidence but, maybe, a place in a file
	strangeLine        // it is too long, or would be cleaned
	firstBounds
)

// siftMost is the most lines that are sifted at once.
const siftMost = batchPieces

// sift looks at the whole lines of raw that begin at from, siftMost at most. It looks at 64
// bytes at a time, and at single lines only if they have a word that may be evidence.
func (s *sifted) sift(v *sieve, d *dictionary, raw []byte, from int) {
	s.lines, s.bounds, s.words = s.lines[:0], s.bounds[:0], s.words[:0]
	var (
		begin   = from // of the line
		before  uint64
		strange bool // the line has, in earlier blocks, control characters
		foreign bool // or others that are not ASCII
		e       estimate
		last    [blockRoom]byte
		end     = bytes.LastIndexByte(raw, '\n') + 1
	)
	for at := from; at < end && len(s.lines) <= siftMost-64; at += 64 {
		block := &last
		if at+blockRoom <= len(raw) {
			block = (*[blockRoom]byte)(raw[at:])
		} else {
			clear(last[copy(last[:], raw[at:]):])
		}
		letters, newlines, odd, high, capitals := classify(block)
		found := v.candidates(block, letters, capitals, before)
		before = letters >> 63
		if odd != 0 {
			odd &^= beforeNewlines(block, odd, newlines)
		}
		for ; newlines != 0; newlines &= newlines - 1 {
			to := at + bits.TrailingZeros64(newlines)
			upTo := newlines ^ (newlines - 1) // the bytes of the block as far as the newline
			line := siftedLine{end: uint16(to)}
			if (found|odd|high)&upTo != 0 || strange || foreign || len(s.words) > 0 || to-begin > wholeLine || to > begin && mayMark(raw[begin:]) {
				foreign = foreign || high&upTo != 0
				text := withoutCR(raw[begin:to])
				if line.found = strangeLine; !strange && odd&upTo == 0 && to-begin <= wholeLine && (!foreign || plainUTF8(text)) {
					e.begin(text)
					for _, w := range s.words {
						e.word(v, d, int(w)-begin)
					}
					for words := found & upTo; words != 0; words &= words - 1 {
						e.word(v, d, at+bits.TrailingZeros64(words)-begin)
					}
					e.end()
					line.found = s.bound(&e)
				}
				found, odd, high = found&^upTo, odd&^upTo, high&^upTo
				strange, foreign, s.words = false, false, s.words[:0]
			}
			s.lines = append(s.lines, line)
			begin = to + 1
		}
		strange, foreign = strange || odd != 0, foreign || high != 0
		for ; found != 0 && at-begin < wholeLine; found &= found - 1 {
			s.words = append(s.words, uint16(at+bits.TrailingZeros64(found)))
		}
	}
}

// beforeNewlines returns which of the control characters odd of a block are carriage returns
// before a newline.
func beforeNewlines(b *[blockRoom]byte, odd, newlines uint64) (found uint64) {
	before := newlines >> 1
	if b[64] == '\n' {
		before |= 1 << 63
	}
	for odd &= before; odd != 0; odd &= odd - 1 {
		if b[bits.TrailingZeros64(odd)] == '\r' {
			found |= odd & -odd
		}
	}
	return found
}

// withoutCR returns line without the carriage return that it may end in.
func withoutCR(line []byte) []byte {
	if n := len(line); n > 0 && line[n-1] == '\r' {
		return line[:n-1]
	}
	return line
}

// A partSieve sifts the parts of long lines.
type partSieve struct {
	sifted
	text []byte // the part, with a newline
}

// isDull reports whether a part certainly has no evidence, no sign that weighs something and no
// place in a file.
func (s *partSieve) isDull(d *dictionary, part []byte) bool {
	s.text = append(append(s.text[:0], part...), '\n')
	s.sift(evidenceSieve(), d, s.text, 0)
	return s.lines[0].found == dullLine && !mayHavePlace(part)
}

// bound stores the bounds that e found for a line, if it may have evidence, and returns the
// line's siftedLine.found.
func (s *sifted) bound(e *estimate) uint16 {
	if !e.telling && !e.mayBeCause && !e.mayEnd && e.score == 0 && e.why == 0 {
		return dullLine
	}
	s.bounds = append(s.bounds, bounds{int32(e.top), int32(e.score), int32(e.why), e.telling, e.mayEnd, e.mayBeCause, int32(e.after), e.phrase})
	return uint16(firstBounds + len(s.bounds) - 1)
}

// mayMark reports whether a line that t begins with may begin with signs that weigh something.
func mayMark(t []byte) bool {
	if len(t) < 8 {
		return true
	}
	i := bits.TrailingZeros64((eight(t, 0)&^highBits+(0x7f-' ')*lowBits)&highBits) / 8
	return i == 8 || markStarts[t[i]]
}

// markStarts holds the characters that a line whose signs weigh something begins with.
var markStarts = [256]bool{
	'0': true, '1': true, '2': true, '3': true, '4': true, '5': true, '6': true, '7': true, '8': true, '9': true,
	'H': true, 'E': true, 0xe2: true, '<': true, '>': true, '+': true, '-': true, ':': true, '|': true, ']': true,
}

// candidates returns which of the words that begin in the first 64 bytes of a block may be
// evidence, a bit for each. before is 1 if a letter precedes the block.
func (v *sieve) candidates(b *[blockRoom]byte, letters, capitals, before uint64) (found uint64) {
	two := letters & (letters>>1 | 1<<63) // beyond the block there may be letters
	three := two & (two>>1 | 3<<62)
	words := letters &^ (letters<<1 | before)
	names := words & three & (three>>3 | 7<<61)
	for words &= three; words != 0; words &= words - 1 {
		i := bits.TrailingZeros64(words)
		x := binary.LittleEndian.Uint32(b[i : i+4])
		s := startOf(x)
		found |= v.starts[s>>6&1023] >> (s & 63) & 1 << i
	}
	for starts := found; starts != 0; starts &= starts - 1 {
		i := bits.TrailingZeros64(starts)
		h := lettersHash(binary.LittleEndian.Uint64(b[i : i+8]))
		found ^= ^v.letters[h>>6&255] >> (h & 63) & 1 << i
	}
	for names &= capitals &^ found; names != 0; names &= names - 1 {
		i := bits.TrailingZeros64(names)
		end := i + bits.TrailingZeros64(^(letters >> i))
		if end == 64 {
			end += bits.TrailingZeros64(^letterBytes(binary.LittleEndian.Uint64(b[64:]))&highBits) / 8
		}
		if end == blockRoom || endsException(binary.LittleEndian.Uint32(b[end-4:end])) {
			found |= names & -names
		}
	}
	return found
}
