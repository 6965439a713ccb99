//go:build unix

package safefs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// within fails the test where do does not come back, as an open of a FIFO does not.
func within(t *testing.T, do func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); do() }()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("it hangs")
	}
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// place makes an empty private directory and opens it.
func place(t *testing.T) *Dir {
	t.Helper()
	d, err := Create(filepath.Join(t.TempDir(), "a", "b"))
	must(t, err)
	t.Cleanup(func() { _ = d.Close() })
	return d
}

func TestCreateMakesPrivateDirectories(t *testing.T) {
	d := place(t)
	for _, dir := range []string{d.Name(), filepath.Dir(d.Name())} {
		info, err := os.Stat(dir)
		must(t, err)
		if perm := info.Mode().Perm(); perm != 0o700 {
			t.Errorf("%s has mode %#o", dir, perm)
		}
	}
	if _, err := Create("relative"); err == nil {
		t.Error("a relative path was taken")
	}
}

// The directory itself has to be ours, closed to others, and no link.
func TestBaseIsChecked(t *testing.T) {
	for _, c := range []struct {
		name string
		make func(dir string) error
		want string // "" where it is opened
		mode fs.FileMode
	}{
		{"private", func(dir string) error { return os.Mkdir(dir, 0o700) }, "", 0o700},
		{"empty, others may read", func(dir string) error { return os.Mkdir(dir, 0o755) }, "", 0o700},
		{"a store, others may read", func(dir string) error {
			return errors.Join(os.Mkdir(dir, 0o755), os.WriteFile(dir+"/VERSION", nil, 0o600))
		}, "", 0o700},
		{"in use for something else, others may read", func(dir string) error {
			return errors.Join(os.Mkdir(dir, 0o700), os.Chmod(dir, 0o755), os.WriteFile(dir+"/letter", nil, 0o600))
		}, "others can read it", 0o755},
		{"the group may write", func(dir string) error {
			return errors.Join(os.Mkdir(dir, 0o700), os.Chmod(dir, 0o770))
		}, "others can write to it", 0o770},
		{"a link", func(dir string) error {
			return errors.Join(os.Mkdir(dir+"-real", 0o700), os.Symlink(dir+"-real", dir))
		}, "a symbolic link", 0},
		{"a link that leads nowhere", func(dir string) error { return os.Symlink("nowhere", dir) }, "a symbolic link", 0},
		{"a file", func(dir string) error { return os.WriteFile(dir, nil, 0o600) }, "no directory but a file", 0},
		{"a FIFO", func(dir string) error { return syscall.Mkfifo(dir, 0o600) }, "no directory but a pipe", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "base")
			must(t, c.make(dir))
			for _, name := range []string{dir, dir + "/", dir + "/."} {
				within(t, func() {
					d, err := Open(name)
					switch {
					case err == nil && c.want != "":
						t.Errorf("%s: it was opened", name)
					case err != nil && (c.want == "" || !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), c.want)):
						t.Errorf("%s: got %v, want %q", name, err, c.want)
					}
					if err == nil {
						_ = d.Close()
					}
				})
			}
			if info, err := os.Lstat(dir); c.mode != 0 && (err != nil || info.Mode().Perm() != c.mode) {
				t.Errorf("its mode is %v, want %#o", info.Mode(), c.mode)
			}
		})
	}
}

func TestAnothersDirectoryIsRefused(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a directory away")
	}
	dir := t.TempDir()
	must(t, os.Chmod(dir, 0o700), os.Chown(dir, 12345, 12345))
	if _, err := Open(dir); !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "belongs to user 12345") {
		t.Errorf("got %v", err)
	}
	d := place(t)
	must(t, d.Mkdir("theirs", 0o700), d.WriteFile("file", "temp", []byte("x"), false),
		os.Chown(d.Name()+"/theirs", 12345, 12345), os.Chown(d.Name()+"/file", 12345, 12345))
	if _, err := d.Lstat("theirs/x"); !errors.Is(err, ErrRefused) {
		t.Errorf("below a directory of another user: got %v", err)
	}
	if _, err := d.ReadFile("file", 10); !errors.Is(err, ErrRefused) {
		t.Errorf("a file of another user: got %v", err)
	}
}

// No operation follows a link, at any component, or waits for a FIFO.
func TestNothingIsFollowed(t *testing.T) {
	old := time.Unix(1e9, 0)
	outside := t.TempDir()
	kinds := map[string]func(name string) error{
		"link to a file":      func(name string) error { return os.Symlink(outside+"/file", name) },
		"link to a directory": func(name string) error { return os.Symlink(outside, name) },
		"link to nothing":     func(name string) error { return os.Symlink(outside+"/new", name) },
		"FIFO":                func(name string) error { return syscall.Mkfifo(name, 0o600) },
	}
	ops := map[string]func(d *Dir, name string) error{
		"read":   func(d *Dir, name string) error { _, err := d.ReadFile(name, 100); return err },
		"append": func(d *Dir, name string) error { return write(d, name, os.O_WRONLY|os.O_APPEND|os.O_CREATE) },
		"truncate": func(d *Dir, name string) error {
			return write(d, name, os.O_RDWR|os.O_TRUNC|os.O_CREATE)
		},
		"lock":       func(d *Dir, name string) error { return write(d, name, os.O_RDWR|os.O_CREATE) },
		"create":     func(d *Dir, name string) error { return write(d, name, os.O_WRONLY|os.O_CREATE|os.O_EXCL) },
		"list":       func(d *Dir, name string) error { _, err := d.ReadDir(name); return err },
		"names":      func(d *Dir, name string) error { _, err := d.Names(name); return err },
		"base":       func(d *Dir, name string) error { _, err := d.Dir(name); return err },
		"sync":       func(d *Dir, name string) error { return d.Sync(name) },
		"temp":       func(d *Dir, name string) error { _, _, err := d.CreateTemp(name, "t"); return err },
		"lstat in":   func(d *Dir, name string) error { _, err := d.Lstat(name + "/file"); return err },
		"read in":    func(d *Dir, name string) error { _, err := d.ReadFile(name+"/file", 100); return err },
		"write in":   func(d *Dir, name string) error { return d.WriteFile(name+"/new", name+"/t", nil, false) },
		"mkdir in":   func(d *Dir, name string) error { return d.Mkdir(name+"/new", 0o700) },
		"symlink in": func(d *Dir, name string) error { return d.Symlink("x", name+"/new") },
		"remove in":  func(d *Dir, name string) error { return d.Remove(name + "/file") },
		"remove all in": func(d *Dir, name string) error {
			if err := d.RemoveAll(name + "/sub"); err == nil {
				return errors.New("no error") // a missing file is no refusal
			}
			return nil
		},
		"times in":     func(d *Dir, name string) error { return d.Chtimes(name+"/file", time.Now()) },
		"rename from":  func(d *Dir, name string) error { return d.Rename(name+"/file", "mine") },
		"rename to":    func(d *Dir, name string) error { return d.Rename("plain", name+"/file") },
		"link from":    func(d *Dir, name string) error { return d.Link(name+"/file", "mine") },
		"link to":      func(d *Dir, name string) error { return d.Link("plain", name+"/new") },
		"move into":    func(d *Dir, name string) error { return d.RenameNew("plain", name+"/new") },
		"deep":         func(d *Dir, name string) error { _, err := d.ReadFile("sub/"+name+"/file", 100); return err },
		"deep in deep": func(d *Dir, name string) error { return d.Mkdir("sub/"+name+"/sub/new", 0o700) },
	}
	must(t, os.WriteFile(outside+"/file", []byte("secret"), 0o600), os.Mkdir(outside+"/sub", 0o700),
		os.WriteFile(outside+"/sub/file", []byte("x"), 0o600))
	for _, name := range []string{"/file", "/sub/file", "/sub", ""} {
		must(t, os.Chtimes(outside+name, old, old))
	}
	for kind, plant := range kinds {
		for op, do := range ops {
			d := place(t)
			must(t, d.Mkdir("sub", 0o700), plant(d.Name()+"/x"), plant(d.Name()+"/sub/x"), write(d, "plain", os.O_WRONLY|os.O_CREATE))
			within(t, func() {
				if err := do(d, "x"); err == nil && op != "remove all in" {
					t.Errorf("%s, %s: no error", kind, op)
				}
			})
			// What is in the way can be removed, and only that goes.
			must(t, d.RemoveAll("x"), d.RemoveAll("sub"))
		}
	}
	for _, name := range []string{"/file", "/sub/file", "/sub", ""} {
		if info, err := os.Lstat(outside + name); err != nil || !info.ModTime().Equal(old) {
			t.Errorf("outside%s was touched: %v, %v", name, info, err)
		}
	}
	if text, _ := os.ReadFile(outside + "/file"); string(text) != "secret" {
		t.Errorf("outside/file is %q", text)
	}
}

func write(d *Dir, name string, flag int) error {
	f, err := d.OpenFile(name, flag, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString("ours")
	return errors.Join(err, f.Close())
}

// A name that leads out of the directory, or is invalid, is refused by every operation.
func TestNames(t *testing.T) {
	d := place(t)
	for _, name := range []string{"", "..", "../x", "a/../../x", "/etc/passwd", "a//b", "./a", "a/"} {
		if _, err := d.Lstat(name); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("lstat %q: got %v", name, err)
		}
		if err := write(d, name, os.O_WRONLY|os.O_CREATE); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("write %q: got %v", name, err)
		}
	}
}

func TestReadFileIsBounded(t *testing.T) {
	d := place(t)
	must(t, write(d, "sparse", os.O_WRONLY|os.O_CREATE), os.Truncate(d.Name()+"/sparse", 20<<30))
	if _, err := d.ReadFile("sparse", 100); !errors.Is(err, ErrRefused) {
		t.Errorf("got %v", err)
	}
	if b, err := d.ReadFile("../x", 1); err == nil {
		t.Errorf("got %q", b)
	}
	if self, err := OpenShared(filepath.Join("/proc", strconv.Itoa(os.Getpid()))); err == nil { // on Linux
		if b, err := self.ReadFile("mem", 1); !errors.Is(err, syscall.EIO) {
			t.Errorf("a page that does not exist: got %q, %v", b, err)
		}
		must(t, self.Close())
	}
	must(t, d.WriteFile("four", "temp", []byte("ours"), true))
	if b, err := d.ReadFile("four", 4); err != nil || string(b) != "ours" {
		t.Errorf("got %q, %v", b, err)
	}
}

// A file that was opened is as one of os.OpenFile: blocking, with its flags.
func TestFilesWork(t *testing.T) {
	d := place(t)
	for range 2 {
		must(t, write(d, "log", os.O_WRONLY|os.O_CREATE|os.O_APPEND))
	}
	b, err := d.ReadFile("log", 100)
	if string(b) != "oursours" || err != nil {
		t.Errorf("got %q, %v", b, err)
	}
	f, err := d.OpenFile("log", os.O_RDWR|os.O_TRUNC, 0)
	must(t, err)
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.Size() != 0 {
		t.Errorf("not truncated: %v, %v", info, err)
	}
	if !d.Same(f, "log") {
		t.Error("a file is not the same as itself")
	}
	must(t, d.Rename("log", "other"), write(d, "log", os.O_WRONLY|os.O_CREATE))
	if d.Same(f, "log") || !d.Same(f, "other") {
		t.Error("a renamed file is taken for its old name")
	}
	must(t, d.Mkdir("sub", 0o700), d.Link("other", "sub/link"))
	list, err := d.ReadDir("sub")
	if err != nil || len(list) != 1 || list[0].Name() != "link" || !sameFile(list[0], stat(t, f)) {
		t.Errorf("got %v, %v", list, err)
	}
	when := time.Unix(1_500_000_000, 123_000_000)
	must(t, d.Chtimes("sub/link", when))
	if info, err := d.Lstat("other"); err != nil || !info.ModTime().Equal(when) || info.Mode() != 0o600 {
		t.Errorf("got %v, %v", info, err)
	}
	must(t, d.RemoveAll("sub"), d.RemoveAll("sub"))
	if err := d.Remove("sub"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	must(t, d.Close())
	if _, err := d.Lstat("other"); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("after Close: got %v", err)
	}
}

func stat(t *testing.T, f *os.File) fs.FileInfo {
	t.Helper()
	info, err := f.Stat()
	must(t, err)
	return info
}

// A file is read to its end also where it has become longer or shorter.
func TestReadAll(t *testing.T) {
	d := place(t)
	text := strings.Repeat("ours", 5000)
	must(t, d.WriteFile("file", "temp", []byte(text), false))
	for _, size := range []int64{0, 1, 8, int64(len(text)), int64(len(text)) + 100} {
		f, err := d.OpenFile("file", os.O_RDONLY, 0)
		must(t, err)
		if got, err := readAll(int(f.Fd()), size, 1<<20); err != nil || string(got) != text {
			t.Errorf("size %d: got %d bytes, %v, want %d", size, len(got), err, len(text))
		}
		must(t, f.Close())
	}
	f, err := d.OpenFile("file", os.O_WRONLY, 0)
	must(t, err)
	defer f.Close()
	if got, err := readAll(int(f.Fd()), 4, 100); !errors.Is(err, syscall.EBADF) {
		t.Errorf("a file that is not open for reading: got %q, %v", got, err)
	}
}
