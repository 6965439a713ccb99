//go:build unix

package scratch

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/envwrap/envwrap/internal/test/testenv"
)

func TestMain(m *testing.M) {
	if os.Getenv("SCRATCH_TEST_KILLED") != "" {
		leave()
	}
	os.Exit(testenv.Run(m))
}

// leave makes a directory, and has SIGKILL end the process.
func leave() {
	if _, err := New(); err != nil {
		os.Exit(1)
	}
	self, _ := os.FindProcess(os.Getpid())
	_ = self.Kill()
	select {}
}

// A sweep removes the directory of a process that was killed an hour ago, and nothing else:
// neither those of processes that live, nor what has another name, mode or kind.
func TestSweep(t *testing.T) {
	place := t.TempDir()
	t.Setenv("TMPDIR", place)
	killed := exec.Command(os.Args[0])
	killed.Env = append(os.Environ(), "SCRATCH_TEST_KILLED=1")
	if err := killed.Run(); err == nil || !strings.Contains(err.Error(), "killed") {
		t.Fatalf("the process ended with %v", err)
	}
	left, err := filepath.Glob(filepath.Join(place, prefix+"*"))
	if err != nil || len(left) != 1 {
		t.Fatalf("left %q, %v", left, err)
	}
	if err := os.WriteFile(filepath.Join(left[0], "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	held, err := New()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"envwrap-0", "envwrap-123", "other"} {
		if err := os.Mkdir(filepath.Join(place, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	shared := filepath.Join(place, prefix+"shared")
	if err := errors.Join(os.Mkdir(shared, 0o700), os.Chmod(shared, 0o777)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(place, prefix+"file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("other", filepath.Join(place, prefix+"link")); err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	if n := sweepPlace(place, now.Add(leftFor/2)); n != 0 {
		t.Errorf("%d removed that are younger than an hour", n)
	}
	if n := sweepPlace(place, now.Add(2*leftFor)); n != 1 {
		t.Errorf("%d removed, want 1", n)
	}
	if _, err := os.Stat(left[0]); !os.IsNotExist(err) {
		t.Errorf("what was left is still there: %v", err)
	}
	if err := held.Remove(); err != nil {
		t.Error(err)
	}
	entries, err := os.ReadDir(place)
	if err != nil || len(entries) != 6 {
		t.Errorf("then there are %v, %v", entries, err)
	}
}

// A directory is made in the second place if the first takes none, else the error is that of
// the first. Remove says what cannot be removed.
func TestPlaces(t *testing.T) {
	place, none := t.TempDir(), filepath.Join(t.TempDir(), "none")
	for _, places := range [][2]string{{place, none}, {none, place}} {
		d, err := newIn(places[0], places[1])
		if err != nil || filepath.Dir(d.Path) != place {
			t.Fatalf("in %q: %+v, %v", places, d, err)
		}
		if err := d.Remove(); err != nil {
			t.Error(err)
		}
	}
	if d, err := newIn(none, filepath.Join(none, "other")); d != nil || err == nil || strings.Contains(err.Error(), "other") {
		t.Errorf("in no place: %+v, %v", d, err)
	}
	if err := (&Dir{Path: filepath.Join(place, ".") + "/."}).Remove(); err == nil {
		t.Error("a path that ends with a dot is removed")
	}
}
