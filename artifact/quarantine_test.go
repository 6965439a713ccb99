package artifact

import (
	"errors"
	"io"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// spoil flips a bit of an object on the disk.
func spoil(t *testing.T, s *Store, digest string, text []byte) {
	t.Helper()
	bad := append([]byte(nil), text...)
	bad[0] ^= 1
	overwrite(t, filepath.Join(s.Dir(), filepath.FromSlash(objectName(digest[len(digestPrefix):]))), bad)
}

func faults(t *testing.T, s *Store, c Check) *Verdict {
	t.Helper()
	v, err := s.Verify(c)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestQuarantineIsReportedOnce finds a corrupt object in each of the two ways: a
// reader moves it to quarantine, and so does verify.
func TestQuarantineIsReportedOnce(t *testing.T) {
	text := []byte("some text")
	for name, find := range map[string]func(*testing.T, *Store, string){
		"reader": func(t *testing.T, s *Store, digest string) {
			o, err := s.Get(digest)
			if err != nil {
				t.Fatal(err)
			}
			defer o.Close()
			if _, err := io.ReadAll(o); !errors.Is(err, ErrCorrupt) {
				t.Errorf("reading gave %v", err)
			}
			if v := faults(t, s, Check{}); len(v.Faults) != 1 || path.Dir(v.Faults[0].File) != quarantineDir {
				t.Errorf("verify found %+v", v)
			}
		},
		"verify": func(t *testing.T, s *Store, _ string) {
			if v := faults(t, s, Check{Quarantine: true}); len(v.Faults) != 1 || !strings.HasPrefix(v.Faults[0].File, objectsDir) {
				t.Errorf("verify found %+v", v)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := openTemp(t)
			digest := put(t, s, text)
			spoil(t, s, digest, text)
			find(t, s, digest)
			for range 2 {
				if v := faults(t, s, Check{}); len(v.Faults) != 0 || v.Known != 1 {
					t.Errorf("then verify found %+v", v)
				}
			}
			if _, err := s.Get(digest); !errors.Is(err, ErrNotFound) || !strings.Contains(err.Error(), "quarantine") {
				t.Errorf("the next reader got %v", err)
			}
			if v := faults(t, s, Check{Purge: true}); len(v.Faults) != 0 || v.Purged != 1 {
				t.Errorf("purging found %+v", v)
			}
			if left, err := s.fs.NamesIn(quarantineDir); err != nil || len(left) != 0 {
				t.Errorf("left in quarantine: %q, %v", left, err)
			}
		})
	}
}

// TestHealedObjectIsNoFault stores again what a bit flip has spoiled.
func TestHealedObjectIsNoFault(t *testing.T) {
	text := []byte("some text")
	s := openTemp(t)
	digest := put(t, s, text)
	spoil(t, s, digest, text)
	put(t, s, text)
	if v := faults(t, s, Check{}); len(v.Faults) != 0 || v.Known != 1 {
		t.Errorf("verify found %+v", v)
	}
}

// TestPurgeTells removes only what was reported before.
func TestPurgeTells(t *testing.T) {
	text := []byte("some text")
	s := openTemp(t)
	spoil(t, s, put(t, s, text), text)
	if v := faults(t, s, Check{Quarantine: true, Purge: true}); len(v.Faults) != 1 || v.Purged != 1 {
		t.Errorf("verify found %+v", v)
	}
	if v := faults(t, s, Check{}); len(v.Faults) != 0 || v.Known != 0 {
		t.Errorf("then verify found %+v", v)
	}
}
