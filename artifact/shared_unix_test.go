//go:build unix

package artifact

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/envwrap/envwrap/artifact/internal/partial"
)

// TestSharedFile makes an object of the file in which a job is followed, where that has
// no other name and can be locked, and of its own file elsewhere. The limit counts the
// bytes once; nobody may take the part for that of a dead writer.
func TestSharedFile(t *testing.T) {
	const limit = 1 << 20
	for name, test := range map[string]struct {
		hinder func(s *Store, followed string) error
		shared bool
	}{
		"alone":   {func(*Store, string) error { return nil }, true},
		"linked":  {func(_ *Store, f string) error { return os.Link(f, f+".2") }, false},
		"missing": {func(_ *Store, f string) error { return os.Remove(f) }, false},
		"a link":  {func(_ *Store, f string) error { return replaceByLink(f) }, false},
		"no locks": {func(s *Store, _ string) error {
			s.fs.Locks = false
			return nil
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := openTemp(t)
			s.parts.Run, s.quota.limit = "job", limit
			followed := filepath.Join(s.Dir(), partial.JobsDir, "job", "stdout")
			if err := os.MkdirAll(filepath.Dir(followed), 0o700); err != nil {
				t.Fatal(err)
			}
			shown := append(bytes.Repeat([]byte("line\n"), 2000), "what will never be printed"...)
			if err := os.WriteFile(followed, shown, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := test.hinder(s, followed); err != nil {
				t.Fatal(err)
			}
			p, err := s.CreateShared("stdout")
			if err != nil {
				t.Fatal(err)
			}
			defer p.Discard()
			if p.Shared() != test.shared {
				t.Fatalf("shared: %v", p.Shared())
			}
			if _, err := p.Write(shown[:10_000]); err != nil {
				t.Fatal(err)
			}
			if parts, err := s.Parts(); err != nil || len(parts) != 1 {
				t.Errorf("the parts are %v, %v", parts, err)
			}
			if saved, err := s.Recover(); err != nil || len(saved) > 0 && s.fs.Locks {
				t.Errorf("recovered %v, %v", saved, err)
			}
			if test.shared {
				if free, _ := s.quota.free(); free != limit-10_000 {
					t.Errorf("%d bytes are free while it is written", free)
				}
			}
			digest, err := p.Commit(Info{})
			if err != nil {
				t.Fatal(err)
			}
			if got, err := load(s, digest); err != nil || !bytes.Equal(got, shown[:10_000]) {
				t.Errorf("the object has %d bytes, %v", len(got), err)
			}
			if free, _ := s.quota.free(); test.shared && free != limit-10_000 {
				t.Errorf("%d bytes are free after it", free)
			}
			if fi, err := os.Stat(filepath.Join(s.Dir(), objectName(digest[len(digestPrefix):]))); err != nil || fi.Mode() != 0o400 {
				t.Errorf("the object's mode: %v, %v", fi, err)
			}
		})
	}
}

// replaceByLink moves a file and leaves a symbolic link to it in its place.
func replaceByLink(name string) error {
	if err := os.Rename(name, name+".2"); err != nil {
		return err
	}
	return os.Symlink(name+".2", name)
}
