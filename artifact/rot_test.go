package artifact

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"testing"
	"time"

	"github.com/envwrap/envwrap/internal/test/matrix"
)

// TestBitFlips flips a bit in the bytes of every kind of file: verify finds
// it, cat refuses it, and the list has every object all the same.
func TestBitFlips(t *testing.T) {
	t.Parallel()
	s := openTemp(t)
	digest := put(t, s, []byte("some output of a command\n"))
	put(t, s, []byte("some other output\n"))
	if _, err := s.Pin(digest, "user", time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	s.maintenance.await()
	<-s.maintenance.done
	flipped, every := map[string]int{}, matrix.Every(3)
	for name, mode := range modes(t, s.Dir()) {
		if !mode.IsRegular() || path.Dir(name) == partDir {
			continue
		}
		file := filepath.Join(s.Dir(), filepath.FromSlash(name))
		whole, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i := range whole {
			if name == shardsFile && whole[i] == 0 {
				continue // mostly holes; the next test is about them
			}
			if i%every != 0 {
				continue
			}
			bad := append([]byte(nil), whole...)
			bad[i] ^= 1 << (i / every % 8)
			overwrite(t, file, bad)
			flipped[path.Dir(name)]++
			checkFlip(t, s.Dir(), name, i)
		}
		overwrite(t, file, whole)
	}
	for _, dir := range []string{".", indexDir, pinsDir, runDir, "objects/" + digest[7:9]} {
		if flipped[dir] == 0 {
			t.Errorf("nothing in %s was flipped", dir)
		}
	}
}

// overwrite changes a file's bytes in place, as a failing disk does.
func overwrite(t *testing.T, path string, b []byte) {
	t.Helper()
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

func checkFlip(t *testing.T, dir, name string, at int) {
	t.Helper()
	s, err := OpenRead(Options{Dir: dir})
	if err != nil {
		t.Fatalf("%s, byte %d: %v", name, at, err)
	}
	defer s.Close()
	v, err := s.Verify(Check{})
	if err != nil {
		t.Errorf("%s, byte %d: verify: %v", name, at, err)
	}
	if len(v.Faults) != 1 || v.Faults[0].File != name {
		t.Errorf("%s, byte %d: verify found %v", name, at, v.Faults)
	}
	list, err := s.List()
	if err != nil || len(list) != 2 {
		t.Errorf("%s, byte %d: the list has %d objects, %v", name, at, len(list), err)
	}
	if base := filepath.Base(name); isObject(base) {
		o, err := s.objects.open(base)
		if err != nil {
			t.Fatal(err)
		}
		defer o.Close()
		o.keep = true
		b := make([]byte, 1000)
		for err == nil {
			_, err = o.Read(b)
		}
		if !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s, byte %d: reading gave %v", name, at, err)
		}
	}
}

// TestTornIndexLine loses the end of the index, as a crash does.
func TestTornIndexLine(t *testing.T) {
	s, path := openIndex(t)
	put(t, s, []byte("one"))
	put(t, s, []byte("two"))
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, whole[:len(whole)-20], 0o600); err != nil {
		t.Fatal(err)
	}
	put(t, s, []byte("three")) // its line is glued to the torn one
	if list, err := s.List(); err != nil || len(list) != 3 {
		t.Errorf("%d objects, %v", len(list), err)
	}
	added, dropped, err := s.Reindex()
	if err != nil || added != 1 || dropped != 1 {
		t.Errorf("added %d, dropped %d, %v", added, dropped, err)
	}
	if v, err := s.Verify(Check{}); err != nil || len(v.Faults) > 0 {
		t.Errorf("%v, %v", v.Faults, err)
	}
	put(t, s, []byte("four"))
	if added, dropped, err := s.Reindex(); added != 0 || dropped != 0 || err != nil {
		t.Errorf("a sound index was changed: added %d, dropped %d, %v", added, dropped, err)
	}
}
