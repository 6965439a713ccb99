//go:build unix

package job

import (
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/envwrap/envwrap/envelope"
)

// heldGroup makes a group of the members 1 to 4 that an engine holds, and returns the
// supervisor that it has until then.
func heldGroup(t *testing.T, s *Store) *Supervisor {
	t.Helper()
	d := draft(s, "true")
	d.Record.Far = &Far{Runner: "far", Engine: &EngineJob{Name: "x"}}
	d.Record.Array = &Array{Members: 4, First: 1, Parallel: 2}
	v, _, err := Hold(Options{Dir: s.dir, Now: time.Now}, d)
	check(t, err)
	return v
}

// leftGroup is heldGroup, with a directory for the members, and nobody supervises it.
func leftGroup(t *testing.T, s *Store) *Record {
	t.Helper()
	v := heldGroup(t, s)
	check(t, v.MakeMembers())
	if err := v.MakeMembers(); err == nil {
		t.Error("the directory of the members is made twice")
	}
	v.Leave("")
	check(t, v.Close())
	return v.rec
}

// memberOf is the end of a member whose file has an envelope: its number is its status.
func memberOf(n int, file []byte) (Member, []byte) { return Member{n, n, Failed}, file }

// members lists the members of a group, with the envelopes of those that have ended.
func members(t *testing.T, s *Store, rec *Record) string {
	t.Helper()
	e, err := s.Ends(rec)
	check(t, err)
	defer e.Close()
	var list []string
	for m, read := range e.All() {
		if read == nil {
			list = append(list, fmt.Sprint(m.Number))
			continue
		}
		doc, err := read()
		check(t, err)
		list = append(list, fmt.Sprintf("%d:%d:%s", m.Number, m.Status, doc))
	}
	return strings.Join(list, " ")
}

// The envelopes that members leave become lines of the group's output, each once, whatever
// was killed meanwhile.
func TestCollect(t *testing.T) {
	s := newStore(t)
	rec := leftGroup(t, s)
	dir := rec.ID + "/" + membersDir + "/"
	collect := func(want int) {
		t.Helper()
		if got, err := s.Collect(rec.ID, memberOf); got != want || err != nil {
			t.Errorf("collected %d, %v; want %d", got, err, want)
		}
	}
	check(t, s.PutShared(rec.ID, membersDir+"/3", []byte("three\n")), s.root.Mkdir(dir+"3"+MemberStarted, 0o700), s.root.Mkdir(dir+"4"+MemberStarted, 0o700))
	collect(1)
	if s.root.has(rec.ID, membersDir+"/3") || !s.root.has(rec.ID, membersDir+"/4"+MemberStarted) {
		t.Error("what was collected stays, or what was not goes")
	}
	out, err := s.OpenStreams(rec.ID)
	check(t, err)
	line := Member{3, 3, Failed}
	_, err = out.WriteString(string(line.Line([]byte("three"))) + `{"member":1,"status":0,"sta`) // killed
	check(t, err, out.Close(), s.PutShared(rec.ID, membersDir+"/3", []byte("again")), s.PutShared(rec.ID, membersDir+"/1", []byte("one")))
	collect(2)
	e, err := s.Ends(rec)
	check(t, err)
	if n := e.Started(); n != 2 {
		t.Errorf("%d have started", n)
	}
	e.Close()
	const want = "1:1:one 2 3:3:three 4"
	if got := members(t, s, rec); got != want {
		t.Errorf("the members are %s", got)
	}
	_, err = s.Conclude(rec.ID, &envelope.Result{})
	check(t, err)
	if rec, err = s.Get(rec.ID); err != nil || s.root.has(rec.ID, membersDir) || s.root.has(rec.ID, "members.over") || s.root.has(rec.ID, stdoutFile) {
		t.Errorf("files of the group stay: %v", err)
	}
	check(t, s.root.Mkdir(rec.ID+"/"+membersDir, 0o700), s.PutShared(rec.ID, membersDir+"/2", []byte("late")))
	collect(2)
	if got := members(t, s, rec); got != want {
		t.Errorf("after the end the members are %s", got)
	}
}

// What stands in the way of a group's output, or of an envelope, is reported.
func TestCollectFails(t *testing.T) {
	for name, damage := range map[string]func(s *Store, id string) error{
		"no record":                  func(s *Store, id string) error { return s.root.Remove(id + "/" + recordFile) },
		"a directory as the output":  func(s *Store, id string) error { return s.root.Mkdir(id+"/"+stdoutFile, 0o700) },
		"a directory as an envelope": func(s *Store, id string) error { return s.root.Mkdir(id+"/"+membersDir+"/2", 0o700) },
		"a file as the directory": func(s *Store, id string) error {
			return errors.Join(s.root.Remove(id+"/"+membersDir), s.PutShared(id, membersDir, nil))
		},
		"a full directory as an envelope that is known": func(s *Store, id string) error {
			line := Member{2, 0, OK}
			return errors.Join(s.PutShared(id, stdoutFile, line.Line([]byte("two"))),
				os.MkdirAll(s.Path(id)+"/"+membersDir+"/2/sub", 0o700))
		},
	} {
		s := newStore(t)
		rec := leftGroup(t, s)
		check(t, damage(s, rec.ID))
		if n, err := s.Collect(rec.ID, memberOf); err == nil || n != 0 {
			t.Errorf("%s: %d, %v", name, n, err)
		}
		if _, err := s.Ends(rec); (err != nil) != (name == "a directory as the output") {
			t.Errorf("%s: the ends: %v", name, err)
		}
		check(t, os.RemoveAll(s.Path(rec.ID)))
	}
}

// A group is followed until it is over, and its output is then an artifact.
func TestFollowEnds(t *testing.T) {
	s := newStore(t)
	v := heldGroup(t, s)
	out, errs, err := v.Streams()
	check(t, err)
	print := func(n int) {
		m := Member{n, 0, OK}
		_, err := out.Write(m.Line([]byte("{}")))
		check(t, err)
	}
	print(2)
	_, err = errs.Write([]byte("no member\n"))
	check(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	if e, rec, err := s.FollowEnds(ctx, v.rec, func(*Ends) { cancel() }); !errors.Is(err, context.Canceled) || e != nil || rec.ID != v.rec.ID {
		t.Errorf("canceled: %v", err)
	}
	var seen []int
	res := envelope.Result{}
	e, rec, err := s.FollowEnds(t.Context(), v.rec, func(e *Ends) {
		ok, _, _ := e.Counts()
		if seen = append(seen, ok); ok == 1 {
			print(1)
			check(t, v.FinishGroup(&res))
		}
	})
	check(t, err, v.Close())
	defer e.Close()
	if ok, _, _ := e.Counts(); ok != 2 || !rec.State.Over() || len(seen) < 2 || seen[0] != 1 || res.Stdout.Artifact == "" {
		t.Errorf("%d, %+v, seen %d, %+v", ok, rec, seen, res.Stdout)
	}
	if got := members(t, s, rec); got != "1:0:{} 2:0:{} 3 4" {
		t.Errorf("the members are %s", got)
	}
	again := envelope.Result{Stdout: envelope.Stream{Text: "kept"}}
	if _ = v.FinishGroup(&again); again.Stdout.Text != "kept" {
		t.Error("a group that is over is finished again")
	}
	e, err = s.Ends(rec) // without seen
	check(t, err)
	for _, read := range e.All() {
		e.Close()
		if _, err := read(); err == nil {
			t.Error("an envelope is read of an output that is closed")
		}
		break
	}
}

// A group without an output keeps the result that it has.
func TestFinishGroupWithoutOutput(t *testing.T) {
	s := newStore(t)
	v := heldGroup(t, s)
	res := envelope.Result{Stdout: envelope.Stream{Text: "kept"}}
	check(t, v.FinishGroup(&res), v.Close())
	if res.Stdout.Text != "kept" {
		t.Errorf("%+v", res.Stdout)
	}
}

// An envelope that is missing on its line, or is larger than any, is damaged.
func TestDamagedMember(t *testing.T) {
	s := newStore(t)
	rec := leftGroup(t, s)
	const head = `{"member":%d,"status":0,"state":"ok","envelope":`
	check(t, s.PutShared(rec.ID, stdoutFile, fmt.Appendf(nil, head+"\n", 1)))
	e, err := s.Ends(rec)
	check(t, err)
	defer e.Close()
	for _, end := range append(e.list, memberEnd{len: recordLimit + 1}) {
		if _, err := e.read(end); !errors.Is(err, ErrDamaged) {
			t.Errorf("%+v: %v", end, err)
		}
	}
	if len(e.list) != 1 {
		t.Errorf("the members are %+v", e.list)
	}
	_, err = s.Conclude(rec.ID, &envelope.Result{})
	check(t, err)
}

// A member without an envelope has its own words, and a reason.
func TestUnended(t *testing.T) {
	for name, c := range map[string]struct {
		file    string
		state   State
		fault   envelope.Code // of the group
		words   string
		code    envelope.Code
		status  int
		message string
	}{
		"by number":    {"", Lost, "", "sh <7>", envelope.ERUNTIME, statusLost, "did not run, or was killed"},
		"by line":      {"/lines", Lost, "", "sh <{}>", envelope.ERUNTIME, statusLost, "did not run, or was killed"},
		"canceled":     {"", Canceled, envelope.EIO, "sh <7>", envelope.ECANCELED, statusCanceled, "the group was canceled"},
		"full disk":    {"", Failed, envelope.EIO, "sh <7>", envelope.EIO, statusLost, "member 7 was not started: no space"},
		"other faults": {"", Failed, envelope.ERUNTIME, "sh <7>", envelope.ERUNTIME, statusLost, "did not run, or was killed"},
	} {
		rec := &Record{ID: chosen, Argv: []string{"sh", "<{}>"}, State: c.state, Array: &Array{File: c.file}, Outcome: &Outcome{Code: c.fault, Message: "no space"}}
		res := rec.Unended(7)
		if !strings.Contains(res.Outcome.Message, c.message) {
			t.Errorf("%s: %q", name, res.Outcome.Message)
		}
		if strings.Join(res.Argv, " ") != c.words || res.Outcome.Code != c.code || res.ExitStatus != c.status || res.Outcome.Retryable == (c.state == Canceled) {
			t.Errorf("%s: %q, %+v, %d", name, res.Argv, res.Outcome, res.ExitStatus)
		}
	}
}

// Of a group's members that did not end well the first are named, once it is over.
func TestCountMembers(t *testing.T) {
	const most = envelope.FirstFailedMost
	s := newStore(t)
	held := leftGroup(t, s)
	held.Array.Members = most + 2
	for state, want := range map[State]envelope.JobMembers{
		Queued: {Queued: most + 2}, Running: {Queued: most + 2}, Canceled: {Canceled: most + 2}, Lost: {Lost: most + 2},
	} {
		rec := *held
		rec.State = state
		ends, err := s.Ends(&rec)
		check(t, err)
		m := CountMembers(&rec, ends)
		ends.Close()
		first := m.First
		m.First, want.Total = nil, most+2
		if !reflect.DeepEqual(*m, want) || state.Over() != (len(first) == most && first[most-1] == most) || !state.Over() && first != nil {
			t.Errorf("%s: %+v, %v", state, m, first)
		}
	}
	_, err := s.Conclude(held.ID, &envelope.Result{})
	check(t, err)
}
