package redact_test

import (
	"bytes"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/test/matrix"
	"github.com/envwrap/envwrap/redact"
)

// Findings leave no memory in use: masking a MB or more in which every line has
// several secrets, known ones among them, takes no more memory than the first
// MB did, and holds no more than its buffers. The counts are by rule, not by
// secret.
func TestMemoryOfFindings(t *testing.T) {
	least := 12 << 20 / matrix.Every(12)
	if testing.Short() {
		t.Skip("masks some MB")
	}
	r := redact.New(redact.Options{Values: []redact.Value{{Rule: "env:X", Secret: "kn0wn-value"}}})
	line := "password=hunter2x9 https://u:" + "pa55word@h/ kn0wn-value token: kq09zxlm2tnb5vrc8f3a {\"secret\":\"w5xxluqjwgn4duxvcjq\"}\n"
	text := bytes.Repeat([]byte(line), 512<<10/len(line)+1) // so much is masked on two cores
	w := r.Writer(io.Discard)
	feed := func(n int) (allocated, held uint64) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range n {
			if _, err := w.Write(text); err != nil {
				t.Fatal(err)
			}
		}
		runtime.ReadMemStats(&after)
		runtime.GC()
		var end runtime.MemStats
		runtime.ReadMemStats(&end)
		return after.TotalAlloc - before.TotalAlloc, end.HeapAlloc
	}
	feed(1)
	_, held := feed(1)
	allocated, heldThen := feed(least/len(text) + 1)
	if allocated > 256<<10 || heldThen > held+1<<20 {
		t.Errorf("after %d MB: %d bytes were allocated, %d are held; after 1 MB %d were", least>>20, allocated, heldThen, held)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if n := w.Counts()["env:X"]; n < least/len(line) {
		t.Errorf("%d known values were masked, want %d and more", n, least/len(line))
	}
}

// Neither does a line of 1 MB, whatever it has, nor one known value that is
// the whole text.
func TestMemoryOfLines(t *testing.T) {
	r := redact.New(redact.Options{Values: []redact.Value{{Rule: "env:X", Secret: strings.Repeat("abc", 5000)}}})
	for _, s := range []string{"password=hunter2x9 ", "x", "\x00", "\xff", "\x1b[1m", "abc", "eyJ"} {
		text := []byte(strings.Repeat(s, 128<<10/len(s)))
		w := r.Writer(io.Discard)
		var before, after runtime.MemStats
		for i := range 8 {
			if i == 2 {
				runtime.ReadMemStats(&before)
			}
			if _, err := w.Write(text); err != nil {
				t.Fatal(err)
			}
		}
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > 128<<10 {
			t.Errorf("%q: 768 KiB took %d bytes", s, n)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
