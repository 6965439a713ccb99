package testenv

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// tests is a stand-in for testing.M.
type tests func()

func (f tests) Run() int { f(); return 0 }

// Run is 1 where something of an envwrap is left in the home, in its stand-in, or
// open, and the home is not the user's.
func TestRun(t *testing.T) {
	user := t.TempDir()
	var open *os.File
	for _, row := range []struct {
		name  string
		tests tests
		want  int
		needs string // a system
	}{
		{"nothing", func() {}, 0, ""},
		{"other files", func() { write(t, "HOME", ".config/go/telemetry"); write(t, "TMPDIR", "x") }, 0, ""},
		{"a store in the home", func() { write(t, "HOME", ".local/state/envwrap/objects/x") }, 1, ""},
		{"a record of runs in the home", func() {
			write(t, "HOME", ".local/state/envwrap/VERSION")
			write(t, "HOME", ".local/state/envwrap/record/x")
		}, 0, ""},
		{"a store in its stand-in", func() { write(t, "TMPDIR", "envwrap-0/objects/x") }, 1, ""},
		{"a directory left open", func() { open, _ = os.Open(os.Getenv("TMPDIR")) }, 1, "linux"},
	} {
		if row.needs != "" && row.needs != runtime.GOOS {
			continue
		}
		t.Setenv("HOME", user)
		t.Setenv("TMPDIR", t.TempDir())
		t.Setenv("XDG_STATE_HOME", user)
		t.Setenv("ENVWRAP_STORE", user)
		got := Run(tests(func() {
			if os.Getenv("HOME") == user || os.Getenv("XDG_STATE_HOME")+os.Getenv("ENVWRAP_STORE") != "" {
				t.Errorf("%s: it is the user's home", row.name)
			}
			row.tests()
		}))
		if got != row.want {
			t.Errorf("%s: status %d, want %d", row.name, got, row.want)
		}
	}
	_ = open.Close()
}

// write makes a file below the directory that a variable names.
func write(t *testing.T, variable, name string) {
	t.Helper()
	name = filepath.Join(os.Getenv(variable), name)
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		t.Fatal(err)
	}
}
