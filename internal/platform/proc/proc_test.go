package proc

import (
	"slices"
	"strings"
	"testing"
)

// A program chooses its name: nothing in it may be taken for another member.
func TestParseStat(t *testing.T) {
	rest := " S 7 9 1 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 4711 1024 10"
	for _, c := range []struct {
		name, text string
		want       Stat
		ok         bool
	}{
		{"plain", "12 (sleep)" + rest, Stat{Name: "sleep", State: 'S', Parent: 7, Group: 9, Threads: 1, Start: "4711"}, true},
		{"a space", "12 (a b)" + rest, Stat{Name: "a b", State: 'S', Parent: 7, Group: 9, Threads: 1, Start: "4711"}, true},
		{"parentheses and a forged state", "12 (x) Z 1 (" + ")" + rest, Stat{Name: "x) Z 1 (", State: 'S', Parent: 7, Group: 9, Threads: 1, Start: "4711"}, true},
		{"a newline", "12 (a\nb)" + rest, Stat{Name: "a\nb", State: 'S', Parent: 7, Group: 9, Threads: 1, Start: "4711"}, true},
		{"an empty name", "12 ()" + rest, Stat{State: 'S', Parent: 7, Group: 9, Threads: 1, Start: "4711"}, true},
		{"a zombie", "12 (sh)" + strings.Replace(rest, " S ", " Z ", 1), Stat{Name: "sh", State: 'Z', Parent: 7, Group: 9, Threads: 1, Start: "4711"}, true},
		{"an ending process", "12 (sh)" + strings.Replace(rest, " 4194560 ", " 4194564 ", 1), Stat{Name: "sh", State: 'S', Parent: 7, Group: 9, Threads: 1, Exiting: true, Start: "4711"}, true},
		{"no flags", "12 (sleep)" + strings.Replace(rest, " 4194560 ", " x ", 1), Stat{}, false},
		{"no number of threads", "12 (sleep)" + strings.Replace(rest, " 1 0 4711", " x 0 4711", 1), Stat{}, false},
		{"nothing", "", Stat{}, false},
		{"no name", "12" + rest, Stat{}, false},
		{"the parentheses turned round", ")(" + rest, Stat{}, false},
		{"cut short", "12 (sleep) S 7 1 1", Stat{}, false},
		{"a parent that is no number", "12 (sleep)" + strings.Replace(rest, " 7 ", " x ", 1), Stat{}, false},
		{"a group that is no number", "12 (sleep)" + strings.Replace(rest, " 9 ", " x ", 1), Stat{}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, ok := parseStat([]byte(c.text)); got != c.want || ok != c.ok {
				t.Errorf("got %+v, %t; want %+v, %t", got, ok, c.want, c.ok)
			}
		})
	}
}

func TestStates(t *testing.T) {
	for state, want := range map[Stat]struct{ zombie, ending, killable bool }{
		{State: 'R', Threads: 1}: {false, false, true}, {State: 'T', Threads: 1}: {false, false, true}, {State: 'D', Threads: 1}: {false, false, false},
		{State: 'Z', Threads: 1}: {true, true, false}, {State: 'X'}: {true, true, false}, {State: 'Z', Threads: 2}: {false, false, false},
		{State: 'R', Threads: 1, Exiting: true}: {false, true, true}, {State: 'Z', Threads: 2, Exiting: true}: {false, false, false},
	} {
		if state.Zombie() != want.zombie || state.Ending() != want.ending || state.killable() != want.killable {
			t.Errorf("%+v: zombie %t, ending %t, killable %t", state, state.Zombie(), state.Ending(), state.killable())
		}
	}
}

// A process group that cannot be seen yet does not count as empty.
func TestIsEmpty(t *testing.T) {
	stat := func(memory, code, begin, end string) []byte {
		fields := strings.Fields("S" + strings.Repeat(" 1", 49))
		fields[statMemory], fields[statCode], fields[statEnviron], fields[statEnviron+1] = memory, code, begin, end
		return []byte("12 (a) b) " + strings.Join(fields, " ") + "\n")
	}
	for _, c := range []struct {
		name string
		stat []byte
		want bool
	}{
		{"no variable", stat("4096", "1", "7", "7"), true},
		{"variables", stat("4096", "1", "7", "9"), false},
		{"within execve", stat("4096", "0", "0", "0"), false},
		{"within execve, before the first variable is counted", stat("4096", "0", "7", "7"), false},
		{"a zombie", stat("0", "0", "0", "0"), true},
		{"an old system", []byte("12 (a) S 1 1"), true},
		{"nothing", nil, true},
	} {
		if got := isEmpty(c.stat, statEnviron); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}

func TestTree(t *testing.T) {
	table := Table{
		1: {State: 'S'}, 10: {State: 'S', Parent: 1}, 11: {State: 'S', Parent: 10}, 12: {State: 'R', Parent: 10},
		13: {State: 'S', Parent: 12}, 14: {State: 'Z', Parent: 12}, 20: {State: 'S', Parent: 1},
		30: {State: 'S', Parent: 31}, 31: {State: 'S', Parent: 30}, // read while ids were given out again
	}
	for _, c := range []struct {
		name  string
		roots []int
		skip  func(int) bool
		want  []int
	}{
		{"nearest first, without the dead", []int{10}, nil, []int{10, 11, 12, 13}},
		{"a root below another", []int{10, 13}, nil, []int{10, 13, 11, 12}},
		{"a root that is gone", []int{99}, nil, nil},
		{"a circle", []int{30}, nil, []int{30, 31}},
		{"one to be left out, with all below it", []int{10}, func(pid int) bool { return pid == 12 }, []int{10, 11}},
	} {
		if got := table.Tree(c.roots, c.skip); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
	if got, want := table.Below(10, nil), []int{11, 12, 13}; !slices.Equal(got, want) {
		t.Errorf("below 10: got %v, want %v", got, want)
	}
}

func TestLookup(t *testing.T) {
	block := "HOME=/root\x00JOB=7:1\x00XJOB=9\x00"
	for prefix, want := range map[string]bool{"HOME=": true, "JOB=7:": true, "JOB=9": false, "OB=": false, "XJOB=": true} {
		if got := lookup([]byte(block), prefix); got != want {
			t.Errorf("%q: got %t, want %t", prefix, got, want)
		}
	}
}
