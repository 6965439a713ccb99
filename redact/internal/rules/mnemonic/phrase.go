package mnemonic

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"sync"

	_ "embed"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/literal"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/value"
)

const (
	// shortestSeed is the length of a phrase that has a row, wherever it begins. Less than
	// one in a thousand is shorter.
	shortestSeed = literal.RowBytes + literal.GroupBytes - 1

	minSeedWord = 3
	maxSeedWord = 8
	// maxSeedRow is how many words of the list may be in a row: more are the list itself.
	maxSeedRow = value.MaxSeedWords + 8
	wordBits   = 11 // that a word encodes
)

// FindPhrases appends a span for each row of words in b that has a seed phrase in it:
// words of the list, with a space between them, and the right checksum at the end. at has
// the rows of b except for the last, if it is not nil.
func FindPhrases(spans []match.Span, b []byte, at *literal.Scratch) []match.Span {
	i, end := 0, 0
	look := func(i int) {
		if i < end || !spaced(b[i:i+literal.RowBytes]) {
			return
		}
		var s match.Span
		if s, end = seedAt(b, i); s.Rule != "" {
			spans = append(spans, s)
		}
	}
	if at != nil {
		for _, k := range at.Rows() {
			look(k)
		}
		i = len(b) - 2*shortestSeed
	}
	for i+literal.RowBytes <= len(b) {
		k := literal.RowGroups - 1
		for k >= 0 && onlyWords((*[literal.GroupBytes]byte)(b[i+k*literal.GroupBytes:])) {
			k--
		}
		if k < 0 {
			look(i)
			k = 0
		}
		i += (k + 1) * literal.GroupBytes
	}
	return spans
}

const (
	ones = 0x0101010101010101
	// smallSum added to a small letter gives 0x80 and more, to a space and bytes below it
	// less than 0x40, to bytes between these a sum with a letterBit.
	smallSum   = 0x1f * ones
	letterBits = 0x40 * ones // set in letters, clear in spaces
	spaceBits  = 0x20 * ones // set in both, clear in control characters
)

// onlyWords reports whether w has only small letters and spaces.
func onlyWords(w *[literal.GroupBytes]byte) bool {
	x, y := binary.LittleEndian.Uint64(w[:]), binary.LittleEndian.Uint64(w[8:])
	return ((x+smallSum)|(y+smallSum))&letterBits|^(x&y)&spaceBits == 0
}

// spaced reports whether the words in b, eight bytes of it at a time, have three letters
// and more between their spaces.
func spaced(b []byte) bool {
	const before = 1<<8 | 1<<16 | 1<<24 // by which gaps are multiplied: the three before each
	near := uint64(0)
	for ; len(b) >= 8; b = b[8:] {
		gaps := ^binary.LittleEndian.Uint64(b) & letterBits
		near |= gaps & (gaps * before)
	}
	return near == 0
}

// seedAt returns the span of the row of words around the one that begins after the first
// space from b[i] on, if a phrase is in it, and the end of the bytes that it searched.
func seedAt(b []byte, i int) (s match.Span, end int) {
	t := stemTable()
	start := i + bytes.IndexByte(b[i:i+maxSeedWord+1], ' ') + 1
	if _, end = t.word(b, start); end == start {
		return match.Span{}, i
	}
	for range maxSeedRow {
		if start == 0 || b[start-1] != ' ' {
			break
		}
		before := t.start(b, start-1)
		if _, stop := t.word(b, before); stop == before || stop != start-1 {
			break
		}
		start = before
	}
	var words [maxSeedRow]uint16
	n := 0
	for next := start; ; n++ {
		k, to := t.word(b, next)
		if to == next {
			break
		}
		if end = to; n < len(words) {
			words[n] = k
		}
		if next = to; next < len(b) && b[next] == ' ' {
			next++
		}
	}
	if n < len(words) && end-start >= shortestSeed && hasSeed(words[:n]) {
		s = match.Span{Start: start, End: end, Rule: match.RuleMnemonic}
	}
	return s, end
}

// hasSeed reports whether there is a phrase among words.
func hasSeed(words []uint16) bool {
	for size := value.MinSeedWords; size <= min(value.MaxSeedWords, len(words)); size += 3 {
		for from := 0; from+size <= len(words); from++ {
			if w := words[from : from+size]; (w[0] != w[1] || w[0] != w[size-1]) && checked(w) {
				return true
			}
		}
	}
	return false
}

// checked reports whether the last bits of words are the checksum of those before.
func checked(words []uint16) bool {
	var entropy [value.MaxSeedWords*wordBits/8 + 1]byte
	for i, w := range words {
		for k := range wordBits {
			bit := i*wordBits + k
			entropy[bit/8] |= byte(w>>(wordBits-1-k)&1) << (7 - bit%8)
		}
	}
	size := len(words) * 4 / 3
	sum := sha256.Sum256(entropy[:size])
	return (entropy[size]^sum[0])>>(8-len(words)/3) == 0
}

// seedStems are the first four letters of each of the 2048 words of seeds, in order, with
// the length of the word, one a line: no two words begin with the same four
// (https://github.com/bitcoin/bips/blob/master/bip-0039/english.txt).
//
//go:embed stems.txt
var seedStems string

// A stems table finds the words of the list: it has the number of each, from 1, at its
// hash or after it.
type stems [stemSlots]uint16

const (
	stemLength = len("aban7\n")
	stemBits   = 13
	stemSlots  = 1 << stemBits // four times as many as there are words
)

var stemTable = sync.OnceValue(func() *stems {
	t := new(stems)
	for i := 0; i < len(seedStems); i += stemLength {
		h := stemHash(stemAt(i))
		for t[h%stemSlots] != 0 {
			h++
		}
		t[h%stemSlots] = uint16(i/stemLength) + 1
	}
	return t
})

// stemAt returns the first four letters and the length of the word whose stem is at i.
func stemAt(i int) (letters uint32, length byte) {
	s := seedStems[i : i+stemLength]
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24, s[4] - '0'
}

func stemHash(letters uint32, length byte) uint32 {
	return (letters + uint32(length)<<3) * 0x9e3779b1 >> (32 - stemBits)
}

// word returns the number of the word of the list at b[i], and its end: i if there is
// none.
func (t *stems) word(b []byte, i int) (k uint16, end int) {
	n := ascii.Run(b[i:min(len(b), i+maxSeedWord+1)], ascii.Lower)
	if n < minSeedWord || n > maxSeedWord || i+n < len(b) && ascii.Is(b[i+n], ascii.Word) {
		return 0, i
	}
	letters := uint32(b[i]) | uint32(b[i+1])<<8 | uint32(b[i+2])<<16 | ' '<<24
	if n > 3 {
		letters = binary.LittleEndian.Uint32(b[i:])
	}
	for h := stemHash(letters, byte(n)); t[h%stemSlots] != 0; h++ {
		k = t[h%stemSlots] - 1
		if l, length := stemAt(int(k) * stemLength); l == letters && length == byte(n) {
			return k, i + n
		}
	}
	return 0, i
}

// start returns the start of the word that b[i] is in, or ends before. The letter of an
// escape is not part of the word.
func (t *stems) start(b []byte, i int) int {
	start := i - ascii.RunBack(b[max(0, i-maxSeedWord-1):i], ascii.Lower)
	if start > 0 && b[start-1] == '\\' {
		if _, end := t.word(b, start); end == start {
			start++
		}
	}
	return start
}
