package cache

import (
	"path/filepath"
	"strings"
	"testing"
)

// BenchmarkHit measures a hit up to the output: the key of a call with a large program, and
// reading the entry.
func BenchmarkHit(b *testing.B) {
	c, call := newCache(b), sample(b)
	call.Inputs = nil
	write(b, call.Program, strings.Repeat("x", 64<<20))
	e := sampleEntry(b, c)
	e.Key, e.Parts = keyOf(b, c, call)
	must(b, c.Put(e))
	b.ReportAllocs()
	for b.Loop() {
		if key, _ := keyOf(b, c, call); c.Get(key) == nil {
			b.Fatal("a miss")
		}
	}
}

// Inputs are read each time, where they are small.
func BenchmarkInputs(b *testing.B) {
	c, call := newCache(b), sample(b)
	const size, many = 4 << 10, 1000
	for i := range many {
		write(b, filepath.Join(call.Dir, "src", string(rune('a'+i%26)), strings.Repeat("f", 1+i/26)+".go"), strings.Repeat("x", size))
	}
	b.ReportAllocs()
	b.SetBytes(size * many)
	for b.Loop() {
		keyOf(b, c, call)
	}
}
