package artifact

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"testing/iotest"
)

// A fullWriter has room for so many bytes.
type fullWriter struct {
	room int
	err  error
}

func (w *fullWriter) Write(p []byte) (int, error) {
	if w.room -= len(p); w.room < 0 {
		return 0, w.err
	}
	return len(p), nil
}

// A transfer ends with the error of what it writes to, of what it reads and of
// the store, wherever in the archive that comes.
func TestTransferFails(t *testing.T) {
	fault := errors.New("fault")
	g := newStage()
	s := g.mustOpen(t, g.disk, "run")
	for _, text := range []string{"one", "two"} {
		if _, err := store(s, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	list, err := s.List()
	if err != nil {
		t.Fatal(err)
	}
	var archive bytes.Buffer
	if err := (Stores{s}).Export(&archive, list); err != nil {
		t.Fatal(err)
	}
	whole := archive.Bytes()
	const trailer = 1024 // zeros, which end an archive
	for n := 0; n < len(whole); n += 256 {
		if err := (Stores{s}).Export(&fullWriter{n, fault}, list); !errors.Is(err, fault) {
			t.Errorf("export to a writer of %d bytes: %v", n, err)
		}
		to := newStage()
		other := to.mustOpen(t, to.disk, "run")
		_, err := other.Import(io.MultiReader(bytes.NewReader(whole[:n]), iotest.ErrReader(fault)))
		if n < len(whole)-trailer && !errors.Is(err, fault) {
			t.Errorf("import of %d bytes: %v", n, err)
		}
		if err := other.Close(); err != nil {
			t.Fatal(err)
		}
	}
	to := newStage()
	other := to.mustOpen(t, to.disk, "run")
	to.disk.fail = func(_ int, op, _ string) error {
		if op == "open" {
			return fault
		}
		return nil
	}
	if _, err := other.Import(bytes.NewReader(whole)); !errors.Is(err, fault) {
		t.Errorf("import into a store that opens no file: %v", err)
	}
	if err := errors.Join(other.Close(), s.Close()); err != nil {
		t.Fatal(err)
	}
}
