package search

import (
	"bytes"
	"regexp/syntax"
	"strings"
)

// A literal is a text that a match may contain.
type literal struct {
	text string
	fold bool // in any case; text is ASCII then
}

// A clause is a list of texts; every match contains at least one of them.
type clause []literal

// maxLiterals bounds a clause: more texts at once are no faster to look for than the
// expression itself.
const maxLiterals = 8

// clauses lists what every match of an expression contains.
func clauses(re *syntax.Regexp) []clause {
	switch re.Op {
	case syntax.OpLiteral:
		l := literal{string(re.Rune), re.Flags&syntax.FoldCase != 0}
		if l.text != "" && !strings.ContainsRune(l.text, '\n') && (!l.fold || isASCII(l.text)) {
			return []clause{{l}}
		}
	case syntax.OpCapture, syntax.OpPlus:
		return clauses(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return clauses(re.Sub[0])
		}
	case syntax.OpConcat:
		var all []clause
		for _, sub := range re.Sub {
			all = append(all, clauses(sub)...)
		}
		return all
	case syntax.OpAlternate:
		if c := either(re.Sub); c != nil {
			return []clause{c}
		}
	}
	return nil
}

// either joins the best clause of every alternative.
func either(alternatives []*syntax.Regexp) clause {
	var all clause
	for _, sub := range alternatives {
		best := clause(nil)
		for _, c := range clauses(sub) {
			if best == nil || c.shortest() > best.shortest() {
				best = c
			}
		}
		if best == nil || len(all)+len(best) > maxLiterals {
			return nil
		}
		all = append(all, best...)
	}
	return all
}

// shortest returns the length of the shortest text.
func (c clause) shortest() int {
	n := len(c[0].text)
	for _, l := range c[1:] {
		n = min(n, len(l.text))
	}
	return n
}

// finder looks for a line that contains one of the texts.
func (c clause) finder() Finder {
	if len(c) == 1 {
		return textFinder(c[0].text, c[0].fold)
	}
	finders := make([]Finder, len(c))
	for i, l := range c {
		finders[i] = textFinder(l.text, l.fold)
	}
	return func(b []byte) int { return firstOf(finders, b) }
}

// firstOf returns a position in the first line in which one of the finders finds
// something. They look at small steps in turn, so that a text that is rare is
// not looked for far past one that is near.
func firstOf(finders []Finder, b []byte) int {
	const smallest, largest = 256, 64 << 10
	for base, step := 0, smallest; base < len(b); step = min(2*step, largest) {
		end := min(base+step, len(b))
		if i := bytes.IndexByte(b[end:], '\n'); i >= 0 {
			end += i + 1
		} else {
			end = len(b)
		}
		first := -1
		for _, find := range finders {
			if at := find(b[base:end]); at >= 0 && (first < 0 || at < first) {
				first = at
			}
		}
		if first >= 0 {
			return base + first
		}
		base = end
	}
	return -1
}

const (
	// sampleSize is how many bytes are examined to learn which text is rare.
	sampleSize = 128 << 10
	// rareLine is how many bytes there have to be for each line with a text, for
	// a search for the text to be faster than one for the expression.
	rareLine = 256
)

// rareClause returns a [Finder] of the clause that the fewest lines of a sample satisfy,
// because logs differ in which texts are rare. It returns nil if no clause is rare.
func rareClause(all []clause, sample []byte) Finder {
	sample = sample[:min(len(sample), sampleSize)]
	var best clause
	fewest := len(sample)/rareLine + 1
	for _, c := range all {
		n := countLines(c.finder(), sample)
		if n < fewest || n == fewest && best != nil && c.shortest() > best.shortest() {
			best, fewest = c, n
		}
	}
	if best == nil {
		return nil
	}
	return best.finder()
}

// countLines returns how many lines of b a [Finder] finds.
func countLines(find Finder, b []byte) int {
	for n := 0; ; n++ {
		at := find(b)
		if at < 0 {
			return n
		}
		end := bytes.IndexByte(b[at:], '\n')
		if end < 0 {
			return n + 1
		}
		b = b[at+end+1:]
	}
}
