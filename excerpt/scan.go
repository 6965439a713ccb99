package excerpt

import "bytes"

// facts holds the result of one pass over a line.
type facts struct {
	shape   uint32    // hash of the line up to numbers and digests; 0 where it has no letters
	kinds   [4]uint32 // hashes whose rarity is evidence, by novelty kind
	score   int       // how much the line's own words weigh, 0 to about 100
	why     int       // the same, for Writer.Best
	located bool      // names a file and a line of it
	ended   bool      // reports a failure that other lines explain
}

// Kinds of rarity: of a whole line, of its beginning, of its end, and of the words that
// name the failure.
const (
	rareShape = iota
	rareOpening
	rareClosing
	rareFailure
	rareKinds
)

// Classes of bytes.
const (
	letterClass = iota
	digitClass
	spaceClass
	punctClass
)

var classes = func() (t [256]uint8) {
	for c := range t {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= 0x80:
			t[c] = letterClass
		case c >= '0' && c <= '9':
			t[c] = digitClass
		case c == ' ' || c == '\t':
			t[c] = spaceClass
		default:
			t[c] = punctClass
		}
	}
	return t
}()

// A scan is the state of a pass over one line.
type scan struct {
	facts
	dict *dictionary
	text []byte

	top, more  int // the heaviest word, and the others together
	topWhy     int
	numbers    int // the token before: noNumber, zeroNumber or someNumber
	denied     int // number of the word that the word before it negates
	denials    int
	passing    bool // the first or last word reports a success
	warned     bool
	labelled   bool // the line is labelled as a warning
	grave      bool // a word reports a failure even in a warning
	counted    bool // a number that is not zero counts failures
	ending     int  // weight of a report of a failure that other lines explain
	specific   bool // a word names the failure
	words      int
	failed     bool   // a word reports a failure without a cause
	matched    bool   // a word is evidence
	before     uint32 // hash of the word before
	failure    uint32 // hash of the words from the failure on
	failureFor int    // how many more words belong to it
}

const (
	noNumber = iota
	zeroNumber
	someNumber
)

// read finds the facts of one line of clean text.
func (s *scan) read(dict *dictionary, t []byte) { //nolint:funlen // one loop, for speed
	*s = scan{dict: dict, text: t}
	if isBlob(t) {
		s.facts = blobFacts
		return
	}
	var (
		h       uint32 = 1
		opening uint32
		last    uint32 // hash of the last token
		letters bool
		word    = dict.first[:]
		second  = dict.second[:]
	)
	_, _ = word[63], second[63]
	for i := 0; i < len(t); {
		c := t[i]
		if len(t)-i >= uuidSize && t[i+8] == '-' && t[i+13] == '-' && isUUID(t, i) {
			i += uuidSize
			h = (h ^ '#') * wordPrime
			s.numbers, last, letters = noNumber, '#', true
			continue
		}
		switch classes[c] {
		case letterClass:
			from := i
			w := uint32(wordSeed)
			for i < len(t) && classes[t[i]] == letterClass {
				w = (w ^ uint32(t[i]|0x20)) * wordPrime
				i++
			}
			w ^= w >> 15
			letters = true
			if end := digestEnd(t, from, i); end > 0 {
				i = end
				h = (h ^ '#') * wordPrime
				s.numbers, last = noNumber, '#'
				continue
			}
			h = (h ^ w) * 0x9e3779b1
			last = w
			s.words++
			if s.words == 2 {
				opening = h
			}
			if s.failureFor > 0 {
				s.failureFor--
				s.failure = (s.failure ^ w) * 0x9e3779b1
			}
			if word[w>>6&63]>>(w&63)&1 != 0 {
				s.matchHash(w, from, i)
			} else if i-from > 5 {
				s.suffix(from, i)
			}
			if second[w>>6&63]>>(w&63)&1 != 0 {
				s.matchHash(pairOf(s.before, w), from, i)
			}
			s.before = w
			s.numbers = noNumber
		case digitClass:
			from := i
			i = numberEnd(t, i)
			s.count(from, i)
			h = (h ^ '#') * wordPrime
			last = '#'
		case spaceClass:
			from := i
			for i++; i < len(t) && t[i] == c; i++ {
			}
			if from == 0 {
				h = (h ^ uint32(i)) * wordPrime
			} else {
				h = (h ^ ' ') * wordPrime
			}
		default:
			for i++; i < len(t) && t[i] == c; i++ {
			}
			h = (h ^ uint32(c)) * wordPrime
			last ^= uint32(c) << 24
			if c != '\'' {
				s.before = 0
			}
			s.numbers = noNumber
		}
	}
	if !letters {
		s.facts = facts{}
		return
	}
	s.hashes(h, opening, last)
	s.weigh()
}

// blobFrom is the least length of a line of encoded bytes.
const blobFrom = 48

// blobFacts holds the facts of any line of encoded bytes: all are equally rare.
var blobFacts = facts{kinds: [rareKinds]uint32{1, 1, 1, 0}}

// isBlob reports whether a line looks like base64: one word with letters of both cases
// and digits.
func isBlob(t []byte) bool {
	if len(t) < blobFrom {
		return false
	}
	var seen uint8
	for ; len(t) >= 8; t = t[8:] {
		seen |= blobBytes[t[0]] | blobBytes[t[1]] | blobBytes[t[2]] | blobBytes[t[3]] |
			blobBytes[t[4]] | blobBytes[t[5]] | blobBytes[t[6]] | blobBytes[t[7]]
		if seen >= 0x80 {
			return false
		}
	}
	for _, c := range t {
		seen |= blobBytes[c]
	}
	return seen == 7 || seen == 0xf
}

// blobBytes has a bit for each kind of byte in base64, and 0x80 for others.
var blobBytes = func() (t [256]uint8) {
	for c := range t {
		switch {
		case c >= 'a' && c <= 'z':
			t[c] = 1
		case c >= 'A' && c <= 'Z':
			t[c] = 2
		case c >= '0' && c <= '9':
			t[c] = 4
		case c == '+' || c == '/' || c == '-' || c == '_' || c == '=':
			t[c] = 8
		default:
			t[c] = 0x80
		}
	}
	return t
}()

// hashes stores the hashes of the line, made from the hash of all of it, of its beginning
// and of its last token.
func (s *scan) hashes(all, opening, last uint32) {
	if s.words == 1 {
		opening = all
	}
	s.shape = all | 1
	s.kinds = [rareKinds]uint32{all | 1, opening*0x85ebca6b | 1, last*0xc2b2ae35 | 1, 0}
	if s.failure != 0 {
		s.kinds[rareFailure] = s.failure*0x27d4eb2f | 1
	}
}

// codeOf precedes the exit status of a tool, whose line weighs codeWeight.
var codeOf = []byte(" (code ")

const codeWeight = 40

// count reads the number t[from:to]: a line of a file, a code, or a number of failures.
func (s *scan) count(from, to int) {
	t := s.text
	if s.placed(from, to) {
		s.located = true
	}
	if s.failureFor > 0 && from > 0 && classes[t[from-1]] == letterClass {
		for _, c := range t[from:min(to, from+6)] { // TS2322 and TS2307 are two things
			s.failure = (s.failure ^ uint32(c)) * wordPrime
		}
	}
	s.numbers = someNumber
	if to == from+1 && t[from] == '0' {
		s.numbers = zeroNumber
	} else if bytes.HasSuffix(t[:from], codeOf) { // rsync error: error in file IO (code 11) at main.c(800)
		s.ending = max(s.ending, codeWeight)
	} else if to-from > 5 || to-from > 3 && t[from+1] != ',' && t[from+2] != ',' && t[from+3] != ',' {
		s.numbers = noNumber // rather a time, a size or a digest
	}
}

// numberEnd returns the end of the number, time, size or digest at t[i:].
func numberEnd(t []byte, i int) int {
	from := i
	for i < len(t) {
		switch c := t[i]; {
		case classes[c] == digitClass || i == from:
			i++
			continue
		case classes[c] == letterClass:
			j := i + 1
			for j < len(t) && j-i <= 3 && classes[t[j]] == letterClass {
				j++
			}
			if j-i <= 3 && (j == len(t) || classes[t[j]] != letterClass) {
				i = j // a unit, or the T of a time
				continue
			}
			if k := hexEnd(t, from); k > i {
				i = k
				continue
			}
		case c == '.' || c == ':' || c == ',' || c == '-' || c == '/' || c == '+':
			if i+1 < len(t) && (classes[t[i+1]] == digitClass || c == ':' && hexEnd(t, i+1) > 0) && !isUUID(t, i+1) {
				i++
				from = i
				continue
			}
		}
		return i
	}
	return i
}

const uuidSize = len("0189f7d2-5c1e-7a3b-9b0a-3f2c4d5e6f70")

// isUUID reports whether a UUID is at t[i:], and no part of a longer word.
func isUUID(t []byte, i int) bool {
	if len(t)-i < uuidSize || t[i+8] != '-' || t[i+13] != '-' || t[i+18] != '-' || t[i+23] != '-' ||
		i > 0 && classes[t[i-1]] <= digitClass || len(t)-i > uuidSize && classes[t[i+uuidSize]] <= digitClass {
		return false
	}
	for j, c := range t[i : i+uuidSize] {
		if classes[c] != digitClass && (c|0x20 < 'a' || c|0x20 > 'f') && (j != 8 && j != 13 && j != 18 && j != 23) {
			return false
		}
	}
	return true
}

// digestEnd returns the end of a digest that begins with the letters t[from:to], and 0
// if they are a word.
func digestEnd(t []byte, from, to int) int {
	if to < len(t) && classes[t[to]] == digitClass {
		return hexEnd(t, from)
	}
	return 0
}

// hexEnd returns the end of the run of hexadecimal digits at t[i:], and 0 if the run is
// shorter than 7 or a letter follows it.
func hexEnd(t []byte, i int) int {
	j := i
	for j < len(t) && (classes[t[j]] == digitClass || t[j]|0x20 >= 'a' && t[j]|0x20 <= 'f') {
		j++
	}
	if j-i < 7 || j < len(t) && classes[t[j]] == letterClass {
		return 0
	}
	return j
}

// placed reports whether the number t[from:to] is the line of a file: file.c:12,
// line 12, (12,5).
func (s *scan) placed(from, to int) bool {
	t := s.text
	if from < 3 {
		return false
	}
	switch t[from-1] {
	case ':':
		i := from - 2
		for i >= 0 && classes[t[i]] <= digitClass && from-i < 12 {
			i--
		}
		return i > 0 && i < from-2 && t[i] == '.' && classes[t[i-1]] <= digitClass && classes[t[from-2]] == letterClass
	case '(':
		return classes[t[from-2]] == letterClass && to < len(t) && (t[to] == ')' || t[to] == ',') && bytes.IndexByte(t[max(0, from-6):from], '.') >= 0
	case ' ':
		return s.before == hashLine && from > 5
	}
	return false
}
