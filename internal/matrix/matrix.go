// Package matrix chooses the cases of tests that have more of them than every
// run needs. A test whose cases are combinations of several factors (a dialect,
// a budget, a result) runs all of them where there is time, and otherwise a
// small part in which each pair of values still meets.
//
// There is time where the environment has CI or ENVWRAP_TEST_ALL set to a value
// other than "", "0" and "false", and -short is not given.
package matrix

import (
	"os"
	"slices"
	"testing"
)

// Whole reports whether a test is to run all of its cases.
func Whole() bool {
	return !testing.Short() && (set("CI") || set("ENVWRAP_TEST_ALL"))
}

func set(name string) bool {
	return !slices.Contains([]string{"", "0", "false"}, os.Getenv(name))
}

// Times returns how often a test repeats what is random: few times, or many
// where there is time.
func Times(few, many int) int {
	if Whole() {
		return many
	}
	return few
}

// Cases returns the cases to run of a test with one factor for each size. A
// case has, for each factor, the index of a value from 0 to its size - 1.
// Where there is time these are all combinations, else those of [Pairs].
func Cases(sizes ...int) [][]int {
	if Whole() {
		return All(sizes...)
	}
	return Pairs(sizes...)
}

// All returns all combinations; the last factor varies fastest.
func All(sizes ...int) [][]int {
	cases := [][]int{{}}
	for _, size := range sizes {
		var longer [][]int
		for _, c := range cases {
			for v := range size {
				longer = append(longer, append(slices.Clone(c), v))
			}
		}
		cases = longer
	}
	return cases
}

// Pairs returns combinations in which each value of a factor occurs together
// with each value of every other factor, in at least one of them. Two factors
// have no fewer such combinations than all: of these each value occurs once at
// least. The result depends on the sizes only.
func Pairs(sizes ...int) [][]int {
	switch {
	case len(sizes) == 0 || slices.Min(sizes) == 0:
		return nil
	case len(sizes) < 3:
		return each(sizes)
	}
	p := newPairing(sizes)
	var cases [][]int
	for a := range sizes {
		for b := a + 1; b < len(sizes); b++ {
			for x := range sizes[a] {
				for y := range sizes[b] {
					if !p.met[pair{a, x, b, y}] {
						cases = append(cases, p.complete(a, x, b, y))
					}
				}
			}
		}
	}
	return cases
}

// each returns as many combinations as the largest factor has values. A smaller
// factor is moved on by one after each of its rounds, so that it does not keep
// step with the larger one.
func each(sizes []int) [][]int {
	most := slices.Max(sizes)
	cases := make([][]int, most)
	for i := range cases {
		for _, size := range sizes {
			v := i
			if size < most {
				v = (i + i/size) % size
			}
			cases[i] = append(cases[i], v)
		}
	}
	return cases
}

// A pair is value x of factor a together with value y of factor b; a < b.
type pair struct{ a, x, b, y int }

// A pairing knows which pairs are in a case already.
type pairing struct {
	sizes []int
	met   map[pair]bool
}

func newPairing(sizes []int) *pairing { return &pairing{sizes, map[pair]bool{}} }

// complete makes a case that has a pair. The other factors get, one after the
// other, the value that meets the most of those chosen for the first time.
func (p *pairing) complete(a, x, b, y int) []int {
	c := slices.Repeat([]int{-1}, len(p.sizes))
	c[a], c[b] = x, y
	for f := range c {
		if c[f] >= 0 {
			continue
		}
		best, most := 0, -1
		for v := range p.sizes[f] {
			if n := p.gain(c, f, v); n > most {
				best, most = v, n
			}
		}
		c[f] = best
	}
	for a := range c {
		for b := a + 1; b < len(c); b++ {
			p.met[pair{a, c[a], b, c[b]}] = true
		}
	}
	return c
}

// gain counts the pairs that value v of factor f would meet for the first time.
func (p *pairing) gain(c []int, f, v int) int {
	n := 0
	for g, w := range c {
		switch {
		case w < 0:
			continue
		case g < f && !p.met[pair{g, w, f, v}], g > f && !p.met[pair{f, v, g, w}]:
			n++
		}
	}
	return n
}
