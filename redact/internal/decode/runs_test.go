package decode

import (
	"bytes"
	"strings"
	"testing"
)

// Of a run of so many bytes, eight are noted, wherever it is.
func TestLongWords(t *testing.T) {
	for _, least := range []int{MinRun, MinKnownRun} {
		stride := least - 8
		for _, size := range []int{least, 2*least + 5, runPlaces * stride, runPlaces*stride + 3} {
			for start := max(0, size-3*least); start+least <= size; start++ {
				b := bytes.Repeat([]byte{' '}, size)
				copy(b[start:], strings.Repeat("x", least))
				var at placeList
				n := longWords(b, &at, stride)
				if n == 0 || int(at[0]) < start || int(at[n-1])+8 > start+least {
					t.Fatalf("%d bytes at %d of %d: noted %d", least, start, size, at[:n])
				}
			}
		}
	}
}
