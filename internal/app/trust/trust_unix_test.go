//go:build unix

package trust

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/envwrap/envwrap/internal/platform/safefs"
)

func TestList(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state")
	const path = "/src/app/.envwrap.toml"
	if _, err := Lookup(state, path); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("without a list: %v", err)
	}
	if err := Remove(state, path); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("remove without a list: %v", err)
	}
	for _, digest := range []string{"sha256:1", "sha256:2"} {
		if err := Add(state, &Entry{Path: path, Digest: digest, Trusted: time.Unix(1, 0)}); err != nil {
			t.Fatal(err)
		}
		if e, err := Lookup(state, path); err != nil || e.Digest != digest {
			t.Fatalf("got %v, %v", e, err)
		}
	}
	if _, err := Lookup(state, "/src/app/other"); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("another path: %v", err)
	}
	if err := Remove(state, path); err != nil {
		t.Fatal(err)
	}
	if _, err := Lookup(state, path); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("after remove: %v", err)
	}
	names, err := os.ReadDir(filepath.Join(state, listDir))
	if err != nil || len(names) != 0 {
		t.Fatalf("left over: %v, %v", names, err)
	}
}

// A list that others could have filled, or that a link leads to, is not believed.
func TestListOfOthers(t *testing.T) {
	const path = "/src/app/.envwrap.toml"
	planted := filepath.Join(t.TempDir(), "planted")
	if err := Add(planted, &Entry{Path: path, Digest: "sha256:1"}); err != nil {
		t.Fatal(err)
	}
	entry := filepath.Join(planted, listDir, entryName(path))
	for name, plant := range map[string]func(state string) error{
		"a directory that others can write to": func(state string) error {
			return errors.Join(os.Mkdir(filepath.Join(state, listDir), 0o700),
				os.Link(entry, filepath.Join(state, listDir, entryName(path))), os.Chmod(filepath.Join(state, listDir), 0o777))
		},
		"a link to a directory": func(state string) error {
			return os.Symlink(filepath.Join(planted, listDir), filepath.Join(state, listDir))
		},
		"a link to an entry": func(state string) error {
			return errors.Join(os.Mkdir(filepath.Join(state, listDir), 0o700), os.Symlink(entry, filepath.Join(state, listDir, entryName(path))))
		},
		"an entry of another path": func(state string) error {
			return errors.Join(os.Mkdir(filepath.Join(state, listDir), 0o700),
				os.WriteFile(filepath.Join(state, listDir, entryName(path)), []byte(`{"path":"/other","digest":"sha256:1"}`), 0o600))
		},
	} {
		state := t.TempDir()
		if err := plant(state); err != nil {
			t.Fatal(err)
		}
		if e, err := Lookup(state, path); err == nil || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: got %v, %v", name, e, err)
		}
	}
}

// A list below a directory that others can write to is neither believed nor made.
func TestListBelowOthers(t *testing.T) {
	const path = "/src/app/.envwrap.toml"
	above := t.TempDir()
	state := filepath.Join(above, "state")
	if err := errors.Join(Add(state, &Entry{Path: path}), os.Chmod(above, 0o777)); err != nil {
		t.Fatal(err)
	}
	for name, of := range map[string]string{"its own": state, "a new": filepath.Join(above, "new")} {
		var exposed *safefs.Exposed
		if err := Add(of, &Entry{Path: path}); !errors.As(err, &exposed) {
			t.Errorf("add to %s list: %v", name, err)
		}
	}
	var exposed *safefs.Exposed
	if e, err := Lookup(state, path); !errors.As(err, &exposed) {
		t.Errorf("got %v, %v", e, err)
	}
}

// Failures are reported.
func TestFaults(t *testing.T) {
	const path = "/src/app/.envwrap.toml"
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Add(file, &Entry{Path: path}); err == nil {
		t.Error("a list in a file")
	}
	if err := Remove(file, path); err == nil {
		t.Error("removed of a list in a file")
	}
	if err := Add(dir, &Entry{Path: path, Trusted: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)}); err == nil {
		t.Error("a time that JSON has no form for")
	}
	state := filepath.Join(dir, "state")
	if err := os.MkdirAll(filepath.Join(state, listDir, entryName(path)), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := Add(state, &Entry{Path: path}); err == nil {
		t.Error("an entry in the place of a directory")
	}
	if err := errors.Join(os.RemoveAll(filepath.Join(state, listDir)), os.WriteFile(filepath.Join(state, listDir), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	if err := Add(state, &Entry{Path: path}); err == nil {
		t.Error("a list that is a file")
	}
}

// The digest of what was trusted once stays the same from version to version.
func TestDigestStays(t *testing.T) {
	const want = "sha256:be073a1a0b55d945c6501a6b5a7d6597d2065036d01bd027c7b60d88e083b13b"
	if got := Digest([]Part{{Text: []byte("a")}, {Name: "b", Missing: true}}); got != want {
		t.Errorf("got %s", got)
	}
}

// No two lists of files have one digest.
func TestDigestTellsApart(t *testing.T) {
	seen := map[string]int{}
	for i, parts := range [][]Part{
		nil,
		{{Name: "a"}},
		{{Name: "a", Missing: true}},
		{{Text: []byte("a")}},
		{{Name: "a", Text: []byte("b")}},
		{{Name: "ab"}},
		{{Name: "a"}, {Name: "b"}},
		{{Name: "b"}, {Name: "a"}},
		{{Name: "a", Text: []byte("b")}, {}},
	} {
		digest := Digest(parts)
		if j, ok := seen[digest]; ok {
			t.Errorf("%d and %d are the same", i, j)
		}
		seen[digest] = i
	}
}
