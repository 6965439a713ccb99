package excerpt

import (
	"encoding/binary"
	"math/bits"
)

// skimLines adds whole lines of raw, and returns the rest: from the line before which skipsDull
// reports false, if there is one, or the last 72 bytes or more. It looks at 64 bytes at a time, and at single lines only if they
// have a word that may be evidence, or are to be sampled.
func (r *reader) skimLines(b *batch, raw []byte) []byte {
	var (
		begin, first, lines int // of the line, and of the run of skipped ones before it
		before              uint64
		hit                 bool
		room                = batchPieces - len(b.pieces) - b.hidden
	)
	if r.sieve == nil {
		r.sieve = evidenceSieve()
	}
	for at := 0; at+72 <= len(raw); at += 64 {
		letters, newlines, odd := classify((*[64]byte)(raw[at:]))
		hits := odd | r.sieve.hits(r.dict, raw, at, letters, before)
		before = letters >> 63
		for ; newlines != 0; newlines &= newlines - 1 {
			i := bits.TrailingZeros64(newlines)
			end := at + i
			line := raw[begin:end]
			read := hit || hits<<(63-i) != 0 || len(line) > wholeLine || r.marked(raw[begin:], len(line))
			hits &^= 2<<i - 1
			hit = false
			if !read {
				if len(line) > 0 {
					r.skimmed++
					r.sampled = r.skimmed%skimSample == 0
				}
				if !r.sampled {
					lines++
					r.density -= r.density >> 6
					begin = end + 1
					if r.num+int64(lines)+1 >= r.index.next {
						r.index.add(r.num+int64(lines)+1, r.at+int64(r.skip+begin-first))
					}
					if lines == room {
						r.addRun(b, raw[first:end], lines, begin-first)
						return raw[begin:]
					}
					continue
				}
			}
			if lines > 0 {
				r.addRun(b, raw[first:begin-1], lines, begin-first)
				room -= lines
				lines = 0
			}
			if read {
				r.addLine(b, line, len(line)+1)
			} else {
				r.addRead(b, line, len(line)+1)
			}
			begin = end + 1
			first = begin
			room--
			if room <= 0 || !r.skims() || !r.skipsDull() {
				return raw[begin:]
			}
		}
		hit = hit || hits != 0
	}
	if lines > 0 {
		r.addRun(b, raw[first:begin-1], lines, begin-first)
	}
	return raw[begin:]
}

// skipsDull reports whether, where lines are skipped, the next one is if it has no word of evidence, whatever
// else is in it.
func (r *reader) skipsDull() bool {
	return r.near == 0 && r.why.open == 0 && !r.within && r.rarity().dull+placeMost <= int(r.pool.floor)
}

// marked reports whether the signs at the beginning of the line t[:n] weigh something. The
// eight bytes from its beginning must be readable.
func (r *reader) marked(t []byte, n int) bool {
	i := bits.TrailingZeros64((eight(t, 0)&^highBits+(0x7f-' ')*lowBits)&highBits) / 8
	for i < n && t[i] <= ' ' {
		i++
	}
	if i >= n || !markStarts[t[i]] {
		return false
	}
	e := &r.estimate
	e.text, e.score, e.why = t[:n], 0, 0
	e.marks()
	return e.score != 0
}

// markStarts holds the characters that a line whose signs weigh something begins with.
var markStarts = [256]bool{
	'0': true, '1': true, '2': true, '3': true, '4': true, '5': true, '6': true, '7': true, '8': true, '9': true,
	'H': true, 'E': true, '<': true, '>': true, '+': true, '-': true, ':': true, '|': true, ']': true,
}

// classify returns which of 64 bytes are letters, which are newlines, and which are neither
// printable ASCII nor tabs or newlines, a bit for each.
func classify(b *[64]byte) (letters, newlines, odd uint64) {
	for i := 0; i < 64; i += 8 {
		x := binary.LittleEndian.Uint64(b[i : i+8])
		y := x &^ highBits
		newline := ^(y ^ '\n'*lowBits + 0x7f*lowBits | x) & highBits
		lower := y | blanks
		letter := (lower + (0x80-'a')*lowBits) &^ (lower + (0x7f-'z')*lowBits) & highBits
		letters |= letter >> 7 * 0x0102040810204080 >> 56 << i
		newlines |= newline >> 7 * 0x0102040810204080 >> 56 << i
		blank := (y + (0x80-'\t')*lowBits) &^ (y + (0x7f-'\n')*lowBits)
		odd |= ^(y + (0x80-' ')*lowBits | blank) | x | (y + lowBits)
	}
	if odd &= highBits; odd == 0 {
		return letters, newlines, 0
	}
	odd = 0
	for i, c := range b {
		if (c < ' ' || c > '~') && c != '\t' && c != '\n' {
			odd |= 1 << i
		}
	}
	return letters, newlines, odd
}

// hits returns which of the words that begin in the 64 bytes of t at at may be evidence, a bit
// for each. letters has a bit for each letter, before is 1 if a letter precedes them.
func (v *sieve) hits(d *dictionary, t []byte, at int, letters, before uint64) (hits uint64) {
	chunk := t[at : at+72 : at+72]
	two := letters & (letters>>1 | 1<<63)
	three := two & (two>>1 | 3<<62)
	words := letters &^ (letters<<1 | before)
	names := words & three & (three>>3 | 7<<61)
	for words &= three; words != 0; words &= words - 1 {
		i := bits.TrailingZeros64(words)
		s := startOf(binary.LittleEndian.Uint32(chunk[i : i+4 : i+4]))
		if v.starts[s>>6&1023]>>(s&63)&1 != 0 {
			if v.tells(d, t, at+i) {
				hits |= words & -words
				names &^= words & -words
			}
		}
	}
	for ; names != 0; names &= names - 1 {
		i := bits.TrailingZeros64(names)
		if chunk[i] >= 'a' {
			continue
		}
		end := i + bits.TrailingZeros64(^(letters >> i))
		if end >= 64 {
			_, to := readWord(t, at+i)
			end = to - at
		}
		if endsException(binary.LittleEndian.Uint32(t[at+end-4:])) {
			hits |= names & -names
		}
	}
	return hits
}

// tells reports whether the word at from is evidence, alone or with one next to it.
func (v *sieve) tells(d *dictionary, t []byte, from int) bool {
	h, to := readWord(t, from)
	as := v.find(h)
	if as&keyOfOne != 0 {
		return true
	}
	if as&keyOfFirst != 0 {
		if r, _, _ := pairAfter(d, t, h, to); r != nil {
			return true
		}
	}
	return as&keyOfLast != 0 && pairBefore(d, t, h, from, to) != nil
}
