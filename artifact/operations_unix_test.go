//go:build unix

package artifact

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/envwrap/envwrap/artifact/internal/filesys"
)

// operations lists the operations of every call on the disk, and after each of these
// operations what comes of the call where it fails: with EIO, and to the right of a bar
// because another process was faster. "fails" is with that error; then follow the files
// that are new (+), changed (~) and gone (-) all the same. "done" is without it; then
// follows what differs from the call's usual result and files, and after a ! what is
// missing of the latter. UPDATE=1 writes it again: read the difference.
const operations = "testdata/operations.txt"

// TestOperations compares with operations what every call does. No time passes but
// that of those who wait, so that what is to happen a second later never does.
func TestOperations(t *testing.T) { synctest.Test(t, everyOperation) }

func everyOperation(t *testing.T) {
	full, names := fullDisk(t)
	var out bytes.Buffer
	for _, c := range calls() {
		a := storeCall{t: t, call: c, full: full, names: names}
		want := a.run(nil)
		fmt.Fprintf(&out, "# %s\n%s\n", c.name, want)
		for at, op := range want.ops {
			kind, _, _ := strings.Cut(op, " ")
			fmt.Fprintf(&out, "  %s: %s", op, a.run(&fault{at + 1, syscall.EIO}).beside(want, syscall.EIO))
			if err := faster[kind]; err != nil {
				fmt.Fprintf(&out, " | %s", a.run(&fault{at + 1, err}).beside(want, err))
			}
			fmt.Fprintln(&out)
		}
	}
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(operations, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(operations)
	if err != nil {
		t.Fatal(err)
	}
	compareLines(t, out.String(), string(want))
}

// faster are the errors of operations that another process was faster with, or that
// a file system does not know.
var faster = map[string]error{
	"open": fs.ErrNotExist, "lstat": fs.ErrNotExist, "readdir": fs.ErrNotExist, "rename": fs.ErrNotExist,
	"remove": fs.ErrNotExist, "chtimes": fs.ErrNotExist, "link": fs.ErrExist, "mkdir": fs.ErrExist,
	"lock": filesys.ErrBusy, "sync": syscall.EINVAL, "write out": errors.ErrUnsupported,
}

// TestReadOnly changes nothing in a store of another version.
func TestReadOnly(t *testing.T) {
	full, _ := fullDisk(t)
	full.find(versionFile).data = []byte("2\n")
	g := newStage()
	s := newStore(Options{Dir: "/store", Run: "run", Now: g.clock.now}, full.volume())
	if err := s.readVersion(); err != nil {
		t.Fatal(err)
	}
	before := full.files()
	old := nameOf(oldText)
	for name, do := range map[string]func() error{
		"create":  func() error { _, err := s.Create(); return err },
		"pin":     func() error { _, err := s.Pin(old, "user", time.Time{}); return err },
		"remove":  func() error { _, err := s.Remove(old); return err },
		"renew":   func() error { return s.Renew(old) },
		"recover": func() error { _, err := s.Recover(); return err },
		"reindex": func() error { _, _, err := s.Reindex(); return err },
		"collect": func() error { _, err := s.Collect(DefaultPolicy()); return err },
		"pack":    func() error { _, err := s.Pack(1, 0); return err },
	} {
		var v *VersionError
		if err := do(); !errors.As(err, &v) || v.Found != "2" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := load(s, nameOf(rottenText)); !errors.Is(err, ErrCorrupt) {
		t.Error(err)
	}
	if v, err := s.Verify(Check{Quarantine: true, Purge: true}); err != nil || v.Purged != 0 || len(v.Faults) == 0 {
		t.Errorf("verify found %+v, %v", v, err)
	}
	if _, err := s.Usage(); err != nil {
		t.Error(err)
	}
	if after := full.files(); !maps.Equal(before, after) {
		t.Errorf("before %v\nafter %v", before, after)
	}
}

// compareLines reports the first lines that differ.
func compareLines(t *testing.T, got, want string) {
	t.Helper()
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	call := ""
	for i := range min(len(a), len(b)) {
		if strings.HasPrefix(a[i], "# ") {
			call = a[i]
		}
		if a[i] != b[i] {
			t.Fatalf("%s, line %d:\n%s\nwant\n%s", call, i+1, a[i], b[i])
		}
	}
	if len(a) != len(b) {
		t.Errorf("%d lines, want %d", len(a), len(b))
	}
}

// A fault is the error of the operation with a number.
type fault struct {
	at  int
	err error
}

// A storeCall is a call on a store that lies on a copy of a disk.
type storeCall struct {
	t *testing.T
	call
	full  *disk
	names *strings.Replacer // of objects
}

// An ending is the result of a call.
type ending struct {
	ops           []string
	result        string
	err           error
	before, after map[string]string // the files
	names         *strings.Replacer
}

func (a *storeCall) run(f *fault) *ending {
	g := newStage()
	g.clock.set(a.full.now())
	if g.disk.free = 1 << 30; !a.empty {
		g.disk.root = a.full.copied()
	}
	var s *Store
	if !a.opens {
		s = g.mustOpen(a.t, g.disk, "run")
	}
	e := &ending{names: a.names}
	if a.prepare != nil {
		a.prepare(g, s)
	}
	e.before = g.disk.files()
	g.disk.ops = 0
	g.disk.fail = func(n int, op, name string) error {
		e.ops = append(e.ops, a.names.Replace(op+" "+name))
		if f != nil && f.at == n {
			return f.err
		}
		return nil
	}
	result, err := a.do(g, s)
	g.disk.fail = nil
	e.after = g.disk.files()
	e.result, e.err = a.names.Replace(fmt.Sprintf("%+v", result)), err
	return e
}

// String says how a call ends where nothing fails.
func (e *ending) String() string { return strings.Join(append(e.says(), e.changes()...), " ") }

// says is the result, and the error where there is one.
func (e *ending) says() []string {
	words := strings.Fields(e.result)
	if e.err != nil {
		words = append(words, "ERROR: "+e.names.Replace(e.err.Error()))
	}
	return words
}

// beside says in which way a call ends otherwise than where nothing failed.
func (e *ending) beside(whole *ending, fault error) string {
	missing := differences(whole.changes(), e.changes())
	if !errors.Is(e.err, fault) {
		return strings.Join(append([]string{"done"}, append(middle(whole.says(), e.says()), missing...)...), " ")
	}
	if len(missing) == 0 && len(e.changes()) > 0 {
		return "fails when all is done"
	}
	return strings.Join(append([]string{"fails"}, e.changes()...), " ")
}

// middle returns the words of b that are other than those of a, from the first to
// the last.
func middle(a, b []string) []string {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if len(a) > 0 && len(b) == 0 {
		return []string{"without", strings.Join(a, " ")}
	}
	return b
}

// differences lists what only b has, and after a ! what only a has.
func differences(a, b []string) []string {
	var list []string
	for _, one := range b {
		if !slices.Contains(a, one) {
			list = append(list, one)
		}
	}
	for _, one := range a {
		if !slices.Contains(b, one) {
			list = append(list, "!"+one)
		}
	}
	return list
}

// changes lists the files that are new, changed and gone.
func (e *ending) changes() []string {
	var list []string
	for name, what := range e.after {
		if was, there := e.before[name]; !there {
			list = append(list, "+"+name+what)
		} else if was != what {
			list = append(list, "~"+name+what)
		}
	}
	for name := range e.before {
		if _, there := e.after[name]; !there {
			list = append(list, "-"+name)
		}
	}
	for i := range list {
		list[i] = e.names.Replace(list[i])
	}
	slices.SortFunc(list, func(a, b string) int { return strings.Compare(a[1:], b[1:]) })
	return list
}

// files lists what is on the disk, each with its size and, of an object, its age.
func (d *disk) files() map[string]string {
	found := map[string]string{}
	var walk func(dir string, n *node)
	walk = func(dir string, n *node) {
		for name, child := range n.names {
			path := strings.TrimPrefix(dir+"/"+name, "/")
			what := fmt.Sprintf("[%d", len(child.data))
			if strings.HasPrefix(path, objectsDir) || strings.HasPrefix(path, partDir) {
				what += fmt.Sprintf(" %.0fh", d.now().Sub(child.mtime).Hours())
			}
			if found[path] = what + "]"; child.names != nil {
				found[path] = ""
				walk(dir+"/"+name, child)
			}
		}
	}
	walk("", d.root)
	return found
}

// fullDisk has a store in which there is something of everything. All objects lie
// in one directory, so that the order of what is done is always the same. The
// Replacer knows their names.
func fullDisk(t *testing.T) (*disk, *strings.Replacer) {
	g := newStage()
	s := g.mustOpen(t, g.disk, "old")
	var names []string
	for text, label := range map[string]string{freshText: "FRESH", "": "EMPTY", sameShard("changed"): "CHANGED"} {
		names = append(names, nameOf(text), label, nameOf(text)[:12], label)
	}
	add := func(label string, text string, age time.Duration) string {
		digest := g.addAged(t, s, text, age)
		names = append(names, digest[len(digestPrefix):], label, digest[len(digestPrefix):][:12], label)
		return digest[len(digestPrefix):]
	}
	aside := add("ASIDE", sameShard("moved aside"), 30*day-1*time.Hour)
	bad := add("BAD", badText, 30*day-2*time.Hour)
	known := add("KNOWN", sameShard("reported"), 30*day-3*time.Hour)
	add("OLD", oldText, 30*day-5*time.Hour)
	gone := add("GONE", sameShard("gone"), 30*day-4*time.Hour)
	pinned := add("PINNED", pinnedText, 20*day-1*time.Hour)
	ended := add("ENDED", sameShard("was pinned"), 20*day-2*time.Hour)
	add("PACKED", packedText, 20*day-3*time.Hour)
	add("LARGE", largeText, 5*day)
	rotten := add("ROTTEN", rottenText, 4*day)
	add("YOUNG", youngText, time.Hour)

	dir := g.disk.find(objectsDir + "/" + shard00)
	if _, err := s.Pack(10_000, 0); err != nil {
		t.Fatal(err)
	}
	g.disk.find(".").names[quarantineDir] = newDirNode(g.clock.now())
	g.disk.find(quarantineDir).names[bad] = dir.names[bad]
	g.disk.find(quarantineDir).names[known+reportedSuffix] = dir.names[known]
	g.disk.find(runDir).names[evictedPrefix+aside] = dir.names[aside]
	for _, name := range []string{aside, bad, known, gone} {
		delete(dir.names, name)
	}
	dir.names[rotten].data = []byte("Rotten")
	for name, until := range map[string]time.Time{pinned: {}, ended: g.clock.now().Add(time.Hour)} {
		if _, err := s.Pin(name, "user", until); err != nil {
			t.Fatal(err)
		}
	}
	g.clock.set(g.clock.now().Add(2 * time.Hour))
	index := g.disk.find(indexDir)
	file := indexFile(g.clock.now().Add(-5 * day))[len(indexDir)+1:]
	index.names[file].data = append([]byte("damaged\n"), index.names[file].data...)
	delete(index.names, indexFile(g.clock.now().Add(-4 * day))[len(indexDir)+1:])
	s.Close()
	for name, text := range map[string]string{"dead.1": deadText, "dead.2": "", "tmp-dead.3": "half"} {
		g.disk.find(partDir).names[name] = &node{mode: 0o400, data: []byte(text), mtime: g.clock.now().Add(-20 * day)}
	}
	for name, n := range map[string]*node{
		objectsDir + "/" + shard00 + "/stray": {data: []byte("x")}, indexDir + "/notes": {data: []byte("x")}, pinsDir + "/stray.user": {data: []byte("x")},
		objectsDir + "/zz": newDirNode(g.clock.now()), quarantineDir + "/stray": {data: []byte("x")}, partDir + "/dir": newDirNode(g.clock.now()),
	} {
		n.mtime = g.clock.now().Add(-40 * day)
		g.disk.find(path.Dir(name)).names[name[len(path.Dir(name))+1:]] = n
	}
	names = append(names, nameOf(deadText), "DEAD", nameOf(deadText)[:12], "DEAD")
	return g.disk, strings.NewReplacer(names...)
}

// addAged stores a text as if that had been so long ago.
func (g *stage) addAged(t *testing.T, s *Store, text string, age time.Duration) string {
	now := g.clock.now()
	g.clock.set(now.Add(-age))
	defer g.clock.set(now)
	digest, err := store(s, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return digest
}

const shard00 = "00"

// sameShard adds a number to a text so that its object lies in one directory with
// the others.
func sameShard(text string) string {
	for i := 0; ; i++ {
		if numbered := fmt.Sprint(text, " ", i); nameOf(numbered)[:2] == shard00 {
			return numbered
		}
	}
}

// Contents of the objects.
var (
	freshText  = sameShard("fresh")
	oldText    = sameShard("old")
	youngText  = sameShard("young")
	deadText   = sameShard("what the dead writer had")
	pinnedText = sameShard("pinned")
	rottenText = sameShard("rotten")
	badText    = sameShard("quarantined")
	largeText  = sameShard(strings.Repeat("line of a log\n", 300))
	packedText = sameShard(strings.Repeat("line of a log\n", 1000))
)

// A call is one that a caller makes of a store.
type call struct {
	name    string
	prepare func(*stage, *Store)
	do      func(*stage, *Store) (any, error)
	opens   bool // the store, itself
	empty   bool // the disk
}

func calls() []call {
	put := func(text string) func(*stage, *Store) (any, error) {
		return func(_ *stage, s *Store) (any, error) { return store(s, []byte(text)) }
	}
	get := func(id string) func(*stage, *Store) (any, error) {
		return func(_ *stage, s *Store) (any, error) {
			b, err := load(s, id)
			return len(b), err
		}
	}
	from := func(*Object) (int64, error) { return 3, nil }
	return []call{
		{name: "open a new store", opens: true, empty: true, do: func(g *stage, _ *Store) (any, error) {
			s, err := g.open(g.disk, "new")
			return s != nil && s.prepared.Load() != nil, err
		}},
		{name: "open a store", opens: true, do: func(g *stage, _ *Store) (any, error) {
			s, err := g.open(g.disk, "new")
			return s != nil && s.prepared.Load() != nil, err
		}},
		{name: "store", do: put(freshText)},
		{name: "store in a new directory", do: put("elsewhere")},
		{name: "store what is there", do: put(oldText)},
		{name: "store what is rotten", do: put(rottenText)},
		{name: "store what is packed", do: put(packedText)},
		{name: "store in order", prepare: func(_ *stage, s *Store) { s.fs.Ordered = true }, do: put(freshText)},
		{name: "store without a sync", prepare: func(_ *stage, s *Store) { s.fs.SyncFiles, s.fs.SyncNames = false, false }, do: put(freshText)},
		{name: "store with a sync of the file", prepare: func(_ *stage, s *Store) { s.fs.SyncNames = false }, do: put("elsewhere")},
		{name: "store without hard links", prepare: func(g *stage, _ *Store) { g.disk.noLinks = true }, do: put(freshText)},
		{name: "store without locks", prepare: func(_ *stage, s *Store) { s.fs.Locks = false }, do: put(freshText)},
		{name: "store in a small store", prepare: func(_ *stage, s *Store) { s.quota.limit = 6000 }, do: put(freshText)},
		{name: "store in a full store", prepare: func(_ *stage, s *Store) { s.quota.limit = 100 }, do: put(freshText)},
		{name: "discard", do: func(_ *stage, s *Store) (any, error) {
			p, err := s.Create()
			if err == nil {
				_, err = p.Write([]byte(freshText))
				p.Discard()
			}
			return nil, err
		}},
		{name: "get", do: get(nameOf(oldText))},
		{name: "get by a prefix", do: get(nameOf(oldText)[:12])},
		{name: "get what is packed", do: get(nameOf(packedText))},
		{name: "get what is rotten", do: get(nameOf(rottenText))},
		{name: "get what was rotten", do: get(nameOf(badText))},
		{name: "get what is not there", do: get(nameOf("elsewhere"))},
		{name: "stat", do: func(_ *stage, s *Store) (any, error) { return detail(s.Stat(nameOf(oldText))) }},
		{name: "stat what is packed", do: func(_ *stage, s *Store) (any, error) { return detail(s.Stat(nameOf(packedText))) }},
		{name: "stat what is pinned", do: func(_ *stage, s *Store) (any, error) { return detail(s.Stat(nameOf(pinnedText))) }},
		{name: "path", do: func(_ *stage, s *Store) (any, error) { return s.Path(nameOf(oldText)) }},
		{name: "path of what is packed", do: func(_ *stage, s *Store) (any, error) { return s.Path(nameOf(packedText)) }},
		{name: "list", do: func(_ *stage, s *Store) (any, error) {
			list, err := s.List()
			var lines []string
			for _, e := range list {
				lines = append(lines, fmt.Sprint(e.Digest[len(digestPrefix):], " ", e.Size, " ", e.Command, e.Part))
			}
			return lines, err
		}},
		{name: "parts", do: func(_ *stage, s *Store) (any, error) { return s.Parts() }},
		{name: "peek", do: func(_ *stage, s *Store) (any, error) {
			var b bytes.Buffer
			err := s.Peek("dead.1", from, &b)
			return b.String(), err
		}},
		{name: "follow", do: func(_ *stage, s *Store) (any, error) {
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			var b bytes.Buffer
			err := s.Follow(ctx, "dead.1", from, &b)
			return b.String(), err
		}},
		{name: "object of a part", do: func(_ *stage, s *Store) (any, error) { return Stores{s}.OfPart("old.8") }},
		{name: "recover", do: func(_ *stage, s *Store) (any, error) { return s.Recover() }},
		{name: "recover without locks", prepare: func(_ *stage, s *Store) { s.fs.Locks = false }, do: func(_ *stage, s *Store) (any, error) { return s.Recover() }},
		{name: "reindex", do: func(_ *stage, s *Store) (any, error) {
			added, dropped, err := s.Reindex()
			return fmt.Sprint(added, " added, ", dropped, " dropped"), err
		}},
		{name: "collect", do: func(_ *stage, s *Store) (any, error) { return collected(s.Collect(DefaultPolicy())) }},
		{name: "collect without locks", prepare: func(_ *stage, s *Store) { s.fs.Locks = false }, do: func(_ *stage, s *Store) (any, error) { return collected(s.Collect(DefaultPolicy())) }},
		{name: "collect to a size", do: func(_ *stage, s *Store) (any, error) { return collected(s.Collect(Policy{MaxSize: 4300})) }},
		{name: "say what would be collected", do: func(_ *stage, s *Store) (any, error) {
			return collected(s.Collect(Policy{MaxAge: 15 * day, DryRun: true}))
		}},
		{name: "maintain", do: func(_ *stage, s *Store) (any, error) { return collected(maintain(s, DefaultPolicy())) }},
		{name: "maintain again", prepare: func(g *stage, s *Store) { g.maintained(s, 0) }, do: func(_ *stage, s *Store) (any, error) { return collected(maintain(s, DefaultPolicy())) }},
		{name: "maintain a day later, to a size", prepare: func(g *stage, s *Store) { g.maintained(s, maintainEvery) }, do: func(_ *stage, s *Store) (any, error) { return collected(maintain(s, Policy{MaxSize: 4300})) }},
		{name: "pack", do: func(_ *stage, s *Store) (any, error) { return s.Pack(1, time.Hour) }},
		{name: "pack without locks", prepare: func(_ *stage, s *Store) { s.fs.Locks = false }, do: func(_ *stage, s *Store) (any, error) { return s.Pack(1, time.Hour) }},
		{name: "pack what is younger", do: func(_ *stage, s *Store) (any, error) { return s.Pack(4000, 200*time.Hour) }},
		{name: "pack again", prepare: func(g *stage, s *Store) {
			n := g.disk.find(objectsDir + "/" + shard00)
			n.names[nameOf(largeText)+packedSuffix] = n.names[nameOf(packedText)+packedSuffix]
		}, do: func(_ *stage, s *Store) (any, error) { return s.Pack(4000, time.Hour) }},
		{name: "pin", do: func(g *stage, s *Store) (any, error) { return s.Pin(nameOf(oldText), "user", g.clock.now().Add(day)) }},
		{name: "unpin", do: func(_ *stage, s *Store) (any, error) { return s.Unpin(nameOf(pinnedText)[:20], "user") }},
		{name: "pins", do: func(_ *stage, s *Store) (any, error) { return s.Pins() }},
		{name: "remove", do: func(_ *stage, s *Store) (any, error) { return s.Remove(nameOf(oldText)) }},
		{name: "remove what is packed", do: func(_ *stage, s *Store) (any, error) { return s.Remove(nameOf(packedText)) }},
		{name: "remove what is pinned", do: func(_ *stage, s *Store) (any, error) { return s.Remove(nameOf(pinnedText)) }},
		{name: "remove without locks", prepare: func(_ *stage, s *Store) { s.fs.Locks = false }, do: func(_ *stage, s *Store) (any, error) { return s.Remove(nameOf(oldText)) }},
		{name: "renew", do: func(_ *stage, s *Store) (any, error) { return nil, s.Renew(nameOf(oldText)) }},
		{name: "renew what is packed", do: func(_ *stage, s *Store) (any, error) { return nil, s.Renew(nameOf(packedText)) }},
		{name: "verify", do: func(_ *stage, s *Store) (any, error) { return s.Verify(Check{}) }},
		{name: "verify one", do: func(_ *stage, s *Store) (any, error) { return s.Verify(Check{IDs: []string{nameOf(oldText)}}) }},
		{name: "verify and purge", do: func(_ *stage, s *Store) (any, error) { return s.Verify(Check{Quarantine: true, Purge: true}) }},
		{name: "usage", do: func(_ *stage, s *Store) (any, error) { return s.Usage() }},
		{name: "usage, the second time", prepare: func(_ *stage, s *Store) { s.Usage() }, do: func(_ *stage, s *Store) (any, error) { return s.Usage() }},
		{name: "export", do: func(_ *stage, s *Store) (any, error) {
			return nil, Stores{s}.Export(io.Discard, []Entry{{Digest: digestPrefix + nameOf(oldText)}, {Digest: digestPrefix + nameOf(youngText)}})
		}},
		{name: "fetch", prepare: func(_ *stage, s *Store) { s.fetcher = texts{freshText} }, do: get(nameOf(freshText))},
		{name: "doctor", do: func(_ *stage, s *Store) (any, error) {
			var found []Finding
			for _, look := range (examination{s}).checks() {
				found = append(found, look())
			}
			return found, nil
		}},
		{name: "doctor without links and locks", prepare: func(g *stage, s *Store) { s.fs.Locks, g.disk.noLinks, g.disk.free = false, true, lowSpace-1 }, do: func(_ *stage, s *Store) (any, error) {
			x := examination{s}
			return []Finding{x.checkFileSystem(), x.checkLocks(), x.checkLinks(), x.checkSpace()}, nil
		}},
		{name: "doctor syncs", do: func(_ *stage, s *Store) (any, error) { return nil, examination{s}.syncOnce() }},
	}
}

// maintained makes a store one that the automatic collector saw all of so long ago,
// where all that there was lay in the first directory.
func (g *stage) maintained(s *Store, age time.Duration) {
	f, _ := s.fs.OpenFile(shardsFile, os.O_CREATE|os.O_RDWR, 0o600)
	defer f.Close()
	seen := g.clock.now().Add(-age)
	_, _ = f.Write(bytes.Repeat(make([]byte, recordSize), shardCount))
	for n := range shardCount {
		_ = writeRecord(f, n, shardRecord{seen: seen, size: max(0, 5000-5000*int64(n))})
	}
}

// texts are a remote that has objects of such bytes.
type texts []string

func (all texts) Fetch(digest string, w io.Writer) error {
	for _, text := range all {
		if digest == digestPrefix+nameOf(text) {
			_, err := io.WriteString(w, text)
			return err
		}
	}
	return ErrNotFound
}

// detail returns the answer of Stat, with the pins.
func detail(d *Detail, err error) (any, error) {
	if d == nil {
		return nil, err
	}
	return *d, err
}

// collected is a Collection; zero if no collection ran.
func collected(c *Collection, err error) (any, error) {
	if c == nil {
		return Collection{}, err
	}
	return *c, err
}
