//go:build unix

package runlog

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/envwrap/envwrap/internal/platform/safefs"
)

// A link or a FIFO in the place of the log or its directory is neither read nor
// written through.
func TestOnlyOurFiles(t *testing.T) {
	for _, name := range []string{dirName, newer, older} {
		for _, plant := range []func(target, name string) error{
			os.Symlink,
			func(_, name string) error { return syscall.Mkfifo(name, 0o600) },
		} {
			store, outside := newStore(t), filepath.Join(t.TempDir(), "rc")
			if err := os.WriteFile(outside, []byte("alias\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			place := filepath.Join(store, name)
			if err := errors.Join(os.MkdirAll(filepath.Dir(place), 0o700), plant(outside, place)); err != nil {
				t.Fatal(err)
			}
			if lines, err := Read(store); !errors.Is(err, safefs.ErrRefused) || len(lines) > 0 {
				t.Errorf("%s: read %q, %v", name, lines, err)
			}
			if err := Append(store, "01ID", []byte("{}")); err == nil && name != older {
				t.Errorf("%s: it was written to", name)
			}
			if text, _ := os.ReadFile(outside); string(text) != "alias\n" {
				t.Errorf("%s: the file outside is %q", name, text)
			}
		}
	}
}

// The record of runs is read from and written to regular files only.
func TestRecordOfRegularFiles(t *testing.T) {
	store := newStore(t)
	run := &Run{Kind: RunEnded, Outcome: "success", ID: "1", Time: noon}
	recorded(t, store, run, Limits{})
	link := filepath.Join(store, recordName, "2026-11-25.jsonl")
	if err := os.Symlink("2026-11-26.jsonl", link); err != nil {
		t.Fatal(err)
	}
	var ids []string
	if err := Walk(store, time.Time{}, func(r *Run) bool { ids = append(ids, r.ID); return true }); !errors.Is(err, safefs.ErrRefused) {
		t.Errorf("%q, %v", ids, err)
	}
	if err := Walk(store, noon, func(r *Run) bool { ids = append(ids, r.ID); return false }); err != nil || ids[0] != "1" {
		t.Errorf("since noon: %q, %v", ids, err)
	}
	run.Time = noon.AddDate(0, 0, -1)
	if err := RecordFirst(store, run, Limits{}); !errors.Is(err, safefs.ErrRefused) {
		t.Errorf("written through a link: %v", err)
	}
	if err := Record(store, run, Limits{Off: true}); err != nil {
		t.Errorf("no record is kept, and %v", err)
	}
	if err := os.RemoveAll(filepath.Join(store, recordName)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(store, recordName), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := RecordFirst(store, run, Limits{}); err == nil {
		t.Error("recorded in a file instead of a directory")
	}
}

// A file of any size costs little memory, and what was written last is found.
func TestSparse(t *testing.T) {
	store := newStore(t)
	appended(t, store, `{"n":1}`)
	if err := os.Truncate(filepath.Join(store, newer), 20<<30); err != nil {
		t.Fatal(err)
	}
	// The next line is recorded where the hole ends, and the file retires.
	if err := Append(store, "01ID", []byte(`{"n":2}`)); err != nil {
		t.Fatal(err)
	}
	appended(t, store, `{"n":3}`)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	lines := read(t, store)
	runtime.ReadMemStats(&after)
	if len(lines) != 1 || lines[0] != `{"n":3}` {
		t.Errorf("got %d lines", len(lines))
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 2*lineMost {
		t.Errorf("reading took %d MiB", used>>20)
	}
}

// An envelope that is too large to be read again is not recorded.
func TestTooLarge(t *testing.T) {
	store := newStore(t)
	appended(t, store, `{"n":1}`)
	if err := Append(store, "01ID", []byte(strings.Repeat("x", lineMost))); !errors.Is(err, ErrTooLarge) {
		t.Errorf("got %v", err)
	}
	appended(t, store, strings.Repeat("x", lineMost-len("01ID \n")))
	lines := read(t, store)
	if len(lines) == 0 || len(lines[0]) != lineMost-len("01ID \n") {
		t.Errorf("the longest line is not read: %d lines", len(lines))
	}
}
