package artifact

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"
)

// TestListingOfMany has more objects than lie together in memory, some stored twice,
// some of which are gone, some that the index does not know, and some in two stores.
func TestListingOfMany(t *testing.T) {
	g, other := newStage(), newStage()
	a, b := g.mustOpen(t, g.disk, "a"), other.mustOpen(t, other.disk, "b")
	other.clock.set(g.clock.now())
	want := map[string]time.Duration{}
	for i := range 3 * chunkRows {
		age := time.Duration(i%997) * time.Minute
		name := fmt.Sprint("object ", i%(2*chunkRows+100))
		digest := g.aged(t, a, name, 20, age)
		if known, ok := want[digest]; !ok || age < known {
			want[digest] = age
		}
		switch i % 10 {
		case 1:
			if _, err := a.Remove(digest); err != nil {
				t.Fatal(err)
			}
			delete(want, digest)
		case 2:
			other.aged(t, b, name, 20, age)
		}
	}
	want[other.aged(t, b, "only there", 20, 0)] = 0
	for name := range g.disk.find(indexDir).names {
		day := g.disk.find(indexDir + "/" + name)
		day.data = day.data[len(day.data)/4:] // and a torn line
	}
	all := Stores{a, b}
	l, err := all.Listing()
	if err != nil || l.Len() != len(want) {
		t.Fatalf("%d objects, not %d; %v", l.Len(), len(want), err)
	}
	if at := slices.Index(l.texts, "exec/test"); slices.Contains(l.texts[at+1:], "exec/test") {
		t.Error("the command of many objects is kept more than once")
	}
	list, err := all.List()
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		e := l.Entry(i)
		if _, ok := want[e.Digest]; !ok || e.Size != 20 || e != list[i] || i > 0 && e.Time.After(list[i-1].Time) {
			t.Fatalf("entry %d is %+v, in the list %+v", i, e, list[i])
		}
		delete(want, e.Digest)
	}
	l.Keep(func(e *Entry) bool { return e.Command == "exec/test" })
	l.Sort(func(a, b Entry) int { return cmp.Compare(a.Digest, b.Digest) })
	l.Truncate(100)
	list = slices.DeleteFunc(list, func(e Entry) bool { return e.Command != "exec/test" })
	slices.SortStableFunc(list, func(a, b Entry) int { return cmp.Compare(a.Digest, b.Digest) })
	for i := range 100 {
		if e := l.Entry(i); e != list[i] {
			t.Errorf("entry %d is %+v, not %+v", i, e, list[i])
		}
	}
	if l.Len() != 100 {
		t.Errorf("%d are left", l.Len())
	}
}
