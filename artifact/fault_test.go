package artifact

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp/syntax"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestFaultsAreReported lets every operation of each call fail once: the call
// returns the disk's error, or what it returns where nothing fails.
func TestFaultsAreReported(t *testing.T) {
	id := nameOf(oldObject)
	result := func(a any, err error) (string, error) { return fmt.Sprintf("%+v", a), err }
	for name, c := range map[string]struct {
		do   func(*stage, *Store) (string, error)
		less []string // operations without which the rest is still of use
	}{
		"first": {do: func(g *stage, _ *Store) (string, error) {
			d := newDisk(g.clock.now)
			d.fail = g.disk.fail
			s, err := g.open(d, "new")
			return fmt.Sprint(s != nil && s.prepared.Load() != nil), err
		}},
		"open": {do: func(g *stage, _ *Store) (string, error) {
			s, err := g.open(g.disk, "new")
			return fmt.Sprint(s != nil && s.prepared.Load() != nil), err
		}},
		"index": {do: func(g *stage, s *Store) (string, error) {
			day := indexFile(s.now())
			err := s.appendIndex(day, []byte("{}\n"))
			return fmt.Sprint(g.disk.find(day) != nil), err
		}},
		"read":    {do: func(_ *stage, s *Store) (string, error) { return result(load(s, id)) }},
		"stat":    {func(_ *stage, s *Store) (string, error) { return result(s.Stat(id)) }, []string{"lstat objects/", "index/"}},
		"list":    {func(_ *stage, s *Store) (string, error) { return result(s.List()) }, []string{"index/"}},
		"parts":   {func(_ *stage, s *Store) (string, error) { return result(s.Parts()) }, []string{"part/"}},
		"recover": {func(_ *stage, s *Store) (string, error) { return result(s.Recover()) }, []string{"same part/"}},
		"reindex": {do: func(_ *stage, s *Store) (string, error) {
			added, dropped, err := s.Reindex()
			return fmt.Sprint(added, dropped), err
		}},
		"collect": {func(_ *stage, s *Store) (string, error) { return result(s.Collect(DefaultPolicy())) }, []string{"part/", "lock objects/"}},
		"doctor":  {func(g *stage, s *Store) (string, error) { err := s.syncOnce(); return fmt.Sprint(g.disk.ops), err }, []string{"same part/", "remove part/"}},
		"usage":   {do: func(_ *stage, s *Store) (string, error) { return result(s.Usage()) }},
		"verify": {do: func(_ *stage, s *Store) (string, error) {
			v, err := s.Verify(Check{})
			for _, f := range v.Faults {
				if strings.Contains(f.Text, syscall.EIO.Error()) {
					err = syscall.EIO
				}
			}
			return fmt.Sprintf("%+v", v), err
		}},
		"pack":   {do: func(_ *stage, s *Store) (string, error) { return result(s.Pack(1, time.Hour)) }},
		"pin":    {do: func(_ *stage, s *Store) (string, error) { return result(s.Pin(id, "user", time.Time{})) }},
		"unpin":  {do: func(_ *stage, s *Store) (string, error) { return result(s.Unpin(id, "before")) }},
		"pins":   {do: func(_ *stage, s *Store) (string, error) { return result(s.Pins()) }},
		"remove": {do: func(_ *stage, s *Store) (string, error) { return result(s.Remove(id)) }},
		"renew": {do: func(g *stage, s *Store) (string, error) {
			err := s.Renew(id)
			return g.disk.find(objectName(id)).mtime.String(), err
		}},
	} {
		want := ""
		for at := 0; ; at++ {
			g := newStage()
			g.set(t)
			s := g.mustOpen(t, g.disk, "run")
			if name == "unpin" || name == "pins" {
				if _, err := s.Pin(id, "before", time.Time{}); err != nil {
					t.Fatal(err)
				}
			}
			failed := ""
			g.disk.ops = 0
			g.disk.fail = func(n int, op, file string) error {
				if n != at {
					return nil
				}
				failed = op + " " + file
				return syscall.EIO
			}
			got, err := c.do(g, s)
			if at == 0 {
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				want = got
				continue
			}
			if failed == "" {
				break
			}
			useful := got == want
			for _, less := range c.less {
				useful = useful || strings.Contains(failed, less)
			}
			if !useful && !errors.Is(err, syscall.EIO) {
				t.Errorf("%s: %s fails: got %s, %v, not %s", name, failed, got, err, want)
			}
		}
	}
}

// TestClosedObject reads an object after Close, which may be called again.
func TestClosedObject(t *testing.T) {
	g := newStage()
	s := g.mustOpen(t, g.disk, "run")
	id, err := store(s, []byte("text"))
	if err != nil {
		t.Fatal(err)
	}
	o, err := s.Get(id)
	if err != nil {
		t.Fatal(err)
	}
	o.Close()
	o.Close()
	if n, err := o.Read(make([]byte, 4)); n != 0 || !errors.Is(err, fs.ErrClosed) {
		t.Errorf("got %d bytes, %v", n, err)
	}
}

// TestClauses lists the texts that an expression is looked for by.
func TestClauses(t *testing.T) {
	for expression, want := range map[string]string{
		"a.*bcd|xyz.*w":              "[[bcd xyz]]",
		"abc.*d|x.*yz":               "[[abc yz]]",
		"(ab)+c{2,}d*":               "[[ab] [c]]",
		"a|b.*":                      "[[a b]]",
		"a|.*":                       "[]",
		"(?i)ab.*é":                  "[[ab]]",
		"ab|bc|cd|de|ef|fg|gh|hi|ij": "[]",
	} {
		re, err := syntax.Parse(expression, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		got := "["
		for i, c := range clauses(re) {
			got += strings.Repeat(" ", min(i, 1)) + "["
			for j, l := range c {
				got += strings.Repeat(" ", min(j, 1)) + strings.ToLower(l.text)
			}
			got += "]"
		}
		if got += "]"; got != want {
			t.Errorf("%s: got %s, want %s", expression, got, want)
		}
	}
}
