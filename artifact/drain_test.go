package artifact

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"syscall"
	"testing"
)

// TestLargeObjects stores what ends before, at and after every step of the
// way to the disk, cut into writes of odd sizes, and reads it back.
func TestLargeObjects(t *testing.T) {
	s := openTemp(t)
	random := rand.NewChaCha8([32]byte{1})
	whole := make([]byte, largeStep+6*largeSize)
	random.Read(whole)
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
			if got, err := io.ReadAll(o); err != nil || !bytes.Equal(got, whole[:size]) {
				t.Errorf("%d bytes came back, %v", len(got), err)
			}
		})
	}
}

// A fussy file promises to take blocks past the page cache, and then takes
// half of one and no more.
type fussy struct {
	memory
	direct bool
	calls  int
	text   []byte
}

func (f *fussy) SetDirect(on bool) bool {
	f.direct = on
	f.calls++
	return true
}

func (f *fussy) Write(b []byte) (int, error) {
	if f.direct {
		f.text = append(f.text, b[:len(b)/2]...)
		return len(b) / 2, syscall.EINVAL
	}
	f.text = append(f.text, b...)
	return len(b), nil
}

// TestDrainFallsBack goes on the usual way where the file system does not
// keep its promise, and does not ask it again.
func TestDrainFallsBack(t *testing.T) {
	f := &fussy{}
	d := &drain{f: f, direct: true}
	var want []byte
	for i := range 3 {
		b := append(newBuffer(largeSize), bytes.Repeat([]byte{byte('a' + i)}, largeSize)...)
		want = append(want, b...)
		if err := d.write(b); err != nil {
			t.Fatal(err)
		}
	}
	d.end()
	if !bytes.Equal(f.text, want) {
		t.Errorf("%d of %d bytes are there, or others", len(f.text), len(want))
	}
	if f.direct || f.calls != 2 {
		t.Errorf("the file was asked %d times, and is left direct: %v", f.calls, f.direct)
	}
}
