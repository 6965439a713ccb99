package artifact

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/envwrap/envwrap/artifact/internal/packed"
	"github.com/envwrap/envwrap/internal/test/matrix"
)

// logOf makes a log of at least size bytes.
func logOf(size int) []byte {
	r := rand.New(rand.NewPCG(5, 6))
	var b bytes.Buffer
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, "2026-11-20T10:00:00.%03dZ INFO request %d took %d ms\n", i%1000, i, r.IntN(5000))
	}
	return b.Bytes()
}

// packAll packs whatever is there, and says how many objects it packed.
func packAll(t testing.TB, s *Store) *Packing {
	t.Helper()
	p, err := s.Pack(0, -time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPackedObjectReadsAsBefore(t *testing.T) {
	s := openTemp(t)
	whole := logOf(3*packed.FrameSize + 12345)
	digest := put(t, s, whole)
	object := filepath.Join(s.Dir(), objectName(digest[7:]))
	was := time.Now().Add(-48 * time.Hour).Truncate(time.Second)
	if err := os.Chtimes(object, was, was); err != nil {
		t.Fatal(err)
	}
	p := packAll(t, s)
	if p.Objects != 1 || p.After*2 > p.Before {
		t.Errorf("packed %+v", p)
	}
	if _, err := os.Lstat(object); err == nil {
		t.Error("the plain file is still there")
	}
	fi, err := os.Lstat(object + packedSuffix)
	if err != nil {
		t.Fatal(err)
	}
	if fi.Mode() != 0o400 || !fi.ModTime().Equal(was) {
		t.Errorf("mode %v, time %v, want 0400 and %v", fi.Mode(), fi.ModTime(), was)
	}
	if got := read(t, s, digest); !bytes.Equal(got, whole) {
		t.Errorf("%d bytes came back as %d others", len(whole), len(got))
	}
	d, err := s.Stat(digest)
	if err != nil || !d.Packed || d.Size != int64(len(whole)) || d.Disk != fi.Size() {
		t.Errorf("stat says %+v, %v", d, err)
	}
	if _, err := s.Path(digest); err == nil {
		t.Error("a packed object has a path")
	}
	if p := packAll(t, s); p.Objects != 0 {
		t.Error("it was packed twice")
	}
}

func TestPackedRanges(t *testing.T) {
	s := openTemp(t)
	whole := logOf(2*packed.FrameSize + 99)
	digest := put(t, s, whole)
	packAll(t, s)
	o, err := s.Get(digest)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	r := rand.New(rand.NewPCG(7, 8))
	for range 80 {
		from := r.IntN(len(whole))
		b := make([]byte, r.IntN(packed.FrameSize+packed.FrameSize/2))
		n, err := o.ReadAt(b, int64(from))
		if want := whole[from:min(from+len(b), len(whole))]; !bytes.Equal(b[:n], want) {
			t.Fatalf("%d bytes at %d came back wrong", len(want), from)
		}
		if (n < len(b)) != errors.Is(err, io.EOF) {
			t.Fatalf("%d of %d bytes at %d: %v", n, len(b), from, err)
		}
	}
}

func TestPackLeavesWhatDoesNotShrink(t *testing.T) {
	s := openTemp(t)
	r := rand.New(rand.NewPCG(9, 10))
	noise := make([]byte, 2*packed.FrameSize)
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	digest := put(t, s, noise)
	put(t, s, nil)
	if p := packAll(t, s); p.Objects != 0 {
		t.Errorf("packed %+v", p)
	}
	if got := read(t, s, digest); !bytes.Equal(got, noise) {
		t.Error("it was changed")
	}
	if names, _ := s.fs.NamesIn(partDir); len(names) > 1 { // the store's own spare
		t.Errorf("%v was left behind", names)
	}
}

func TestSameObjectBesidePackedOne(t *testing.T) {
	s := openTemp(t)
	whole := logOf(packed.FrameSize)
	digest := put(t, s, whole)
	packAll(t, s)
	put(t, s, whole)
	if u, err := s.Usage(); err != nil || u.Objects != 1 || u.Packed != 1 {
		t.Errorf("usage is %+v, %v", u, err)
	}
	if list, err := s.List(); err != nil || len(list) != 1 {
		t.Errorf("the list is %v, %v", list, err)
	}
	packAll(t, s)
	if got := read(t, s, digest); !bytes.Equal(got, whole) {
		t.Error("it was changed")
	}
	if _, err := s.Remove(digest); err != nil {
		t.Error(err)
	}
	if _, err := s.Get(digest); !errors.Is(err, ErrNotFound) {
		t.Errorf("got %v", err)
	}
}

// TestPackedBitFlips flips a bit in every byte of a packed object.
func TestPackedBitFlips(t *testing.T) {
	t.Parallel()
	s := openTemp(t)
	digest := put(t, s, logOf(3000))
	packAll(t, s)
	path := filepath.Join(s.Dir(), objectName(digest[7:])+packedSuffix)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	every := matrix.Every(4)
	for i := 0; i < len(whole); i += every {
		bad := bytes.Clone(whole)
		bad[i] ^= 1 << (i / every % 8)
		overwrite(t, path, bad)
		if v, err := s.Verify(Check{}); err != nil || len(v.Faults) != 1 {
			t.Errorf("byte %d of %d: verify found %v, %v", i, len(whole), v.Faults, err)
		}
	}
	for n := 0; n < len(whole); n += every {
		overwrite(t, path, whole[:n])
		if v, err := s.Verify(Check{}); err != nil || len(v.Faults) != 1 {
			t.Errorf("cut at %d of %d: verify found %v, %v", n, len(whole), v.Faults, err)
		}
	}
	if _, err := load(s, digest); !errors.Is(err, ErrCorrupt) {
		t.Errorf("reading gave %v", err)
	}
}

// TestPackedFileIsGzip unpacks with the program that others use.
func TestPackedFileIsGzip(t *testing.T) {
	program, err := exec.LookPath("gzip")
	if err != nil {
		t.Skip("gzip is not installed")
	}
	s := openTemp(t)
	whole := logOf(2*packed.FrameSize + 1)
	digest := put(t, s, whole)
	packAll(t, s)
	out, err := exec.Command(program, "-dc", filepath.Join(s.Dir(), objectName(digest[7:])+packedSuffix)).Output()
	if err != nil || !bytes.Equal(out, whole) {
		t.Errorf("gzip gave %d bytes, %v", len(out), err)
	}
}

func BenchmarkPackedRead(b *testing.B) {
	s := openTemp(b)
	whole := logOf(16 << 20)
	digest := put(b, s, whole)
	packAll(b, s)
	b.SetBytes(int64(len(whole)))
	b.ReportAllocs()
	for b.Loop() {
		o, err := s.Get(digest)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, struct{ io.Reader }{o}); err != nil {
			b.Fatal(err)
		}
		o.Close()
	}
}
