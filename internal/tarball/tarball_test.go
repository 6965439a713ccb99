package tarball_test

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/envwrap/envwrap/internal/tarball"
)

type entry struct {
	name, content string
}

var entries = []entry{
	{"index.jsonl", ""},
	{"objects/ab/" + strings.Repeat("ab", 32), "x"},
	{"block", strings.Repeat("y", 512)},
	{strings.Repeat("n", 100), strings.Repeat("z", 513)},
}

var noon = time.Unix(1_700_000_000, 0)

func TestOthersReadWhatIsWritten(t *testing.T) {
	var b bytes.Buffer
	w := tarball.NewWriter(&b)
	for _, e := range entries {
		h := tarball.Header{Name: e.name, Type: tarball.TypeFile, Mode: 0o400, Size: int64(len(e.content)), Modified: noon}
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, e.content); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r := tar.NewReader(&b)
	for _, e := range entries {
		h, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil || h.Name != e.name || string(content) != e.content || h.Mode != 0o400 || !h.ModTime.Equal(noon) || h.Typeflag != tar.TypeReg {
			t.Errorf("%q came back as %+v with %d bytes, %v", e.name, h, len(content), err)
		}
	}
	if _, err := r.Next(); !errors.Is(err, io.EOF) {
		t.Errorf("behind the last entry: %v", err)
	}
}

func TestReadsWhatOthersWrite(t *testing.T) {
	long := strings.Repeat("d/", 90) + "file"
	for _, format := range []tar.Format{tar.FormatUSTAR, tar.FormatPAX, tar.FormatGNU} {
		var b bytes.Buffer
		w := tar.NewWriter(&b)
		for _, e := range append(entries, entry{long, "deep"}) {
			h := tar.Header{Name: e.name, Mode: 0o644, Size: int64(len(e.content)), ModTime: noon, Format: format}
			if format == tar.FormatPAX {
				h.PAXRecords = map[string]string{"ENVWRAP.note": "with = and\nnewline"}
			}
			if err := w.WriteHeader(&h); err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(w, e.content); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(w.WriteHeader(&tar.Header{Name: "link", Typeflag: tar.TypeSymlink, Linkname: long + long}), w.Close()); err != nil {
			t.Fatal(err)
		}
		r := tarball.NewReader(&b)
		for i, e := range append(entries, entry{long, "deep"}) {
			h, err := r.Next()
			if err != nil {
				t.Fatalf("%v: %v", format, err)
			}
			if i%2 == 1 && h.Name == e.name {
				continue // left unread: Next passes over it
			}
			content, err := io.ReadAll(r)
			if err != nil || h.Name != e.name || string(content) != e.content || h.Type != tarball.TypeFile || !h.Modified.Equal(noon) {
				t.Errorf("%v: %q came as %+v with %d bytes, %v", format, e.name, h, len(content), err)
			}
		}
		if h, err := r.Next(); err != nil || h.Type != tar.TypeSymlink || h.Name != "link" {
			t.Errorf("%v: the link came as %+v, %v", format, h, err)
		}
		if _, err := r.Next(); !errors.Is(err, io.EOF) {
			t.Errorf("%v: behind the last entry: %v", format, err)
		}
	}
}

// The sizes at which the octal digits end, told by an archive whose content
// is not there.
func TestLargeSizes(t *testing.T) {
	for _, size := range []int64{1<<33 - 1, 1 << 33, 1 << 40, 1 << 62} {
		var ours, theirs bytes.Buffer
		if err := tarball.NewWriter(&ours).WriteHeader(&tarball.Header{Name: "big", Type: tarball.TypeFile, Size: size}); err != nil {
			t.Fatal(err)
		}
		if err := tar.NewWriter(&theirs).WriteHeader(&tar.Header{Name: "big", Typeflag: tar.TypeReg, Size: size}); err != nil {
			t.Fatal(err)
		}
		if h, err := tar.NewReader(&ours).Next(); err != nil || h.Size != size {
			t.Errorf("%d bytes were read as %+v, %v", size, h, err)
		}
		if h, err := tarball.NewReader(&theirs).Next(); err != nil || h.Size != size {
			t.Errorf("%d bytes of the other were read as %+v, %v", size, h, err)
		}
	}
}

func TestWriterHoldsTheCallerToTheSize(t *testing.T) {
	var b bytes.Buffer
	for _, h := range []tarball.Header{{Name: "", Size: 1}, {Name: "a\x00b"}, {Name: strings.Repeat("n", 101)}, {Name: "a", Size: -1}} {
		if err := tarball.NewWriter(&b).WriteHeader(&h); err == nil {
			t.Errorf("%+v was written", h)
		}
	}
	w := tarball.NewWriter(&b)
	if err := w.WriteHeader(&tarball.Header{Name: "a", Size: 2}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err == nil {
		t.Error("an entry of 2 bytes ended after 1")
	}
	w = tarball.NewWriter(&b)
	if err := w.WriteHeader(&tarball.Header{Name: "a", Size: 2}); err != nil {
		t.Fatal(err)
	}
	if n, err := w.Write([]byte("xyz")); err == nil || n != 0 {
		t.Errorf("3 bytes went into an entry of 2: %d, %v", n, err)
	}
}

// header makes one header block with fields written over it.
func header(t *testing.T, h tar.Header) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := tar.NewWriter(&b).WriteHeader(&h); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestDamagedArchives(t *testing.T) {
	good := header(t, tar.Header{Name: "a", Size: 3, Typeflag: tar.TypeReg})
	flipped := bytes.Clone(good)
	flipped[0] ^= 1
	tests := []struct {
		name    string
		archive []byte
		want    error
	}{
		{"text", []byte(strings.Repeat("this is text. ", 60)), tarball.ErrFormat},
		{"flipped", flipped, tarball.ErrFormat},
		{"half a header", good[:300], io.ErrUnexpectedEOF},
		{"no content", good, io.ErrUnexpectedEOF},
		{"half of the padding", append(bytes.Clone(good), "abc"...), io.ErrUnexpectedEOF},
		{"nothing", nil, nil},
	}
	for _, tt := range tests {
		r := tarball.NewReader(bytes.NewReader(tt.archive))
		err := readAll(r)
		if tt.want == nil && err != nil || tt.want != nil && !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
		if _, again := r.Next(); err != nil && !errors.Is(again, err) {
			t.Errorf("%s: the error did not stay: %v", tt.name, again)
		}
	}
}

func readAll(r *tarball.Reader) error {
	for {
		_, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			_, err = io.Copy(io.Discard, r)
		}
		if err != nil {
			return err
		}
	}
}

// Whatever the bytes: no panic, and where both readers know a whole archive of
// plain files they say the same of it.
func FuzzReader(f *testing.F) {
	for _, format := range []tar.Format{tar.FormatUSTAR, tar.FormatPAX, tar.FormatGNU} {
		var b bytes.Buffer
		w := tar.NewWriter(&b)
		if err := w.WriteHeader(&tar.Header{Name: strings.Repeat("long/", 30) + "name", Size: 2, Format: format, ModTime: noon}); err != nil {
			f.Fatal(err)
		}
		if _, err := w.Write([]byte("xy")); err != nil {
			f.Fatal(err)
		}
		if err := w.Close(); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	f.Fuzz(func(t *testing.T, archive []byte) {
		archive = withSum(archive)
		ours, theirs := tarball.NewReader(bytes.NewReader(archive)), tar.NewReader(bytes.NewReader(archive))
		for {
			h, err := ours.Next()
			g, other := theirs.Next()
			if err != nil || other != nil || h.Type != tarball.TypeFile || g.Typeflag != tar.TypeReg || len(g.PAXRecords) > 0 {
				_ = readAll(ours)
				return
			}
			if h.Name != g.Name || h.Size != g.Size {
				t.Fatalf("%+v, and archive/tar says %+v", h, g)
			}
			content, err := io.ReadAll(ours)
			want, other := io.ReadAll(theirs)
			if !bytes.Equal(content, want) || (err == nil) != (other == nil) {
				t.Fatalf("%d bytes, %v; archive/tar reads %d, %v", len(content), err, len(want), other)
			}
		}
	})
}

// withSum mends the checksum of the first header, else the fuzzer hardly ever
// gets past it.
func withSum(archive []byte) []byte {
	if len(archive) < 512 {
		return archive
	}
	archive = bytes.Clone(archive)
	copy(archive[148:156], "        ")
	sum := 0
	for _, c := range archive[:512] {
		sum += int(c)
	}
	copy(archive[148:156], fmt.Sprintf("%06o\x00 ", sum))
	return archive
}

func BenchmarkCopy(b *testing.B) {
	content := make([]byte, 1<<20)
	var archive bytes.Buffer
	w := tarball.NewWriter(&archive)
	if err := w.WriteHeader(&tarball.Header{Name: "a", Type: tarball.TypeFile, Size: int64(len(content))}); err != nil {
		b.Fatal(err)
	}
	if _, err := w.Write(content); err != nil {
		b.Fatal(err)
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(content)))
	b.ReportAllocs()
	for b.Loop() {
		if err := readAll(tarball.NewReader(bytes.NewReader(archive.Bytes()))); err != nil {
			b.Fatal(err)
		}
	}
}
