package runlog

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
)

func appended(t *testing.T, store, line string) {
	t.Helper()
	if err := Append(store, "01ID", []byte(line)); err != nil {
		t.Fatal(err)
	}
}

// newStore makes a directory that nobody else can write to, whatever the umask.
func newStore(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

func read(t *testing.T, store string) []string {
	t.Helper()
	lines, err := Read(store)
	if err != nil {
		t.Fatal(err)
	}
	texts := make([]string, len(lines))
	for i, l := range lines {
		texts[i] = string(l.Doc)
	}
	return texts
}

// The newest line comes first; a store without a log has none.
func TestNewestFirst(t *testing.T) {
	store := newStore(t)
	if got := read(t, store); len(got) != 0 {
		t.Errorf("an empty store has %q", got)
	}
	appended(t, store, `{"n":1}`)
	appended(t, store, "{\"n\":2}\n")
	if got := fmt.Sprint(read(t, store)); got != `[{"n":2} {"n":1}]` {
		t.Errorf("got %s", got)
	}
	if err := Append(store, "01ID", []byte("{\n}\n")); err == nil {
		t.Error("an envelope of two lines was taken")
	}
}

// A line that a killed writer left unended is no line, and the log is for its
// owner's eyes.
func TestTornLine(t *testing.T) {
	store := newStore(t)
	appended(t, store, `{"n":1}`)
	name := filepath.Join(store, newer)
	if info, err := os.Stat(name); err != nil || runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(`{"n":`); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if got := read(t, store); len(got) != 1 || got[0] != `{"n":1}` {
		t.Errorf("got %q", got)
	}
}

// Lines of an envwrap that recorded no ids are read, empty ones are not.
func TestEarlierLines(t *testing.T) {
	store := newStore(t)
	appended(t, store, `{"n": 1}`)
	if err := os.WriteFile(filepath.Join(store, newer), []byte("{\"n\": 1}\n\nword\n01ID {\"n\": 2}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	lines, err := Read(store)
	if got := fmt.Sprintf("%q", lines); got != `[{"01ID" "{\"n\": 2}"} {"" "word"} {"" "{\"n\": 1}"}]` || err != nil {
		t.Errorf("got %s, %v", got, err)
	}
}

// The log never grows beyond two files of 4 MiB and a line each, and keeps at
// least the last 4 MiB.
func TestBounded(t *testing.T) {
	store := newStore(t)
	line := bytes.Repeat([]byte("x"), 256<<10)
	for range 50 {
		if err := Append(store, "01ID", line); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(read(t, store)); n < most/len(line) || n > 2*(most/len(line)+1) {
		t.Errorf("%d lines are left", n)
	}
}

// Writers at the same time never mix their lines.
func TestManyWriters(t *testing.T) {
	store := newStore(t)
	var writers sync.WaitGroup
	for w := range 8 {
		writers.Go(func() {
			for i := range 50 {
				line := bytes.Repeat([]byte{'a' + byte(w)}, 1000+i)
				if err := Append(store, "01ID", line); err != nil {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	lines := read(t, store)
	for _, l := range lines {
		if bytes.Count([]byte(l), []byte{l[0]}) != len(l) {
			t.Fatalf("a mixed line of %d bytes", len(l))
		}
	}
	if len(lines) != 400 {
		t.Errorf("%d lines of 400", len(lines))
	}
}

// A store that does not exist has no log, and one that is no directory has an error.
func TestNoStore(t *testing.T) {
	file := filepath.Join(newStore(t), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if lines, err := Read(filepath.Join(filepath.Dir(file), "none")); lines != nil || err != nil {
		t.Errorf("%q, %v", lines, err)
	}
	if _, err := Read(file); err == nil {
		t.Error("a file has a log")
	}
	if err := Append(file, "01ID", []byte("{}")); err == nil {
		t.Error("a log in a file")
	}
	if err := Append(filepath.Dir(file), "01ID", []byte("{}\n{}")); err == nil {
		t.Error("two lines are one envelope")
	}
}
