package artifact

import (
	"bytes"
	"regexp/syntax"
	"strings"
)

// A literal is a text that an expression asks for.
type literal struct {
	text string
	fold bool // in any case; text is ASCII then
}

// A clause is texts of which every match contains one at least.
type clause []literal

// Bounds of what is worth looking for: shorter texts are everywhere, and many
// at once are no faster than the expression itself.
const (
	minLiteral  = 2
	maxLiterals = 8
)

// clauses lists what every match of an expression contains.
func clauses(re *syntax.Regexp) []clause {
	switch re.Op {
	case syntax.OpLiteral:
		l := literal{string(re.Rune), re.Flags&syntax.FoldCase != 0}
		if len(l.text) >= minLiteral && !strings.ContainsRune(l.text, '\n') && (!l.fold || isASCII(l.text)) {
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

// leading is the clause of texts with which every match of an expression
// begins; nil where it may begin otherwise.
func leading(re *syntax.Regexp) clause {
	switch re.Op {
	case syntax.OpLiteral:
		if all := clauses(re); len(all) > 0 {
			return all[0]
		}
	case syntax.OpCapture, syntax.OpPlus, syntax.OpConcat:
		return leading(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return leading(re.Sub[0])
		}
	case syntax.OpAlternate:
		var all clause
		for _, sub := range re.Sub {
			c := leading(sub)
			if c == nil || len(all)+len(c) > maxLiterals {
				return nil
			}
			all = append(all, c...)
		}
		return all
	}
	return nil
}

// exactFinder looks for the first place at which one of the texts begins.
func (c clause) exactFinder() finder {
	finders := make([]finder, len(c))
	for i, l := range c {
		finders[i] = textFinder(l.text, l.fold)
	}
	return func(line []byte) int {
		first := -1
		for _, find := range finders {
			if at := find(line); at >= 0 && (first < 0 || at < first) {
				first = at
			}
		}
		return first
	}
}

// shortest is the length of the shortest text.
func (c clause) shortest() int {
	n := len(c[0].text)
	for _, l := range c[1:] {
		n = min(n, len(l.text))
	}
	return n
}

// finder looks for a line that contains one of the texts.
func (c clause) finder() finder {
	if len(c) == 1 {
		return textFinder(c[0].text, c[0].fold)
	}
	finders := make([]finder, len(c))
	for i, l := range c {
		finders[i] = textFinder(l.text, l.fold)
	}
	return func(b []byte) int { return firstOf(finders, b) }
}

// firstOf is a position in the first line in which one of the finders finds
// something. They look at small steps in turn, so that a text that is rare is
// not looked for far behind one that is near.
func firstOf(finders []finder, b []byte) int {
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

// sampleSize is how many bytes are looked at to learn which text is rare.
const sampleSize = 128 << 10

// rarestClause chooses what to look for first by how often it occurs in a
// sample of the input: what is rare differs from log to log.
func rarestClause(all []clause, sample []byte) int {
	sample = sample[:min(len(sample), sampleSize)]
	best, fewest := 0, -1
	for i, c := range all {
		n, find := 0, c.finder()
		for b := sample; len(b) > 0; n++ {
			at := find(b)
			if at < 0 {
				break
			}
			end := bytes.IndexByte(b[at:], '\n')
			if end < 0 {
				break
			}
			b = b[at+end+1:]
		}
		if fewest < 0 || n < fewest || n == fewest && c.shortest() > all[best].shortest() {
			best, fewest = i, n
		}
	}
	return best
}

// order makes finders of clauses: the one to look for first, and those that a
// line with it must satisfy as well.
func order(all []clause, sample []byte) (first finder, rest []finder) {
	best := rarestClause(all, sample)
	for i, c := range all {
		if i != best {
			rest = append(rest, c.finder())
		}
	}
	return all[best].finder(), rest
}
