package term

import (
	"strings"
	"testing"
	"time"
)

func TestNumbers(t *testing.T) {
	for n, want := range map[int64]string{
		-1: "-1 B", 0: "0 B", 1023: "1023 B", 1024: "1.0 KiB", 1048523: "1023.9 KiB", 1048525: "1.0 MiB", 5 << 30: "5.0 GiB",
		1<<63 - 1: "8.0 EiB",
	} {
		if got := Bytes(n); got != want {
			t.Errorf("%d bytes are %s, want %s", n, got, want)
		}
	}
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", -999: "-999", -1000: "-1,000", 1234567: "1,234,567", -123456: "-123,456"} {
		if got := Thousands(n); got != want {
			t.Errorf("%d is %s, want %s", n, got, want)
		}
	}
	for d, want := range map[time.Duration]string{
		-time.Hour: "0s", 0: "0s", time.Minute - 1: "59s", time.Minute: "1m", time.Hour - 1: "59m", time.Hour: "1h", 24 * time.Hour: "1d", 50 * time.Hour: "2d",
	} {
		if got := Age(d); got != want {
			t.Errorf("%v is %s, want %s", d, got, want)
		}
	}
	for n, want := range map[int]string{0: "0 lines", 1: "1 line", 2: "2 lines"} {
		if got := Plural(n, "line"); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// Only a paragraph with a line that is too wide is wrapped again.
func TestProse(t *testing.T) {
	const text = "one\ntwo\n\nthree four\nfive"
	for width, want := range map[int]string{
		0: "one\ntwo\n\nthree four\nfive\n", 10: "one\ntwo\n\nthree four\nfive\n", 9: "one\ntwo\n\nthree\nfour five\n", 3: "one\ntwo\n\nthr\nee\nfou\nr\nfiv\ne\n",
	} {
		var b strings.Builder
		Screen{Width: width}.Prose(&b, text)
		if b.String() != want {
			t.Errorf("%d columns: got %q, want %q", width, b.String(), want)
		}
	}
}
