package job

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/envwrap/envwrap/envelope"
)

// A Supervisor runs a job's command and records its end. It is not safe for concurrent
// use, but a signal may have Finish called beside Await, Streams or HandOver, before the
// command is started: these fail from then on.
type Supervisor struct {
	s          *Store
	rec        *Record
	lock, turn *os.File
	supervisor Process
	started    bool // the command
	closed     chan struct{}

	mu       sync.Mutex // held while the record is written, and for the following fields
	streams  []*limitedFile
	finished bool
}

// errFinished is the error of a step that comes after Finish.
var errFinished = errors.New("its end is recorded")

// Supervise takes over a job in the process that Submit started for it, and must be
// called in no other. The process holds the job's locks until it ends.
func Supervise(o Options, id string) (*Supervisor, error) {
	s, err := Open(o)
	if err != nil {
		return nil, err
	}
	lock, turn := s.root.inherit(id)
	if lock == nil {
		_ = s.Close()
		return nil, fmt.Errorf("supervise job %q: this process was not started for it", id)
	}
	rec, err := s.records.load(id)
	if err != nil {
		return nil, fmt.Errorf("supervise: %w", err)
	}
	v := newSupervisor(s, rec, lock, turn)
	if v.recordProcesses(Process{}) == nil {
		return v, nil
	}
	s.root.removeFiles(id, spaceFile) // the disk is full
	return v, v.recordProcesses(Process{})
}

func newSupervisor(s *Store, rec *Record, lock, turn *os.File) *Supervisor {
	v := &Supervisor{s: s, rec: rec, lock: lock, turn: turn, supervisor: identify(os.Getpid()), closed: make(chan struct{})}
	go v.pollCancel()
	return v
}

// pollCancel interrupts this process when it finds cancelRequest, which Cancel writes if
// it cannot send a signal.
func (v *Supervisor) pollCancel() {
	look := time.NewTicker(cancelFilePoll)
	defer look.Stop()
	for {
		select {
		case <-v.closed:
			return
		case <-look.C:
		}
		if info, err := v.s.root.Lstat(v.rec.ID + "/" + cancelFile); err == nil && info.Size() > 0 {
			interruptSelf()
			look.Reset(cancelSecond) // and again, which kills a command that has not ended by then
		}
	}
}

// Store returns the job's store.
func (v *Supervisor) Store() *Store { return v.s }

// Close releases the store. It must be called after Finish.
func (v *Supervisor) Close() error {
	close(v.closed)
	return v.s.Close()
}

// Record returns the supervisor's record of the job.
func (v *Supervisor) Record() *Record { return v.rec }

// recordProcesses records the job's processes. It needs no sync: a power cut ends them,
// too.
func (v *Supervisor) recordProcesses(child Process) error {
	if err := v.s.root.replace(v.rec.ID+"/"+processFile, processes{v.supervisor, child}, false); err != nil {
		return fmt.Errorf("record the processes of job %q: %w", v.rec.ID, err)
	}
	return nil
}

// Await waits for the job's turn. It returns false if the job was canceled before or
// stop was closed: then the caller must not run the command, and calls Finish. Else the
// record says that the job runs, before its command does: whoever finds it without a
// supervisor does not take it for one that never started. A job with a Far runs once it
// is handed over.
func (v *Supervisor) Await(stop <-chan struct{}) (bool, error) {
	turn, err := v.await(stop)
	if !turn || err != nil || v.rec.Far != nil {
		return turn, err
	}
	if err := v.recordRunning(nil); err != nil {
		return false, fmt.Errorf("record that job %q runs: %w", v.rec.ID, err)
	}
	return true, nil
}

func (v *Supervisor) await(stop <-chan struct{}) (bool, error) {
	// Cancel writes the file before it reads the process; this process was recorded
	// before it checks for the file.
	if v.s.root.has(v.rec.ID, cancelFile) {
		return false, nil
	}
	entry := queueDir + "/" + v.rec.ID
	if v.turn == nil || !v.s.root.Same(v.turn, entry) {
		return true, nil // it is a slot
	}
	slot, err := v.s.queue.awaitTurn(v.rec.ID, v.turn, v.rec.MaxJobs, stop)
	if err != nil {
		return false, fmt.Errorf("wait for the turn of job %q: %w", v.rec.ID, err)
	}
	if slot == nil {
		v.s.queue.leave(v.rec.ID, v.turn)
	}
	v.mu.Lock()
	v.turn = slot
	v.mu.Unlock()
	if slot == nil {
		return false, nil
	}
	return !v.s.root.has(v.rec.ID, cancelFile), nil
}

// recordRunning records that the job runs, at far unless that is nil. On a full disk it
// uses the space that was reserved.
func (v *Supervisor) recordRunning(far *Far) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.finished {
		return errFinished
	}
	if far != nil {
		v.rec.Far = far
	}
	v.rec.State = Running
	if v.rec.Started.IsZero() {
		v.rec.Started = v.s.now().UTC()
	}
	if v.s.root.put(v.rec.ID, recordFile, v.rec) == nil {
		return nil
	}
	v.s.root.removeFiles(v.rec.ID, spaceFile)
	return v.s.root.put(v.rec.ID, recordFile, v.rec)
}

// Started records the process id of the command. It must be called when the command has
// started.
func (v *Supervisor) Started(pid int) {
	v.started = true
	_ = v.recordProcesses(identify(pid)) // without it a lost job's processes are found by their mark
}

// Streams returns the writers for the masked output while the command runs, so that it
// can be followed and survives the supervisor. A Write fails if the disk does, or if
// Limits.MaxArtifact is reached.
func (v *Supervisor) Streams() (stdout, stderr io.Writer, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.finished {
		return nil, nil, errFinished
	}
	for _, name := range []string{stdoutFile, stderrFile} {
		f, err := v.s.root.OpenFile(v.rec.ID+"/"+name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
		if err != nil {
			return nil, nil, fmt.Errorf("keep the output of job %q: %w", v.rec.ID, err)
		}
		v.streams = append(v.streams, &limitedFile{f: f, most: v.rec.Limits.MaxArtifact})
	}
	return v.streams[0], v.streams[1], nil
}

// Finish records how the job ended, pins its output in the artifact store, and releases
// its locks. On a full disk it uses the space that was reserved for that, and shortens
// the record if necessary.
func (v *Supervisor) Finish(res *envelope.Result) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.finished = true
	id := v.rec.ID
	for _, l := range v.streams {
		_ = l.f.Close()
	}
	if !v.started && v.rec.Far == nil {
		v.rec.Started = time.Time{}
	}
	v.rec.end(res, v.s.now().UTC())
	v.s.outputs.pin(v.rec)
	// Whoever waits for the job may remove the store once it is over: no file is made after that.
	ended, endedErr := v.s.ended.open()
	if endedErr == nil {
		defer ended.Close()
	}
	whole, err := v.s.records.conclude(v.rec, res)
	if whole {
		v.s.root.removeFiles(id, stdoutFile, stderrFile)
	}
	if err == nil && endedErr == nil {
		writeEnded(ended, v.rec)
	}
	v.s.root.removeFiles(id, spaceFile)
	_ = v.s.root.Remove(queueDir + "/" + id)
	_ = closeOptional(v.turn)
	_ = closeOptional(v.lock)
	if err != nil {
		return fmt.Errorf("record how job %q ended: %w", id, err)
	}
	return nil
}

// A limitedFile is the file of a stream of a running command. It takes at most a number
// of bytes.
type limitedFile struct {
	f    *os.File
	most int64 // bytes; 0 is no limit
	n    int64
}

var errFull = errors.New("the limit of kept output is reached")

// Write adds to the file, up to its limit.
func (l *limitedFile) Write(p []byte) (int, error) {
	rest := p
	if l.most > 0 && l.n+int64(len(p)) > l.most {
		rest = p[:l.most-l.n]
	}
	n, err := l.f.Write(rest)
	l.n += int64(n)
	if err == nil && len(rest) < len(p) {
		err = errFull
	}
	return n, err
}

// HandOver records that the job is about to be sent to the far end. After an error
// nothing may be sent.
func (v *Supervisor) HandOver(far Far) error {
	far.State, far.At = HandedOver, v.s.now().UTC()
	if err := v.recordRunning(&far); err != nil {
		return fmt.Errorf("record that job %q is handed over to runner %q: %w", v.rec.ID, far.Runner, err)
	}
	return nil
}

// Leave releases the locks of a job that was handed over and whose end is unknown. It
// records cut, the last words of the connection, if that is not "".
func (v *Supervisor) Leave(cut string) {
	if far := v.rec.Far; cut != "" && far != nil {
		left := *far
		left.Cut = cut
		_ = v.recordRunning(&left) // the words are not needed
	}
	for _, l := range v.streams {
		_ = l.f.Close()
	}
	_ = closeOptional(v.turn)
	_ = closeOptional(v.lock)
}

// Forget removes the job of [Begin], whose end its caller knows.
func (v *Supervisor) Forget() {
	v.Leave("")
	_ = v.s.root.RemoveAll(v.rec.ID)
}
