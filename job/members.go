package job

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
)

// What the members of a group leave in files: those of a group with a supervisor while they
// run, and those that an engine runs until somebody looks.

// RunsMembers records that the first member of a group is about to be started.
func (v *Supervisor) RunsMembers() { v.started = true }

// memberOutput ends the name of the file with what a member has printed while it runs, in
// membersDir of a group that has a supervisor.
const memberOutput = ".out"

// MemberOutput makes the file for what a member prints while it runs. The caller calls done
// once the member's end is written.
func (v *Supervisor) MemberOutput(n int) (f *os.File, done func(), err error) {
	name := fmt.Sprintf("%s/%s/%d%s", v.rec.ID, membersDir, n, memberOutput)
	if f, err = v.s.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC|os.O_APPEND, 0o600); err != nil {
		return nil, nil, fmt.Errorf("keep what member %d of group %q prints: %w", n, v.rec.ID, err)
	}
	return f, func() { _, _ = f.Close(), v.s.root.Remove(name) }, nil
}

// keepMembers adds to the output of a group whose supervisor is dead the members that ran:
// each has what it had printed.
func (s *Store) keepMembers(rec *Record, canceled bool) error {
	e, err := s.Ends(rec)
	if err != nil {
		return err
	}
	defer e.Close()
	a, err := artifact.Open(artifact.Options{Dir: s.dir, Now: s.now, Run: rec.ID, NoMaintenance: true})
	if err != nil {
		return err
	}
	defer a.Close()
	names, err := s.root.names(rec.ID + "/" + membersDir)
	if err != nil {
		return err
	}
	group := *rec
	if group.Ended = s.now().UTC(); canceled {
		group.State = Canceled
	}
	return s.collect(e, names, memberOutput, func(n int, _ []byte) (Member, []byte) {
		res := group.Unended(n)
		o := &res.Outcome
		if o.Message = fmt.Sprintf("member %d was lost while it ran", n); canceled {
			o.Message = fmt.Sprintf("member %d was canceled, and its supervisor had to be killed", n)
		}
		o.Hint = strings.TrimSpace("What it had printed is kept. " + o.Hint)
		if on := rec.Array.runner(); on != "" { // this machine has only the process that waited for it
			o.Kind, o.Code, o.Retryable, res.ExitStatus = envelope.Failure, envelope.ERUNTIME, false, statusLost
			o.Message += fmt.Sprintf(": its command may go on at runner %q", on)
			o.Hint = "`envwrap job ls` lists it as a job of its own, which has what it prints and can be canceled."
		}
		m := Member{Number: n, Status: res.ExitStatus, State: StateOf(o)}
		stream, err := s.root.store(a, rec, fmt.Sprintf("%s/%d%s", membersDir, n, memberOutput), envelope.ParseText)
		if err != nil {
			res.Warnings = append(res.Warnings, "what it had printed is lost: "+err.Error())
		}
		stream.Truncated = stream.Bytes > 0
		res.Stdout = stream
		res.Warnings = append(res.Warnings, "stdout has both streams, in the order written, without a line that it had not finished")
		doc, _ := envelope.Encode(envelope.Dialects()[0], res, envelope.EncodeOptions{Layout: envelope.LayoutCompact})
		return m, doc
	}, new(int))
}

// hasMemberJobs reports whether members of the group r are jobs of their own with its runner.
func (r *Record) hasMemberJobs() bool {
	return r.Array != nil && r.Array.runner() != "" && !r.InEngine()
}

// HasMember reports whether rec looks like the job of its own that a member of the group r has
// with its runner: it was submitted later, in the same trace, with the group's command, in which
// a text is in the place of "{}".
func (r *Record) HasMember(rec *Record) bool {
	return r.hasMemberJobs() && rec.InEngine() && rec.Array == nil && rec.TraceID == r.TraceID && rec.ID > r.ID &&
		slices.EqualFunc(r.Argv, rec.Argv, func(word, of string) bool {
			before, after, ok := strings.Cut(word, "{}")
			if at := strings.LastIndex(after, "{}"); at >= 0 {
				after = after[at+len("{}"):]
			}
			return word == of || ok && len(of) >= len(before)+len(after) && strings.HasPrefix(of, before) && strings.HasSuffix(of, after)
		})
}

// MemberJobs returns the jobs of their own that members of a group have with its runner, by the
// numbers of the members, as far as these are asked for. The job of a member that has brought its
// own answer is gone: what is left is that of a member whose process on this machine was killed,
// and may go on.
func (s *Store) MemberJobs(group *Record, numbers []int) (map[int]*Record, error) {
	if !group.hasMemberJobs() || len(numbers) == 0 {
		return nil, nil
	}
	listing, err := s.List(-1, BySubmit)
	if err != nil {
		return nil, fmt.Errorf("find the jobs of the members of group %q: %w", group.ID, err)
	}
	key := func(argv []string) string { return strings.Join(argv, "\x00") }
	left := map[string][]*Record{} // those of members with the same command stand for each other
	for _, rec := range listing.Records {
		if group.HasMember(rec) {
			left[key(rec.Argv)] = append(left[key(rec.Argv)], rec)
		}
	}
	var lines []string
	if group.Array.File != "" && len(left) > 0 {
		lines = group.Array.Lines()
	}
	jobs := map[int]*Record{}
	for _, n := range numbers {
		text := strconv.Itoa(n)
		if group.Array.File != "" {
			if n > len(lines) {
				continue
			}
			text = lines[n-1]
		}
		argv := key(MemberArgs(group.Argv, text))
		if own := left[argv]; len(own) > 0 {
			jobs[n], left[argv] = own[0], own[1:]
		}
	}
	return jobs, nil
}

// MemberLines returns the writer for the lines of members' ends. It writes a line as a whole or
// not at all, and then fails.
func (v *Supervisor) MemberLines() (lines, stderr io.Writer, err error) {
	stdout, stderr, err := v.Streams()
	if err != nil {
		return nil, nil, err
	}
	return wholeLines{stdout.(*limitedFile)}, stderr, nil
}

type wholeLines struct{ *limitedFile }

// Write takes back what the disk had room for of a line, so that the next line is not a part of it.
func (w wholeLines) Write(line []byte) (int, error) {
	n, err := w.limitedFile.Write(line)
	if err != nil && w.f.Truncate(w.n-int64(n)) == nil {
		w.n -= int64(n)
		n = 0
	}
	return n, err
}

// noLine is the offset of a member whose end is known from the group's record alone.
const noLine = -1

// addUnkept adds the members whose ends only the record has.
func (e *Ends) addUnkept(rec *Record) {
	e.group = rec
	for _, m := range rec.Array.Unkept {
		if slices.Contains(memberStates, m.State) {
			e.addEnd(memberEnd{Member: m, off: noLine})
		}
	}
}

// unkept returns the envelope of a member of which only the group's record has the end.
func (r *Record) unkept(m *Member) ([]byte, error) {
	res := r.Unended(m.Number)
	text := fmt.Sprintf("member %d ended with status %d, and its envelope could not be stored", m.Number, m.Status)
	o := envelope.Outcome{Kind: envelope.Failure, Code: envelope.ERUNTIME, ClassifiedBy: envelope.ByEnvwrap, Message: text}
	switch {
	case m.State == Canceled:
		o.Kind, o.Code = envelope.Canceled, envelope.ECANCELED
	case m.State == OK:
		o = envelope.Outcome{Kind: envelope.Success, ClassifiedBy: envelope.ByEnvwrap, ExitCode: &m.Status}
		if res.Warnings = []string{text}; m.Status != 0 {
			o.Kind = envelope.Negative
		}
	}
	res.Outcome, res.ExitStatus = o, m.Status
	return envelope.Encode(envelope.Dialects()[0], res, envelope.EncodeOptions{Layout: envelope.LayoutCompact})
}

// FinishGroup is Finish for a group, whose output becomes that of res.
func (v *Supervisor) FinishGroup(res *envelope.Result) error {
	defer v.s.removeMembers(v.rec.ID)
	v.mu.Lock()
	if len(v.streams) > 0 && !v.finished {
		v.s.keepFiles(v.rec, res, envelope.ParseText)
	}
	v.mu.Unlock()
	return v.Finish(res)
}

// A group that an engine holds has no supervisor. Each of its members leaves its envelope in
// a file of membersDir, and whoever looks next moves it to the group's output.
const (
	membersDir = "members"
	// MemberStarted ends the name of a directory, or a file, that says that a member was started.
	MemberStarted = ".started"
)

// MakeMembers makes the directory for the members of a group that an engine holds.
func (v *Supervisor) MakeMembers() error {
	if err := v.s.root.Mkdir(v.rec.ID+"/"+membersDir, 0o700); err != nil {
		return fmt.Errorf("make the directory of the members of group %q: %w", v.rec.ID, err)
	}
	return nil
}

// Collect moves the envelopes that members of a group have left to the group's output, and
// returns how many members have ended. read makes of a file what the output has of it.
func (s *Store) Collect(id string, read func(n int, file []byte) (Member, []byte)) (ended int, err error) {
	err = s.root.withJobLock(id, func() error {
		rec, err := s.records.load(id)
		if err != nil {
			return err
		}
		e, err := s.Ends(rec)
		if err != nil {
			return err
		}
		defer e.Close()
		if ended = len(e.list); rec.State.Over() {
			return nil
		}
		names, err := s.root.names(id + "/" + membersDir)
		if err != nil {
			return err
		}
		return s.collect(e, names, "", read, &ended)
	})
	if err != nil {
		return 0, fmt.Errorf("collect the members of group %q: %w", id, err)
	}
	return ended, nil
}

// collect does the work of Collect with the names that end with suffix. The content of such a
// file is not read if suffix is not "".
func (s *Store) collect(e *Ends, names []string, suffix string, read func(n int, file []byte) (Member, []byte), ended *int) error {
	var out *os.File
	defer func() { _ = closeOptional(out) }()
	known := map[int]bool{}
	for _, m := range e.list {
		known[m.Number] = true
	}
	dir := e.tail.id + "/" + membersDir + "/"
	for _, name := range names {
		number, ok := strings.CutSuffix(name, suffix)
		n, err := strconv.Atoi(number)
		if !ok || err != nil {
			continue // it has only started
		}
		if !known[n] {
			var file []byte
			if suffix == "" {
				if file, err = s.root.read(dir + name); err != nil {
					return err
				}
			}
			m, doc := read(n, file)
			line := m.Line(doc)
			if out == nil {
				if out, err = s.root.OpenFile(e.tail.id+"/"+stdoutFile, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600); err != nil {
					return err
				}
				if e.at > e.from { // a process was killed while it wrote a line
					line = append([]byte{'\n'}, line...)
				}
			}
			if _, err := out.Write(line); err != nil {
				return err
			}
			*ended++
		}
		if err := s.root.Remove(dir + name); err != nil {
			return err
		}
	}
	return nil
}

// removeMembers removes the directory of the members of a group that is over. It is renamed
// first: an engine may start a member again, which does not run where it cannot make its
// mark, or finds no such name after it. A mark that is made late stays with the record.
func (s *Store) removeMembers(id string) {
	const over = "members.over"
	if s.root.Rename(id+"/"+membersDir, id+"/"+over) == nil {
		_ = s.root.RemoveAll(id + "/" + over)
	}
}

// Started returns how many members of a group that an engine holds have started.
func (e *Ends) Started() int {
	names, _ := e.tail.s.root.names(e.tail.id + "/" + membersDir)
	n := 0
	for _, name := range names {
		if strings.HasSuffix(name, MemberStarted) {
			n++
		}
	}
	return n
}
