// Package dfa finds lines that match a regular expression, with one look into a
// table for each byte.
//
// It runs the program that package regexp/syntax compiles as a deterministic
// automaton, which is built while the text is read: a state is the set of
// instructions at which the program could be, and each of its transitions is
// computed when it is first taken. A transition depends on the class of the next
// character; an expression distinguishes few classes.
//
// Assertions (\b, ^, $) depend on the characters on both sides. So a state
// remembers the kind of the previous character, and a match is noticed with the
// character after it. The end of a line counts as a character.
package dfa

import (
	"bytes"
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// Transitions that lead to no state.
const (
	unknown = -1 // not computed yet
	matched = -2
)

// maxTable bounds the memory of an automaton, in bytes. One that needs more
// begins anew.
const maxTable = 4 << 20

// minYield is how many bytes have to be read for each transition that is computed,
// on average until the memory is full. With fewer the automaton gives up, since
// other ways of matching are faster.
const minYield = 32

// A Finder finds lines that match an expression. It keeps what it has computed for
// the next text, and is not safe for concurrent use.
type Finder struct {
	prog    *syntax.Prog
	asserts bool // the program has assertions
	class   classes

	next  []int32          // a state is an offset in it, where its transitions are
	ids   map[string]int32 // states by key
	keys  []string         // of the states, in their order
	size  int              // of keys, in bytes
	start int32            // the state at the beginning of a line

	age   int // how often the memory was emptied
	steps int // transitions computed since then
	read  int // bytes read since then

	maxTable, minYield int // the constants, but for tests

	stack, set []uint32 // of reach
	seen       []uint32 // instruction pc was reached in search number seen[pc]
	search     uint32
}

// Compile returns a Finder for an expression. An error means that the expression is too
// large.
func Compile(tree *syntax.Regexp) (*Finder, error) {
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return nil, err
	}
	f := &Finder{prog: prog, seen: make([]uint32, len(prog.Inst)), maxTable: maxTable, minYield: minYield}
	for i := range prog.Inst {
		f.asserts = f.asserts || prog.Inst[i].Op == syntax.InstEmptyWidth
	}
	if err := f.class.init(prog, f.asserts); err != nil {
		return nil, err
	}
	f.reset()
	return f, nil
}

// Find returns a position in the first line of b that matches, or -1. b consists
// of whole lines; the last one may lack its newline. If ok is false the automaton
// has given up: the lines of b before the position at, where a line begins, do not
// match, and nothing is known of the others.
func (f *Finder) Find(b []byte) (at int, ok bool) {
	// Each look into the table has to wait for the previous one. So the two halves
	// of b are read in turns, which takes little longer than one of them would.
	half := 0
	if i := bytes.IndexByte(b[len(b)/2:], '\n'); i >= 0 {
		half = len(b)/2 + i + 1
	}
	age := f.age
	x, y := scanState{b: b[:half], state: f.start, age: age}, scanState{b: b[half:], state: f.start, age: age}
	for x.end == running && y.end == running && f.age == age {
		f.read += advance(f.next, &f.class.bytes, &x, &y)
		if f.proceed(&x); f.age == age {
			f.proceed(&y)
		}
	}
	base := 0
	for _, l := range []*scanState{&x, &y} {
		if l.end == running && l.age != f.age { // its state is gone
			l.i, l.state, l.age = l.lineStart(), f.start, f.age
		}
		for l.end == running {
			f.read += l.advance(f.next, &f.class.bytes)
			f.proceed(l)
		}
		switch l.end {
		case found:
			return base + l.i, true
		case gaveUp:
			return base + l.lineStart(), false
		}
		base += len(l.b)
	}
	return -1, true
}

// proceed takes a transition that advance could not, and those of the following
// characters that have more than one byte.
func (f *Finder) proceed(l *scanState) {
	for first := true; l.i < len(l.b) && (first || l.b[l.i] >= utf8.RuneSelf); first = false {
		class, width := f.class.of(l.b[l.i:])
		to := f.next[int(l.state)+class]
		if to == unknown {
			to = f.step(l.state, class)
			l.age = f.age
		}
		switch to {
		case matched:
			l.end = found
			return
		case unknown:
			l.end = gaveUp
			return
		}
		l.i, l.state = l.i+width, to
		f.read += width
	}
	if n := len(l.b); l.i == n {
		l.end = nothing
		if n > 0 && l.b[n-1] != '\n' && f.step(l.state, endOfLine) == matched {
			l.i, l.end = n-1, found
		}
	}
}

// step computes a transition. It returns unknown where the automaton gives up.
func (f *Finder) step(state int32, class int) int32 {
	key := f.keys[int(state)/f.stride()]
	kind := f.class.kind(class)
	to := f.start
	switch {
	case f.reach(key[1:], assertions(key[0], kind)):
		to = matched
	case class != endOfLine:
		if !f.asserts {
			kind = otherKind
		}
		key = f.after(kind, f.class.sample[class])
		var ok bool
		if to, ok = f.ids[key]; ok {
			break
		}
		if 4*len(f.next)+f.size > f.maxTable {
			if f.read < f.minYield*f.steps {
				return unknown
			}
			f.reset()
			return f.add(key)
		}
		to = f.add(key)
	}
	f.steps++
	f.next[int(state)+class] = to
	return to
}

// reach collects in f.set the instructions that read a character and can be reached
// from those of a key without reading one. It reports whether the program matches.
func (f *Finder) reach(key string, holds syntax.EmptyOp) bool {
	if f.search++; f.search == 0 {
		clear(f.seen)
		f.search = 1
	}
	f.set, f.stack = f.set[:0], f.stack[:0]
	for ; key != ""; key = key[pcSize:] {
		f.stack = append(f.stack, binary.LittleEndian.Uint32([]byte(key[:pcSize])))
	}
	for len(f.stack) > 0 {
		pc := f.stack[len(f.stack)-1]
		f.stack = f.stack[:len(f.stack)-1]
		if f.seen[pc] == f.search {
			continue
		}
		f.seen[pc] = f.search
		switch inst := &f.prog.Inst[pc]; inst.Op {
		case syntax.InstMatch:
			return true
		case syntax.InstAlt, syntax.InstAltMatch:
			f.stack = append(f.stack, inst.Arg, inst.Out)
		case syntax.InstCapture, syntax.InstNop:
			f.stack = append(f.stack, inst.Out)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(inst.Arg)&^holds == 0 {
				f.stack = append(f.stack, inst.Out)
			}
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			f.set = append(f.set, pc)
		case syntax.InstFail:
		}
	}
	return false
}

// after returns the key of the state that the instructions of f.set lead to with a
// character. A match may begin at any character, so the first instruction is always
// one of those of a state.
func (f *Finder) after(kind byte, char rune) string {
	out := make([]uint32, 1, 1+len(f.set))
	out[0] = uint32(f.prog.Start)
	for _, pc := range f.set {
		if inst := &f.prog.Inst[pc]; inst.MatchRune(char) {
			out = append(out, inst.Out)
		}
	}
	slices.Sort(out)
	return stateKey(kind, slices.Compact(out))
}

const pcSize = 4

// stateKey encodes a state: the kind of the previous character, and instructions.
func stateKey(kind byte, set []uint32) string {
	b := append(make([]byte, 0, 1+pcSize*len(set)), kind)
	for _, pc := range set {
		b = binary.LittleEndian.AppendUint32(b, pc)
	}
	return string(b)
}

// reset forgets all states but the first.
func (f *Finder) reset() {
	f.next, f.keys, f.ids = f.next[:0], f.keys[:0], map[string]int32{}
	f.age, f.size, f.steps, f.read = f.age+1, 0, 0, 0
	f.start = f.add(stateKey(edgeKind, []uint32{uint32(f.prog.Start)}))
}

// add makes a state without transitions.
func (f *Finder) add(key string) int32 {
	id := int32(len(f.next))
	for range f.stride() {
		f.next = append(f.next, unknown)
	}
	f.ids[key] = id
	f.keys = append(f.keys, key)
	f.size += len(key)
	return id
}

// stride returns how many transitions a state has: one for each class, and one that is
// always unknown, for bytes that are no character by themselves.
func (f *Finder) stride() int { return len(f.class.sample) + 1 }

// assertions returns what holds between characters of two kinds.
func assertions(before, after byte) syntax.EmptyOp {
	op := syntax.EmptyNoWordBoundary
	if (before == wordKind) != (after == wordKind) {
		op = syntax.EmptyWordBoundary
	}
	if before == edgeKind {
		op |= syntax.EmptyBeginLine | syntax.EmptyBeginText
	}
	if after == edgeKind {
		op |= syntax.EmptyEndLine | syntax.EmptyEndText
	}
	return op
}
