package artifact

import "regexp"

// A matcher matches an expression against single lines.
type matcher struct {
	re   *regexp.Regexp
	must []finder // what a line has to contain

	// Every match begins with a text that first finds, and at matches there
	// only: most lines that have the text are done with in a moment. Both are
	// nil where an expression may begin with anything.
	first finder
	at    *regexp.Regexp
}

const (
	// longLine is from where it is worth while to know where in a line the
	// match is, in bytes.
	longLine = 4 << 10
	// mostStarts is how many beginnings of a match are tried in a line before
	// the expression looks for itself: it never takes longer than the line is
	// long, and they would.
	mostStarts = 16
)

// match is where a line matches, or a number that says that it does; -1 where
// it does not.
func (m *matcher) match(line []byte) int {
	for _, find := range m.must {
		if find(line) < 0 {
			return -1
		}
	}
	if m.first != nil {
		if at, known := m.matchStarts(line); known {
			return at
		}
	}
	if len(line) < longLine {
		if m.re.Match(line) {
			return 0
		}
	} else if at := m.re.FindIndex(line); at != nil {
		return at[0]
	}
	return -1
}

// matchStarts tries the beginnings that a match may have; known is false where
// there are too many of them.
func (m *matcher) matchStarts(line []byte) (at int, known bool) {
	pos := 0
	for range mostStarts {
		i := m.first(line[pos:])
		if i < 0 {
			return -1, true
		}
		pos += i
		if m.at.Match(line[pos:]) {
			return pos, true
		}
		pos++
	}
	return 0, false
}
