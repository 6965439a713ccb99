package artifact

import (
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/envwrap/envwrap/internal/test/matrix"
)

func TestListNewestFirst(t *testing.T) {
	g := newStage()
	s := g.mustOpen(t, g.disk, "run")
	a := g.aged(t, s, "a", 10, 3*time.Hour)
	b := g.aged(t, s, "b", 10, 1*time.Hour)
	c := g.aged(t, s, "c", 10, 2*time.Hour)
	again := g.aged(t, s, "a", 10, 0)
	if again != a {
		t.Fatal("the same bytes have two digests")
	}
	list, err := s.List()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range list {
		got = append(got, e.Digest)
		if e.Size != 10 || e.Command != "exec/test" || e.Kind != "text/plain" || e.Run != "run" {
			t.Errorf("got %+v", e)
		}
	}
	if want := fmt.Sprint([]string{a, b, c}); fmt.Sprint(got) != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

// TestListIsWhatIsThere loses index lines, and objects.
func TestListIsWhatIsThere(t *testing.T) {
	g := newStage()
	s := g.mustOpen(t, g.disk, "run")
	a := g.aged(t, s, "a", 10, time.Hour)
	b := g.aged(t, s, "b", 20, time.Hour)
	g.disk.find(indexDir).names = map[string]*node{}
	if _, err := s.Remove(a); err != nil {
		t.Fatal(err)
	}
	list, err := s.List()
	if err != nil || len(list) != 1 || list[0].Digest != b || list[0].Size != 20 {
		t.Errorf("got %+v, %v", list, err)
	}
	if added, _, err := s.Reindex(); added != 1 || err != nil {
		t.Errorf("reindex added %d, %v", added, err)
	}
	list, err = s.List()
	if err != nil || len(list) != 1 || list[0].Digest != b {
		t.Errorf("then %+v, %v", list, err)
	}
}

// TestTornLineHidesNoOther adds a line after one that the disk had no room
// for: only what was torn is forgotten.
func TestTornLineHidesNoOther(t *testing.T) {
	t.Parallel()
	first := Entry{Digest: digestPrefix + strings.Repeat("ab", 32), Size: 1, Command: "exec/first"}
	line := appendEntry(nil, &first)
	s, _ := openIndex(t)
	stored := 0
	for cut := 1; cut < len(line); cut++ {
		if cut%matrix.Every(5) > 0 && cut < len(line)-1 {
			continue
		}
		day := indexFile(s.now())
		if err := s.index.append(day, line[:cut]); err != nil {
			t.Fatal(err)
		}
		digest := put(t, s, fmt.Appendf(nil, "text %d", cut))
		stored++
		list, err := s.List()
		at := slices.IndexFunc(list, func(e Entry) bool { return e.Digest == digest })
		if err != nil || len(list) != stored || at < 0 || list[at].Kind != "text/plain" {
			t.Fatalf("after %d bytes: got %+v, %v", cut, list, err)
		}
		torn := 1
		if cut == len(line)-1 {
			torn = 0 // it lost its newline only
		}
		if added, dropped, err := s.Reindex(); added != 0 || dropped != torn || err != nil {
			t.Fatalf("after %d bytes: reindex added %d, dropped %d, %v", cut, added, dropped, err)
		}
	}
}

// TestEntrySpelling has the two readers of an index line agree, whatever a
// command is called.
func TestEntrySpelling(t *testing.T) {
	at := time.Date(2026, 11, 20, 10, 0, 0, 123456789, time.UTC)
	digest := digestPrefix + strings.Repeat("ab", 32)
	for _, e := range []Entry{
		{Digest: digest, Size: 5, Time: at},
		{Digest: digest, Size: 1 << 40, Time: at.Truncate(time.Second), Kind: "text/plain; charset=utf-8", Command: "exec/git", Stream: "stdout", Run: "4711-abc"},
		{Digest: digest, Size: 5, Time: at, Kind: `a"b\c`, Run: "ü<>&\n"},
		{Digest: digest, Size: 5, Time: at, Command: "exec/x"},
	} {
		line := appendEntry(nil, &e)
		if strings.Count(string(line), "\n") != 1 {
			t.Errorf("%+v takes more than a line: %q", e, line)
		}
		var got Entry
		if !parseEntry(line[:len(line)-1], &got, interner{}) || got != e {
			t.Errorf("%+v came back as %+v", e, got)
		}
	}
}

// TestEntryOfALaterRelease has a member that this release does not know.
func TestEntryOfALaterRelease(t *testing.T) {
	text := `{"digest":"sha256:` + strings.Repeat("ab", 32) + `","size":5,"time":"2026-11-20T10:00:00Z","lines":7,"kind":"text/plain"}`
	line := appendChecksummed(nil, []byte(text))
	var e Entry
	if !parseEntry(line[:len(line)-1], &e, interner{}) || e.Size != 5 || e.Kind != "text/plain" {
		t.Errorf("got %+v", e)
	}
}

func FuzzEntry(f *testing.F) {
	line := appendEntry(nil, &Entry{Digest: digestPrefix + strings.Repeat("ab", 32), Kind: "text/plain"})
	f.Add(line[checksumLen : len(line)-1])
	f.Fuzz(func(t *testing.T, text []byte) {
		checksummed := appendChecksummed(nil, text)
		var e Entry
		if parseEntry(checksummed[:len(checksummed)-1], &e, interner{}) && !isDigest(e.Digest) {
			t.Errorf("%q gave %+v", text, e)
		}
	})
}

// A hundredThousand is a store of as many objects, of which only the names
// and the index are real.
func hundredThousand(b *testing.B) *Store {
	b.Helper()
	s := openTemp(b)
	days := map[string][]byte{}
	begin := time.Now().Add(-14 * 24 * time.Hour)
	for i := range 256 {
		if err := os.MkdirAll(filepath.Join(s.Dir(), shardName(i)), 0o700); err != nil {
			b.Fatal(err)
		}
	}
	for i := range 100_000 {
		name := hexOf(i)
		if err := os.WriteFile(filepath.Join(s.Dir(), objectName(name)), nil, 0o400); err != nil {
			b.Fatal(err)
		}
		at := begin.Add(time.Duration(i) * 12 * time.Second)
		day := indexFile(at)
		days[day] = appendEntry(days[day], &Entry{
			Digest: digestPrefix + name, Size: int64(40_000 + i), Time: at.UTC(),
			Kind: "text/plain; charset=utf-8", Command: "exec/go", Stream: "stdout", Run: "01KA4Z3N8V5W9X2Y7B6C1D0E4F",
		})
	}
	for day, lines := range days {
		if err := s.index.append(day, lines); err != nil {
			b.Fatal(err)
		}
	}
	return s
}

func hexOf(i int) string {
	var b [hexLen / 2]byte
	for k := range b {
		b[k] = byte(uint32(i+1) * 2654435761 >> (8 * (k % 4)))
	}
	return hex.EncodeToString(b[:])
}

// BenchmarkList100000 measures artifact ls with a hundred thousand
// objects, but for the printing.
func BenchmarkList100000(b *testing.B) {
	s := hundredThousand(b)
	b.ReportAllocs()
	for b.Loop() {
		list, err := s.List()
		if err != nil || len(list) != 100_000 {
			b.Fatal(len(list), err)
		}
	}
}

// BenchmarkCollect100000 is a sweep that finds nothing to take.
func BenchmarkCollect100000(b *testing.B) {
	s := hundredThousand(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Collect(DefaultPolicy()); err != nil {
			b.Fatal(err)
		}
	}
}
