package output

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// A place is where a test writes: a directory, and files for the streams.
type place struct {
	dir            string
	stdout, stderr *os.File
}

func placeIn(t *testing.T, dir string) place {
	return place{dir, openedTemp(t), openedTemp(t)}
}

func openedTemp(t *testing.T) *os.File {
	t.Helper()
	f, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func (p place) open(name string) (*Sink, error) {
	return OpenSink(name, func(name string) string { return filepath.Join(p.dir, name) }, p.stdout, p.stderr)
}

func textOfFile(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func writeTo(t *testing.T, p place, name, doc string) error {
	t.Helper()
	s, err := p.open(name)
	if err != nil {
		return err
	}
	return errors.Join(s.Write([]byte(doc)), s.Close())
}

func TestSinkReplacesFile(t *testing.T) {
	dir := t.TempDir()
	w := placeIn(t, dir)
	path := filepath.Join(dir, "out.json")
	for _, doc := range []string{"one\n", "a longer one\n", "2\n"} {
		if err := writeTo(t, w, "out.json", doc); err != nil {
			t.Fatal(err)
		}
		if got := textOfFile(t, path); got != doc {
			t.Errorf("got %q, want %q", got, doc)
		}
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("others may read it: %v, %v", info.Mode(), err)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// Looking whether a file can be written leaves no trace.
func TestOpenSinkLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	if _, err := placeIn(t, dir).open("out.json"); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// A symbolic link stays, and what it names is replaced or made.
func TestSinkFollowsLink(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "link")
	if err := os.Symlink("real", link); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	for _, doc := range []string{"made", "replaced"} {
		if err := writeTo(t, placeIn(t, dir), "link", doc); err != nil {
			t.Fatal(err)
		}
		if got := textOfFile(t, filepath.Join(dir, "real")); got != doc {
			t.Errorf("got %q, want %q", got, doc)
		}
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v, %v", info, err)
	}
}

func TestSinkRefuses(t *testing.T) {
	dir := t.TempDir()
	w := placeIn(t, dir)
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("loop", filepath.Join(dir, "loop")); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	for _, name := range []string{".", "nowhere/out.json", "file/out.json", "loop"} {
		if _, err := w.open(name); err == nil {
			t.Errorf("%q was taken", name)
		}
	}
}

// A link that changes after the first look is no way to a file: not into a circle, nor
// below a file.
func TestFollowedRefuses(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("loop", filepath.Join(dir, "loop")); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	for _, name := range []string{"file/out.json", "loop"} {
		if path, err := followed(filepath.Join(dir, name)); err == nil {
			t.Errorf("%s leads to %q", name, path)
		}
	}
}

// /dev/stdout is the stream itself: what is there already stays.
func TestSinkStandardStreams(t *testing.T) {
	w := placeIn(t, t.TempDir())
	w.stdout.WriteString("before\n")
	for _, name := range []string{"/dev/stdout", "/dev/fd/1", "-"} {
		if err := writeTo(t, w, name, name+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	if err := writeTo(t, w, "/dev/stderr", "err\n"); err != nil {
		t.Fatal(err)
	}
	if got, want := textOfFile(t, w.stdout.Name()), "before\n/dev/stdout\n/dev/fd/1\n-\n"; got != want {
		t.Errorf("stdout: got %q, want %q", got, want)
	}
	if got := textOfFile(t, w.stderr.Name()); got != "err\n" {
		t.Errorf("stderr: got %q", got)
	}
}

// A file that cannot be written whole leaves the old one, and nothing beside it.
func TestReplaceFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.json")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	full := errors.New("the disk is full")
	if err := replace(path, func(w io.Writer) error { _, _ = io.WriteString(w, "half"); return full }); !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) != 1 || textOfFile(t, path) != "old" {
		t.Errorf("left: %v, %v, %q", left, err, textOfFile(t, path))
	}
}
