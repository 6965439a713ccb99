// Package clitest helps the tests of verbs.
package clitest

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/envwrap/envwrap/internal/app/cli"
)

// EnvIn returns a [cli.Env] whose home and working directory are dir. It has no verbs.
func EnvIn(t *testing.T, dir string, args ...string) *cli.Env {
	t.Helper()
	temp := t.TempDir()
	return &cli.Env{
		Args:    append([]string{"envwrap"}, args...),
		Environ: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "XDG_STATE_HOME=" + filepath.Join(dir, "state")},
		Dir:     func() (string, error) { return dir, nil },
		TempDir: temp,
		Stdout:  newFile(t, temp, "stdout"),
		Stderr:  newFile(t, temp, "stderr"),
		Now:     Now,
		Random:  rand.Reader,
	}
}

func newFile(t *testing.T, dir, name string) *os.File {
	t.Helper()
	f, err := os.Create(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// Contents returns the text of a file.
func Contents(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Now returns the time in an Env of tests.
func Now() time.Time { return time.Date(2026, 11, 20, 10, 0, 0, 123e6, time.UTC) }

// Expect checks the result of parsing in: the value want, or, if bad is set, a usage
// error that contains in and has a hint.
func Expect[T comparable](t *testing.T, in string, got T, err error, want T, bad bool) {
	t.Helper()
	var u *cli.UsageError
	switch {
	case bad && !errors.As(err, &u):
		t.Errorf("%q: got %v, %v; want a usage error", in, got, err)
	case bad && (u.Hint == "" || !strings.Contains(u.Text, `"`+in)):
		t.Errorf("%q: the error %q has no hint, or does not repeat what was given", in, err)
	case !bad && (err != nil || got != want):
		t.Errorf("%q: got %v, %v; want %v", in, got, err, want)
	}
}

// DocText escapes angle brackets and bars for Markdown.
func DocText(s string) string {
	return strings.NewReplacer("<", "&lt;", "|", `\|`).Replace(s)
}
