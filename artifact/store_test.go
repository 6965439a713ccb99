package artifact

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// openTemp opens a store in a directory of its own.
func openTemp(t testing.TB) *Store {
	t.Helper()
	return openWith(t, Options{})
}

// openWith opens a store with options, in a directory of its own.
func openWith(t testing.TB, o Options) *Store {
	t.Helper()
	o.Dir = filepath.Join(t.TempDir(), "state", "store")
	s, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// openIndex opens a store whose day does not end, and returns the file that the
// index of the day is in.
func openIndex(t testing.TB) (s *Store, path string) {
	t.Helper()
	now := time.Now()
	s = openWith(t, Options{Now: func() time.Time { return now }})
	return s, filepath.Join(s.Dir(), filepath.FromSlash(indexFile(now)))
}

// put stores b and returns its digest.
func put(t testing.TB, s *Store, b []byte) string {
	t.Helper()
	p, err := s.Create()
	if err != nil {
		t.Fatal(err)
	}
	defer p.Discard()
	if _, err := p.Write(b); err != nil {
		t.Fatal(err)
	}
	digest, err := p.Commit(Info{Kind: "text/plain"})
	if err != nil {
		t.Fatal(err)
	}
	return digest
}

// read returns an object's bytes.
func read(t testing.TB, s *Store, id string) []byte {
	t.Helper()
	o, err := s.Get(id)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	b, err := io.ReadAll(o)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// modes lists what a store holds, with its permissions.
func modes(t testing.TB, dir string) map[string]fs.FileMode {
	t.Helper()
	found := map[string]fs.FileMode{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		fi, err := d.Info()
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		found[filepath.ToSlash(name)] = fi.Mode()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestCommitMakesReadOnlyObjectAndLeavesNothingElse(t *testing.T) {
	s := openTemp(t)
	digest := put(t, s, []byte("hello"))
	const want = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
	if digest != "sha256:"+want {
		t.Fatalf("digest is %s", digest)
	}
	found := modes(t, s.Dir())
	if m := found["objects/2c/"+want]; m != 0o400 {
		t.Errorf("the object has mode %v", m)
	}
	for name, m := range found {
		if m.IsDir() && m.Perm() != 0o700 {
			t.Errorf("%s has mode %v", name, m)
		}
		if strings.HasPrefix(name, "part/") {
			t.Errorf("%s was left behind", name)
		}
	}
}

func TestSizesAroundBuffers(t *testing.T) {
	s := openTemp(t)
	for _, size := range []int{0, 1, bufferSize - 1, bufferSize, bufferSize + 1, 3*bufferSize + 7, 20 * bufferSize} {
		want := bytes.Repeat([]byte("0123456789abcde\n"), size/16+1)[:size]
		if got := read(t, s, put(t, s, want)); !bytes.Equal(got, want) {
			t.Errorf("%d bytes came back as %d others", size, len(got))
		}
	}
}

// TestReadAhead reads an object a goroutine before its reader if it is large, and may be
// closed before the end.
func TestReadAhead(t *testing.T) {
	t.Parallel()
	s := openTemp(t)
	for size, ahead := range map[int]bool{aheadFrom: false, aheadFrom + 1: true} {
		data := bytes.Repeat([]byte("0123456789abcde\n"), size/16+1)[:size]
		id := put(t, s, data)
		for _, part := range []int64{aheadSize + 1, int64(size)} {
			o, err := s.Get(id)
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(io.LimitReader(o, part))
			if err != nil || !bytes.Equal(got, data[:part]) || (o.ahead != nil) != ahead {
				t.Errorf("%d of %d bytes: %d, %v; ahead %t", part, size, len(got), err, o.ahead != nil)
			}
			if err := o.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestDiscardLeavesNothing(t *testing.T) {
	s := openTemp(t)
	p, err := s.Create()
	if err != nil {
		t.Fatal(err)
	}
	p.Write(make([]byte, 10*bufferSize))
	p.Discard()
	p.Discard()
	if _, err := p.Commit(Info{}); err == nil {
		t.Error("a discarded object could be committed")
	}
	for name, m := range modes(t, s.Dir()) {
		if m.IsRegular() && (strings.HasPrefix(name, "part/") || strings.HasPrefix(name, "objects/")) {
			t.Errorf("%s was left behind", name)
		}
	}
}

func TestIDs(t *testing.T) {
	s := openTemp(t)
	digest := put(t, s, []byte("hello"))
	bare := strings.TrimPrefix(digest, "sha256:")
	for _, id := range []string{digest, bare, bare[:8], "sha256:" + bare[:8], strings.ToUpper(bare[:12])} {
		if got := read(t, s, id); string(got) != "hello" {
			t.Errorf("%s gave %q", id, got)
		}
	}
	for id, want := range map[string]error{
		bare[:5]:                ErrID,
		"":                      ErrID,
		"../../../etc/passwd":   ErrID,
		bare + "0":              ErrID,
		strings.Repeat("0", 8):  ErrNotFound,
		strings.Repeat("0", 64): ErrNotFound,
	} {
		if _, err := s.Get(id); !errors.Is(err, want) {
			t.Errorf("%q gave %v, want %v", id, err, want)
		}
	}
}

func TestAmbiguousIDListsCandidates(t *testing.T) {
	s := openTemp(t)
	put(t, s, []byte("hello"))
	twin := "2cf24dba" + strings.Repeat("0", 56)
	if err := os.WriteFile(filepath.Join(s.Dir(), "objects/2c", twin), nil, 0o400); err != nil {
		t.Fatal(err)
	}
	_, err := s.Get("2cf24dba")
	var many *AmbiguousError
	if !errors.As(err, &many) || len(many.Candidates) != 2 || many.Candidates[0] != "sha256:"+twin {
		t.Errorf("got %v", err)
	}
}

func TestSecondPutHealsBitRot(t *testing.T) {
	s := openTemp(t)
	digest := put(t, s, []byte("hello"))
	path := filepath.Join(s.Dir(), objectName(digest[7:]))
	os.Chmod(path, 0o600)
	if err := os.WriteFile(path, []byte("jello"), 0o600); err != nil {
		t.Fatal(err)
	}
	put(t, s, []byte("hello"))
	if got := read(t, s, digest); string(got) != "hello" {
		t.Errorf("got %q", got)
	}
}

func TestCorruptObjectIsRefusedAndQuarantined(t *testing.T) {
	s := openTemp(t)
	digest := put(t, s, []byte("hello"))
	path := filepath.Join(s.Dir(), objectName(digest[7:]))
	os.Chmod(path, 0o600)
	os.WriteFile(path, []byte("jello"), 0o600)
	o, err := s.Get(digest)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	if _, err := io.ReadAll(o); !errors.Is(err, ErrCorrupt) {
		t.Errorf("read gave %v", err)
	}
	if _, err := s.Get(digest); !errors.Is(err, ErrNotFound) {
		t.Errorf("it is still there: %v", err)
	}
	if _, err := os.Stat(filepath.Join(s.Dir(), "quarantine", digest[7:])); err != nil {
		t.Error(err)
	}
}

func TestOpenFirstFallsBackWithWarning(t *testing.T) {
	dir := t.TempDir()
	blocked := filepath.Join(dir, "file")
	os.WriteFile(blocked, nil, 0o600)
	second := filepath.Join(dir, "second")
	s, warning, err := OpenFirst(Options{}, filepath.Join(blocked, "store"), second)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if s.Dir() != second || !strings.Contains(warning, second) || !strings.Contains(warning, blocked) {
		t.Errorf("%q with the warning %q", s.Dir(), warning)
	}
	third := filepath.Join(blocked, "third")
	if _, _, err := OpenFirst(Options{}, blocked, third); err == nil || !strings.Contains(err.Error(), blocked+`"`) || !strings.Contains(err.Error(), third) {
		t.Errorf("where no directory can be a store: %v", err)
	}
	if _, _, err := OpenFirst(Options{}); err == nil || !strings.Contains(err.Error(), "no directory was named") {
		t.Errorf("without a directory: %v", err)
	}
}

// TestOtherVersionIsReadOnly has a layout of tomorrow, and a file that lost its
// bytes: neither hides what is there.
func TestOtherVersionIsReadOnly(t *testing.T) {
	for _, version := range []string{"2\n", "", "\n"} {
		s := openTemp(t)
		digest := put(t, s, []byte("hello"))
		if err := os.WriteFile(filepath.Join(s.Dir(), versionFile), []byte(version), 0o600); err != nil {
			t.Fatal(err)
		}
		var v *VersionError
		if _, err := Open(Options{Dir: s.Dir()}); !errors.As(err, &v) {
			t.Errorf("%q: open gave %v", version, err)
		}
		r, err := OpenRead(Options{Dir: s.Dir()})
		if err != nil {
			t.Fatalf("%q: %v", version, err)
		}
		t.Cleanup(func() { _ = r.Close() })
		if got := read(t, r, digest); string(got) != "hello" {
			t.Errorf("%q: got %q", version, got)
		}
	}
}

func TestOpenReadMakesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "none")
	if _, err := OpenRead(Options{Dir: dir}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it was made: %v", err)
	}
}
