package artifact

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// golden is a store that the first release wrote. It is never written again: a
// later layout gets a directory of its own, and reads this one.
const golden = "testdata/store-1"

// goldenLog is the content of the packed object of golden.
func goldenLog() []byte { return []byte(strings.Repeat("INFO nothing happened\n", 20_000)) }

const goldenHello = "hello from the first release\n"

// TestGoldenStore opens a store of the first release: everything in it is
// found, read and looked after.
func TestGoldenStore(t *testing.T) {
	if _, err := os.Stat(golden); os.IsNotExist(err) && os.Getenv("UPDATE") != "" {
		writeGolden(t)
	}
	dir := filepath.Join(t.TempDir(), "store")
	if err := os.CopyFS(dir, os.DirFS(golden)); err != nil {
		t.Fatal(err)
	}
	// A checkout has the permissions that its umask gives.
	if err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			err = os.Chmod(path, 0o700)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	s, err := Open(Options{Dir: dir, Now: func() time.Time { return at }, NoMaintenance: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	v, err := s.Verify(Check{})
	if err != nil || len(v.Faults) > 0 || v.Objects != 2 {
		t.Errorf("verify: %+v, %v", v, err)
	}
	hello, packed := digestPrefix+nameOf(goldenHello), digestPrefix+nameOf(string(goldenLog()))
	if b := read(t, s, hello); string(b) != goldenHello {
		t.Errorf("got %q", b)
	}
	if b := read(t, s, packed); !bytes.Equal(b, goldenLog()) {
		t.Errorf("the packed object has %d bytes", len(b))
	}
	d, err := s.Stat(hello)
	if err != nil || d.Kind != "text/plain; charset=utf-8" || d.Command != "exec/echo" || d.Stream != "stdout" || d.Run != "first" {
		t.Errorf("stat says %+v, %v", d, err)
	}
	if len(d.Pins) != 1 || d.Pins[0].Owner != "user" || !d.Pins[0].Until.IsZero() {
		t.Errorf("its pins are %+v", d.Pins)
	}
	if d, err := s.Stat(packed); err != nil || !d.Packed || len(d.Pins) != 1 || d.Pins[0].Until.Year() != 2027 {
		t.Errorf("stat says %+v, %v", d, err)
	}
	if saved, err := s.Recover(); err != nil || len(saved) != 1 || saved[0].Digest != digestPrefix+nameOf("cut in the middle") {
		t.Errorf("recovered %+v, %v", saved, err)
	}
	if c, err := s.Collect(DefaultPolicy()); err != nil || len(c.Removed) > 0 {
		t.Errorf("collected %+v, %v", c, err)
	}
	if list, err := s.List(); err != nil || len(list) != 3 {
		t.Errorf("the list is %+v, %v", list, err)
	}
}

// writeGolden made golden, once.
func writeGolden(t *testing.T) {
	t.Helper()
	dir, err := filepath.Abs(golden)
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 11, 20, 10, 0, 0, 123e6, time.UTC)
	s, err := Open(Options{Dir: dir, Run: "first", Now: func() time.Time { return at }})
	if err != nil {
		t.Fatal(err)
	}
	for text, i := range map[string]Info{
		goldenHello:         {Kind: "text/plain; charset=utf-8", Command: "exec/echo", Stream: "stdout"},
		string(goldenLog()): {Kind: "text/plain; charset=utf-8", Command: "exec/server", Stream: "stderr"},
	} {
		p, err := s.Create()
		if err != nil {
			t.Fatal(err)
		}
		p.Write([]byte(text))
		if _, err := p.Commit(i); err != nil {
			t.Fatal(err)
		}
	}
	<-s.maintenance.done
	if p, err := s.Pack(1000, -time.Hour); err != nil || p.Objects != 1 {
		t.Fatal(p, err)
	}
	s.Pin(nameOf(goldenHello), "user", time.Time{})
	s.Pin(nameOf(string(goldenLog())), "job-1", at.Add(365*24*time.Hour))
	p, err := s.Create()
	if err != nil {
		t.Fatal(err)
	}
	p.part.Write([]byte("cut in the middle"))
	p.part.Close()
}
