//go:build unix

package job

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/envwrap/envwrap/envelope"
)

// brokenReader is a stream that cannot be read.
type brokenReader struct{ err error }

func (b brokenReader) ReadAt([]byte, int64) (int, error) { return 0, b.err }
func (b brokenReader) Size() int64                       { return 1 }
func (b brokenReader) Close() error                      { return nil }

// Output that cannot be read is an error, not the end of it.
func TestTailOfBrokenOutput(t *testing.T) {
	broken := errors.New("broken")
	s := newStore(t)
	of := &cursor{of: Stdout, r: brokenReader{broken}}
	a := &tail{s: s, id: chosen, streams: []*cursor{of}}
	for name, err := range map[string]error{"begin": a.begin(of), "drain": a.drain(of), "emitNew": a.emitNew(&Record{})} {
		if !errors.Is(err, broken) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// If a job's last record cannot be written, its end is not taken for written; what was
// printed stays then.
func TestConcludeFails(t *testing.T) {
	s := newStore(t)
	rec, res := &Record{ID: chosen, State: OK}, &envelope.Result{Command: "exec/true"}
	res.Stdout.Head = []byte("head")
	check(t, s.root.Mkdir(chosen, 0o700))
	if whole, err := s.records.conclude(rec, res); !whole || err != nil {
		t.Errorf("sound: %t, %v", whole, err)
	}
	data, err := s.root.read(chosen + "/" + resultFile)
	if check(t, err); !strings.Contains(string(data), "aGVhZA") {
		t.Errorf("its head is missing: %s", data)
	}
	block := func(file string) { check(t, os.MkdirAll(s.Path(chosen)+"/"+file+".new/full", 0o700)) }
	block(resultFile)
	if whole, err := s.records.conclude(rec, res); whole || err != nil {
		t.Errorf("without its result: %t, %v", whole, err)
	}
	block(recordFile)
	if whole, err := s.records.conclude(rec, res); whole || err == nil {
		t.Errorf("without its record: %t, %v", whole, err)
	}
	check(t, os.RemoveAll(s.Path(chosen)))
}

// A place in the queue that cannot be had is an error, and no turn.
func TestQueueFails(t *testing.T) {
	s := newStore(t)
	check(t, s.root.Mkdir(chosen, 0o700))
	entry, err := s.queue.enqueue(chosen)
	check(t, err)
	check(t, s.root.Remove(slotsDir), s.root.write(slotsDir, nil))
	if slot, err := s.queue.awaitTurn(chosen, entry, 1, nil); slot != nil || err == nil {
		t.Errorf("no slots: %v, %v", slot, err)
	}
	check(t, s.root.Remove(slotsDir))
	if slot, err := s.queue.slot(chosen, 0); slot != nil || err == nil {
		t.Errorf("no directory of slots: %v, %v", slot, err)
	}
	check(t, entry.Close(), os.RemoveAll(s.Path(queueDir)), s.root.write(queueDir, nil))
	if slot, err := s.queue.awaitTurn(chosen, entry, 1, nil); slot != nil || err == nil {
		t.Errorf("no queue: %v, %v", slot, err)
	}
	if entry, err := s.queue.enqueue(chosen); entry != nil || err == nil {
		t.Errorf("into no queue: %v, %v", entry, err)
	}
	check(t, os.RemoveAll(s.Path(chosen)))
}

// A refusal that cannot be read refuses nothing and lets nobody pass.
func TestUnreadableRefusal(t *testing.T) {
	s := newStore(t)
	check(t, s.root.Mkdir(refusedDir, 0o700), s.root.Mkdir(refusedDir+"/"+chosen, 0o700))
	if r, err := s.Refuse(chosen, ""); err == nil {
		t.Errorf("refused: %+v", r)
	}
	if err := s.checkRefusal(chosen); err == nil || errors.Is(err, ErrRefused) {
		t.Errorf("checked: %v", err)
	}
}

// The index of ends is cut to the jobs that exist.
func TestTrimEnds(t *testing.T) {
	s := newStore(t)
	at := time.UnixMilli(1_700_000_000_000)
	known := &Record{ID: chosen, Ended: at}
	recs := slices.Repeat([]*Record{{ID: "01ARZ3NDEKTSV4RRFFQ69G5FA1", Ended: at}}, 204)
	s.ended.add(append(recs, known)...)
	const unknown = "01ARZ3NDEKTSV4RRFFQ69G5FA2"
	check(t, s.ended.trim([]string{chosen, unknown}))
	if data, err := s.root.read(endedFile); err != nil || string(data) != chosen+" 1700000000000\n" {
		t.Errorf("%q, %v", data, err)
	}
}

// What a far side leaves in a job's directory is read, and a job is asked to end once.
func TestSharedFiles(t *testing.T) {
	s := newStore(t)
	v := heldGroup(t, s)
	id := v.rec.ID
	check(t, v.WriteScript("true"))
	if data, err := s.ReadShared(id, scriptFile); err != nil || string(data) != "true" {
		t.Errorf("the script: %q, %v", data, err)
	}
	check(t, s.root.Remove(id+"/"+scriptFile), s.root.Mkdir(id+"/"+scriptFile, 0o700))
	if err := v.WriteScript("true"); err == nil {
		t.Error("a directory becomes the script")
	}
	if _, err := s.ReadShared(id, envelopeFile); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no envelope: %v", err)
	}
	if s.root.has(id, spaceFile) {
		t.Error("space is reserved for a job that runs elsewhere")
	}
	if s.CancelAsked(id) {
		t.Error("nobody asked it to end")
	}
	check(t, s.AskCancel(id))
	if !s.CancelAsked(id) {
		t.Error("it is not asked to end")
	}
	check(t, v.Finish(&envelope.Result{}), v.Close())
	if err := s.AskCancel(chosen); err == nil {
		t.Error("a job that is missing is asked to end")
	}
}

// A process that was not started for a job does not supervise it.
func TestSuperviseFails(t *testing.T) {
	s := newStore(t)
	for name, c := range map[string]struct{ dir, id string }{"no store": {s.dir + "/none", chosen}, "no job": {s.dir, chosen}, "no id": {s.dir, "x"}} {
		if v, err := Supervise(Options{Dir: c.dir, Now: time.Now}, c.id); v != nil || err == nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
