package cache

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/wrap"
)

func contents(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	must(t, err)
	return string(text)
}

// sampleEntry is a run that printed bytes of all kinds.
func sampleEntry(t testing.TB, c *Cache) *Entry {
	t.Helper()
	key, parts := keyOf(t, c, sample(t))
	parts.Unmatched = nil // it is not kept
	return &Entry{
		Key: key, Parts: parts, Argv: []string{"tool", "***"}, Dir: "/dir", Outcome: "success",
		Kept: time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC), TTL: time.Hour, Stale: time.Minute,
		Recording: wrap.Recording{
			Whole: true, ExitCode: 3, Started: time.Unix(1, 0).UTC(), Ended: time.Unix(2, 0).UTC(),
			Stdout: wrap.RecordedStream{Bytes: []byte("out\n\x00\xff"), Size: 6, Masked: redact.Counts{"rule": 2}},
			Stderr: wrap.RecordedStream{Bytes: []byte("err\n"), Size: 4},
		},
	}
}

func TestEntryThereAndBack(t *testing.T) {
	c := newCache(t)
	e := sampleEntry(t, c)
	must(t, c.Put(e))
	if got := c.Get(e.Key); !reflect.DeepEqual(got, e) {
		t.Errorf("got  %+v\nwant %+v", got, e)
	}
	info, err := os.Stat(filepath.Join(c.dir.Name(), entryName(e.Key)))
	must(t, err)
	if info.Mode().Perm()&0o077 != 0 {
		t.Errorf("mode %s", info.Mode())
	}
	if done, err := c.Remove(e.Key); !done || err != nil {
		t.Errorf("removed: %t, %v", done, err)
	}
	if done, err := c.Remove(e.Key); done || err != nil || c.Get(e.Key) != nil {
		t.Errorf("removed twice: %t, %v", done, err)
	}
}

// An entry that is cut anywhere, or has a wrong byte anywhere, is as if it were
// not there; so is one under the name of another.
func TestDamagedEntry(t *testing.T) {
	c := newCache(t)
	e := sampleEntry(t, c)
	must(t, c.Put(e))
	whole := []byte(contents(t, filepath.Join(c.dir.Name(), entryName(e.Key))))
	for i := range whole {
		torn := bytes.Clone(whole)
		torn[i] ^= 1
		for _, text := range [][]byte{whole[:i], torn} {
			if got, err := decode(text); err == nil {
				t.Fatalf("byte %d: %+v", i, got)
			}
		}
	}
	if got, err := decode(append(bytes.Clone(whole), 'x')); err == nil {
		t.Errorf("a byte too many: %+v", got)
	}
	other := Key("sha256:" + string(bytes.Repeat([]byte("0"), 64)))
	must(t, os.WriteFile(filepath.Join(c.dir.Name(), entryName(other)), whole, 0o600))
	if c.Get(other) != nil {
		t.Error("an entry answers for another key")
	}
	all, err := c.All()
	if err != nil || len(all) != 2 {
		t.Errorf("%d entries, %v", len(all), err)
	}
}

func FuzzDecode(f *testing.F) {
	c := newCache(f)
	text, err := sampleEntry(f, c).encode()
	must(f, err)
	f.Add(text)
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, text []byte) {
		e, err := decode(text)
		if err == nil && (e.Parts == nil || !e.Recording.Whole) {
			t.Errorf("got %+v", e)
		}
	})
}

func TestFresh(t *testing.T) {
	kept := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	e := &Entry{Kept: kept, TTL: time.Hour}
	for _, c := range []struct {
		after, ttl, stale time.Duration
		fresh, freshBut   bool
	}{
		{0, time.Hour, 0, true, true},
		{time.Hour - 1, time.Hour, 0, true, true},
		{time.Hour, time.Hour, 0, false, false},
		{time.Hour, 2 * time.Hour, 0, false, false}, // it was kept for one
		{time.Minute, time.Minute, 0, false, false}, // less is wanted
		{time.Hour, time.Hour, time.Minute, false, true},
		{time.Hour + time.Minute, time.Hour, time.Minute, false, false},
		{-time.Millisecond, time.Hour, 0, true, true}, // clocks differ a little
		{-time.Minute, time.Hour, time.Hour, false, false},
	} {
		now := kept.Add(c.after)
		if e.Fresh(now, c.ttl) != c.fresh || e.FreshBut(now, c.ttl, c.stale) != c.freshBut {
			t.Errorf("%s later, wanted for %s and %s: %t, %t", c.after, c.ttl, c.stale, e.Fresh(now, c.ttl), e.FreshBut(now, c.ttl, c.stale))
		}
	}
}

// Tidying takes what ended a day ago and what dead writers left, once a day, and
// nothing else.
func TestTidy(t *testing.T) {
	c := newCache(t)
	now := c.now()
	c.now = func() time.Time { return now }
	old, young := sampleEntry(t, c), sampleEntry(t, c)
	old.Kept, young.Kept = now.Add(-26*time.Hour), now.Add(-23*time.Hour)
	must(t, c.Put(old))
	must(t, c.Put(young))
	left := filepath.Join(c.dir.Name(), entriesDir, temporary+"1")
	write(t, left, "torn")
	must(t, os.Chtimes(left, now.Add(-2*time.Hour), now.Add(-2*time.Hour)))
	var gone []*Entry
	tidy := func() { c.Tidy(func(e *Entry) { gone = append(gone, e) }) }
	tidy()
	if len(gone) != 1 || gone[0].Key != old.Key || c.Get(old.Key) != nil || c.Get(young.Key) == nil {
		t.Errorf("gone: %v", gone)
	}
	if _, err := os.Stat(left); err == nil {
		t.Error("a dead writer's file is left")
	}
	now = now.Add(23 * time.Hour)
	if tidy(); len(gone) != 1 {
		t.Error("tidied twice a day")
	}
	now = now.Add(3 * time.Hour)
	if tidy(); len(gone) != 2 || c.Get(young.Key) != nil {
		t.Errorf("on the next day: %v", gone)
	}
}

// The entry that differs least is returned, the newest if there are several; one of
// another command in another place never is.
func TestNearest(t *testing.T) {
	parts := func(argv, dir string, inputs ...string) *Parts {
		p := &Parts{Command: "exec/x", Argv: argv, Dir: dir, Inputs: map[string]string{}}
		for _, in := range inputs {
			p.Inputs[in] = in
		}
		return p
	}
	at := func(min int) time.Time { return time.Unix(int64(60*min), 0) }
	entries := []*Entry{
		{Key: "damaged"},
		{Key: "one", Parts: parts("a", "d", "in1"), Kept: at(1)},
		{Key: "two", Parts: parts("a", "d", "in2"), Kept: at(2)},
		{Key: "three", Parts: parts("b", "d", "in1", "in2"), Kept: at(3)},
		{Key: "far", Parts: parts("c", "elsewhere"), Kept: at(4)},
	}
	for _, c := range []struct {
		now    *Parts
		before time.Time
		want   Key
	}{
		{parts("a", "d"), at(9), "two"},
		{parts("a", "d"), at(2), "one"},
		{parts("b", "d", "in1"), at(9), "three"},
		{parts("a", "other", "in1"), at(9), "one"},
		{parts("x", "nowhere"), at(9), ""},
	} {
		var got Key
		if e, _ := Nearest(entries, c.now, c.before); e != nil {
			got = e.Key
		}
		if got != c.want {
			t.Errorf("%+v: got %q, want %q", c.now, got, c.want)
		}
	}
}
