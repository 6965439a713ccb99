package artifact

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"time"
)

// TestTarWriter compares an archive with what archive/tar writes.
func TestTarWriter(t *testing.T) {
	texts := []string{"", "text", strings.Repeat("x", 512), strings.Repeat("y", 1025)}
	modified := time.Date(2026, 11, 22, 21, 7, 0, 0, time.UTC)
	var got, want bytes.Buffer
	ours, theirs := &tarWriter{w: &got}, tar.NewWriter(&want)
	for _, text := range texts {
		name, size := objectName(nameOf(text)), int64(len(text))
		if err := ours.next(&tarEntry{name: name, mode: 0o400, size: size, modified: modified}); err != nil {
			t.Fatal(err)
		}
		if err := theirs.WriteHeader(&tar.Header{Name: name, Mode: 0o400, Size: size, ModTime: modified}); err != nil {
			t.Fatal(err)
		}
		io.WriteString(ours, text)
		io.WriteString(theirs, text)
	}
	if err := errors.Join(ours.close(), theirs.Close()); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want.Bytes()) {
		t.Errorf("wrote %q\nwant %q", got.Bytes(), want.Bytes())
	}
}

// TestTarWriterHoldsSizes writes more and less than a header says.
func TestTarWriterHoldsSizes(t *testing.T) {
	w := &tarWriter{w: io.Discard}
	if err := w.next(&tarEntry{name: "a", size: 4}); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(w, "texts"); err == nil {
		t.Error("more bytes were written than the header says")
	}
	io.WriteString(w, "tex")
	if err := w.next(&tarEntry{name: "b"}); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("an entry followed one that is not complete: %v", err)
	}
	if err := w.close(); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("the archive ended in an entry: %v", err)
	}
}

// TestTarLargeSizes writes and reads sizes that have more than eleven octal digits.
func TestTarLargeSizes(t *testing.T) {
	for _, size := range []int64{8<<30 - 1, 8 << 30, 1<<62 + 5} {
		header := (&tarEntry{name: "a", size: size}).header()
		h, err := tar.NewReader(bytes.NewReader(header[:])).Next()
		if err != nil || h.Size != size {
			t.Errorf("archive/tar reads %+v, %v, want %d", h, err, size)
		}
		r := &tarReader{r: bytes.NewReader(header[:])}
		if _, err := r.next(); err != nil || r.left != size {
			t.Errorf("read %d, %v, want %d", r.left, err, size)
		}
		if _, err := r.next(); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("the missing bytes gave %v", err)
		}
	}
}

// A tarred is an entry as the tests of a reader compare it.
type tarred struct {
	name string
	kind byte
	text string
}

// readOurs and readTheirs read all entries, ours and those of archive/tar.
func readOurs(archive []byte) (list []tarred, err error) {
	r := &tarReader{r: bytes.NewReader(archive)}
	for {
		e, err := r.next()
		if err != nil {
			return list, err
		}
		text, err := io.ReadAll(r)
		if err != nil {
			return list, err
		}
		list = append(list, tarred{e.name, e.kind, string(text)})
	}
}

func readTheirs(archive []byte) (list []tarred, err error) {
	r := tar.NewReader(bytes.NewReader(archive))
	for {
		h, err := r.Next()
		if err != nil {
			return list, err
		}
		text, err := io.ReadAll(r)
		if err != nil {
			return list, err
		}
		kind := h.Typeflag
		if kind == tar.TypeCont {
			kind = tarRegular
		}
		list = append(list, tarred{h.Name, kind, string(text)})
	}
}

// archives are those of the formats that archive/tar writes.
func archives(t testing.TB) map[tar.Format][]byte {
	long := strings.Repeat("d/", 60) + "file"
	all := map[tar.Format][]byte{}
	for _, format := range []tar.Format{tar.FormatUSTAR, tar.FormatPAX, tar.FormatGNU} {
		var b bytes.Buffer
		w := tar.NewWriter(&b)
		headers := []tar.Header{
			{Name: "d/", Typeflag: tar.TypeDir, Mode: 0o755},
			{Name: "d/file", Mode: 0o644, Size: 4},
			{Name: long, Mode: 0o644, Size: 4, ModTime: time.Unix(1, 0)},
			{Name: "link", Typeflag: tar.TypeSymlink, Linkname: "d/file"},
			{Name: "hard", Typeflag: tar.TypeLink, Linkname: "d/file"},
			{Name: "pipe", Typeflag: tar.TypeFifo},
			{Name: "contiguous", Typeflag: tar.TypeCont, Size: 4},
			{Name: "last", Mode: 0o644, Size: 4, Uid: 1 << 20},
		}
		if format == tar.FormatPAX {
			headers[1].PAXRecords = map[string]string{"ENVWRAP.a": "a=b\nc"}
			headers = append([]tar.Header{{Typeflag: tar.TypeXGlobalHeader, PAXRecords: map[string]string{"comment": "x"}}}, headers...)
		}
		if format == tar.FormatGNU {
			headers[3].Linkname = long
		}
		for _, h := range headers {
			h.Format = format
			if err := w.WriteHeader(&h); err != nil {
				t.Fatal(format, h.Name, err)
			}
			if h.Size > 0 {
				io.WriteString(w, "text")
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		all[format] = b.Bytes()
	}
	return all
}

// TestTarReader reads the archives whole, and cut at many places: what was
// there before the cut is the same for archive/tar, and no cut makes a header look damaged.
func TestTarReader(t *testing.T) {
	for format, archive := range archives(t) {
		want, _ := readTheirs(archive)
		want = withoutGlobal(want)
		got, err := readOurs(archive)
		if !errors.Is(err, io.EOF) || len(got) < 8 {
			t.Fatalf("%v: %d entries, %v", format, len(got), err)
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("%v: read %q, want %q", format, got[i], want[i])
			}
		}
		for n := 0; n < len(archive)-2*tarBlock; n += 61 {
			some, err := readOurs(archive[:n])
			if len(some) > len(want) || errors.Is(err, errTarHeader) {
				t.Errorf("%v: cut after %d: %d entries, %v", format, n, len(some), err)
			}
			for i := range some {
				if some[i] != want[i] {
					t.Errorf("%v: cut after %d: read %q, want %q", format, n, some[i], want[i])
				}
			}
		}
	}
}

// withoutGlobal leaves out the headers that archive/tar shows and that are no entries.
func withoutGlobal(list []tarred) []tarred {
	var out []tarred
	for _, e := range list {
		if e.kind != tar.TypeXGlobalHeader {
			out = append(out, e)
		}
	}
	return out
}

// TestTarReaderOfOldArchives reads what was written before POSIX: a kind of zero,
// a directory by its slash alone, a checksum of signed bytes.
func TestTarReaderOfOldArchives(t *testing.T) {
	for name, kind := range map[string]byte{"file\xff": tarRegular, "directory\xff/": tarDirectory} {
		b := (&tarEntry{name: name}).header()
		b[tarType] = 0
		clear(b[tarMagic:tarPrefix])
		_, signed := tarSums(b)
		putTarNumber(b[tarSum:tarType-1], signed)
		e, err := (&tarReader{r: bytes.NewReader(b[:])}).next()
		if err != nil || e.kind != kind || e.name != name {
			t.Errorf("%q is read as %+v, %v", name, e, err)
		}
	}
}

// TestTarReaderRefuses has headers that cannot be, of which each is reported.
func TestTarReaderRefuses(t *testing.T) {
	extended := func(text string) []byte {
		b := (&tarEntry{size: int64(len(text))}).header()
		return append(withKind(b, 'x'), append([]byte(text), make([]byte, -len(text)&(tarBlock-1))...)...)
	}
	for name, archive := range map[string][]byte{
		"a sum that is not theirs": bytes.Replace((&tarEntry{name: "a"}).header()[:], []byte("a"), []byte("b"), 1),
		"no number":                withField(tarSize, "12345678xyz"),
		"a negative number":        withField(tarSize, strings.Repeat("\xff", 12)),
		"a number beyond 63 bits":  withField(tarSize, "\x80\x00\x00\x01"+strings.Repeat("\x00", 8)),
		"one block of zeros":       append(make([]byte, tarBlock), withField(tarName, "a")...),
		"a record without a size":  extended("path=a\n"),
		"a record that is longer":  extended("99 path=a\n"),
		"a record of no length":    extended("2 \n"),
		"a record of no value":     extended("7 path\n"),
		"a record without an end":  extended("10 path=ab"),
		"a negative size":          extended("11 size=-1\n"),
		"a name of a gigabyte":     withKind((&tarEntry{size: 1 << 30}).header(), 'L'),
	} {
		if list, err := readOurs(archive); !errors.Is(err, errTarHeader) || len(list) > 0 {
			t.Errorf("%s: %v, %v", name, list, err)
		}
	}
}

func withKind(b *[tarBlock]byte, kind byte) []byte {
	b[tarType] = kind
	unsigned, _ := tarSums(b)
	putTarNumber(b[tarSum:tarType-1], unsigned)
	return b[:]
}

func withField(at int, text string) []byte {
	b := (&tarEntry{}).header()
	copy(b[at:], text)
	return withKind(b, tarRegular)
}

// TestTarReaderOfChangedHeaders changes names, sizes, kinds and magic numbers: what
// archive/tar reads as well is the same. Sparse files are not put together, as no
// object is one.
func TestTarReaderOfChangedHeaders(t *testing.T) {
	changes := 0
	for format, archive := range archives(t) {
		for at := 0; at < len(archive)-2*tarBlock; at += tarBlock {
			if string(archive[at+tarMagic:][:5]) != "ustar" {
				continue // no header, but what follows one
			}
			for _, i := range []int{0, 1, 5, 99, tarSize, tarSize + 1, tarSize + 9, tarSize + 10, tarSize + 11, tarType, tarMagic, tarMagic + 5} {
				for _, c := range []byte("\x00 7xgL/\xff") {
					changed := bytes.Clone(archive)
					changed[at+i] = c
					withKind((*[tarBlock]byte)(changed[at:]), changed[at+tarType])
					compareReaders(t, format, at+i, changed)
					changes++
				}
			}
		}
	}
	if changes < 1000 {
		t.Errorf("made %d changes only", changes)
	}
}

func compareReaders(t *testing.T, format tar.Format, at int, archive []byte) {
	t.Helper()
	got, err := readOurs(archive)
	want, wantErr := readTheirs(archive)
	want = withoutGlobal(want)
	if errors.Is(wantErr, io.EOF) && (!errors.Is(err, io.EOF) || len(got) != len(want)) {
		t.Errorf("%v: byte %d: %d entries, %v, want %d", format, at, len(got), err, len(want))
	}
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			t.Errorf("%v: byte %d: read %q, want %q", format, at, got[i], want[i])
		}
	}
}
