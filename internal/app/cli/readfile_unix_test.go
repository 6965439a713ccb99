//go:build unix

package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A file that an option names is read whole or not at all, and is never waited
// for without end.
func TestReadSmall(t *testing.T) {
	dir := t.TempDir()
	file, fifo := filepath.Join(dir, "file"), filepath.Join(dir, "fifo")
	if err := os.WriteFile(file, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path  string
		limit int64
		want  string
		err   string
	}{
		{file, 4, "text", ""},
		{file, 3, "", "it is larger than 3 B"},
		{dir, 4, "", "it is a directory"},
		{fifo, 4, "", "nobody writes to it"},
		{"/dev/zero", 1 << 20, "", "it is larger than 1.0 MiB"},
		{"/dev/null", 4, "", ""},
		{filepath.Join(dir, "none"), 4, "", "no such file"},
	} {
		text, err := readSmall(c.path, c.limit)
		if string(text) != c.want || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: got %q, %v", c.path, text, err)
		}
	}
	// A substitution of the shell is a pipe that has its writer already.
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	go func() {
		_, _ = w.WriteString("from a pipe")
		w.Close()
	}()
	text, err := readSmall(fmt.Sprintf("/dev/fd/%d", r.Fd()), 100)
	if string(text) != "from a pipe" || err != nil {
		t.Errorf("a pipe: got %q, %v", text, err)
	}
}

// A project's file is a regular file and no link to one.
func TestReadUnlinked(t *testing.T) {
	dir := t.TempDir()
	file, link, fifo := filepath.Join(dir, "file"), filepath.Join(dir, "link"), filepath.Join(dir, "fifo")
	if err := errors.Join(os.WriteFile(file, []byte("text"), 0o600), os.Symlink(file, link), syscall.Mkfifo(fifo, 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path              string
		limit             int64
		unlinked, regular string // what it says, or what is wrong
	}{
		{file, 4, "text", "text"},
		{file, 3, "it is larger than 3 B", "it is larger than 3 B"},
		{link, 4, "open " + link + ": it is a symbolic link", "text"},
		{fifo, 4, "open " + fifo + ": it is no regular file", "it is no regular file"},
		{dir, 4, "open " + dir + ": it is no regular file", "it is no regular file"},
		{filepath.Join(dir, "none"), 4, "open", "open"},
	} {
		for name, read := range map[string]func(string, int64) ([]byte, error){c.unlinked: readUnlinked, c.regular: readRegular} {
			got, err := read(c.path, c.limit)
			if err != nil {
				got = []byte(err.Error())
			}
			if !strings.HasPrefix(string(got), name) || (err == nil) != (name == "text") {
				t.Errorf("%s: got %q, %v, want %s", c.path, got, err, name)
			}
		}
	}
}

// A file that a trusted project's file names is read as it was when it was trusted.
func TestReadNamed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("now"), 0o600); err != nil {
		t.Fatal(err)
	}
	env := &Env{Vouched: map[string][]byte{file: []byte("then"), "gone": nil}}
	if got, err := env.ReadNamed(file, 4); string(got) != "then" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	if _, err := env.ReadNamed(file, 3); err == nil {
		t.Error("it is larger than the limit")
	}
	if _, err := env.ReadNamed("gone", 4); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it was missing then: %v", err)
	}
	if got, err := (&Env{}).ReadNamed(file, 3); string(got) != "now" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
}
