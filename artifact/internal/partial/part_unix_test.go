//go:build unix

package partial

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/envwrap/envwrap/artifact/internal/filesys"
	"github.com/envwrap/envwrap/internal/platform/safefs"
)

var errFault = errors.New("a fault")

// A faulty file system fails where fail says so, and counts.
type faulty struct {
	filesys.FS
	fail  func(op, name string) error
	count map[string]int
}

func (f *faulty) do(op, name string) error {
	f.count[op]++
	if f.fail == nil {
		return nil
	}
	return f.fail(op, name)
}

func (f *faulty) OpenFile(name string, flag int, perm fs.FileMode) (filesys.File, error) {
	if err := f.do("open", name); err != nil {
		return nil, err
	}
	file, err := f.FS.OpenFile(name, flag, perm)
	return &faultyFile{file, name, f}, err
}

func (f *faulty) Lstat(name string) (fs.FileInfo, error) {
	if err := f.do("lstat", name); err != nil {
		return nil, err
	}
	return f.FS.Lstat(name)
}

func (f *faulty) Link(from, to string) error {
	if err := f.do("link", to); err != nil {
		return err
	}
	return f.FS.Link(from, to)
}

func (f *faulty) Same(file filesys.File, name string) bool {
	return f.do("same", name) == nil && f.FS.Same(file.(*faultyFile).File, name)
}

type faultyFile struct {
	filesys.File
	name string
	fs   *faulty
}

func (f *faultyFile) Write(b []byte) (int, error) {
	if err := f.fs.do("write", f.name); err != nil {
		return 0, err
	}
	return f.File.Write(b)
}

func (f *faultyFile) Sync() error { return f.fs.do("sync", f.name) }

func (f *faultyFile) TryLock(exclusive bool) error {
	if err := f.fs.do("lock", f.name); err != nil {
		return err
	}
	return f.File.TryLock(exclusive)
}

func (f *faultyFile) Chmod(perm fs.FileMode) error {
	if err := f.fs.do("chmod", f.name); err != nil {
		return err
	}
	return f.File.Chmod(perm)
}

// open returns the part files of a store in a directory of its own, and the directory.
func open(t *testing.T) (*Files, *faulty, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "store")
	d, err := safefs.Create(dir)
	check(t, err)
	real, capabilities := filesys.New(d)
	t.Cleanup(func() { real.Close() })
	if !capabilities.Locks {
		t.Skip("the directory for temporary files is on a file system without safe locks")
	}
	f := &faulty{FS: real, count: map[string]int{}}
	v := &filesys.Volume{FS: f, Capabilities: capabilities, SyncFiles: true}
	return &Files{Volume: v, Run: "run", Now: time.Now}, f, dir
}

func check(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// parts returns the names of the part files.
func (a *Files) parts(t *testing.T) string {
	t.Helper()
	names, err := a.Volume.NamesIn(Dir)
	check(t, err)
	return strings.Join(names, " ")
}

// Each part file has a name and a mode by its kind, and is locked until it is dropped.
func TestCreate(t *testing.T) {
	a, _, dir := open(t)
	for _, c := range []struct {
		kind Prefix
		name string
		perm fs.FileMode
	}{{Captured, "run.1", 0o400}, {Scratch, "tmp-run.2", 0o600}, {Packing, "tmp-pack-run.3", 0o400}} {
		f, err := a.Create(c.kind)
		check(t, err)
		info, err := os.Stat(filepath.Join(dir, f.Name))
		check(t, err)
		if f.Name != "part/"+c.name || info.Mode().Perm() != c.perm || f.Shared {
			t.Errorf("%q: %q, %v, %v", c.kind, f.Name, info.Mode(), f.Shared)
		}
		if _, err := a.Claim(c.name); !errors.Is(err, filesys.ErrBusy) {
			t.Errorf("claimed %q: %v", c.name, err)
		}
		f.Drop()
		if left := a.parts(t); left != "" {
			t.Errorf("left: %s", left)
		}
	}
	if Captured.Matches("tmp-x.1") != true || Scratch.Matches("tmp-x.1") != true || Packing.Matches("tmp-x.1") || Scratch.Matches("x.1") {
		t.Error("kinds by name")
	}
}

// A name that is taken, or whose lock is, is passed over, but not for ever; any other
// error is returned at once.
func TestCreateTaken(t *testing.T) {
	for _, c := range []struct {
		op    string
		err   error
		times int
		want  string // in the name or the error
	}{
		{"open", fs.ErrExist, 1, "part/run.2"},
		{"open", fs.ErrExist, filesys.MaxTries - 1, "part/run.100"},
		{"open", fs.ErrExist, filesys.MaxTries, `each of 100 new ones was taken, the last was "part/run.100"`},
		{"open", errFault, 1, errFault.Error()},
		{"lock", filesys.ErrBusy, 1, "part/run.2"},
		{"lock", errFault, 1, "part/run.1"}, // a file system that cannot lock
		{"same", errFault, 1, "part/run.2"},
	} {
		synctest.Test(t, func(t *testing.T) {
			a, faulty, _ := open(t)
			left := c.times
			faulty.fail = func(op, _ string) error {
				if op != c.op || left == 0 {
					return nil
				}
				left--
				return c.err
			}
			f, err := a.Create(Captured)
			got := ""
			if err != nil {
				got = err.Error()
			} else {
				got = f.Name
				f.Close()
			}
			if !strings.Contains(got, c.want) || left != 0 {
				t.Errorf("%s, %d times %v: got %q, want %q", c.op, c.times, c.err, got, c.want)
			}
		})
	}
	a, faulty, _ := open(t)
	a.Volume.Locks = false
	f, err := a.Create(Captured)
	check(t, err)
	f.Close()
	if faulty.count["lock"] > 0 {
		t.Error("locked where that may hang")
	}
}

// A file that is written whole has its bytes and was synced; of one that could not be
// written nothing is left.
func TestWrite(t *testing.T) {
	a, faulty, dir := open(t)
	f, err := a.Write([]byte("text"))
	check(t, err)
	if b, err := os.ReadFile(filepath.Join(dir, f.Name)); string(b) != "text" || err != nil || faulty.count["sync"] != 1 {
		t.Errorf("%q, %v, %d syncs", b, err, faulty.count["sync"])
	}
	f.Drop()
	for _, op := range []string{"open", "write", "sync"} {
		faulty.fail = func(what, _ string) error {
			if what == op {
				return errFault
			}
			return nil
		}
		if f, err := a.Write([]byte("text")); !errors.Is(err, errFault) || f != nil || a.parts(t) != "" {
			t.Errorf("%s fails: %v, left: %s", op, err, a.parts(t))
		}
	}
}

// The file of a job gets a second name as a part, with the mode of an object, unless
// there is a reason against it; then the file is as it was.
func TestShare(t *testing.T) {
	for _, c := range []struct {
		name    string
		prepare func(a *Files, followed string) error
		fail    string // operation
		shared  bool
	}{
		{name: "shared", shared: true},
		{name: "read only", prepare: func(a *Files, _ string) error { a.Volume.ReadOnly = errFault; return nil }},
		{name: "no locks", prepare: func(a *Files, _ string) error { a.Volume.Locks = false; return nil }},
		{name: "no directory", prepare: func(a *Files, followed string) error {
			return os.WriteFile(filepath.Join(followed, "../../../part"), nil, 0o600)
		}},
		{name: "no file", prepare: func(_ *Files, followed string) error { return os.Remove(followed) }},
		{name: "two names", prepare: func(_ *Files, followed string) error { return os.Link(followed, followed+"2") }},
		{name: "lstat", fail: "lstat"},
		{name: "lock", fail: "lock"},
		{name: "link", fail: "link"},
		{name: "same", fail: "same"},
		{name: "chmod", fail: "chmod"},
	} {
		a, faulty, dir := open(t)
		followed := filepath.Join(dir, JobsDir, "run", "stdout")
		check(t, os.MkdirAll(filepath.Dir(followed), 0o700), os.WriteFile(followed, []byte("text"), 0o600))
		if c.prepare != nil {
			check(t, c.prepare(a, followed))
		}
		faulty.fail = func(op, _ string) error {
			if op == c.fail {
				return errFault
			}
			return nil
		}
		f := a.Share("stdout")
		faulty.fail = nil
		if (f != nil) != c.shared {
			t.Errorf("%s: %+v", c.name, f)
		}
		if f == nil {
			if info, err := os.Stat(filepath.Join(dir, Dir, "run.1")); err == nil && info.Mode().IsRegular() {
				t.Errorf("%s: a part is left", c.name)
			}
			continue
		}
		one, err := os.Stat(followed)
		other, otherErr := os.Stat(filepath.Join(dir, "part", "run.1"))
		check(t, err, otherErr)
		if !os.SameFile(one, other) || one.Mode().Perm() != 0o400 || f.Name != "part/run.1" || !f.Shared {
			t.Errorf("%v, %v, %q", one.Mode(), f.Shared, f.Name)
		}
		if _, err := a.Claim("run.1"); !errors.Is(err, filesys.ErrBusy) {
			t.Errorf("claimed: %v", err)
		}
		f.Drop()
		if b, err := os.ReadFile(followed); string(b) != "text" || err != nil {
			t.Errorf("the file of the job: %q, %v", b, err)
		}
	}
}

// A part file can be claimed when its writer is dead: when it has no lock, or, without
// locks, an hour after the last write.
func TestClaim(t *testing.T) {
	a, faulty, dir := open(t)
	if _, err := a.Claim("run.1"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing one: %v", err)
	}
	left, err := a.Create(Captured)
	check(t, err)
	left.Close() // as the kernel does for a killed writer
	f, err := a.Claim("run.1")
	check(t, err)
	if f.Name != "part/run.1" {
		t.Errorf("claimed %q", f.Name)
	}
	if _, err := a.Claim("run.1"); !errors.Is(err, filesys.ErrBusy) {
		t.Errorf("claimed twice: %v", err)
	}
	f.Close()
	faulty.fail = func(op, _ string) error {
		if op == "same" {
			return errFault
		}
		return nil
	}
	if _, err := a.Claim("run.1"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("one that became an object: %v", err)
	}
	faulty.fail, a.Volume.Locks = nil, false
	written := time.Now()
	check(t, os.Chtimes(filepath.Join(dir, "part/run.1"), written, written))
	for age, dead := range map[time.Duration]bool{0: false, time.Hour - time.Minute: false, time.Hour + time.Minute: true} {
		a.Now = func() time.Time { return written.Add(age) }
		f, err := a.Claim("run.1")
		if dead && err != nil || !dead && !errors.Is(err, filesys.ErrBusy) {
			t.Errorf("written %v ago, without locks: %v", age, err)
		}
		if err == nil {
			f.Close()
		}
	}
}

// Parts of other processes count, and so do the files of followed jobs that are no parts.
func TestOthers(t *testing.T) {
	a, faulty, dir := open(t)
	if total, writers, err := a.Others(); total != 0 || writers != 1 || err != nil {
		t.Errorf("none: %d, %d, %v", total, writers, err)
	}
	for name, size := range map[string]int64{
		"part/run.1": 1, "part/tmp-run.2": 2, "part/tmp-pack-run.3": 4, // this run's
		"part/a.1": 10, "part/tmp-b.2": 20, "part/tmp-pack-c.3": 40,
		"jobs/run/stdout": 100, "jobs/run/stderr": 200, "jobs/a/stderr": 400, "jobs/b/other": 1000, "jobs/d/stdout": 2000,
	} {
		path := filepath.Join(dir, name)
		check(t, os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, make([]byte, size), 0o600))
	}
	check(t, os.MkdirAll(filepath.Join(dir, "jobs/c"), 0o700), os.Link(filepath.Join(dir, "part/tmp-pack-c.3"), filepath.Join(dir, "jobs/c/stdout")))
	if total, writers, err := a.Others(); total != 770 || writers != 4 || err != nil {
		t.Errorf("%d bytes of %d writers, %v", total, writers, err)
	}
	check(t, os.RemoveAll(filepath.Join(dir, "part")), os.WriteFile(filepath.Join(dir, "part"), nil, 0o600))
	a.Volume = &filesys.Volume{FS: faulty}
	if _, writers, err := a.Others(); writers != 1 || err == nil {
		t.Errorf("no directory: %d, %v", writers, err)
	}
}

func TestSplit(t *testing.T) {
	for base, want := range map[string][2]string{"run.7": {"run", "7"}, "a.b.7": {"a.b", "7"}, "run": {"run", ""}, ".7": {"", "7"}} {
		if run, number := Split(base); run != want[0] || number != want[1] {
			t.Errorf("%q: %q, %q", base, run, number)
		}
	}
}
