package job

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
)

// A job on a runner with an engine (Slurm, for instance) has no supervisor: the engine
// holds it, and runs a script of the job's directory, which both machines see. Whoever
// makes "started.0" there first decides: as a directory it is the script's, which then
// runs the command; as a file it refuses the start.
//
//	jobs/<ULID>/script        what the engine runs
//	jobs/<ULID>/started.<n>   made by the script before it starts the command, or a refusal
//	jobs/<ULID>/envelope      of the far envwrap, once the command has ended
//	jobs/<ULID>/engine.log    what the engine prints about the script

// An EngineJob says which job of an engine a job is.
type EngineJob struct {
	Name   string    `json:"name"`            // unique
	ID     string    `json:"id,omitempty"`    // the engine's; "" before its answer came
	Until  time.Time `json:"until,omitzero"`  // the command is not started after this (--queue-timeout)
	Starts int       `json:"starts,omitzero"` // how often the engine may start it
	// Adopted says that another machine has submitted the job, and is to learn its end, too.
	Adopted bool   `json:"adopted,omitempty"`
	Says    string `json:"-"` // the engine's word for its state, masked; "" unless it was just asked
	Unasked string `json:"-"` // why it could not be asked just now, masked; "" if it was
}

// Names of files, in addition to those of every job.
const (
	scriptFile   = "script"
	startedFile  = "started.0"
	envelopeFile = "envelope"
	rawOutFile   = "raw.stdout"
	rawErrFile   = "raw.stderr"
)

// InEngine reports whether an engine holds the job.
func (r *Record) InEngine() bool { return r.Far != nil && r.Far.Engine != nil }

// Path returns the absolute path of a job's directory.
func (s *Store) Path(id string) string { return filepath.Join(s.dir, jobsDir, id) }

// WriteScript writes the script of a job whose supervisor this process is.
func (v *Supervisor) WriteScript(text string) error {
	if err := v.s.root.WriteNew(v.rec.ID+"/"+scriptFile, []byte(text), false); err != nil {
		return fmt.Errorf("write the script of job %q: %w", v.rec.ID, err)
	}
	return nil
}

// SetEngineID records the engine's id of a job that is not over.
func (s *Store) SetEngineID(id, engineID string) error {
	err := s.root.withJobLock(id, func() error {
		rec, err := s.records.load(id)
		if err != nil || rec.State.Over() || !rec.InEngine() || rec.Far.Engine.ID == engineID {
			return err
		}
		rec.Far.Engine.ID = engineID
		return s.root.put(id, recordFile, rec)
	})
	if err != nil {
		return fmt.Errorf("record that job %q is the engine's job %s: %w", id, engineID, err)
	}
	return nil
}

// ReadShared reads a file of a job's directory that the far side has written. The error
// wraps fs.ErrNotExist if it is missing.
func (s *Store) ReadShared(id, name string) ([]byte, error) {
	data, err := s.root.read(id + "/" + name)
	if err != nil {
		return nil, fmt.Errorf("read the %s of job %q: %w", name, id, err)
	}
	return data, nil
}

// OpenShared opens a file for reading that the far side has written into a job's directory. It
// may be of any length, and ends where it ended now. The error wraps fs.ErrNotExist if it is
// missing.
func (s *Store) OpenShared(id, name string) (io.ReadCloser, error) {
	f, err := s.root.OpenFile(id+"/"+name, os.O_RDONLY, 0)
	if err == nil {
		var info fs.FileInfo
		if info, err = f.Stat(); err == nil {
			return struct {
				io.Reader
				io.Closer
			}{io.LimitReader(f, info.Size()), f}, nil
		}
		_ = f.Close()
	}
	return nil, fmt.Errorf("read the %s of job %q: %w", name, id, err)
}

// StartedThere returns when the engine started the command; false if it did not, or if the
// start is refused.
func (s *Store) StartedThere(id string) (time.Time, bool) { return s.records.startedThere(id) }

func (rs *records) startedThere(id string) (time.Time, bool) {
	info, err := rs.root.Lstat(id + "/" + startedFile)
	if err != nil || !info.IsDir() {
		return time.Time{}, false
	}
	return info.ModTime().UTC(), true
}

// MarkStarted records when the engine started the command of a job whose script does not
// see its directory.
func (s *Store) MarkStarted(id string, at time.Time) error {
	name := id + "/" + startedFile
	err := s.root.Mkdir(name, 0o700)
	if err == nil {
		return s.root.Chtimes(name, at)
	}
	if errors.Is(err, fs.ErrExist) {
		err = nil
	}
	return err
}

// PutShared writes a file of a job's directory for a far side that does not see it.
func (s *Store) PutShared(id, name string, data []byte) error {
	return s.root.WriteFile(id+"/"+name, id+"/"+name+".new", data, false)
}

// WriteShared is PutShared for what write writes: if that fails, the file stays as it was.
func (s *Store) WriteShared(id, name string, write func(io.Writer) error) error {
	temp := id + "/" + name + ".new"
	f, err := s.root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	err = write(f)
	if err = errors.Join(err, f.Close()); err == nil {
		err = s.root.Rename(temp, id+"/"+name)
	}
	if err != nil {
		_ = s.root.Remove(temp)
	}
	return err
}

// Spool makes a file in a job's directory for the log that an engine sends. The file has lost
// its name, where the system allows that; the caller closes it.
func (s *Store) Spool(id string) (*os.File, error) {
	name := fmt.Sprintf("%s/spool.%d", id, os.Getpid())
	f, err := s.root.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, fmt.Errorf("keep what the engine has printed of job %q: %w", id, err)
	}
	_ = s.root.Remove(name)
	return f, nil
}

// OpenStreams makes empty files for the masked output of a job whose engine keeps it, for
// those who follow the job.
func (s *Store) OpenStreams(id string) (*os.File, error) {
	var f *os.File
	for _, name := range []string{stderrFile, stdoutFile} {
		_ = closeOptional(f)
		var err error
		if f, err = s.root.OpenFile(id+"/"+name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC|os.O_APPEND, 0o600); err != nil {
			return nil, fmt.Errorf("keep the output of job %q: %w", id, err)
		}
	}
	return f, nil
}

// RefuseStart makes a job's script start nothing, and reports false if it has started the
// command before.
func (s *Store) RefuseStart(id string) (bool, error) {
	name := id + "/" + startedFile
	f, err := s.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		return true, f.Close()
	}
	if info, lookErr := s.root.Lstat(name); lookErr == nil {
		return !info.IsDir(), nil
	}
	return false, fmt.Errorf("refuse the start of job %q: %w", id, err)
}

// Remove removes a job that no engine has and that will not start.
func (s *Store) Remove(id string) error {
	return s.root.withJobLock(id, func() error { return s.root.RemoveAll(id) })
}

// AskCancel records that somebody asked a job to end, for those who learn its end.
func (s *Store) AskCancel(id string) error { return s.root.touch(id + "/" + cancelFile) }

// CancelAsked reports whether somebody asked a job to end.
func (s *Store) CancelAsked(id string) bool { return s.root.has(id, cancelFile) }

// CanceledAt returns when a job was first asked to end; the zero time if it was not.
func (s *Store) CanceledAt(id string) time.Time {
	info, err := s.root.Lstat(id + "/" + cancelFile)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// keepShared makes artifacts of what the far side has shown of a job, where a result of
// its run does not name any: all of a stream, or, if the run was lost, what came of it.
func (s *Store) keepShared(rec *Record, res *envelope.Result) {
	if res.Exec != nil {
		return
	}
	a, err := artifact.Open(artifact.Options{Dir: s.dir, Now: s.now, Run: rec.ID, NoMaintenance: true})
	if err != nil {
		return
	}
	defer a.Close()
	lost := !s.root.has(rec.ID, envelopeFile)
	for _, of := range []struct {
		file   string
		stream *envelope.Stream
		parse  envelope.Parse
	}{{stdoutFile, &res.Stdout, rec.View.Parse}, {stderrFile, &res.Stderr, envelope.ParseText}} {
		size := s.root.size(rec.ID + "/" + of.file)
		if of.stream.Artifact != "" || !lost && size != of.stream.Bytes {
			continue
		}
		if stream, err := s.root.store(a, rec, of.file, of.parse); err == nil && stream.Bytes > 0 {
			stream.Truncated = lost
			*of.stream = stream
		}
	}
}

// shared reads what an unfinished job of an engine has left: when it was started.
func (rs *records) shared(rec *Record) {
	if !rec.InEngine() {
		return
	}
	if at, ok := rs.startedThere(rec.ID); ok {
		rec.State, rec.Started = Running, at
	}
}

// Hold adds a job that an engine is to hold, d.Record.Far.Engine, and that this process
// supervises until it calls Leave. If a job with the same Identity is queued or runs, it
// returns that one and no supervisor.
func Hold(o Options, d *Draft) (*Supervisor, *Submission, error) {
	if !d.Record.InEngine() {
		return nil, nil, fmt.Errorf("record a job: no engine holds it: %w", fs.ErrInvalid)
	}
	v, existing, err := begin(o, d)
	if err != nil {
		return nil, nil, fmt.Errorf("record a job: %w", err)
	}
	return v, existing, nil
}

// A job may run on another machine, the far end: its supervisor calls an envwrap there,
// which makes a job of the command under an id that was chosen here. That id is on disk
// before anything is sent, and what became of the command is known there, whatever
// becomes of the supervisor. So a job that was handed over is never lost with its
// supervisor: [Store.Wait] and [Store.Cancel] return [ErrElsewhere], and the caller, who
// has asked the far end, passes the answer to [Store.Conclude].

// Elsewhere reports whether only the far end knows what became of a job.
func (s *Store) Elsewhere(rec *Record) bool {
	if rec.State.Over() || !rec.handedOver() {
		return false
	}
	alive, err := s.records.alive(rec.ID)
	return !alive && err == nil
}

// Conclude records how a job ended for which [Store.Elsewhere] is true, as
// [Supervisor.Finish] does, and returns its record. One that is over is not changed.
func (s *Store) Conclude(id string, res *envelope.Result) (rec *Record, err error) {
	err = s.root.withJobLock(id, func() error {
		if rec, err = s.records.load(id); err != nil || !s.Elsewhere(rec) {
			return err
		}
		switch {
		case rec.InEngine() && rec.Array != nil:
			s.keepFiles(rec, res, envelope.ParseText)
		case rec.InEngine():
			s.keepShared(rec, res)
		}
		rec.end(res, s.now().UTC())
		s.outputs.pin(rec)
		whole, fault := s.records.conclude(rec, res)
		if err = fault; err == nil {
			s.ended.add(rec)
			s.root.removeFiles(id, spaceFile, scriptFile, rawOutFile, rawErrFile)
			if whole || rec.Array == nil { // the ends of members are nowhere else
				s.root.removeFiles(id, stdoutFile, stderrFile)
			}
			if rec.Array != nil {
				s.removeMembers(id)
			}
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("record how job %q ended: %w", id, err)
	}
	return rec, nil
}
