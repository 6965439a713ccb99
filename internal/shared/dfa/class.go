package dfa

import (
	"errors"
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

// The kinds of characters that assertions distinguish.
const (
	edgeKind  = iota // the beginning or the end of the line
	wordKind         // [0-9A-Za-z_]
	otherKind        // any other
)

// A classes maps characters to classes: numbers that are the same for characters
// that an expression does not distinguish.
type classes struct {
	bytes   [256]uint8 // class of the characters of one byte; no class for other bytes
	sample  []rune     // one character of each class
	from    []rune     // where the ranges of characters begin, ascending
	classOf []uint8    // the class of each range
	table   []uint8    // class of each character below tableSize; nil until one is not ASCII
}

const (
	// endOfLine is the class of the newline, and what follows the last character.
	endOfLine = 0
	// maxClasses is 255: one value of a byte is reserved for "no class".
	maxClasses = 255
	tableSize  = 1 << 16
)

var errClasses = errors.New("the expression distinguishes too many classes of characters")

// init finds the classes of a program. Words distinguishes what \b does.
func (c *classes) init(prog *syntax.Prog, words bool) error {
	tests := distinctTests(prog)
	if words {
		tests = append(tests, &syntax.Inst{Op: syntax.InstRune, Rune: []rune{'0', '9', 'A', 'Z', '_', '_', 'a', 'z'}})
	}
	c.from = bounds(tests)
	c.sample = []rune{'\n'}
	known := map[string]uint8{}
	for _, r := range c.from {
		answers := make([]byte, len(tests))
		for i, t := range tests {
			if t.MatchRune(r) {
				answers[i] = 1
			}
		}
		class, ok := known[string(answers)]
		switch {
		case r == '\n':
			class = endOfLine
		case !ok && len(c.sample) == maxClasses:
			return errClasses
		case !ok:
			class = uint8(len(c.sample))
			known[string(answers)] = class
			c.sample = append(c.sample, r)
		}
		c.classOf = append(c.classOf, class)
	}
	for i := range c.bytes {
		c.bytes[i] = uint8(len(c.sample))
		if i < utf8.RuneSelf {
			c.bytes[i] = c.find(rune(i))
		}
	}
	return nil
}

// distinctTests returns the instructions of a program that read a character, one of
// those that accept the same characters.
func distinctTests(prog *syntax.Prog) []*syntax.Inst {
	var tests []*syntax.Inst
	known := map[string]bool{}
	for i := range prog.Inst {
		inst := &prog.Inst[i]
		switch inst.Op {
		case syntax.InstRune, syntax.InstRune1:
			key := string(inst.Rune) + string(rune(inst.Arg))
			if !known[key] {
				known[key] = true
				tests = append(tests, inst)
			}
		}
	}
	return tests
}

// bounds returns the characters at which the answer of a test may change, and those
// around the newline.
func bounds(tests []*syntax.Inst) []rune {
	from := []rune{0, '\n', '\n' + 1}
	add := func(lo, hi rune) { from = append(from, lo, hi+1) }
	for _, t := range tests {
		if len(t.Rune) == 1 {
			r := t.Rune[0]
			add(r, r)
			for fold := unicode.SimpleFold(r); fold != r; fold = unicode.SimpleFold(fold) {
				add(fold, fold)
			}
			continue
		}
		for i := 0; i+1 < len(t.Rune); i += 2 {
			add(t.Rune[i], t.Rune[i+1])
		}
	}
	slices.Sort(from)
	return slices.Compact(from)
}

// find returns the class of a character.
func (c *classes) find(r rune) uint8 {
	i, exact := slices.BinarySearch(c.from, r)
	if !exact {
		i--
	}
	return c.classOf[i]
}

// of returns the class of the character with which b begins, and its length in
// bytes. As in package regexp, a byte that is no UTF-8 is a utf8.RuneError.
func (c *classes) of(b []byte) (class, width int) {
	if b[0] < utf8.RuneSelf {
		return int(c.bytes[b[0]]), 1
	}
	r, width := utf8.DecodeRune(b)
	if r >= tableSize {
		return int(c.find(r)), width
	}
	if c.table == nil {
		c.table = make([]uint8, tableSize)
		for r := range c.table {
			c.table[r] = c.find(rune(r))
		}
	}
	return int(c.table[r]), width
}

// kind returns the kind of the characters of a class.
func (c *classes) kind(class int) byte {
	switch {
	case class == endOfLine:
		return edgeKind
	case syntax.IsWordChar(c.sample[class]):
		return wordKind
	}
	return otherKind
}
