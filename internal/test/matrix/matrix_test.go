package matrix

import (
	"flag"
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

// Each value of one or two factors occurs.
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

// The environment says how much time there is, and -short before it.
func TestTime(t *testing.T) {
	short := flag.Lookup("test.short")
	given := short.Value.String()
	defer func() { _ = short.Value.Set(given) }()
	for _, c := range []struct {
		short, ci, all      string
		times, every, cases int
	}{
		{"false", "", "", 10, 6, 112},
		{"false", "0", "false", 10, 6, 112},
		{"false", "true", "", 20, 3, 162},
		{"false", "true", "1", 30, 1, 1000},
		{"false", "", "1", 30, 1, 1000},
		{"true", "", "", 3, 18, 10},
		{"true", "1", "1", 3, 18, 10},
	} {
		if err := short.Value.Set(c.short); err != nil {
			t.Fatal(err)
		}
		t.Setenv("CI", c.ci)
		t.Setenv("ENVWRAP_TEST_ALL", c.all)
		times, every, cases := Times(10, 30), Every(6), len(Cases(10, 10, 10))
		if Whole() != (c.all == "1" && c.short == "false") || times != c.times || every != c.every || cases != c.cases {
			t.Errorf("-short=%s CI=%s ENVWRAP_TEST_ALL=%s: %d times, every %d, %d cases; want %+v", c.short, c.ci, c.all, times, every, cases, c)
		}
		if sizes := [][]int{{}, {3, 0}}; len(Cases(sizes[0]...)) > 1 || len(Cases(sizes[1]...)) > 0 {
			t.Errorf("-short=%s: cases of nothing", c.short)
		}
	}
	_ = short.Value.Set("true")
	if n := Times(2, 9); n != 1 {
		t.Errorf("with -short something is repeated %d times", n)
	}
}

// A seed gives its sample again, and another one gives another.
func TestSample(t *testing.T) {
	of := func(seed string) [][]int {
		t.Setenv("ENVWRAP_TEST_SEED", seed)
		return sample(All(10, 10, 10))
	}
	first, second := of("20261122"), of("20261123")
	if !slices.EqualFunc(first, of("20261122"), slices.Equal) || slices.EqualFunc(first, second, slices.Equal) {
		t.Errorf("got %v, then %v", first, second)
	}
}
