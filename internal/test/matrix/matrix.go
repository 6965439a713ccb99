// Package matrix chooses the cases of tests that have more of them than every
// run needs. A test whose cases are combinations of several factors (a dialect,
// a budget, a result) runs as many of them as there is time for:
//
//	ENVWRAP_TEST_ALL   all combinations
//	CI                 the usual run's and a random sample of the others
//	(neither)          a small part in which each pair of values still meets
//	-short             a smaller one in which each value occurs
//
// A variable is ignored if its value is "", "0" or "false", and -short overrides both.
// ENVWRAP_TEST_SEED, a number, chooses the sample of CI.
package matrix

import (
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
)

// sampled is how many of the combinations make one of the random sample.
const sampled = 20

// Whole reports whether a test is to run all of its cases.
func Whole() bool { return !testing.Short() && set("ENVWRAP_TEST_ALL") }

// longer reports whether there is time for a sample more than usual.
func longer() bool { return !testing.Short() && set("CI") }

func set(name string) bool {
	return !slices.Contains([]string{"", "0", "false"}, os.Getenv(name))
}

// Times returns how often a test repeats something random: few, or many if all cases
// are to be run.
func Times(few, many int) int {
	switch {
	case Whole():
		return many
	case longer():
		return min(2*few, many)
	case testing.Short():
		return max(1, few/3)
	}
	return few
}

// Every returns which share of a list of cases to run: one in so many. That is n, less
// if there is more time, 1 for all, and 3*n with -short.
func Every(n int) int {
	switch {
	case Whole():
		return 1
	case longer():
		return (n + 1) / 2
	case testing.Short():
		return 3 * n
	}
	return n
}

// Cases returns the cases to run of a test with one factor for each size. A
// case has, for each factor, the index of a value from 0 to its size - 1.
func Cases(sizes ...int) [][]int {
	switch {
	case Whole():
		return All(sizes...)
	case longer():
		return append(Pairs(sizes...), sample(All(sizes...))...)
	case testing.Short() && len(sizes) > 0 && slices.Min(sizes) > 0:
		return each(sizes)
	}
	return Pairs(sizes...)
}

// sample returns a random part of the cases, the same one for the same seed.
func sample(cases [][]int) [][]int {
	seed, _ := strconv.ParseUint(os.Getenv("ENVWRAP_TEST_SEED"), 10, 64)
	rand.New(rand.NewPCG(seed, 0)).Shuffle(len(cases), func(i, j int) { cases[i], cases[j] = cases[j], cases[i] })
	return cases[:len(cases)/sampled]
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
