package packed

import (
	"bytes"
	"errors"
	"io"
	"testing"
)

var errDamaged = errors.New("damaged")

// memory is a file of bytes.
type memory struct{ *bytes.Reader }

func (memory) Close() error { return nil }

// TestPackedTableOfManyFrames has a table that takes more than one member.
func TestPackedTableOfManyFrames(t *testing.T) {
	for _, count := range []int{0, 1, tableMax, tableMax + 1, 2*tableMax + 7} {
		table := make([]byte, count*frameEntry)
		for i := range count {
			table[i*frameEntry] = 1 // byte of a packed frame
		}
		last := uint32(min(count, 5))
		file := appendTable(make([]byte, count), table, last)
		frames, err := readFrames(bytes.NewReader(file), int64(len(file)), errDamaged)
		if err != nil || len(frames) != count+1 {
			t.Errorf("%d frames came back as %d, %v", count, len(frames)-1, err)
			continue
		}
		end := frames[count]
		if plain := int64(max(0, count-1))*FrameSize + int64(last); end.packed != int64(count) || end.plain != plain {
			t.Errorf("%d frames end at %d and %d, want %d and %d", count, end.packed, end.plain, count, plain)
		}
	}
}

// TestPackedTableIsDamaged has tables that no packer writes.
func TestPackedTableIsDamaged(t *testing.T) {
	one := []byte{1, 0, 0, 0, 0, 0, 0, 0}
	for name, file := range map[string][]byte{
		"none":                nil,
		"a footer alone":      appendTable(nil, one, 5)[len(appendTable(nil, one, 5))-int(footerSize):],
		"a frame too long":    appendTable([]byte{0}, one, FrameSize+1),
		"bytes of no frame":   appendTable([]byte{0, 0}, one, 5),
		"a frame of no bytes": appendTable(nil, one, 5),
	} {
		if frames, err := readFrames(bytes.NewReader(file), int64(len(file)), errDamaged); !errors.Is(err, errDamaged) {
			t.Errorf("%s: %v, %v", name, frames, err)
		}
	}
}

func FuzzPackedReader(f *testing.F) {
	var b bytes.Buffer
	z := NewWriter(&b)
	z.Frame(bytes.Repeat([]byte("a line\n"), FrameSize)[:FrameSize])
	z.Frame([]byte("the end"))
	z.Finish()
	f.Add(b.Bytes())
	f.Add(b.Bytes()[:len(b.Bytes())-1])
	f.Fuzz(func(t *testing.T, packed []byte) {
		r, err := NewReader(memory{bytes.NewReader(packed)}, int64(len(packed)), errDamaged)
		if err != nil {
			return
		}
		defer r.Close()
		if r.Size() > 64<<20 {
			return // many frames that each claim their whole size
		}
		n, err := io.Copy(io.Discard, struct{ io.Reader }{r})
		if err == nil && n != r.Size() {
			t.Errorf("read %d bytes of %d", n, r.Size())
		}
	})
}

// A packed object reads back as written, whole and in ranges, and the reader detects each
// changed bit.
func TestRoundTrip(t *testing.T) {
	plain := bytes.Repeat([]byte("a line of a log\n"), FrameSize/16+5)
	var b bytes.Buffer
	z := NewWriter(&b)
	for rest := plain; len(rest) > 0; rest = rest[min(FrameSize, len(rest)):] {
		if err := z.Frame(rest[:min(FrameSize, len(rest))]); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Finish(); err != nil || z.Written() != int64(b.Len()) {
		t.Fatalf("%d bytes of %d, %v", z.Written(), b.Len(), err)
	}
	read := func(packed []byte) ([]byte, error) {
		r, err := NewReader(memory{bytes.NewReader(packed)}, int64(len(packed)), errDamaged)
		if err != nil {
			return nil, err
		}
		got, err := io.ReadAll(r)
		if err == nil && r.Size() != int64(len(got)) {
			t.Errorf("%d bytes of %d", len(got), r.Size())
		}
		return got, err
	}
	if got, err := read(b.Bytes()); err != nil || !bytes.Equal(got, plain) {
		t.Fatalf("%d bytes of %d, %v", len(got), len(plain), err)
	}
	for i := range b.Len() {
		bad := bytes.Clone(b.Bytes())
		bad[i] ^= 1 << (i % 8)
		if _, err := read(bad); !errors.Is(err, errDamaged) {
			t.Errorf("byte %d of %d: %v", i, len(bad), err)
		}
	}
	r, err := NewReader(memory{bytes.NewReader(b.Bytes())}, int64(b.Len()), errDamaged)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][2]int{{0, 1}, {FrameSize - 1, 2}, {FrameSize, 80}, {5, FrameSize}, {len(plain) - 3, 9}, {len(plain), 1}} {
		got := make([]byte, c[1])
		n, err := r.ReadAt(got, int64(c[0]))
		if want := plain[c[0]:min(len(plain), c[0]+c[1])]; !bytes.Equal(got[:n], want) || errors.Is(err, io.EOF) != (n < c[1]) {
			t.Errorf("%d bytes from %d: %d, %v", c[1], c[0], n, err)
		}
	}
}
