//go:build unix

package cli

import (
	"fmt"
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
