package artifact

import (
	"crypto/rand"
	"encoding/binary"
	"testing"
)

// benchmarkPut stores distinct objects of one size.
func benchmarkPut(b *testing.B, size int) {
	s := openTemp(b)
	data := make([]byte, size)
	rand.Read(data)
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for n := uint64(0); b.Loop(); n++ {
		binary.LittleEndian.PutUint64(data, n)
		p, err := s.Create()
		if err != nil {
			b.Fatal(err)
		}
		for i := 0; i < len(data); i += 32 << 10 {
			if _, err := p.Write(data[i:min(i+32<<10, len(data))]); err != nil {
				b.Fatal(err)
			}
		}
		if _, err := p.Commit(Info{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPut40KB(b *testing.B)  { benchmarkPut(b, 40_000) }
func BenchmarkPut64MiB(b *testing.B) { benchmarkPut(b, 64<<20) }

func BenchmarkOpen(b *testing.B) {
	s := openTemp(b)
	b.ReportAllocs()
	for b.Loop() {
		again, err := Open(Options{Dir: s.Dir()})
		if err != nil {
			b.Fatal(err)
		}
		again.Close()
	}
}

// BenchmarkStore1GiB is the figure of the manual: one large object, from
// writes of a pipe's size, with both syncs.
func BenchmarkStore1GiB(b *testing.B) {
	if testing.Short() {
		b.Skip("writes 1 GiB")
	}
	benchmarkPut(b, 1<<30)
}
