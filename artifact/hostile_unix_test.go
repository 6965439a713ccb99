//go:build unix

package artifact

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/envwrap/envwrap/artifact/internal/filesys"
)

// returns fails the test where do does not come back.
func returns(t *testing.T, do func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); do() }()
	select {
	case <-done:
	case <-time.After(2 * time.Minute):
		t.Fatalf("it hangs")
	}
}

// TestHostilePlaces opens stores where others have had a hand.
func TestHostilePlaces(t *testing.T) {
	for _, c := range []struct {
		name string
		make func(dir string) error
		want string
	}{
		{"a symbolic link", func(dir string) error {
			return errors.Join(os.Mkdir(dir+"-real", 0o700), os.Symlink(dir+"-real", dir))
		}, "symbolic link"},
		{"a link that leads nowhere", func(dir string) error { return os.Symlink(dir+"-none", dir) }, "symbolic link"},
		{"a file", func(dir string) error { return os.WriteFile(dir, nil, 0o600) }, "no directory"},
		{"a pipe", func(dir string) error { return syscall.Mkfifo(dir, 0o600) }, "a pipe"},
		{"writable by all", func(dir string) error {
			return errors.Join(os.Mkdir(dir, 0o700), os.Chmod(dir, 0o777))
		}, "others can write"},
		{"writable by the group", func(dir string) error {
			return errors.Join(os.Mkdir(dir, 0o700), os.Chmod(dir, 0o770))
		}, "others can write"},
	} {
		dir := filepath.Join(t.TempDir(), "store")
		if err := c.make(dir); err != nil {
			t.Fatal(err)
		}
		returns(t, func() {
			if s, err := Open(Options{Dir: dir}); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: got %v, %v", c.name, s, err)
			}
			if _, err := OpenRead(Options{Dir: dir}); err == nil {
				t.Errorf("%s: it was opened for reading", c.name)
			}
		})
	}
}

func TestForeignStoreIsRefused(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a directory away")
	}
	dir := filepath.Join(t.TempDir(), "store")
	if err := errors.Join(os.Mkdir(dir, 0o700), os.Chown(dir, 12345, 12345)); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(Options{Dir: dir}); err == nil || !strings.Contains(err.Error(), "belongs to user 12345") {
		t.Errorf("got %v", err)
	}
}

// TestHostileInside puts something else in the place of each directory of a
// store. Nothing outside is touched, nothing hangs, and the error says why.
func TestHostileInside(t *testing.T) {
	shard := "objects/2c" // of "hello"
	for _, dir := range []string{partDir, objectsDir, shard} {
		for kind, put := range map[string]func(path, outside string) error{
			"symbolic link": func(path, outside string) error { return os.Symlink(outside, path) },
			"pipe":          func(path, _ string) error { return syscall.Mkfifo(path, 0o600) },
			"file":          func(path, _ string) error { return os.WriteFile(path, nil, 0o600) },
			"writable": func(path, _ string) error {
				return errors.Join(os.Mkdir(path, 0o700), os.Chmod(path, 0o777))
			},
		} {
			s := openTemp(t)
			s.Close()
			path := filepath.Join(s.Dir(), dir)
			outside := t.TempDir()
			err := errors.Join(os.RemoveAll(path), os.MkdirAll(filepath.Dir(path), 0o700), put(path, outside))
			if err != nil {
				t.Fatal(err)
			}
			returns(t, func() {
				again, err := Open(Options{Dir: s.Dir()})
				if err == nil {
					_, err = store(again, []byte("hello"))
					again.Close()
				}
				if err == nil {
					t.Errorf("%s is a %s: it was used", dir, kind)
				}
			})
			if left, _ := os.ReadDir(outside); len(left) > 0 {
				t.Errorf("%s is a %s: it was followed: %v", dir, kind, left)
			}
		}
	}
}

// TestHostileDirectoryIsNamed has verify go on after what is no directory, and
// the list do without an index.
func TestHostileDirectoryIsNamed(t *testing.T) {
	for _, dir := range directories() {
		s := openTemp(t)
		digest := put2(t, s)
		s.Close()
		path := filepath.Join(s.Dir(), dir)
		if err := errors.Join(os.RemoveAll(path), syscall.Mkfifo(path, 0o600)); err != nil {
			t.Fatal(err)
		}
		returns(t, func() {
			r, err := OpenRead(Options{Dir: s.Dir()})
			if err != nil {
				t.Errorf("%s: %v", dir, err)
				return
			}
			defer r.Close()
			v, err := r.Verify(Check{})
			if err != nil || len(v.Faults) != 1 || v.Faults[0].File != dir {
				t.Errorf("%s is a pipe: %+v, %v", dir, v, err)
			}
			if dir == objectsDir {
				return
			}
			if list, err := r.List(); err != nil || len(list) != 1 || list[0].Digest != digest {
				t.Errorf("%s is a pipe: listed %+v, %v", dir, list, err)
			}
		})
	}
}

// TestVerifyNamesWhatItCannotRead takes a directory of objects away.
func TestVerifyNamesWhatItCannotRead(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root reads everything")
	}
	s := openTemp(t)
	put2(t, s)
	shard := "objects/2c" // of "hello"
	if err := os.Chmod(filepath.Join(s.Dir(), shard), 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(filepath.Join(s.Dir(), shard), 0o700) })
	if v, err := s.Verify(Check{}); err != nil || len(v.Faults) != 1 || v.Faults[0].File != shard {
		t.Errorf("got %+v, %v", v, err)
	}
}

// TestHostileObjects puts something else in an object's place. It is never
// followed, and the next writer of the same bytes heals it.
func TestHostileObjects(t *testing.T) {
	for kind, put := range map[string]func(path string) error{
		"symbolic link": func(path string) error { return os.Symlink("/etc/passwd", path) },
		"link inside":   func(path string) error { return os.Symlink("../../VERSION", path) },
		"pipe":          func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"directory":     func(path string) error { return os.Mkdir(path, 0o700) },
		"empty file":    func(path string) error { return os.WriteFile(path, nil, 0o600) },
	} {
		s := openTemp(t)
		digest := put2(t, s)
		path := filepath.Join(s.Dir(), objectName(digest[len(digestPrefix):]))
		if err := errors.Join(os.Remove(path), put(path)); err != nil {
			t.Fatal(err)
		}
		returns(t, func() {
			if b, err := load(s, digest); err == nil {
				t.Errorf("%s: %q was read", kind, b)
			}
			if p, err := s.Path(digest); err == nil && kind != "empty file" {
				t.Errorf("%s: the path %q was given", kind, p)
			}
			if _, err := store(s, []byte("hello")); err != nil {
				t.Errorf("%s: %v", kind, err)
			}
			if b, err := load(s, digest); err != nil || string(b) != "hello" {
				t.Errorf("%s was not healed: %q, %v", kind, b, err)
			}
		})
	}
}

func put2(t *testing.T, s *Store) string { return put(t, s, []byte("hello")) }

// TestHostileFiles puts a pipe in the place of every other file that is read.
func TestHostileFiles(t *testing.T) {
	s, index := openIndex(t)
	put2(t, s)
	s.Close()
	for _, path := range []string{filepath.Join(s.Dir(), shardsFile), filepath.Join(s.Dir(), sizesFile), index} {
		os.Remove(path)
		os.MkdirAll(filepath.Dir(path), 0o700)
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	returns(t, func() {
		again, err := Open(Options{Dir: s.Dir(), Now: s.now})
		if err != nil {
			t.Error(err)
			return
		}
		defer again.Close()
		if _, err := store(again, []byte("more")); err != nil {
			t.Error(err)
		}
		if list, err := again.List(); err != nil || len(list) != 2 {
			t.Errorf("%d objects are listed, %v", len(list), err)
		}
		v, err := again.Verify(Check{})
		if err != nil || len(v.Faults) != 1 || !strings.Contains(v.Faults[0].Text, "a pipe") {
			t.Errorf("verify says %+v, %v", v, err)
		}
		if u, err := again.Usage(); err != nil || u.Objects != 2 {
			t.Errorf("du says %+v, %v", u, err)
		}
		if _, err := again.Collect(DefaultPolicy()); err != nil {
			t.Error(err)
		}
		if added, dropped, err := again.Reindex(); added == 0 || dropped != 1 || err != nil {
			t.Errorf("reindex added %d, dropped %d, %v", added, dropped, err)
		}
		if v, err := again.Verify(Check{}); err != nil || len(v.Faults) > 0 {
			t.Errorf("then verify says %+v, %v", v, err)
		}
	})
	version := filepath.Join(s.Dir(), versionFile)
	os.Remove(version)
	if err := syscall.Mkfifo(version, 0o600); err != nil {
		t.Fatal(err)
	}
	returns(t, func() {
		if _, err := Open(Options{Dir: s.Dir()}); err == nil {
			t.Error("a pipe was read as VERSION")
		}
	})
}

// TestReadOnlyDirectory opens a store that cannot be written.
func TestReadOnlyDirectory(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere; TestFullDisk has a namespace of its own")
	}
	s := openTemp(t)
	digest := put2(t, s)
	s.Close()
	part := filepath.Join(s.Dir(), partDir)
	os.Chmod(part, 0o500)
	defer os.Chmod(part, 0o700)
	if _, err := Open(Options{Dir: s.Dir()}); err == nil {
		t.Error("it was opened for writing")
	}
	r, err := OpenRead(Options{Dir: s.Dir()})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if b := read(t, r, digest); string(b) != "hello" {
		t.Errorf("got %q", b)
	}
}

// TestDoctorNamesWhatWeDoNotMake has doctor find links and pipes at any depth,
// also among jobs and remembered runs, and advise to remove them.
func TestDoctorNamesWhatWeDoNotMake(t *testing.T) {
	s := openTemp(t)
	put2(t, s)
	s.Close()
	for _, dir := range []string{"jobs/x", "cache/entries"} {
		if err := os.MkdirAll(filepath.Join(s.Dir(), dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	outside := t.TempDir()
	if err := os.WriteFile(outside+"/letter", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	err := errors.Join(os.Symlink(outside, s.Dir()+"/runs"), os.Symlink("nowhere", s.Dir()+"/jobs/x/record.json"),
		syscall.Mkfifo(s.Dir()+"/cache/entries/key", 0o600))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range Doctor(Options{Dir: s.Dir()}) {
		if f.Name != "kinds" {
			continue
		}
		want := `symbolic link "jobs/x/record.json", pipe "cache/entries/key", symbolic link "runs"`
		for one := range strings.SplitSeq(want, ", ") {
			if f.Level != Bad || !strings.Contains(f.Text, one) {
				t.Errorf("%v %q is without %q", f.Level, f.Text, one)
			}
		}
		if strings.Contains(f.Text, "letter") {
			t.Errorf("a link was followed: %q", f.Text)
		}
		return
	}
	t.Error("doctor does not look")
}

// A directory that others may look into is named.
func TestDoctorLooksAtAccess(t *testing.T) {
	s := openTemp(t)
	for mode, want := range map[os.FileMode]Level{0o700: Fine, 0o710: Note, 0o701: Note} {
		if err := os.Chmod(s.Dir(), mode); err != nil {
			t.Fatal(err)
		}
		if got := (examination{s}).checkAccess(); got.Level != want {
			t.Errorf("mode %#o: %+v", mode, got)
		}
	}
}

// A store without a directory of parts has none; one that is no directory is a fault.
func TestPartsOfNoDirectory(t *testing.T) {
	s := openTemp(t)
	path := filepath.Join(s.Dir(), partDir)
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
	s.fs = &filesys.Volume{FS: s.fs.FS, Capabilities: s.fs.Capabilities} // which has checked nothing yet
	if parts, err := s.Parts(); len(parts) > 0 || err != nil {
		t.Errorf("got %v, %v", parts, err)
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Parts(); err == nil {
		t.Error("a file was taken for the directory")
	}
}
