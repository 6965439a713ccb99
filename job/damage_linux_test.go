package job

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/platform/filelock"
	"github.com/envwrap/envwrap/internal/test/matrix"
)

// damages lists the answers of every call on a store with a job of each kind, and then,
// for each file that is missing, a directory, or full of something else, what is
// other then. UPDATE=1 writes it again: read the difference.
const damages = "testdata/damages.txt"

// TestDamages compares with damages what every call makes of a store in which
// something is wrong: one store in three, all where there is more time.
func TestDamages(t *testing.T) {
	var wg sync.WaitGroup
	all := everyDamage()
	golden, err := os.ReadFile(damages)
	check(t, err)
	update := os.Getenv("UPDATE") != ""
	if n := strings.Count("\n"+string(golden), "\n# "); n != len(all) && !update {
		t.Fatalf("%s has %d damages, want %d", damages, n, len(all))
	}
	if !update {
		var some []damage
		for i := 0; i < len(all); i += matrix.Every(3) {
			some = append(some, all[i])
		}
		all = some
	}
	results := make([][]string, len(all))
	turns := make(chan struct{}, 4)
	for i := range all {
		wg.Go(func() {
			turns <- struct{}{}
			defer func() { <-turns }()
			results[i] = newKinds(t).calls(all[i].do)
		})
	}
	wg.Wait()
	var out strings.Builder
	for i, lines := range results {
		fmt.Fprintf(&out, "# %s\n", all[i].name)
		for _, line := range lines {
			if i == 0 || !slices.Contains(results[0], line) {
				fmt.Fprintln(&out, line)
			}
		}
		for _, line := range results[0] {
			if strings.HasPrefix(line, "file: ") && !slices.Contains(lines, line) {
				fmt.Fprintln(&out, "no "+line)
			}
		}
	}
	if update {
		check(t, os.WriteFile(damages, []byte(out.String()), 0o644))
		return
	}
	var want strings.Builder
	for _, d := range all {
		_, section, _ := strings.Cut("\n"+strings.TrimSuffix(string(golden), "\n"), "\n# "+d.name+"\n")
		section, _, _ = strings.Cut("\n"+section, "\n# ")
		fmt.Fprintf(&want, "# %s%s\n", d.name, section)
	}
	got, lines := strings.Split(out.String(), "\n"), strings.Split(want.String(), "\n")
	for i := range min(len(got), len(lines)) {
		if got[i] != lines[i] {
			t.Fatalf("line %d:\n%s\nwant\n%s", i+1, got[i], lines[i])
		}
	}
	if len(got) != len(lines) {
		t.Errorf("%d lines, want %d", len(got), len(lines))
	}
}

// A damage changes something below the directory of the jobs.
type damage struct {
	name string
	do   func(dir string) error
}

// everyDamage begins with none.
func everyDamage() []damage {
	all := []damage{{"none", func(string) error { return nil }}}
	same := sameDir + "/" + strings.Repeat("0", 64)
	for _, name := range []string{queueDir, slotsDir, sameDir, same, slotsDir + "/0", "OVER", "OVER/" + recordFile, "DEAD/" + lockFile, "LIVE/" + stdoutFile} {
		all = append(all, damage{"without " + name, func(dir string) error { return os.RemoveAll(path(dir, name)) }})
	}
	for _, name := range []string{
		queueDir, slotsDir, submitLock, turnLock, saltFile, endedFile, namesFile, queueDir + "/QUEUED", slotsDir + "/0", slotsDir + "/1", same,
		"OVER/" + recordFile, "OVER/" + resultFile, "LIVE/" + processFile, "LIVE/" + stdoutFile, "LIVE/" + cancelFile,
		"DEAD/" + lockFile, "DEAD/" + stdoutFile, "DEAD/" + cancelFile, "DEAD/" + resultFile,
	} {
		all = append(all, damage{"a directory as " + name, func(dir string) error {
			return firstError(os.RemoveAll(path(dir, name)), os.MkdirAll(path(dir, name)+"/sub", 0o700))
		}})
	}
	for _, name := range []string{
		queueDir, slotsDir, sameDir, saltFile, slotsDir + "/0", same, "OVER", "OVER/" + recordFile, "OVER/" + resultFile, "LIVE/" + processFile,
		"DEAD/" + recordFile, "DEAD/" + stdoutFile, "DEAD/" + cancelFile,
	} {
		all = append(all, damage{"something else in " + name, func(dir string) error {
			return firstError(os.RemoveAll(path(dir, name)), os.WriteFile(path(dir, name), []byte("{\"version\":2}"), 0o600))
		}})
	}
	return append(all,
		damage{"a record of nothing", func(dir string) error {
			return os.WriteFile(path(dir, "OVER/"+recordFile), []byte(`{"version":1,"state":"ok"}`), 0o600)
		}},
		damage{"a supervisor that is gone", func(dir string) error {
			gone := identify(os.Getpid())
			gone.PID, gone.Started = 1<<22+1, "1"
			data, err := encode(processes{Supervisor: gone})
			return firstError(err, os.WriteFile(path(dir, "LIVE/"+processFile), data, 0o600))
		}},
		damage{"more jobs than an error names", func(dir string) error {
			for i := range 12 {
				name := filepath.Join(dir, strings.Repeat("7", 24)+fmt.Sprintf("%02d", i))
				if err := firstError(os.Mkdir(name, 0o700), os.WriteFile(name+"/"+recordFile, []byte("{}"), 0o600)); err != nil {
					return err
				}
			}
			return nil
		}},
	)
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// The jobs of a kinds, in the order of their submit, a day apart.
var kindNames = []string{"OVER", "DEAD", "QUEUED", "LIVE", "WAITING"}

var kindsBegin = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)

func kindID(i int) string {
	return ulid.MustNew(ulid.Timestamp(kindsBegin)+uint64(i)*uint64(24*time.Hour/time.Millisecond), bytes.NewReader(make([]byte, 16))).String()
}

// path is where a name is whose first part may be that of a kind.
func path(dir, name string) string {
	for i, kind := range kindNames {
		name = strings.ReplaceAll(name, kind, kindID(i))
	}
	return filepath.Join(dir, name)
}

// A kinds is a store with a job of each kind, none of which has a process: one that
// is over; two whose supervisors are dead, and two whose locks we hold, of each one
// that runs and one that waits.
type kinds struct {
	t       *testing.T
	s       *Store
	locks   []*os.File
	replace *strings.Replacer
	lines   []string
}

func newKinds(t *testing.T) *kinds {
	dir := filepath.Join(t.TempDir(), "store")
	a, err := artifact.Open(artifact.Options{Dir: dir, NoMaintenance: true, Run: "run"})
	check(t, err)
	p, err := a.Create()
	check(t, err)
	_, err = p.Write([]byte("one\ntwo\n"))
	check(t, err)
	digest, err := p.Commit(artifact.Info{})
	check(t, err)
	check(t, a.Close())
	now := kindsBegin.Add(20 * 24 * time.Hour)
	s, err := Open(Options{Dir: dir, Now: func() time.Time { return now }})
	check(t, err)
	k := &kinds{t: t, s: s}
	names := []string{dir, "DIR"}
	for i, name := range kindNames {
		id := kindID(i)
		names = append(names, id, name)
		at := kindsBegin.Add(time.Duration(i) * 24 * time.Hour)
		rec := Record{
			Version: recordVersion, ID: id, State: Running, Command: "exec/sh", Tool: "sh", Argv: []string{"sh"},
			Submitted: at, Started: at.Add(time.Second), View: View{InlineLimit: 10, Excerpt: 100}, DedupeKey: strings.Repeat("0", 64),
		}
		check(t, s.root.Mkdir(id, 0o700))
		switch name {
		case "OVER":
			rec.State, rec.Ended = OK, at.Add(time.Minute)
			rec.Outcome = &Outcome{Kind: envelope.Success, Stdout: Output{8, 2, digest}}
			check(t, s.root.put(id, resultFile, &envelope.Result{
				Command: "exec/sh", Tool: "sh", Started: rec.Started, Ended: rec.Ended,
				Outcome: envelope.Outcome{Kind: envelope.Success}, Stdout: envelope.Stream{Bytes: 8, Lines: 2, Artifact: digest},
			}))
			s.ended.add(&rec)
		case "QUEUED", "WAITING":
			rec.State, rec.Started = Queued, time.Time{}
			check(t, s.root.write(queueDir+"/"+id, nil))
		default:
			check(t, s.root.write(id+"/"+stdoutFile, []byte("first line\nsecond\nhalf")))
		}
		data, err := encode(&rec)
		check(t, err)
		check(t, s.root.write(id+"/"+recordFile, data))
		check(t, s.root.write(id+"/"+lockFile, nil))
	}
	check(t, s.root.write(slotsDir+"/0", []byte(kindID(3))))
	check(t, s.root.write(slotsDir+"/1", []byte(kindID(1))))
	check(t, s.root.write(sameDir+"/"+strings.Repeat("0", 64), []byte(kindID(3))))
	check(t, s.root.write(saltFile, make([]byte, 32)))
	for _, name := range []string{"LIVE/" + lockFile, "WAITING/" + lockFile, slotsDir + "/0", queueDir + "/WAITING"} {
		f, err := os.OpenFile(path(filepath.Join(dir, jobsDir), name), os.O_RDWR, 0)
		check(t, err)
		if got, err := filelock.Exclusive.Try(f); !got || err != nil {
			t.Errorf("lock %s: %v, %v", name, got, err)
		}
		k.locks = append(k.locks, f)
	}
	k.replace = strings.NewReplacer(names...)
	return k
}

// calls damages the store, makes all calls, one after the other, and returns what
// came of each. None starts a process, which would hold others' locks for a moment.
func (k *kinds) calls(damage func(dir string) error) []string {
	defer func() {
		for _, f := range k.locks {
			_ = f.Close()
		}
		_ = k.s.Close()
	}()
	s := k.s
	if err := damage(filepath.Join(s.dir, jobsDir)); err != nil {
		k.t.Error(err)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	over, dead, queued, live, waiting := kindID(0), kindID(1), kindID(2), kindID(3), kindID(4)
	for _, id := range []string{over, over[:10], dead, live, "7777"} {
		got, err := s.Resolve(id)
		k.say("resolve "+id, got, err)
	}
	key, err := s.identityDigest([]string{"a"})
	again, _ := s.identityDigest([]string{"a"}) // a salt may be new
	k.say("key", fmt.Sprint(len(key), key == again), err)
	if sub := s.findDuplicate(strings.Repeat("0", 64)); sub != nil {
		k.say("live", fmt.Sprint(sub.Record.ID, sub.Position, sub.Existing), nil)
	}
	for _, id := range []string{dead, queued, live, waiting} {
		alive, err := s.records.alive(id)
		k.say("alive "+id, alive, err)
	}
	for _, limit := range []int{0, 1, 2} {
		f, err := s.queue.slot(over, limit)
		if f != nil {
			k.say(fmt.Sprint("slot of ", limit), filepath.Base(f.Name())+" "+readOwner(f), err)
			check(k.t, f.Truncate(0))
			check(k.t, f.Close())
		} else {
			k.say(fmt.Sprint("slot of ", limit), "none", err)
		}
	}
	queue, err := s.Queue()
	k.say("queue", strings.Join(queue, " "), err)
	ahead, err := s.queue.predecessor(waiting)
	k.say("before", ahead, err)
	served, err := s.Served(2)
	k.say("served", recordsOf(served), err)
	stdout, stderr, err := s.Printed(live)
	k.say("printed", fmt.Sprint(stdout, stderr), err)
	for _, id := range []string{live, over} {
		out, errs, rec, err := s.Tail(id, 2, 10)
		k.say("tail "+id, fmt.Sprintf("%q %q %s", out, errs, recordOf(rec)), err)
		text := ""
		rec, err = s.Follow(ended, id, 1, func(of Stream, p []byte) error { text += string(of) + " " + string(p); return nil })
		k.say("follow "+id, fmt.Sprintf("%q %s", text, recordOf(rec)), err)
		_, err = s.Follow(ended, id, -1, func(Stream, []byte) error { return io.ErrShortWrite })
		k.say("follow to nowhere "+id, "", err)
		rec, err = s.Wait(ended, id)
		k.say("wait "+id, recordOf(rec), err)
		res, err := s.Result(id)
		k.say("result "+id, resultOf(res), err)
		if res != nil {
			s.Inline(res, Inlining{Limit: 1000})
			k.say("inline "+id, resultOf(res), nil)
		}
	}
	c, err := s.Cleanup(Policy{Old: Retain, DryRun: true})
	k.say("cleanup, dry", fmt.Sprintf("%+v", c), err)
	_, err = s.Submit(&Draft{ID: kindID(9), Identity: []string{"b"}, Launch: Launch{Program: "no\x00where", Args: func(id string) []string { return []string{id} }}})
	k.say("submit", "", err)
	_, err = s.Submit(&Draft{ID: kindID(8), MaxJobs: 1, Launch: Launch{Program: "no\x00where", Args: func(id string) []string { return []string{id} }}})
	k.say("submit to the queue", "", err)
	_, err = s.Submit(&Draft{ID: live, Launch: Launch{Program: "no\x00where"}})
	k.say("submit again", "", err)
	_, err = s.Submit(&Draft{ID: "live"})
	k.say("submit without an id", "", err)
	k.say("remember", "", s.root.touch(live+"/"+cancelFile))
	for _, id := range []string{dead, queued} {
		rec, err := s.Get(id)
		k.say("get "+id, recordOf(rec), err)
		rec, err = s.Cancel(ended, id)
		k.say("cancel "+id, recordOf(rec), err)
		res, err := s.Result(id)
		k.say("result "+id, resultOf(res), err)
	}
	rec, err := s.Cancel(ended, live)
	k.say("cancel "+live, recordOf(rec), err)
	for _, by := range []Order{BySubmit, ByEnd} {
		l, err := s.List(1, by)
		k.say(fmt.Sprint("list ", by), fmt.Sprint(recordsOf(l.Records), l.Omitted, l.First.Format(time.DateOnly)), err)
	}
	c, err = s.Cleanup(Policy{Old: Retain})
	k.say("cleanup", fmt.Sprintf("%+v", c), err)
	k.say("expire", "", s.Expire())
	k.say("trim", "", s.ended.trim(nil))
	k.files()
	return k.lines
}

// say notes what came of a call, without what is other each time.
func (k *kinds) say(call string, result any, err error) {
	line := fmt.Sprintf("%s: %v", call, result)
	if err != nil {
		line += ", ERROR " + err.Error()
	}
	k.lines = append(k.lines, strings.NewReplacer("\n", "; ", "\x00", "?").Replace(k.replace.Replace(line)))
}

// files notes what is in the directory of the jobs.
func (k *kinds) files() {
	root := filepath.Join(k.s.dir, jobsDir)
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || path == root {
			return err
		}
		name := strings.TrimPrefix(path, root+"/")
		k.say("file", name, nil)
		return nil
	})
	check(k.t, err)
}

func recordOf(r *Record) string {
	if r == nil {
		return "none"
	}
	text := r.ID + " " + string(r.State)
	if r.Outcome != nil {
		text += fmt.Sprintf(" %s %d %q %d %d", r.Outcome.Code, r.Outcome.ExitStatus, r.Outcome.Message, r.Outcome.Stdout.Bytes, r.Outcome.Stderr.Bytes)
	}
	return text
}

func recordsOf(list []*Record) string {
	var all []string
	for _, r := range list {
		all = append(all, recordOf(r))
	}
	return strings.Join(all, ", ")
}

func resultOf(r *envelope.Result) string {
	if r == nil {
		return "none"
	}
	return fmt.Sprintf("%s %d %q %q %v %t %v", r.Outcome.Code, r.ExitStatus, r.Outcome.Hint, r.Stdout.Text, r.Stdout.Bytes, r.Stdout.Truncated, r.Warnings)
}
