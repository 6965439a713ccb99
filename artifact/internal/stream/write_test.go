package stream

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"syscall"
	"testing"
	"testing/iotest"
	"time"

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

// A kept file keeps what is written to it, and fails from a write on.
type kept struct {
	filesys.File
	text   []byte
	writes int
	failAt int // 0: never
	synced int64
}

var errDisk = errors.New("disk")

func (k *kept) SetDirect(bool) bool { return false }

func (k *kept) StartSync(_, n int64) { k.synced += n }

func (k *kept) Write(b []byte) (int, error) {
	if k.writes++; k.failAt > 0 && k.writes >= k.failAt {
		return 0, errDisk
	}
	k.text = append(k.text, b...)
	return len(b), nil
}

// A Writer hashes and writes its bytes in order, in buffers whose size follows the pace,
// and starts writing to disk early if a sync will follow.
func TestWriter(t *testing.T) {
	const most = 2*largeStep + largeSize
	want, text := make([]byte, 0, most), make([]byte, 0, most)
	for _, fast := range []bool{false, true} {
		for _, o := range []Options{{}, {Sync: true}, {Written: true}} {
			clock := time.Unix(0, 0)
			now := func() time.Time {
				if !fast {
					clock = clock.Add(largeWithin)
				}
				return clock
			}
			f, h := &kept{text: text}, sha256.New()
			w := NewWriter(f, h, now, o)
			want = want[:0]
			b, sizes := NewBuffer(BufferSize), map[int]int{}
			for i := 0; len(want) < 2*largeStep; i++ {
				b = append(b, bytes.Repeat([]byte{byte(i)}, cap(b))...)
				want = append(want, b...)
				sizes[cap(b)]++
				var err error
				if b, err = w.Swap(b); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if got := f.text; !o.Written && !bytes.Equal(got, want) || o.Written && len(got) > 0 {
				t.Errorf("%+v, fast %t: %d of %d bytes, or others", o, fast, len(got), len(want))
			}
			if sum := sha256.Sum256(want); !bytes.Equal(h.Sum(nil), sum[:]) {
				t.Errorf("%+v, fast %t: another digest", o, fast)
			}
			if large := sizes[largeSize] > 0; large != fast || sizes[BufferSize] < largeStep/BufferSize {
				t.Errorf("%+v, fast %t: buffers %v", o, fast, sizes)
			}
			if synced := f.synced > 0; synced != o.Sync || f.synced > int64(len(want)) {
				t.Errorf("%+v: the disk was asked for %d of %d bytes", o, f.synced, len(want))
			}
		}
	}
}

// A Writer returns the first failure of its file, and writes nothing after it.
func TestWriterFails(t *testing.T) {
	f := &kept{failAt: 2}
	w := NewWriter(f, sha256.New(), time.Now, Options{})
	for range 5 * bufferCount {
		b, err := w.Swap(append(NewBuffer(BufferSize), "some"...))
		if err != nil && (b != nil || !errors.Is(err, errDisk)) {
			t.Errorf("%v, %d bytes", err, cap(b))
		}
		if err != nil {
			break
		}
	}
	if err := w.Close(); !errors.Is(err, errDisk) || f.writes != 2 || string(f.text) != "some" {
		t.Errorf("%v, %d writes, %q", err, f.writes, f.text)
	}
}

// A Reader gives and hashes what there is, up to the end or a failure.
func TestReader(t *testing.T) {
	text := bytes.Repeat([]byte("0123456789"), (aheadCount+2)*aheadSize/10)
	for _, c := range []struct {
		r    io.Reader
		want error
	}{{bytes.NewReader(text), nil}, {iotest.HalfReader(bytes.NewReader(text)), nil}, {io.MultiReader(bytes.NewReader(text), iotest.ErrReader(errDisk)), errDisk}} {
		h := sha256.New()
		r := NewReader(c.r, h)
		got, err := io.ReadAll(r)
		if sum := sha256.Sum256(text); !errors.Is(err, c.want) || !bytes.Equal(got, text) || !bytes.Equal(h.Sum(nil), sum[:]) {
			t.Errorf("%d of %d bytes, or others, or another digest: %v", len(got), len(text), err)
		}
		r.Close()
	}
	r := NewReader(bytes.NewReader(text), sha256.New())
	if _, err := r.Read(make([]byte, 1)); err != nil {
		t.Error(err)
	}
	r.Close() // before the end
}
