package artifact

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/envwrap/envwrap/artifact/internal/stream"
)

// Sizes at which package stream changes what it does.
const (
	bufferSize = stream.BufferSize
	largeStep  = 8 << 20
	largeSize  = 512 << 10
	aheadSize  = 256 << 10
)

// TestLargeObjects stores what ends before, at and after every step of the
// way to the disk, cut into writes of odd sizes, and reads it back.
func TestLargeObjects(t *testing.T) {
	s := openTemp(t)
	random := rand.NewChaCha8([32]byte{1})
	whole := make([]byte, largeStep+6*largeSize)
	random.Read(whole)
	got := make([]byte, len(whole)+1)
	for _, size := range []int{
		largeStep - 1, largeStep, largeStep + 1,
		largeStep + largeSize - 1, largeStep + largeSize, largeStep + largeSize + 1,
		largeStep + 5*largeSize + 4097, len(whole),
	} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			p, err := s.Create()
			if err != nil {
				t.Fatal(err)
			}
			defer p.Discard()
			for b := whole[:size]; len(b) > 0; {
				n := min(len(b), 1+int(random.Uint64()%100_000))
				if _, err := p.Write(b[:n]); err != nil {
					t.Fatal(err)
				}
				b = b[n:]
			}
			digest, err := p.Commit(Info{})
			if err != nil {
				t.Fatal(err)
			}
			o, err := s.Get(digest)
			if err != nil {
				t.Fatal(err)
			}
			defer o.Close()
			if n, err := io.ReadFull(o, got); !errors.Is(err, io.ErrUnexpectedEOF) || !bytes.Equal(got[:n], whole[:size]) {
				t.Errorf("%d bytes came back, %v", n, err)
			}
		})
	}
}
