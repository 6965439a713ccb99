//go:build unix

package filesys

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/envwrap/envwrap/internal/platform/safefs"
)

func open(t *testing.T) (FS, Capabilities, string) {
	t.Helper()
	dir := t.TempDir()
	d, err := safefs.Create(filepath.Join(dir, "store"))
	if err != nil {
		t.Fatal(err)
	}
	f, capabilities := New(d)
	t.Cleanup(func() { f.Close() })
	return f, capabilities, filepath.Join(dir, "store")
}

// A directory that has nothing to sync is as good as synced; a disk that failed
// is not.
func TestIgnoreUnsupported(t *testing.T) {
	if err := IgnoreUnsupported(nil); err != nil {
		t.Error(err)
	}
	for _, err := range []error{syscall.EINVAL, syscall.EBADF, syscall.ENOSYS, errors.ErrUnsupported, syscall.ENOTSUP} {
		if got := IgnoreUnsupported(&fs.PathError{Op: "sync", Path: "x", Err: err}); got != nil {
			t.Errorf("%v is an error", err)
		}
	}
	for _, err := range []error{syscall.EIO, syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS} {
		if got := IgnoreUnsupported(&fs.PathError{Op: "sync", Path: "x", Err: err}); !errors.Is(got, err) {
			t.Errorf("%v became %v", err, got)
		}
	}
}

// A stub is a file system with one file, whose operations fail as errs says.
type stub struct {
	FS
	errs  map[string]error
	calls []string
}

func (s *stub) do(op string) error {
	s.calls = append(s.calls, op)
	return s.errs[op]
}

func (s *stub) OpenDir(string) (File, error)    { return stubFile{fs: s}, s.do("open") }
func (s *stub) Mkdir(string, fs.FileMode) error { return s.do("mkdir") }
func (s *stub) Names(string) ([]string, error)  { return []string{"a"}, s.do("names") }
func (s *stub) Link(_, _ string) error          { return s.do("link") }
func (s *stub) Rename(_, _ string) error        { return s.do("rename") }
func (s *stub) RenameNew(_, _ string) error     { return s.do("rename new") }

func (s *stub) Lstat(string) (fs.FileInfo, error) { return nil, s.do("lstat") }

type stubFile struct {
	File
	fs *stub
}

func (f stubFile) Close() error       { return nil }
func (f stubFile) Sync() error        { return f.fs.do("sync") }
func (f stubFile) TryLock(bool) error { return f.fs.do("lock") }

var errFault = errors.New("a fault")

// Each step of these is taken only where it is needed, and its error is returned.
func TestVolumeSteps(t *testing.T) {
	ensure := func(v *Volume) error { return v.Ensure("a/b") }
	place := func(v *Volume) error { return v.LinkNew("a", "b") }
	syncDir := func(v *Volume) error { return v.SyncDir("a") }
	names := func(v *Volume) error { _, err := v.NamesIn("a"); return err }
	unsupported := syscall.EPERM // by a file system without links
	for _, c := range []struct {
		name  string
		do    func(*Volume) error
		errs  map[string]error
		sync  bool
		calls string
		want  error
	}{
		{name: "ensure one that is there", do: ensure, calls: "open"},
		{name: "ensure one that may not be opened", do: ensure, errs: map[string]error{"open": errFault}, calls: "open", want: errFault},
		{name: "ensure one that is missing", do: ensure, errs: map[string]error{"open": fs.ErrNotExist}, calls: "open, mkdir, open", want: fs.ErrNotExist},
		{name: "ensure one that another makes", do: ensure, errs: map[string]error{"open": fs.ErrNotExist, "mkdir": fs.ErrExist}, calls: "open, mkdir, open", want: fs.ErrNotExist},
		{name: "ensure one that cannot be made", do: ensure, errs: map[string]error{"open": fs.ErrNotExist, "mkdir": errFault}, calls: "open, mkdir", want: errFault},
		{name: "ensure, with a sync", do: ensure, sync: true, errs: map[string]error{"open": fs.ErrNotExist}, calls: "open, mkdir, open", want: fs.ErrNotExist},
		{name: "place by link", do: place, calls: "link"},
		{name: "place where one is", do: place, errs: map[string]error{"link": fs.ErrExist}, calls: "link", want: fs.ErrExist},
		{name: "place on a broken disk", do: place, errs: map[string]error{"link": syscall.EIO}, calls: "link", want: syscall.EIO},
		{name: "place without links", do: place, errs: map[string]error{"link": unsupported}, calls: "link, rename new"},
		{name: "place without links where one is", do: place, errs: map[string]error{"link": unsupported, "rename new": fs.ErrExist}, calls: "link, rename new", want: fs.ErrExist},
		{
			name: "place by a look", do: place, errs: map[string]error{"link": unsupported, "rename new": errors.ErrUnsupported, "lstat": fs.ErrNotExist},
			calls: "link, rename new, lstat, rename",
		},
		{
			name: "place by a look where one is", do: place, errs: map[string]error{"link": unsupported, "rename new": errors.ErrUnsupported},
			calls: "link, rename new, lstat", want: fs.ErrExist,
		},
		{name: "sync names", do: syncDir, sync: true, calls: "open, sync"},
		{name: "sync names without a need", do: syncDir},
		{name: "sync names of a missing directory", do: syncDir, sync: true, errs: map[string]error{"open": fs.ErrNotExist}, calls: "open", want: fs.ErrNotExist},
		{name: "sync names on a broken disk", do: syncDir, sync: true, errs: map[string]error{"sync": syscall.EIO}, calls: "open, sync", want: syscall.EIO},
		{name: "sync names where that is impossible", do: syncDir, sync: true, errs: map[string]error{"sync": syscall.EINVAL}, calls: "open, sync"},
		{name: "names", do: names, calls: "open, names"},
		{name: "names of a missing directory", do: names, errs: map[string]error{"open": fs.ErrNotExist}, calls: "open"},
		{name: "names of another's directory", do: names, errs: map[string]error{"open": errFault}, calls: "open", want: errFault},
		{name: "names on a broken disk", do: names, errs: map[string]error{"names": errFault}, calls: "open, names", want: errFault},
	} {
		s := &stub{errs: c.errs}
		err := c.do(&Volume{FS: s, SyncNames: c.sync})
		if calls := strings.Join(s.calls, ", "); calls != c.calls || !errors.Is(err, c.want) {
			t.Errorf("%s: %v after %s", c.name, err, calls)
		}
	}
}

// A directory is made, with its name on the disk, and opened once; what is about a
// directory that is not ours is left to others.
func TestVolumeDirectories(t *testing.T) {
	s := &stub{errs: map[string]error{"open": fs.ErrNotExist}}
	v := &Volume{FS: s, SyncNames: true}
	made := false
	v.FS = &making{stub: s, made: &made}
	if err := v.Ensure("a/b"); err != nil {
		t.Error(err)
	}
	if err := errors.Join(v.Check("a/b"), v.Ensure("a/b")); err != nil {
		t.Error(err)
	}
	if calls := strings.Join(s.calls, ", "); calls != "open, mkdir, open, sync, open" {
		t.Errorf("calls: %s", calls)
	}
	if err := v.IgnoreForeign("a/b", errFault); !errors.Is(err, errFault) {
		t.Errorf("of our directory: %v", err)
	}
	made = false
	if err := v.IgnoreForeign("c", errFault); err != nil {
		t.Errorf("of another's: %v", err)
	}
	if err := v.Check("c"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing one: %v", err)
	}
}

// A making file system opens the directory once it was made.
type making struct {
	*stub
	made *bool
}

func (m *making) Mkdir(name string, perm fs.FileMode) error {
	*m.made = true
	return m.stub.Mkdir(name, perm)
}

func (m *making) OpenDir(name string) (File, error) {
	f, err := m.stub.OpenDir(name)
	if *m.made {
		err = nil
	}
	return f, err
}

// SyncFile syncs only where the policy says so, and SizeOf adds up files.
func TestVolumeFiles(t *testing.T) {
	s := &stub{errs: map[string]error{"sync": errFault}}
	if err := (&Volume{FS: s, SyncNames: true}).SyncFile(stubFile{fs: s}); err != nil || len(s.calls) > 0 {
		t.Errorf("%v, %q", err, s.calls)
	}
	if err := (&Volume{FS: s, SyncFiles: true}).SyncFile(stubFile{fs: s}); !errors.Is(err, errFault) {
		t.Error(err)
	}
	d, _, dir := open(t)
	v := &Volume{FS: d}
	for name, size := range map[string]int{"one": 1, "two": 20, "three": 300} {
		if err := os.WriteFile(filepath.Join(dir, name), make([]byte, size), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := v.SizeOf("."); n != 321 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if n, err := v.SizeOf("missing"); n != 0 || err != nil {
		t.Errorf("a missing directory: %d, %v", n, err)
	}
	if _, err := v.SizeOf("one"); err == nil {
		t.Error("a file was taken for a directory")
	}
}

// A lock that another has is tried for two seconds or not waited for at all; where locks
// may hang none is taken.
func TestVolumeLocks(t *testing.T) {
	share := func(v *Volume, f File) error { v.Share(f); return nil }
	for _, c := range []struct {
		name  string
		do    func(*Volume, File) error
		free  int // the try that succeeds; 0 if all fail
		other error
		tries int
		want  error
	}{
		{name: "try", do: (*Volume).TryLock, free: 1, tries: 1},
		{name: "try, busy", do: (*Volume).TryLock, tries: 1, want: ErrBusy},
		{name: "lock", do: (*Volume).Lock, free: 1, tries: 1},
		{name: "lock after a while", do: (*Volume).Lock, free: 5, tries: 5},
		{name: "lock, busy", do: (*Volume).Lock, tries: MaxTries, want: ErrBusy},
		{name: "lock, broken", do: (*Volume).Lock, other: errFault, tries: 1, want: errFault},
		{name: "share after a while", do: share, free: 7, tries: 7},
		{name: "share, busy", do: share, tries: MaxTries},
	} {
		synctest.Test(t, func(t *testing.T) {
			f := &busyFile{free: c.free, other: c.other}
			began := time.Now()
			err := c.do(&Volume{Capabilities: Capabilities{Locks: true}}, f)
			took := time.Since(began)
			if f.tries != c.tries || !errors.Is(err, c.want) || (took > time.Second) != (c.tries == MaxTries) || took > 3*time.Second {
				t.Errorf("%s: %v after %d tries, %v", c.name, err, f.tries, took)
			}
			if c.tries > 0 && f.exclusive == strings.HasPrefix(c.name, "share") {
				t.Errorf("%s: exclusive %v", c.name, f.exclusive)
			}
		})
		f := &busyFile{}
		if err := c.do(&Volume{}, f); err != nil || f.tries > 0 {
			t.Errorf("%s without locks: %v, %d tries", c.name, err, f.tries)
		}
	}
}

// A busyFile is locked by another until a try.
type busyFile struct {
	File
	free, tries int
	other       error
	exclusive   bool
}

func (f *busyFile) TryLock(exclusive bool) error {
	f.tries++
	f.exclusive = exclusive
	if f.other != nil {
		return f.other
	}
	if f.tries == f.free {
		return nil
	}
	return ErrBusy
}

func TestIgnoreNotExist(t *testing.T) {
	if err := IgnoreNotExist(&fs.PathError{Err: syscall.ENOENT}); err != nil {
		t.Error(err)
	}
	if err := IgnoreNotExist(errFault); !errors.Is(err, errFault) {
		t.Error(err)
	}
}
