package job

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/envwrap/envwrap/envelope"
)

// A job with an [Array] is a group: its supervisor runs a command for each member, and the
// job's stdout is one line for each member that has ended, in the order in which they did:
//
//	{"member":7,"status":0,"state":"ok","envelope":{"version":1,...}}
//
// So a group is followed, canceled, kept and removed as any job is, and a member has no
// file of its own unless its envelope names an artifact.

// An Array says which members a group has.
type Array struct {
	Members  int      `json:"members"`            // how many
	First    int      `json:"first"`              // number of the first member; the others follow it
	Only     string   `json:"only,omitempty"`     // the numbers of the members, as "3,7-9"; "" is all from First on
	File     string   `json:"file,omitempty"`     // absolute: its lines are the members; "" if their numbers are
	Digest   string   `json:"digest,omitempty"`   // SHA-256 of File at the submit, in hex
	Of       string   `json:"of,omitempty"`       // the group whose members are run again; "" for none
	Parallel int      `json:"parallel"`           // how many members run at a time
	Options  []string `json:"options,omitempty"`  // of the members' runs, as on a command line; masked
	Withheld []string `json:"withheld,omitempty"` // names of the options whose values are not kept
	Unkept   []Member `json:"unkept,omitempty"`   // ends for whose lines the group's output had no room
}

// Numbers returns the numbers of the members, in ascending order.
func (a *Array) Numbers() iter.Seq[int] {
	return func(yield func(int) bool) {
		if a.Only == "" {
			for n := a.First; n < a.First+a.Members; n++ {
				if !yield(n) {
					return
				}
			}
			return
		}
		for part := range strings.SplitSeq(a.Only, ",") {
			from, to, isRange := strings.Cut(part, "-")
			first, err := strconv.Atoi(from)
			last := first
			if isRange && err == nil {
				last, err = strconv.Atoi(to)
			}
			for n := first; err == nil && n <= last; n++ {
				if !yield(n) {
					return
				}
			}
		}
	}
}

// Lines returns the lines of File; nil if that is not what it was when the group was submitted.
func (a *Array) Lines() []string {
	if info, err := os.Stat(a.File); err != nil || !info.Mode().IsRegular() {
		return nil // a FIFO would be waited for
	}
	text, err := os.ReadFile(a.File)
	if sum := sha256.Sum256(text); err != nil || hex.EncodeToString(sum[:]) != a.Digest {
		return nil
	}
	var lines []string
	for line := range MemberLines(bytes.NewReader(text)) {
		lines = append(lines, line)
	}
	return lines
}

// runner returns the runner to which each member hands its command, or "".
func (a *Array) runner() string {
	for _, option := range a.Options {
		if name, ok := strings.CutPrefix(option, "--on="); ok {
			return name
		}
	}
	return ""
}

// Ranges returns ascending numbers as [Array.Only] has them.
func Ranges(numbers []int) string {
	var b strings.Builder
	for i := 0; i < len(numbers); {
		end := i
		for end+1 < len(numbers) && numbers[end+1] == numbers[end]+1 {
			end++
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(numbers[i]))
		if end > i {
			b.WriteString("-" + strconv.Itoa(numbers[end]))
		}
		i = end + 1
	}
	return b.String()
}

// MemberLineMost is the longest line of a group's file, in bytes: a longer one is no argument
// of a command (execve(2)).
const MemberLineMost = 100 << 10

// ErrLongLine is the error of [MemberLines] for a line that is longer than MemberLineMost.
var ErrLongLine = errors.New("it is longer than 100 KiB")

// MemberLines returns the lines of a group's file, without the LF or CRLF that ends them, up to
// an error.
func MemberLines(file io.Reader) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		in := bufio.NewReaderSize(file, MemberLineMost)
		for {
			line, err := in.ReadSlice('\n')
			if errors.Is(err, bufio.ErrBufferFull) {
				err = ErrLongLine
			}
			end := errors.Is(err, io.EOF)
			if end && len(line) == 0 {
				return
			}
			if end {
				err = nil
			}
			if !yield(strings.TrimSuffix(strings.TrimSuffix(string(line), "\n"), "\r"), err) || err != nil || end {
				return
			}
		}
	}
}

// MemberMost is the largest envelope of a member, in bytes.
const MemberMost = 32 << 20

// MemberArgs replaces "{}" in the words of a group's command by the text of a member: its
// line, or its number.
func MemberArgs(argv []string, text string) []string {
	words := make([]string, 0, len(argv))
	for _, word := range argv {
		words = append(words, strings.ReplaceAll(word, "{}", text))
	}
	return words
}

// memberStates are the states in which a member ends, as Ends counts them.
var memberStates = []State{OK, Failed, Canceled}

// A Member is the end of a member of a group.
type Member struct {
	Number int   `json:"member"`
	Status int   `json:"status"` // exit status of its run
	State  State `json:"state"`  // one of memberStates
}

// Line returns what a group prints of a member, with its envelope in protocol/v1, on one
// line.
func (m *Member) Line(doc []byte) []byte {
	line := fmt.Appendf(nil, `{"member":%d,"status":%d,"state":%q,"envelope":`, m.Number, m.Status, m.State)
	return append(append(line, bytes.TrimSpace(doc)...), "}\n"...)
}

// headMost is how many bytes of a line precede the envelope, at most.
const headMost = 128

// parseHead reads the beginning of a line, up to the envelope.
func parseHead(line []byte) (m Member, size int, ok bool) {
	head, _, ok := bytes.Cut(line, []byte(`"envelope":`))
	if !ok {
		return m, 0, false
	}
	var state string
	_, err := fmt.Sscanf(strings.NewReplacer(`"`, "", ",", " ", "{", "").Replace(string(head)), "member:%d status:%d state:%s", &m.Number, &m.Status, &state)
	m.State = State(state)
	return m, len(head) + len(`"envelope":`), err == nil && slices.Contains(memberStates, m.State)
}

// Ends are the members of a group that have ended, and where their envelopes are. It
// needs some 40 bytes a member. It is not safe for concurrent use. The caller calls Close.
type Ends struct {
	tail  tail
	group *Record
	list  []memberEnd // in the order of the output, until sort
	count [3]int      // by index in memberStates

	head []byte // the beginning of the line that is not complete
	from int64  // where that line begins
	at   int64  // how much was read
}

type memberEnd struct {
	Member
	off int64 // of its envelope, in bytes from the beginning of the output; noLine if it has none
	len int
}

// Ends returns which members of a group have ended so far.
func (s *Store) Ends(rec *Record) (*Ends, error) {
	e := s.newEnds(rec, nil)
	if err := e.tail.emitNew(rec); err != nil {
		e.Close()
		return nil, fmt.Errorf("read the output of group %q: %w", rec.ID, err)
	}
	e.addUnkept(rec)
	return e, nil
}

// FollowEnds is Ends when the group is over, with its record. It calls seen, unless it is
// nil, each time that more members have ended. It ends with the error of ctx once it is
// done.
func (s *Store) FollowEnds(ctx context.Context, rec *Record, seen func(*Ends)) (*Ends, *Record, error) {
	e := s.newEnds(rec, seen)
	now, err := e.tail.follow(ctx)
	if err != nil {
		e.Close()
		return nil, rec, fmt.Errorf("wait for group %q: %w", rec.ID, err)
	}
	e.addUnkept(now)
	return e, now, nil
}

func (s *Store) newEnds(rec *Record, seen func(*Ends)) *Ends {
	e := &Ends{group: rec}
	e.tail = tail{s: s, id: rec.ID, lines: -1, emit: func(of Stream, p []byte) error {
		if of == Stdout {
			e.add(p)
			if seen != nil {
				seen(e)
			}
		}
		return nil
	}}
	return e
}

// Close releases the output.
func (e *Ends) Close() { e.tail.close() }

// add reads the next piece of output.
func (e *Ends) add(p []byte) {
	for len(p) > 0 {
		piece, rest, whole := bytes.Cut(p, []byte{'\n'})
		e.head = append(e.head, piece[:min(len(piece), headMost-len(e.head))]...)
		e.at += int64(len(piece))
		if p = rest; !whole {
			return
		}
		if m, size, ok := parseHead(e.head); ok {
			off := e.from + int64(size)
			e.addEnd(memberEnd{m, off, int(e.at - off - 1)}) // without the brace that ends the line
		}
		e.at++
		e.from, e.head = e.at, e.head[:0]
	}
}

func (e *Ends) addEnd(end memberEnd) {
	e.list = append(e.list, end)
	e.count[slices.Index(memberStates, end.State)]++
}

// Counts returns how many members have ended, by their state.
func (e *Ends) Counts() (ok, failed, canceled int) { return e.count[0], e.count[1], e.count[2] }

// CountMembers returns how far the members of a group are.
func CountMembers(rec *Record, ends *Ends) *envelope.JobMembers {
	m := &envelope.JobMembers{Total: rec.Array.Members}
	if rec.State == Queued && !rec.InEngine() {
		m.Queued = m.Total // any that has ended did so after rec was read
		return m
	}
	m.OK, m.Failed, m.Canceled = ends.Counts()
	left := max(m.Total-m.OK-m.Failed-m.Canceled, 0)
	switch rec.State {
	case Queued:
		m.Queued = left
	case Running:
		if m.Running = min(left, rec.Array.Parallel); rec.InEngine() {
			m.Running = min(max(ends.Started()-(m.Total-left), 0), left)
		}
		m.Queued = left - m.Running
	case Canceled:
		m.Canceled += left
	default:
		m.Lost = left
	}
	if m.Total == m.OK+m.Queued+m.Running {
		return m
	}
	for end, read := range ends.All() {
		if len(m.First) == envelope.FirstFailedMost {
			break
		}
		if end.State != OK && (read != nil || rec.State.Over()) {
			m.First = append(m.First, end.Number)
		}
	}
	return m
}

// A MemberReader returns the envelope of a member, in protocol/v1. It is nil for a member
// that has none because it was not run, or has not ended.
type MemberReader func() ([]byte, error)

// All returns all members in the order of their numbers.
func (e *Ends) All() iter.Seq2[Member, MemberReader] {
	slices.SortFunc(e.list, func(a, b memberEnd) int { return cmp.Compare(a.Number, b.Number) })
	return func(yield func(Member, MemberReader) bool) {
		next := 0
		for n := range e.group.Array.Numbers() {
			for next < len(e.list) && e.list[next].Number < n {
				next++
			}
			m, read := Member{Number: n}, MemberReader(nil)
			if next < len(e.list) && e.list[next].Number == n {
				end := e.list[next]
				m, read = end.Member, func() ([]byte, error) { return e.read(end) }
			}
			if !yield(m, read) {
				return
			}
		}
	}
}

func (e *Ends) read(m memberEnd) ([]byte, error) {
	if m.off == noLine {
		return e.group.unkept(&m.Member)
	}
	if m.len < 0 || m.len > recordLimit {
		return nil, fmt.Errorf("read the envelope of member %d: %w", m.Number, ErrDamaged)
	}
	out := e.tail.streams[slices.IndexFunc(e.tail.streams, func(c *cursor) bool { return c.of == Stdout })]
	doc := make([]byte, m.len)
	if _, err := out.r.ReadAt(doc, m.off); err != nil {
		return nil, fmt.Errorf("read the envelope of member %d: %w", m.Number, err)
	}
	return doc, nil
}

// Unended returns the result of a member that has no envelope, of a group that is over at
// the time of its record.
func (r *Record) Unended(n int) *envelope.Result {
	text := "{}"
	if r.Array.File == "" {
		text = strconv.Itoa(n)
	}
	o := envelope.Outcome{
		Kind: envelope.Failure, Code: envelope.ERUNTIME, Retryable: true, ClassifiedBy: envelope.ByEnvwrap,
		Message: fmt.Sprintf("member %d did not run, or was killed before it ended", n), Hint: "envwrap job retry --failed " + r.ID + " runs it again.",
	}
	status := statusLost
	if why := r.Outcome; r.State == Failed && why != nil && why.Code == envelope.EIO && !r.InEngine() {
		o.Code, o.Message = envelope.EIO, fmt.Sprintf("member %d was not started: %s", n, why.Message)
		o.Hint = "Once that is mended, envwrap job retry --failed " + r.ID + " runs it."
	}
	if r.State == Canceled {
		o.Kind, o.Code, o.Retryable, status = envelope.Canceled, envelope.ECANCELED, false, statusCanceled
		o.Message = fmt.Sprintf("member %d did not run: the group was canceled", n)
	}
	rec := *r
	rec.Argv, rec.Started, rec.Outcome = MemberArgs(r.Argv, text), r.Ended, nil
	res := rec.asResult()
	res.Outcome, res.ExitStatus = o, status
	return res
}
