//go:build unix

package job

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/envwrap/envwrap/envelope"
)

// An engine may start a member again while the directory of the members is removed. That
// start finds the member's mark, or no directory.
func TestNoMemberStartsAgain(t *testing.T) {
	s := newStore(t)
	const id, members = "01J00000000000000000000000", 300
	mark := func(n int) error { // as the script of an engine does
		name := fmt.Sprintf("%s/%s/%d%s", id, membersDir, n, MemberStarted)
		err := s.root.Mkdir(name, 0o700)
		if err == nil {
			_, err = s.root.Lstat(name)
		}
		return err
	}
	check(t, s.root.Mkdir(id, 0o700), s.root.Mkdir(id+"/"+membersDir, 0o700))
	for n := range members {
		check(t, mark(n))
	}
	again, asked := make(chan error), make(chan struct{}, 1)
	go func() {
		err := mark(0)
		asked <- struct{}{}
		for n := 1; errors.Is(err, fs.ErrExist); n++ {
			err = mark(n % members)
		}
		again <- err
	}()
	<-asked
	s.removeMembers(id)
	if err := <-again; !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a member starts again: %v", err)
	}
	left, err := s.root.names(id + "/members.over")
	if s.root.has(id, membersDir) || len(left) > 1 {
		t.Errorf("left: %q, %v", left, err)
	}
}

// Of a group whose supervisor was killed each member that ran has what it had printed, and
// the files of the members go.
func TestMembersOfTheDead(t *testing.T) {
	for _, canceled := range []bool{false, true} {
		s := newStore(t)
		ended := Member{1, 0, OK}
		rec := dead(t, s, func(r *Record) { r.Array = &Array{Members: 4, First: 1, Parallel: 2} }, string(ended.Line([]byte("{}")))+`{"member":2,`, "")
		check(t, s.root.Mkdir(rec.ID+"/"+membersDir, 0o700))
		for name, text := range map[string]string{"1.out": "it has ended\n", "2.out": "printed\n", "3.out": ""} {
			check(t, s.PutShared(rec.ID, membersDir+"/"+name, []byte(text)))
		}
		why, number := "was lost while it ran", "125"
		if canceled {
			check(t, s.AskCancel(rec.ID))
			why, number = "was canceled, and its supervisor had to be killed", "143"
		}
		now, err := s.Get(rec.ID)
		check(t, err)
		got := strings.Split(members(t, s, now), "\n")
		all := strings.Join(got, "")
		for _, want := range []string{"1:0:{} 2:" + number + ":{", `"text":"printed\n"`, "member 2 " + why, " 3:" + number + ":{", "member 3 " + why} {
			if !strings.Contains(all, want) {
				t.Errorf("canceled %t: no %q: %s", canceled, want, all)
			}
		}
		if !strings.HasSuffix(all, " 4") || strings.Contains(all, "has ended") {
			t.Errorf("canceled %t: %s", canceled, all)
		}
		if s.root.has(rec.ID, membersDir) {
			t.Error("the files of the members stay")
		}
	}
}

// A line for which there is no room is taken back, so that a shorter one may follow it. An end
// without a line is in the group's record. Lines that cannot become an artifact stay.
func TestMembersWithoutRoom(t *testing.T) {
	s := newStore(t)
	d := draft(s, "true")
	d.Record.Far = &Far{Runner: "far", Engine: &EngineJob{Name: "x"}}
	d.Record.Array = &Array{Members: 5, First: 1, Parallel: 2}
	d.Record.Limits.MaxArtifact = 120
	v, _, err := Hold(Options{Dir: s.dir, Now: time.Now}, d)
	check(t, err)
	lines, _, err := v.MemberLines()
	check(t, err)
	write := func(m Member, doc string, room bool) {
		t.Helper()
		if _, err := lines.Write(m.Line([]byte(doc))); (err == nil) != room {
			t.Errorf("member %d: %v", m.Number, err)
		}
	}
	write(Member{1, 0, OK}, "{}", true)
	write(Member{2, 3, Failed}, strings.Repeat(" ", 9)+"{"+strings.Repeat("x", 90)+"}", false)
	write(Member{2, 3, Failed}, "{}", true)
	v.rec.Array.Unkept = []Member{{4, 9, Failed}, {3, 1, OK}, {5, 143, Canceled}}
	check(t, os.RemoveAll(s.dir+"/part"), os.WriteFile(s.dir+"/part", nil, 0o600))
	res := envelope.Result{Outcome: envelope.Outcome{Kind: envelope.Failure, Code: envelope.EIO, Message: "no space"}}
	check(t, v.FinishGroup(&res), v.Close())
	rec, err := s.Get(v.rec.ID)
	check(t, err)
	all := members(t, s, rec)
	for _, want := range []string{
		"1:0:{} 2:3:{} 3:1:{", `"outcome":"negative"`, `["member 3 ended with status 1, and its envelope could not be stored"]`,
		` 4:9:{`, `"code":"ERUNTIME","message":"member 4 ended with status 9, and its envelope`, ` 5:143:{`, `"code":"ECANCELED"`,
	} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q: %s", want, all)
		}
	}
	e, _, err := s.FollowEnds(t.Context(), rec, nil)
	check(t, err)
	defer e.Close()
	if m := CountMembers(rec, e); m.OK != 2 || m.Failed != 2 || m.Canceled != 1 || m.Lost != 0 {
		t.Errorf("%+v", m)
	}
	early := *rec // as the answer to a submit has it, while the first members end
	early.State, early.Far = Queued, nil
	if m := CountMembers(&early, e); !reflect.DeepEqual(*m, envelope.JobMembers{Total: 5, Queued: 5}) {
		t.Errorf("of a group that was queued: %+v", m)
	}
}

// The ends of members stay where they are if they cannot become an artifact, or the group's end
// cannot be recorded.
func TestMembersStay(t *testing.T) {
	for name, end := range map[string]func(*Store, *Supervisor) error{
		"no artifact": func(s *Store, v *Supervisor) error {
			check(t, os.RemoveAll(s.dir+"/part"), os.WriteFile(s.dir+"/part", nil, 0o600))
			return v.FinishGroup(&envelope.Result{})
		},
		"no artifact of an engine's group": func(s *Store, v *Supervisor) error {
			check(t, v.HandOver(Far{Runner: "far", Engine: &EngineJob{Name: "x"}}))
			v.Leave("")
			check(t, os.RemoveAll(s.dir+"/part"), os.WriteFile(s.dir+"/part", nil, 0o600))
			rec, err := s.Conclude(v.rec.ID, &envelope.Result{})
			if err == nil && !rec.State.Over() {
				err = errors.New("the end is not recorded")
			}
			return err
		},
		"no record": func(s *Store, v *Supervisor) error {
			check(t, os.MkdirAll(s.Path(v.rec.ID)+"/"+recordFile+".new/full", 0o700))
			if v.FinishGroup(&envelope.Result{}) == nil {
				return errors.New("the end is recorded")
			}
			return nil
		},
	} {
		s := newStore(t)
		v := heldGroup(t, s)
		lines, _, err := v.MemberLines()
		check(t, err)
		m := Member{1, 0, OK}
		_, err = lines.Write(m.Line([]byte("{}")))
		check(t, err, end(s, v), v.Close())
		if !s.root.has(v.rec.ID, stdoutFile) {
			t.Errorf("%s: the output is gone", name)
		}
		check(t, os.RemoveAll(s.Path(v.rec.ID)))
	}
}

// A member whose command a runner has is not canceled by the death of the process that waited
// for it.
func TestMembersOfTheDeadElsewhere(t *testing.T) {
	s := newStore(t)
	rec := dead(t, s, func(r *Record) {
		r.Array = &Array{Members: 1, First: 1, Parallel: 1, Options: []string{"--timeout=9s", "--on=far"}}
	}, "", "")
	check(t, s.root.Mkdir(rec.ID+"/"+membersDir, 0o700), s.PutShared(rec.ID, membersDir+"/1.out", nil), s.AskCancel(rec.ID))
	now, err := s.Get(rec.ID)
	check(t, err)
	if all := members(t, s, now); !strings.Contains(all, "1:125:{") || !strings.Contains(all, `may go on at runner \"far\"`) || !strings.Contains(all, `"ERUNTIME"`) {
		t.Error(all)
	}
}

// A member whose waiting process was killed has a job of its own with the group's runner: by its
// command, after the group and of the same trace.
func TestMemberJobs(t *testing.T) {
	s := newStore(t)
	file := filepath.Join(t.TempDir(), "lines")
	check(t, os.WriteFile(file, []byte("a\nb\nb\n"), 0o600))
	sum := sha256.Sum256([]byte("a\nb\nb\n"))
	now, number := time.Now(), 9
	own := func(trace, text string, array *Array) string {
		number++
		rec := &Record{
			Version: recordVersion, ID: testID(now, number), State: OK, Command: "exec/sh", Tool: "sh", Argv: []string{"sh", text}, TraceID: trace, Array: array,
			Submitted: now, Ended: now, Outcome: &Outcome{}, Far: &Far{Runner: "far", Engine: &EngineJob{}},
		}
		check(t, s.root.Mkdir(rec.ID, 0o700), s.root.put(rec.ID, recordFile, rec))
		return rec.ID
	}
	group := &Record{ID: testID(now, 9), Argv: []string{"sh", "{}"}, TraceID: "t", Array: &Array{First: 1, Members: 3, Options: []string{"--on=far"}}}
	one, a, b, again := own("t", "1", nil), own("t", "a", nil), own("t", "b", nil), own("t", "b", nil)
	own("other", "2", nil)
	own("t", "3", &Array{})
	lines := *group
	lines.Array = &Array{File: file, Digest: hex.EncodeToString(sum[:]), Options: []string{"--on=far"}}
	fifo := *group
	fifo.Array = &Array{File: file + ".fifo", Options: []string{"--on=far"}}
	check(t, syscall.Mkfifo(fifo.Array.File, 0o600))
	changed, here := *group, *group
	changed.Array, here.Array = &Array{File: file, Options: []string{"--on=far"}}, &Array{}
	for name, c := range map[string]struct {
		of      *Record
		numbers []int
		want    map[int]string
	}{
		"numbers": {group, []int{1, 2, 3}, map[int]string{1: one}},
		"asked":   {group, []int{2}, map[int]string{}},
		"lines":   {&lines, []int{1, 2, 3, 4}, map[int]string{1: a, 2: b, 3: again}},
		"changed": {&changed, []int{1}, map[int]string{}},
		"fifo":    {&fifo, []int{1}, map[int]string{}},
		"here":    {&here, []int{1}, map[int]string{}},
	} {
		jobs, err := s.MemberJobs(c.of, c.numbers)
		got := map[int]string{}
		for n, rec := range jobs {
			got[n] = rec.ID
		}
		if err != nil || !maps.Equal(got, c.want) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

// A group knows the jobs of its members by their command, in its trace.
func TestHasMember(t *testing.T) {
	far, on := &Far{Runner: "far", Engine: &EngineJob{}}, &Array{Options: []string{"--on=far"}}
	group := &Record{ID: "02", TraceID: "t", Argv: []string{"sh", "-{}.{}="}, Array: on}
	for _, c := range []struct {
		of, rec *Record
		want    bool
	}{
		{group, &Record{ID: "03", TraceID: "t", Argv: []string{"sh", "-a.a="}, Far: far}, true},
		{group, &Record{ID: "01", TraceID: "t", Argv: []string{"sh", "-a.a="}, Far: far}, false},
		{group, &Record{ID: "03", TraceID: "u", Argv: []string{"sh", "-a.a="}, Far: far}, false},
		{group, &Record{ID: "03", TraceID: "t", Argv: []string{"sh", "-a.a"}, Far: far}, false},
		{group, &Record{ID: "03", TraceID: "t", Argv: []string{"sh", "="}, Far: far}, false},
		{group, &Record{ID: "03", TraceID: "t", Argv: []string{"zsh", "-a.a="}, Far: far}, false},
		{group, &Record{ID: "03", TraceID: "t", Argv: []string{"sh"}, Far: far}, false},
		{group, &Record{ID: "03", TraceID: "t", Argv: []string{"sh", "-a.a="}}, false},
		{group, &Record{ID: "03", TraceID: "t", Argv: []string{"sh", "-a.a="}, Far: far, Array: on}, false},
		{&Record{ID: "02", TraceID: "t", Argv: []string{"a{}b"}, Array: on}, &Record{ID: "03", TraceID: "t", Argv: []string{"axb"}, Far: far}, true},
		{&Record{ID: "02", TraceID: "t", Argv: []string{"sh"}, Array: &Array{}}, &Record{ID: "03", TraceID: "t", Argv: []string{"sh"}, Far: far}, false},
	} {
		if got := c.of.HasMember(c.rec); got != c.want {
			t.Errorf("%q of %q: %t", c.rec.Argv, c.of.Argv, got)
		}
	}
}
