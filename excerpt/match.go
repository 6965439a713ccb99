package excerpt

import "bytes"

// matchHash weighs the word t[from:to] by the row whose hash is h, and reports whether
// there is one.
func (s *scan) matchHash(h uint32, from, to int) bool {
	r := s.dict.find(h)
	if r != nil {
		s.match(r, from, to)
	}
	return r != nil
}

// match weighs the word t[from:to], which r describes, by the bytes around it.
func (s *scan) match(r *row, from, to int) {
	switch r.kind {
	case denial:
		s.denied = s.words + 1
		s.denials++
		return
	case passing:
		s.pass(from, to)
		return
	}
	s.matched = true
	if r.kind == ending && bytes.Equal(s.text[to:], zeroStatus) {
		return
	}
	w := s.around(r, from, to)
	if r.text == "error" && isStatus(s.text[to:]) { // make: *** [all] Error 2
		s.ending = max(s.ending, w)
	}
	if w == 0 || s.denied == s.words && !r.isPair() {
		return
	}
	why := w * whyPercent[r.kind] / 100
	switch r.kind {
	case assertion:
		if to < len(s.text) && (s.text[to] == '(' || s.text[to] == ')') || bytes.HasPrefix(s.text[to:], diffLegend) {
			why = 0 // in the call that jest prints, or in the legend of its diff
		}
	case warning:
		s.warned = true
		s.labelled = s.labelled || s.top == 0 && s.words <= 2
	case ending:
		s.ending = max(s.ending, w)
	case failure, verdict, cause:
		s.failed = s.failed || r.kind == verdict
		s.specific = s.specific || r.kind == failure && !r.isGeneral()
		s.grave = s.grave || r.weight >= graveFrom
		if w >= phraseFrom && s.failure == 0 {
			s.failure, s.failureFor = hashWord(r.text), 2
		}
		if s.numbers == someNumber && r.counts() {
			s.counted = true
			w, why = w+18, why/3
		}
	}
	if r.kind == ending {
		w = min(w, endingMost)
	}
	s.add(w, why)
}

// firstWord is what a word weighs more as the first of its line.
const firstWord = 8

// phraseFrom is the least weight of a word that names the failure, together with the two words
// after it.
const phraseFrom = 30

// graveFrom is the least weight of a row that reports a failure even in a line that is
// labelled as a warning.
const graveFrom = 54

// endingMost is the highest weight of a report of a failure that other lines explain.
const endingMost = 60

// isStatus reports whether t, which ends a line, is a space and a number.
func isStatus(t []byte) bool {
	return len(t) > 1 && len(t) < 5 && t[0] == ' ' && len(bytes.TrimLeft(t[1:], "0123456789")) == 0
}

func (s *scan) add(w, why int) {
	if w > s.top {
		s.top, w = w, s.top
	}
	s.more += w
	s.topWhy = max(s.topWhy, why) + min(s.topWhy, why)/4
	s.whys += why
	s.mostWhy = max(s.mostWhy, why)
}

// around returns the row's weight, adjusted to the bytes around the word: higher for
// "Error:", lower for "error_handler.go", 0 for "0 errors".
func (s *scan) around(r *row, from, to int) int {
	t, w := s.text, r.weight
	var prev, next, after byte = ' ', ' ', ' '
	if from > 0 {
		prev = t[from-1]
	}
	if to < len(t) {
		next = t[to]
	}
	if to+1 < len(t) {
		after = t[to+1]
	}
	if s.numbers == zeroNumber || countsZero(t[to:]) {
		return 0
	}
	if r.kind == warning {
		return w
	}
	if prev == '.' && r == &exceptionName && (next == ':' || to == len(t)) {
		prev = ' ' // json.decoder.JSONDecodeError: ...
	}
	switch {
	case prev == '_' || prev == '/' || prev == '.' || prev == '-' && from > 1 && t[from-2] != ' ' && t[from-2] != '-',
		next == '_' || next == '/' || next == '(' && r.kind != verdict && r.text != "expect",
		next == '.' && classes[after] == letterClass, next == '-' && classes[after] == letterClass, classes[next] == digitClass,
		prev == '-' && from > 1 && t[from-2] == '-':
		return w / 5 // a part of a name
	case next == ':' && after != ':', next == ']' && r.kind != assertion, next == '[', next == '!':
		w += 18
	}
	if from == 0 || s.words == 1 {
		w += firstWord
	}
	if t[from]&0x20 == 0 && t[to-1]&0x20 == 0 && t[from] < 0x80 {
		w += 10 // capitals
	}
	return w
}

var zeroStatus = []byte(" 0")

// countsZero reports whether t continues as in "errors: 0" and "failed=0".
func countsZero(t []byte) bool {
	i := 0
	for i < len(t) && i < 4 && (t[i] == ':' || t[i] == '=' || t[i] == ' ') {
		i++
	}
	return i > 0 && i < len(t) && t[i] == '0' && (t[0] != ' ') && (i+1 == len(t) || classes[t[i+1]] == punctClass && t[i+1] != '.' || classes[t[i+1]] == spaceClass)
}

// pass marks the line as a success if its first or last word, t[from:to], reports one.
func (s *scan) pass(from, to int) {
	rest := s.text[to:]
	for len(rest) > 0 && closing(rest[len(rest)-1]) {
		rest = rest[:len(rest)-1]
	}
	if s.words == 1 && (from == 0 || s.text[from-1] != '/') || len(rest) == 0 || rest[0] == ' ' && len(rest) > 1 && (rest[1] == '[' || rest[1] == '(') {
		s.passing = true
	}
}

// closing reports whether c may follow the last word of a line.
func closing(c byte) bool {
	switch c {
	case ' ', '\t', '.', '!', ')', ']', '}', ':', '"', '\'':
		return true
	}
	return false
}

// suffix weighs names of exceptions: ValueError, NullPointerException.
func (s *scan) suffix(from, to int) {
	t := s.text[from:to]
	if t[0] >= 'a' && t[0] <= 'z' { // a variable, or a member
		return
	}
	if to < len(s.text) && s.text[to] == ',' && from > 0 && s.text[from-1] == '(' { // raises(ValueError, match=...)
		return
	}
	var n int
	switch t[len(t)-1] | 0x20 {
	case 'r':
		n = len("Error")
		if string(t[len(t)-n:]) != "Error" {
			return
		}
	case 'n':
		n = len("Exception")
		if len(t) <= n || string(t[len(t)-n:]) != "Exception" {
			return
		}
	case 'e':
		n = len("Failure")
		if len(t) <= n || string(t[len(t)-n:]) != "Failure" {
			return
		}
	default:
		return
	}
	s.match(&exceptionName, from, to)
}

var exceptionName = row{"ValueError", failure, 52, "Python", "ValueError: invalid literal for int()"}
