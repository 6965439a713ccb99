package excerpt

import "bytes"

// wordPrime is the prime of the 32-bit FNV-1a hash.
const wordPrime = 16777619

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
			w, end := readWord(t, from)
			i = end
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
			if (word[w>>6&63]>>(w&63)&1 == 0 || !s.matchHash(w, from, i)) && i-from > 5 {
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

// phraseAt returns the hash that a scan makes of the words that name a failure: those of r, which
// end at i in t, and the two after them. It returns 0 if the scan may take other words.
func phraseAt(t []byte, r *row, i int) uint32 {
	h := hashWord(r.text)
	for words := 2; i < len(t) && words > 0; {
		switch from := i; {
		case isUUID(t, i):
			i += uuidSize
		case classes[t[i]] == letterClass:
			w, end := readWord(t, i)
			if i = digestEnd(t, from, end); i == 0 {
				if i = end; h == w { // a scan begins another phrase
					return 0
				}
				h = (h ^ w) * 0x9e3779b1
				words--
			}
		case classes[t[i]] == digitClass:
			i = numberEnd(t, i)
			if from > 0 && classes[t[from-1]] == letterClass {
				for _, c := range t[from:min(i, from+6)] {
					h = (h ^ uint32(c)) * wordPrime
				}
			}
		default:
			i++
		}
	}
	return h*0x27d4eb2f | 1
}

// blobFacts holds the facts of any line of encoded bytes: all are equally rare.
var blobFacts = facts{kinds: [rareKinds]uint32{1, 1, 1, 0}}

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
	if s.isLocation(from, to) {
		s.located = true
	}
	if s.failureFor > 0 && from > 0 && classes[t[from-1]] == letterClass {
		s.digits = true
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

// isLocation reports whether the number t[from:to] is the line of a file: file.c:12,
// line 12, (12,5).
func (s *scan) isLocation(from, to int) bool {
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

var hashLine = hashWord("line")
