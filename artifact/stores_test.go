package artifact

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
)

// TestStoresLookInAll has objects in the usual place and in the one that took
// its place.
func TestStoresLookInAll(t *testing.T) {
	a, b := openTemp(t), openTemp(t)
	one, two := put(t, a, []byte("one")), put(t, b, []byte("two"))
	put(t, b, []byte("one"))
	all, err := OpenReadAll(Options{}, a.Dir(), filepath.Join(t.TempDir(), "none"), b.Dir())
	if err != nil || len(all) != 2 {
		t.Fatalf("%d stores, %v", len(all), err)
	}
	defer all.Close()
	for id, want := range map[string]string{one: "one", one[:15]: "one", two: "two"} {
		o, err := all.Get(id)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(o)
		o.Close()
		if string(got) != want || err != nil {
			t.Errorf("%s gave %q, %v", id, got, err)
		}
	}
	if list, err := all.List(); err != nil || len(list) != 2 {
		t.Errorf("the list is %v, %v", list, err)
	}
	if s, digest, err := all.Locate(two[:15]); err != nil || s.Dir() != b.Dir() || digest != two {
		t.Errorf("%s lies in %v, %v", two, s, err)
	}
	if digest, err := all.Resolve(two[:15]); digest != two || err != nil {
		t.Errorf("%s is resolved to %q, %v", two, digest, err)
	}
	if digest, err := all.Resolve("sha256:00000000"); digest != "" || !errors.Is(err, ErrNotFound) {
		t.Errorf("got %q, %v", digest, err)
	}
	if _, err := all.Get("sha256:00000000"); !errors.Is(err, ErrNotFound) {
		t.Errorf("got %v", err)
	}
	if path, err := all.Path(two); err != nil || !strings.HasPrefix(path, b.Dir()) {
		t.Errorf("its path is %q, %v", path, err)
	}
}

func TestExportImport(t *testing.T) {
	a, b := openTemp(t), openTemp(t)
	digest := put(t, a, logOf(3000))
	put(t, a, []byte("two"))
	list, err := a.List()
	if err != nil {
		t.Fatal(err)
	}
	var archive bytes.Buffer
	if err := (Stores{a}).Export(&archive, list); err != nil {
		t.Fatal(err)
	}
	whole := bytes.Clone(archive.Bytes())
	done, err := b.Import(&archive)
	if err != nil || len(done.Artifacts) != 2 || done.Foreign > 0 {
		t.Fatalf("imported %v, %v", done, err)
	}
	if got := read(t, b, digest); !bytes.Equal(got, logOf(3000)) {
		t.Error("it was changed")
	}
	if d, err := b.Stat(digest); err != nil || d.Kind != "text/plain" {
		t.Errorf("stat says %+v, %v", d, err)
	}
	c := openTemp(t)
	if _, err := c.Import(bytes.NewReader(whole[:len(whole)/2])); err == nil {
		t.Error("half an archive was imported")
	}
	i := bytes.Index(whole, []byte("INFO request 3 "))
	whole[i] = 'i'
	if _, err := c.Import(bytes.NewReader(whole)); !errors.Is(err, ErrCorrupt) {
		t.Errorf("a changed archive gave %v", err)
	}
	if _, err := c.Get(digest); !errors.Is(err, ErrNotFound) {
		t.Errorf("it was stored: %v", err)
	}
	if names, _ := c.fs.NamesIn(partDir); len(names) > 0 {
		t.Errorf("%v was left behind", names)
	}
}

// TestImportOfRepeatedObject has an object in an archive twice: it is stored once, and the
// second must have the bytes of its name, too.
func TestImportOfRepeatedObject(t *testing.T) {
	for _, c := range []struct {
		second string
		want   error
	}{{"text", nil}, {"test", ErrCorrupt}} {
		var archive bytes.Buffer
		w := tar.NewWriter(&archive)
		for _, text := range []string{"text", c.second} {
			h := tar.Header{Name: objectName(nameOf("text")), Typeflag: tar.TypeReg, Size: int64(len(text))}
			if err := w.WriteHeader(&h); err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(w, text); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		s := openTemp(t)
		done, err := s.Import(&archive)
		if !errors.Is(err, c.want) || len(done.Artifacts) != 1 {
			t.Errorf("%s: imported %v, %v", c.second, done, err)
		}
		if lines, err := os.ReadFile(filepath.Join(s.Dir(), indexFile(s.now()))); err != nil || bytes.Count(lines, newline) != 1 {
			t.Errorf("%s: the index is %q, %v", c.second, lines, err)
		}
	}
}

// TestImportOfCutArchive ends an archive between two objects.
func TestImportOfCutArchive(t *testing.T) {
	s := openTemp(t)
	put(t, s, []byte("one"))
	put(t, s, []byte("two"))
	list, err := s.List()
	if err != nil {
		t.Fatal(err)
	}
	var archive bytes.Buffer
	if err := (Stores{s}).Export(&archive, list); err != nil {
		t.Fatal(err)
	}
	const entry, end = 1024, 1024 // an object of three bytes; the mark of the end
	archive.Truncate(archive.Len() - end - entry)
	done, err := openTemp(t).Import(&archive)
	if len(done.Artifacts) != 1 || err == nil || !strings.Contains(err.Error(), "ends before 1") {
		t.Errorf("imported %v, %v", done, err)
	}
}

// TestImportPassesOver has entries in an archive that are no objects: they are
// counted, and lead nowhere.
func TestImportPassesOver(t *testing.T) {
	name := nameOf("text")
	foreign := []tar.Header{
		{Name: "../../etc/cron.d/evil", Mode: 0o644, Size: 4},
		{Name: "objects/00/" + name, Mode: 0o644, Size: 4},
		{Name: "/" + objectName(name), Mode: 0o644, Size: 4},
		{Name: objectName(name) + packedSuffix, Mode: 0o644, Size: 4},
		{Name: objectName(name), Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"},
	}
	directory := tar.Header{Name: "objects/", Typeflag: tar.TypeDir}
	own := tar.Header{Name: "./" + objectName(name), Mode: 0o644, Size: 4} // as tar -c . writes it
	done, err := openTemp(t).Import(packTar(t, append(foreign, directory)))
	if !errors.Is(err, errNoArtifacts) || len(done.Artifacts) > 0 {
		t.Errorf("imported %v, %v", done, err)
	}
	if done.Foreign != len(foreign) || done.FirstForeign != foreign[0].Name {
		t.Errorf("passed over %d, the first %q", done.Foreign, done.FirstForeign)
	}
	done, err = openTemp(t).Import(packTar(t, append(foreign, directory, own)))
	if err != nil || len(done.Artifacts) != 1 || done.Foreign != len(foreign) {
		t.Errorf("imported %v, %v", done, err)
	}
	if _, err := openTemp(t).Import(strings.NewReader("")); !errors.Is(err, errNoArtifacts) {
		t.Errorf("nothing at all gave %v", err)
	}
	if _, err := openTemp(t).Import(strings.NewReader("\x1f\x8b\b")); !errors.Is(err, errFormat) {
		t.Errorf("a packed archive gave %v", err)
	}
}

// packTar is an archive of such entries, of which all files say "text".
func packTar(t *testing.T, headers []tar.Header) io.Reader {
	t.Helper()
	var archive bytes.Buffer
	w := tar.NewWriter(&archive)
	for _, h := range headers {
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if h.Size > 0 {
			io.WriteString(w, "text")
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return &archive
}

// TestImportOfLateIndex has the index after an object that it names.
func TestImportOfLateIndex(t *testing.T) {
	name := nameOf("text")
	line := appendEntry(nil, &Entry{Digest: digestPrefix + name, Size: 4})
	var archive bytes.Buffer
	w := tar.NewWriter(&archive)
	for _, e := range []struct{ name, text string }{{objectName(name), "text"}, {exportIndex, string(line)}} {
		if err := w.WriteHeader(&tar.Header{Name: e.name, Mode: 0o600, Size: int64(len(e.text))}); err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, e.text)
	}
	w.Close()
	if done, err := openTemp(t).Import(&archive); err != nil || len(done.Artifacts) != 1 {
		t.Errorf("imported %v, %v", done, err)
	}
}

// TestImportBoundsLines reads an index without an end to its first line: what
// is after it is known all the same.
func TestImportBoundsLines(t *testing.T) {
	digest := digestPrefix + strings.Repeat("ab", 32)
	line := appendEntry(nil, &Entry{Digest: digest, Command: "exec/test"})
	long := io.LimitReader(endless{}, 64<<20)
	known := map[string]Info{}
	tell := func(name string, i Info) { known[name] = i }
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := importLines(io.MultiReader(long, strings.NewReader("\n"), bytes.NewReader(line)), tell); err != nil {
		t.Error(err)
	}
	runtime.ReadMemStats(&after)
	if known[digest[len(digestPrefix):]].Command != "exec/test" {
		t.Errorf("got %v", known)
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > 16<<20 {
		t.Errorf("%d bytes were allocated for a line of %d", n, 64<<20)
	}
}

// TestImportFailsWithItsReader takes no index for whole that cannot be read to its end.
func TestImportFailsWithItsReader(t *testing.T) {
	failed := errors.New("failed")
	if err := importLines(iotest.ErrReader(failed), func(string, Info) {}); !errors.Is(err, failed) {
		t.Errorf("got %v", err)
	}
}

type endless struct{}

func (endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = 'x'
	}
	return len(b), nil
}

// TestExportChecks refuses to hand on what is corrupt.
func TestExportChecks(t *testing.T) {
	s := openTemp(t)
	digest := put(t, s, []byte("text"))
	list, err := s.List()
	if err != nil {
		t.Fatal(err)
	}
	overwrite(t, filepath.Join(s.Dir(), objectName(digest[7:])), []byte("tezt"))
	if err := (Stores{s}).Export(io.Discard, list); !errors.Is(err, ErrCorrupt) {
		t.Errorf("got %v", err)
	}
}

func TestDoctor(t *testing.T) {
	s, index := openIndex(t)
	digest := put(t, s, []byte("text"))
	levels := func() map[string]Level {
		found := map[string]Level{}
		for _, f := range Doctor(Options{Dir: s.Dir()}) {
			found[f.Name] = f.Level
			if f.Level == Bad && f.Advice == "" {
				t.Errorf("%s is bad, and there is no advice: %s", f.Name, f.Text)
			}
		}
		return found
	}
	if found := levels(); found["locks"] == Bad || found["links"] == Bad || found["index"] != Fine || found["quarantine"] != Fine {
		t.Errorf("a new store: %v", found)
	}
	overwrite(t, filepath.Join(s.Dir(), objectName(digest[7:])), []byte("tezt"))
	load(s, digest)
	dead, err := s.Create()
	if err != nil {
		t.Fatal(err)
	}
	dead.part.Close()
	if err := os.WriteFile(index, []byte("torn"), 0o600); err != nil {
		t.Fatal(err)
	}
	if found := levels(); found["quarantine"] != Bad || found["index"] != Note || found["parts"] != Note {
		t.Errorf("a store that has seen better days: %v", found)
	}
	for _, dir := range []string{pinsDir, runDir, objectsDir} {
		path := filepath.Join(s.Dir(), dir)
		if err := errors.Join(os.RemoveAll(path), os.WriteFile(path, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
		if found := levels(); found["directories"] != Bad {
			t.Errorf("%s is a file: %v", dir, found)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	if found := Doctor(Options{Dir: index}); len(found) != 1 || found[0].Level != Bad || found[0].Advice == "" {
		t.Errorf("a file: %+v", found)
	}
	if names, _ := s.fs.NamesIn(partDir); len(names) != 1 {
		t.Errorf("doctor left %v", names)
	}
}

// TestFollow reads a part while it is written, until it is an object.
func TestFollow(t *testing.T) {
	s := openTemp(t)
	p, err := s.Create()
	if err != nil {
		t.Fatal(err)
	}
	defer p.Discard()
	name := strings.TrimPrefix(p.part.Name, partDir+"/")
	first := bytes.Repeat([]byte("a"), bufferSize)
	p.Write(first)
	begun := make(chan struct{})
	out := &until{text: "a", done: sync.OnceFunc(func() { close(begun) })}
	done := make(chan error, 1)
	go func() {
		done <- s.Follow(context.Background(), name, func(*Object) (int64, error) { return 0, nil }, out)
	}()
	<-begun
	p.Write([]byte("the end"))
	if _, err := p.Commit(Info{}); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	if want := string(first) + "the end"; out.got.String() != want {
		t.Errorf("%d bytes, want %d", out.got.Len(), len(want))
	}
	if err := s.Follow(context.Background(), name, nil, out); !errors.Is(err, ErrNotFound) {
		t.Errorf("following what is over gave %v", err)
	}
	for _, name := range []string{"", "..", "../VERSION", "."} {
		if err := s.Follow(context.Background(), name, nil, out); !errors.Is(err, ErrNotFound) {
			t.Errorf("%q gave %v", name, err)
		}
	}
}

// TestOpenLeavesNothing opens and closes a store that is there.
func TestOpenLeavesNothing(t *testing.T) {
	s := openTemp(t)
	before := modes(t, s.Dir())
	again, err := Open(Options{Dir: s.Dir()})
	if err != nil {
		t.Fatal(err)
	}
	again.Close()
	after := modes(t, s.Dir())
	if len(before) != len(after) {
		t.Errorf("before %v, after %v", before, after)
	}
}
