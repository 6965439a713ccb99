package job

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Numbers are kept as ranges, and come back.
func TestRanges(t *testing.T) {
	for _, c := range []struct {
		numbers []int
		want    string
	}{{[]int{3}, "3"}, {[]int{0, 1, 2}, "0-2"}, {[]int{1, 3, 4, 9, 10, 11, 100}, "1,3-4,9-11,100"}} {
		got := Ranges(c.numbers)
		a := Array{Members: len(c.numbers), First: c.numbers[0], Only: got}
		if back := slices.Collect(a.Numbers()); got != c.want || !slices.Equal(back, c.numbers) {
			t.Errorf("%v: %q, %v", c.numbers, got, back)
		}
	}
	a := Array{Members: 3, First: 7}
	if got := slices.Collect(a.Numbers()); !slices.Equal(got, []int{7, 8, 9}) {
		t.Errorf("without Only: %v", got)
	}
}

// However the output comes in pieces, and whatever a command put into its envelope, each
// member's envelope is found. A line that is cut or of another form counts for nothing.
func TestEndsReadLines(t *testing.T) {
	long := `{"text":"` + strings.Repeat(`"envelope":{`, 1000) + `"}`
	docs := map[int]string{2: `{"a":1}`, 10: long, 1: `{"member":3,"status":0,"state":"ok","envelope":{}}`}
	var out []byte
	for _, m := range []Member{{2, 0, OK}, {10, 7, Failed}, {1, 143, Canceled}} {
		out = append(out, m.Line([]byte(docs[m.Number]+"\n"))...)
	}
	out = append(out, "no line of a group\n\n{\"member\":5,\"status\":0,\"state\":\"lost\",\"envelope\":{}}\n{\"member\":4,\"status\":0,\"state\":\"lo"...)
	for _, size := range []int{1, 2, 3, 64, 127, 128, 129, len(out)} {
		e := &Ends{group: &Record{Array: &Array{Members: 10, First: 1}}}
		for piece := range slices.Chunk(out, size) {
			e.add(piece)
		}
		if ok, failed, canceled := e.Counts(); ok != 1 || failed != 1 || canceled != 1 {
			t.Errorf("pieces of %d bytes: %d, %d and %d", size, ok, failed, canceled)
		}
		var all []string
		for m, read := range e.All() {
			if read == nil {
				continue
			}
			all = append(all, fmt.Sprintf("%d %d %s", m.Number, m.Status, m.State))
			at, _ := slices.BinarySearchFunc(e.list, m.Number, func(end memberEnd, n int) int { return end.Number - n })
			if end := e.list[at]; string(out[end.off:end.off+int64(end.len)]) != docs[m.Number] {
				t.Errorf("pieces of %d bytes: member %d has another envelope", size, m.Number)
			}
		}
		if got := strings.Join(all, ", "); got != "1 143 canceled, 2 0 ok, 10 7 error" {
			t.Errorf("pieces of %d bytes: %s", size, got)
		}
	}
}
