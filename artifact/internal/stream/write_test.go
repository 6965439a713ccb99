package stream

import (
	"bytes"
	"syscall"
	"testing"

	"github.com/envwrap/envwrap/artifact/internal/filesys"
)

// A fussy file promises to take blocks past the page cache, and then takes
// half of one and no more.
type fussy struct {
	filesys.File
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
	d := &drain{f: f, Options: Options{Direct: true}}
	var want []byte
	for i := range 3 {
		b := append(NewBuffer(largeSize), bytes.Repeat([]byte{byte('a' + i)}, largeSize)...)
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
