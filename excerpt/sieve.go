package excerpt

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math/bits"
	"strings"
	"sync"
)

// A sieve finds the words of evidence in a line without reading the line: sets of the first
// four bytes and of the first eight letters of such words, and a table of their hashes.
type sieve struct {
	starts  [1 << 10]uint64
	letters [1 << 8]uint64
	keys    [1 << 10]sieveKey
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
	pairs := map[string]int{} // by word
	for i := range rows {
		if first, last, pair := strings.Cut(rows[i].text, " "); pair {
			pairs[first]++
			pairs[last]++
		}
	}
	for i := range rows {
		r := &rows[i]
		if r.kind == passing || r.kind == denial {
			continue
		}
		switch first, last, pair := strings.Cut(r.text, " "); {
		case !pair:
			v.add(r.text, keyOfOne)
		case len(last) < 3 || len(first) > 2 && cmp.Or(pairs[first]-pairs[last], len(first)-len(last)) > 0:
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
	start := append([]byte(word), make([]byte, 8)...)
	k := lettersHash(binary.LittleEndian.Uint64(start))
	v.letters[k>>6] |= 1 << (k & 63)
	start = start[:4]
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

// lettersHash returns the place of a word that x begins with in the set of those of at most eight
// letters, and of the beginnings of longer ones.
func lettersHash(x uint64) uint64 {
	n := bits.TrailingZeros64(^letterBytes(x)&highBits) / 8 // 8 if all are letters
	return (x | blanks) << (64 - 8*n) * 0x9e3779b97f4a7c15 >> 50
}

func (v *sieve) find(h uint32) uint8 {
	for i := h >> 12 & 1023; ; i = (i + 1) & 1023 {
		if k := v.keys[i]; k.as == 0 || k.hash == h {
			return k.as
		}
	}
}

// The bounds are what an estimate found in a line.
type bounds struct {
	top, score, why             int32
	telling, mayEnd, mayBeCause bool

	after  int32 // where the phrase goes on
	phrase *row  // what names the failure; nil if that is not known
}

// An estimate is an upper bound of what a scan would find in a line.
type estimate struct {
	scan            // its text, top, more, mostWhy, whys, score and why
	telling    bool // it has a word of evidence
	mayEnd     bool // it may report a failure that other lines explain
	mayBeCause bool // it may name a cause

	phrase *row // the first row that names the failure
	after  int  // its end
	unsure bool // a scan may take another one
}

// begin begins the estimate of the line t, whose words follow.
func (e *estimate) begin(t []byte) {
	if e.telling {
		*e = estimate{}
	}
	e.text, e.score, e.why, e.mayEnd, e.mayBeCause = t, 0, 0, false, false
}

// end ends the estimate, of which all words were found that may be evidence.
func (e *estimate) end() {
	if e.telling {
		e.score, e.why = e.top+min(e.more/4, 16), e.mostWhy+(e.whys-e.mostWhy)/4 // in any order
		if e.text[len(e.text)-1] == ':' {
			e.why += e.why/2 + 7 // of a place
		}
	}
	t, i := e.text, 0
	for i < len(t) && (t[i] == ' ' || t[i] == '\t') {
		i++
	}
	if i < len(t) && markStarts[t[i]] && len(t) > 1 {
		e.marks()
	}
}

var hashCode, hashCause, hashCaused = hashWord("code"), hashWord("cause"), hashWord("caused")

// word estimates the word that begins at from.
func (e *estimate) word(v *sieve, d *dictionary, from int) {
	h, to := readWord(e.text, from)
	as := v.find(h)
	if as&keyOfOne == 0 {
		e.exception(from)
	}
	switch h {
	case hashCode:
		e.mayEnd = e.mayEnd || bytes.HasPrefix(e.text[max(0, from-2):], codeOf)
	case hashCaused:
		e.mayBeCause = e.mayBeCause || bytes.HasPrefix(e.text[from:], causedBy)
	case hashCause:
		e.mayBeCause = e.mayBeCause || bytes.HasPrefix(e.text[max(0, from-1):], causeOf)
	}
	if as&keyOfOne != 0 {
		e.row(d.find(h), from, to)
	}
	if as&keyOfFirst != 0 {
		if r, from, to := pairAfter(d, e.text, h, to); r != nil {
			e.row(r, from, to)
		}
	}
	if as&keyOfLast != 0 {
		if r := pairBefore(d, e.text, h, from, to); r != nil {
			e.row(r, from, to)
		}
	}
}

// endsException reports whether the last four bytes of a word may be those of the name of an
// exception: Error, Exception or Failure.
func endsException(x uint32) bool {
	const rror, tion, lure = 'r'<<24 | 'o'<<16 | 'r'<<8 | 'r', 'n'<<24 | 'o'<<16 | 'i'<<8 | 't', 'e'<<24 | 'r'<<16 | 'u'<<8 | 'l'
	return x == rror || x == tion || x == lure
}

// exception adds the name of an exception that may begin at from.
func (e *estimate) exception(from int) {
	to := from
	for ; ; to += 8 {
		if n := bits.TrailingZeros64(^letterBytes(wordAt(e.text, to))&highBits) / 8; n < 8 {
			to += n
			break
		}
	}
	if c := e.text[from]; to-from >= 6 && (c < 'a' || c > 'z') && endsException(binary.LittleEndian.Uint32(e.text[to-4:to])) {
		e.words, e.telling = e.wordsUpTo(from), true
		e.suffix(from, to)
	}
}

// row adds the most that r may weigh.
func (e *estimate) row(r *row, from, to int) {
	e.words, e.telling = e.wordsUpTo(from), true
	w := e.around(r, from, to)
	if w == 0 {
		return
	}
	if w >= phraseFrom && e.phrase == nil && (r.kind == failure || r.kind == verdict || r.kind == cause) {
		e.unsure = e.unsure || e.failure != 0 || r == &anyPair || w < phraseFrom+firstWord && e.words == 1 && from > 0 || e.mayDeny(from)
		if !e.unsure {
			e.phrase, e.after = r, to
		}
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

// wordsUpTo returns 2 if the word at from certainly follows another one, else 1.
func (e *estimate) wordsUpTo(from int) int {
	i := from - 1
	if i > 0 && classes[e.text[i]] != letterClass {
		i--
	}
	word := false // it has a letter that neither a digest nor a UUID has
	for ; i >= 0 && classes[e.text[i]] == letterClass; i-- {
		word = word || e.text[i]|0x20 > 'f'
	}
	if word && (i < 0 || classes[e.text[i]] != digitClass) {
		return 2
	}
	return 1
}

// mayDeny reports whether what precedes the word at from is a denial, 0, or another number.
func (e *estimate) mayDeny(from int) bool {
	t, i := e.text, from
	for ; i > 0 && classes[t[i-1]] != letterClass; i-- {
		if classes[t[i-1]] == digitClass {
			return true
		}
	}
	for ; i > 0 && classes[t[i-1]] == letterClass; i-- {
	}
	h, _ := readWord(t, i)
	r := evidenceDictionary().find(h)
	return r != nil && r.kind == denial || i > 0 && classes[t[i-1]] == digitClass
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

// pairAfter returns the row of the word that ends at end, whose hash is h, and the next one, and
// where it is; nil if there is no such row. Of words with digits between it returns anyPair.
func pairAfter(d *dictionary, t []byte, h uint32, end int) (r *row, from, to int) {
	i := end
	for i < len(t) && (classes[t[i]] == spaceClass || t[i] == '\'') {
		i++
	}
	if i == len(t) {
		return nil, 0, 0
	}
	switch classes[t[i]] {
	case digitClass:
		return &anyPair, end - 1, end
	case letterClass:
		w, to := readWord(t, i)
		if to < len(t) && (classes[t[to]] == digitClass || isUUID(t, i)) {
			return &anyPair, end - 1, end
		}
		return d.find(pairOf(h, w)), i, to
	}
	return nil, 0, 0
}

// pairBefore returns the row of the word t[from:to], whose hash is h, and the one before, like
// pairAfter.
func pairBefore(d *dictionary, t []byte, h uint32, from, to int) *row {
	i := from
	for i > 0 && (classes[t[i-1]] == spaceClass || t[i-1] == '\'') {
		i--
	}
	if i == 0 {
		return nil
	}
	switch classes[t[i-1]] {
	case digitClass:
		return &anyPair
	case letterClass:
		for i > 0 && classes[t[i-1]] == letterClass {
			i--
		}
		w, _ := readWord(t, i)
		if i > 0 && classes[t[i-1]] == digitClass {
			return &anyPair
		}
		return d.find(pairOf(w, h))
	}
	return nil
}

// placeMost is the most that a place in a file weighs.
const placeMost = 16

// mayHavePlace reports whether the line t may have a place in a file.
func mayHavePlace(t []byte) bool {
	for i := 3; i < len(t); i++ {
		if classes[t[i]] != digitClass {
			continue
		}
		switch t[i-1] {
		case ':', '(':
			if classes[t[i-2]] == letterClass {
				return true
			}
		case ' ':
			if c := t[i-2]; (c|0x20 == 'e' || classes[c] == spaceClass || c == '\'') && endsInLine(bytes.TrimRight(t[:i-1], " \t'")) {
				return true
			}
		}
	}
	return false
}

// endsInLine reports whether the last four letters of t are those of "line".
func endsInLine(t []byte) bool {
	return len(t) >= 4 && binary.LittleEndian.Uint32(t[len(t)-4:])|blanks&(1<<32-1) == 'e'<<24|'n'<<16|'i'<<8|'l'
}
