package excerpt

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"strings"
	"sync"
)

// A sieve finds the words of evidence in a line without reading the line: a set of the first
// four bytes of such words, and a table of their hashes.
type sieve struct {
	starts [1 << 10]uint64
	keys   [1 << 10]sieveKey
}

// A sieveKey is a word by which the sieve finds rows: a word that is one, or the longer of two.
type sieveKey struct {
	hash uint32
	as   uint8
}

const (
	keyOfOne   = 1 << iota // the word is a row
	keyOfFirst             // the first of the two words of a row
	keyOfLast              // the second
)

// evidenceSieve returns the sieve of all rows that raise the score of a line. It is made for
// the first text that needs it.
var evidenceSieve = sync.OnceValue(func() *sieve {
	v := new(sieve)
	for i := range rows {
		r := &rows[i]
		if r.kind == passing || r.kind == denial {
			continue
		}
		switch first, last, pair := strings.Cut(r.text, " "); {
		case !pair:
			v.add(r.text, keyOfOne)
		case len(first) > len(last):
			v.add(first, keyOfFirst)
		default:
			v.add(last, keyOfLast)
		}
	}
	return v
})

// add adds a word of three bytes or more.
func (v *sieve) add(word string, as uint8) {
	h := hashWord(word)
	i := h >> 12 & 1023
	for v.keys[i].hash != h && v.keys[i].as != 0 {
		i = (i + 1) & 1023
	}
	v.keys[i].hash = h
	v.keys[i].as |= as
	start := append([]byte(word), 0)[:4]
	if len(word) > 3 {
		v.addStart(start)
		return
	}
	for c := range 256 {
		if start[3] = byte(c); classes[c] != letterClass {
			v.addStart(start)
		}
	}
}

func (v *sieve) addStart(start []byte) {
	i := startOf(binary.LittleEndian.Uint32(start))
	v.starts[i>>6] |= 1 << (i & 63)
}

// startOf returns the place of four bytes in the set of those that begin words, without
// regard to case.
func startOf(x uint32) uint32 { return (x | blanks&(1<<32-1)) * 0x9e3779b1 >> 16 }

func (v *sieve) find(h uint32) uint8 {
	for i := h >> 12 & 1023; ; i = (i + 1) & 1023 {
		if k := v.keys[i]; k.as == 0 || k.hash == h {
			return k.as
		}
	}
}

// An estimate is an upper bound of what a scan would find in a line.
type estimate struct {
	scan         // its text, top, more, topWhy, score and why
	plain   bool // the line has no control characters but tabs, and is ASCII
	telling bool // it has a word of evidence
	mayEnd  bool // it may report a failure that other lines explain
}

// read estimates the line t; the eight bytes after it must be readable.
func (e *estimate) read(v *sieve, d *dictionary, t []byte) {
	if e.telling {
		*e = estimate{}
	}
	e.text, e.plain, e.score, e.why = t, true, 0, 0
	carry := uint64(0) // 0x80 if the byte before x is a letter
	i := 0
	for i < len(t) && (t[i] == ' ' || t[i] == '\t') {
		i++
	}
	if i == len(t) {
		return
	}
	begin := t[i]
	padded := t[: len(t)+8 : len(t)+8]
	for ; i < len(t); i += 8 {
		x := binary.LittleEndian.Uint64(padded[i:])
		if n := len(t) - i; n < 8 {
			x = x&(1<<(8*n&63)-1) | blanks<<(8*n&63)
		}
		if (x|(x-' '*lowBits)|(x+lowBits))&highBits != 0 && !isPlain(t[i:min(len(t), i+8)]) {
			e.plain = false
			return
		}
		letters := letterBytes(x)
		starts := letters &^ (letters<<8 | carry)
		carry = letters >> 56
		for ; starts != 0; starts &= starts - 1 {
			at := i + bits.TrailingZeros64(starts)/8
			s := startOf(binary.LittleEndian.Uint32(padded[at:]))
			if v.starts[s>>6&1023]>>(s&63)&1 != 0 {
				e.word(v, d, at)
			} else if t[at] < 'a' && letterBytes(binary.LittleEndian.Uint64(padded[at:]))&sixBytes == sixBytes {
				e.exception(at)
			}
		}
	}
	if e.telling {
		e.score, e.why = e.top+min(e.more/4, 16), e.topWhy+e.topWhy/2+14
		e.mayEnd = e.mayEnd || bytes.Contains(t, codeOf)
	}
	if (begin < 'a' || begin > 'z') && len(t) > 1 {
		e.marks()
	}
}

// word estimates the word that begins at from.
func (e *estimate) word(v *sieve, d *dictionary, from int) {
	h, to := readWord(e.text, from)
	as := v.find(h)
	if as&keyOfOne == 0 {
		e.exception(from)
	}
	if as&keyOfOne != 0 {
		e.row(d.find(h), from, to)
	}
	if as&keyOfFirst != 0 {
		e.pair(d, h, to)
	}
	if as&keyOfLast != 0 {
		e.pairBefore(d, h, from, to)
	}
}

// sixBytes has the high bits of the bytes that a name of an exception has at least.
const sixBytes = highBits & (1<<48 - 1)

// exception adds the name of an exception that may begin at from.
func (e *estimate) exception(from int) {
	to := from
	for ; ; to += 8 {
		if n := bits.TrailingZeros64(^letterBytes(wordAt(e.text, to))&highBits) / 8; n < 8 {
			to += n
			break
		}
	}
	if to-from < 6 {
		return
	}
	switch string(e.text[to-4 : to]) {
	case "rror", "tion", "lure":
		e.words, e.telling = 1, true
		e.suffix(from, to)
	}
}

// row adds the most that r may weigh.
func (e *estimate) row(r *row, from, to int) {
	e.words, e.telling = 1, true
	w := e.around(r, from, to)
	if w == 0 {
		return
	}
	why := w * whyPercent[r.kind] / 100
	if r.counts() {
		if isStatus(e.text[to:]) {
			e.mayEnd = true
		}
		if e.numberBefore(from) {
			w += 18
		}
	}
	e.mayEnd = e.mayEnd || r.kind == ending || r == &anyPair
	if r.kind == ending {
		w = min(w, endingMost)
	}
	e.add(w, why)
}

// numberBefore reports whether a number may precede the word at from.
func (e *estimate) numberBefore(from int) bool {
	i := from
	for i > 0 && classes[e.text[i-1]] == spaceClass {
		i--
	}
	for ; i > 0 && classes[e.text[i-1]] != spaceClass; i-- {
		if classes[e.text[i-1]] == digitClass {
			return true
		}
	}
	return false
}

// anyPair weighs as much as any two words.
var anyPair = row{text: "any pair", kind: failure, weight: 60}

// pair adds the row of the words that end at end, whose hash is h, and the next one.
func (e *estimate) pair(d *dictionary, h uint32, end int) {
	t, i := e.text, end
	for i < len(t) && (classes[t[i]] == spaceClass || t[i] == '\'') {
		i++
	}
	if i == len(t) {
		return
	}
	switch classes[t[i]] {
	case digitClass:
		e.row(&anyPair, end-1, end)
	case letterClass:
		w, to := readWord(t, i)
		if to < len(t) && classes[t[to]] == digitClass {
			e.row(&anyPair, end-1, end)
		} else if r := d.find(pairOf(h, w)); r != nil {
			e.row(r, i, to)
		}
	}
}

// pairBefore adds the row of the word t[from:to], whose hash is h, and the one before.
func (e *estimate) pairBefore(d *dictionary, h uint32, from, to int) {
	t, i := e.text, from
	for i > 0 && (classes[t[i-1]] == spaceClass || t[i-1] == '\'') {
		i--
	}
	if i == 0 {
		return
	}
	switch classes[t[i-1]] {
	case digitClass:
		e.row(&anyPair, from, to)
	case letterClass:
		for i > 0 && classes[t[i-1]] == letterClass {
			i--
		}
		w, _ := readWord(t, i)
		if i > 0 && classes[t[i-1]] == digitClass {
			e.row(&anyPair, from, to)
		} else if r := d.find(pairOf(w, h)); r != nil {
			e.row(r, from, to)
		}
	}
}

// placeMost is the most that a place in a file weighs.
const placeMost = 16

// place adds what a place in a file weighs, if the line may have one.
func (e *estimate) place() {
	t := e.text
	for i := 3; i < len(t); i++ {
		if classes[t[i]] != digitClass {
			continue
		}
		if c := t[i-1]; c == ':' || c == '(' || c == ' ' && (classes[t[i-2]] != letterClass || t[i-2]|0x20 == 'e') {
			e.score, e.why = e.score+placeMost, e.why+placeMost
			return
		}
	}
}
