package matrix

import (
	"slices"
	"testing"
)

// Each pair of values is in a case, and there are far fewer cases than
// combinations.
func TestPairs(t *testing.T) {
	for _, c := range []struct {
		sizes []int
		most  int
	}{
		{[]int{2, 2, 2}, 6},
		{[]int{6, 7, 7, 6}, 75},
		{[]int{70, 6, 6}, 430},
		{[]int{1, 5, 1}, 5},
	} {
		cases := Pairs(c.sizes...)
		if len(cases) > c.most {
			t.Errorf("%v: %d cases, want %d at the most", c.sizes, len(cases), c.most)
		}
		met := map[pair]bool{}
		for _, row := range cases {
			for a := range row {
				for b := a + 1; b < len(row); b++ {
					met[pair{a, row[a], b, row[b]}] = true
				}
			}
		}
		for a := range c.sizes {
			for b := a + 1; b < len(c.sizes); b++ {
				for x := range c.sizes[a] {
					for y := range c.sizes[b] {
						if !met[pair{a, x, b, y}] {
							t.Errorf("%v: value %d of factor %d does not meet value %d of factor %d", c.sizes, x, a, y, b)
						}
					}
				}
			}
		}
	}
}

// Of one or two factors each value occurs.
func TestPairsOfTwo(t *testing.T) {
	for _, sizes := range [][]int{{5}, {8, 4}, {3, 9}, {4, 4}} {
		cases := Pairs(sizes...)
		if len(cases) != slices.Max(sizes) {
			t.Errorf("%v: %d cases", sizes, len(cases))
		}
		for f, size := range sizes {
			seen := map[int]bool{}
			for _, row := range cases {
				seen[row[f]] = true
			}
			if len(seen) != size {
				t.Errorf("%v: %d values of factor %d", sizes, len(seen), f)
			}
		}
	}
}

func TestAll(t *testing.T) {
	cases := All(2, 3)
	want := [][]int{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}}
	if !slices.EqualFunc(cases, want, slices.Equal) {
		t.Errorf("got %v", cases)
	}
}

// The environment says whether there is time, and -short that there is not.
func TestWhole(t *testing.T) {
	for _, c := range []struct {
		ci, all string
		want    bool
	}{
		{"", "", false},
		{"0", "false", false},
		{"true", "", true},
		{"", "1", true},
	} {
		t.Setenv("CI", c.ci)
		t.Setenv("ENVWRAP_TEST_ALL", c.all)
		want := c.want && !testing.Short()
		if Whole() != want || Times(1, 2) == 2 != want || len(Cases(2, 2)) == 4 != want {
			t.Errorf("CI=%s ENVWRAP_TEST_ALL=%s: %v, want %v", c.ci, c.all, Whole(), want)
		}
	}
}
