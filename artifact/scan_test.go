package artifact

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"path"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// An index line is read by the fast scanner as by the slow one, or left to it.
func TestScanEntry(t *testing.T) {
	digest := digestPrefix + strings.Repeat("0a", hexLen/2)
	whole := Entry{Digest: digest, Size: 7, Time: time.Date(2026, 11, 20, 10, 0, 0, 5, time.UTC), Kind: "text/plain", Command: "go test", Stream: "stdout", Run: "R", Part: "P"}
	line := string(appendEntry(nil, &whole))
	text := line[checksumLen : len(line)-1]
	for _, c := range []struct {
		old, new string
		want     bool
	}{
		{"", "", true},
		{`,"kind":"text/plain"`, "", true},
		{`,"command":"go test","stream":"stdout","run":"R","part":"P"`, "", true},
		{`,"part":"P"`, "", true},
		{`text/plain`, `te\u0078t`, false},
		{`"part":"P"`, `"part":"P\\"`, false},
		{`"part":"P"}`, `"part":"P`, false},
		{`"part":"P"`, `"later":"P"`, false},
		{`P"}`, `P"}}`, false},
		{`P"}`, `P"`, false},
		{`"size":7`, `"size":x7`, false},
		{`"size":7`, `"size":`, false},
		{`"size":7,`, "", false},
		{`"time":"2026`, `"time":"x`, false},
		{`"time":`, `"when":`, false},
		{`{"digest"`, `{"name"`, false},
		{`sha256:`, `sha512:`, false},
		{`0a0a"`, `0a0A"`, false},
		{`0a0a"`, `0a0"`, false},
		{`0a0a"`, `0a0a0a"`, false},
		{text, "", false},
		{text, entryBegin, false},
	} {
		edited := strings.Replace(text, c.old, c.new, 1)
		var got, want Entry
		if ok := scanEntry([]byte(edited), &got, interner{}); ok != c.want {
			t.Errorf("%s: scanned %t", edited, ok)
		} else if err := json.Unmarshal([]byte(edited), &want); ok && (err != nil || got != want) {
			t.Errorf("%s: scanned %+v, want %+v (%v)", edited, got, want, err)
		}
	}
	for s, want := range map[string]bool{"": false, "00000000": false, "00000000 ": true, "00000001 ": false, line[:len(line)-1]: true} {
		if _, ok := parseChecksummed([]byte(s)); ok != want {
			t.Errorf("%q has its checksum: %t", s, ok)
		}
	}
	same := interner{}
	for i := range 2 * internLimit {
		same.intern([]byte(strconv.Itoa(i)))
	}
	if len(same) != internLimit {
		t.Errorf("%d words are kept, want %d", len(same), internLimit)
	}
}

// A search ends with the first error of what shows a line, wherever that is, and
// with one of its input.
func TestSearchEnds(t *testing.T) {
	const text = "a\nm\nb\nc\nm\nd\nm\nm\ne\n"
	stop := errors.New("stop")
	for _, g := range []Grep{{Pattern: "m", Before: 1, After: 1}, {Pattern: "m", Before: 1}, {Pattern: "m", After: 2, MaxMatches: 2}} {
		s, err := NewSearcher(g)
		if err != nil {
			t.Fatal(err)
		}
		shown := 0
		if _, err := s.Search(strings.NewReader(text), func(Line) error { shown++; return nil }); err != nil {
			t.Fatal(err)
		}
		for last := range shown {
			calls := 0
			_, err := s.Search(strings.NewReader(text), func(Line) error {
				if calls++; calls == last+1 {
					return stop
				}
				return nil
			})
			if !errors.Is(err, stop) || calls != last+1 {
				t.Errorf("%+v, error at line %d: %d lines were shown, %v", g, last+1, calls, err)
			}
		}
		if _, err := s.Search(io.MultiReader(strings.NewReader("x\n"), iotest.ErrReader(stop)), func(Line) error { return nil }); !errors.Is(err, stop) {
			t.Errorf("%+v: a failing input is %v", g, err)
		}
	}
}

// The collector leaves files that are no objects in place. It puts an object that was
// moved aside back while the object is young; if that fails, the object stays aside.
func TestTakenAside(t *testing.T) {
	fault := errors.New("fault")
	for _, c := range []struct {
		name        string
		file        string // in run/
		age         time.Duration
		place       bool // there is an object of the name
		fails       bool
		faster      bool // another process does the same
		object, run bool // what is there in the end
	}{
		{name: "old", file: "gone-", age: 3 * DefaultGrace},
		{name: "young", file: "gone-", object: true},
		{name: "young beside an object", file: "gone-", place: true, object: true},
		{name: "young, and the disk fails", file: "gone-", fails: true, run: true},
		{name: "young, and settled by another", file: "gone-", faster: true, object: true},
		{name: "another's", file: "other-", age: 3 * DefaultGrace, run: true},
		{name: "no object", file: "gone-x", age: 3 * DefaultGrace, run: true},
	} {
		g := newStage()
		s := g.mustOpen(t, g.disk, "run")
		digest, err := store(s, []byte("text"))
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimPrefix(digest, digestPrefix)
		aside := runDir + "/" + c.file + name
		if err := errors.Join(s.fs.Ensure(runDir), g.disk.Link(objectName(name), aside), g.disk.Chtimes(aside, g.clock.now().Add(-c.age))); err != nil {
			t.Fatal(c.name, err)
		}
		if !c.place {
			if err := g.disk.Remove(objectName(name)); err != nil {
				t.Fatal(err)
			}
		}
		g.disk.fail = func(_ int, op, _ string) error {
			if op == "link" && c.faster { // another process has settled it
				g.disk.find(path.Dir(objectName(name))).names[name] = g.disk.find(aside)
				delete(g.disk.find(runDir).names, path.Base(aside))
			}
			if op == "link" && c.fails {
				return fault
			}
			return nil
		}
		if err := s.objects.finishEvictions(); errors.Is(err, fault) != c.fails || err != nil && !c.fails {
			t.Errorf("%s: %v", c.name, err)
		}
		_, noObject := g.disk.Lstat(objectName(name))
		_, noRun := g.disk.Lstat(aside)
		if (noObject == nil) != c.object || (noRun == nil) != c.run {
			t.Errorf("%s: the object %v, what is aside %v", c.name, noObject, noRun)
		}
		g.disk.fail = nil
		for what, evict := range map[string]func(string, time.Time) (bool, error){"evict": s.objects.evict, "evictOrRestore": s.objects.evictOrRestore} {
			if gone, err := evict(strings.Repeat("0", hexLen), g.clock.now()); gone || err != nil {
				t.Errorf("%s of what is not there: %t, %v", what, gone, err)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// Each text comes back from an index line, which has no newline within and is JSON.
func TestEntryOfAnyText(t *testing.T) {
	for c := range rune(0x180) {
		e := Entry{Digest: digestPrefix + strings.Repeat("ab", 32), Time: time.Unix(0, 0).UTC(), Command: "a" + string(c) + "b"}
		line := appendEntry(nil, &e)
		var got Entry
		if !parseEntry(bytes.TrimSuffix(line, []byte("\n")), &got, interner{}) || got != e || bytes.IndexByte(line, '\n') != len(line)-1 {
			t.Errorf("%q: %+v", line, got)
		}
	}
}
