package excerpt

import (
	"bytes"
)

// weigh computes the scores of the line from the words that were found.
func (s *scan) weigh() {
	if s.top == 0 && !s.located {
		s.marks()
		return
	}
	s.score, s.why = s.top+min(s.more/4, 16), s.topWhy
	if s.located {
		s.score += 14
		if s.score == 14 {
			s.score = 16
		}
		s.why += 14
	}
	switch {
	case s.passing && !s.counted && s.denials == 0:
		s.score, s.why = s.score/6, s.why/6
	case s.warned && s.top < 52:
		s.score, s.why = s.score/3, s.why/4
	case s.labelled && !s.grave:
		s.why /= 3
	case s.ending > s.topWhy, s.ending > 0 && !s.specific:
		s.ended = true
		s.why /= 4
	}
	if s.words <= 2 && !bytes.HasPrefix(skipBlank(s.text), expectedLabel) {
		s.why -= s.why / 4
	}
	if s.failed && !s.specific && s.text[len(s.text)-1] == ':' { // The following tests FAILED:
		s.why += s.why / 2
	}
	text := skipBlank(untimed(s.text))
	if s.quiet() || isHeading(text) {
		s.why /= 4
	}
	if s.helps() || !s.specific && s.words <= 8 && s.text[len(s.text)-1] == ')' { // ERROR: test_a (test_x.T.test_a)
		s.why /= 2
	}
	s.marks()
	s.cause = s.why >= evidence && (bytes.HasPrefix(text, causedBy) || bytes.HasPrefix(text, causeOf))
}

// quiet reports whether a line reports no failure of its own: it has a log level below
// a warning, is one word of lower case (undefined), or is the result of a test that
// another line explains.
func (s *scan) quiet() bool {
	t := untimed(skipBlank(s.text))
	if s.words <= 2 && len(bytes.TrimLeft(t, "abcdefghijklmnopqrstuvwxyz")) == 0 || bytes.HasSuffix(t, erredResult) {
		return true
	}
	for _, level := range [...]string{"DEBUG", "INFO", "TRACE"} {
		if len(t) > len(level) && string(t[:len(level)]) == level {
			return true
		}
	}
	return false
}

// isHeading reports whether a line is a title between rules, as in
// "_____ test_lease _____" and "=== FAILURES ===".
func isHeading(t []byte) bool {
	if len(t) < 6 || classes[t[0]] != punctClass {
		return false
	}
	rule := t[:3:3]
	return rule[0] == rule[1] && rule[1] == rule[2] && bytes.HasSuffix(t, rule)
}

// helps reports whether a line is part of a usage text: a synopsis, an option or its
// description.
func (s *scan) helps() bool {
	t := skipBlank(s.text)
	indent := len(s.text) - len(t)
	return indent > 20 || indent > 0 && len(t) > 2 && t[0] == '-' && (classes[t[1]] == letterClass || t[1] == '-' && classes[t[2]] == letterClass) ||
		bytes.Contains(t[:min(len(t), 16)], synopsis)
}

var (
	causedBy      = []byte("Caused by:")
	causeOf       = []byte("[cause]:") // node
	synopsis      = []byte("sage: ")
	expectedLabel = []byte("Expected: ")
	diffLegend    = []byte("  ")        // - Expected  - 1
	erredResult   = []byte("... ERROR") // test_a (test_x.T.test_a) ... ERROR
)

// marks weighs the signs at the beginning of the line, such as ● and HTTP/.
func (s *scan) marks() {
	t := skipBlank(s.text)
	if len(t) > 0 && classes[t[0]] == digitClass { // a time, or the line of a parallel job
		t = skipBlank(t[numberEnd(t, 0):])
	}
	if len(t) < 2 {
		return
	}
	switch {
	case len(t) > 9 && string(t[:5]) == "HTTP/", len(t) > 11 && string(t[:7]) == "< HTTP/":
		s.digits = true
		if failedStatus(t[bytes.IndexByte(t, '/'):]) {
			s.score, s.why = max(s.score, 52), max(s.why, 48)
		}
	case t[0] == 'E' && len(t) > 4 && string(t[1:4]) == "   ": // pytest
		s.score += 44
		s.why += 44
	case t[0] == 0xe2 && len(t) > 3:
		switch string(t[:3]) {
		case "●": // announces why
			s.score, s.why = max(s.score, 50), max(s.why, 34)
		case "✗", "✘", "✖", "✕", "❌":
			s.score, s.why = max(s.score, 50), max(s.why, 20)
		case "✓", "✔", "√":
			s.score, s.why = s.score/6, s.why/6
		}
	case (t[0] == '+' || t[0] == '-') && t[1] == ' ', t[0] == '>' && t[1] == ' ':
		s.score += 8
	}
}

// failedStatus reports whether t, which follows "HTTP/", has the status of an error.
func failedStatus(t []byte) bool {
	i := bytes.IndexByte(t, ' ') + 1
	return i > 0 && i+2 < len(t) && (t[i] == '4' || t[i] == '5') && classes[t[i+1]] == digitClass && classes[t[i+2]] == digitClass
}
