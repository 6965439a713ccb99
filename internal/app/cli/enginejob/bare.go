package enginejob

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli/farend"
	"github.com/envwrap/envwrap/internal/app/engine"
	"github.com/envwrap/envwrap/internal/app/session"
	"github.com/envwrap/envwrap/job"
	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/wrap"
)

// bareBySignal is the exit status of a shell for a command that a signal has ended, less the
// number of the signal.
const bareBySignal = 128

// A bareEnd is how a command ended that ran without envwrap, and when it was started.
type bareEnd struct {
	status  int
	how     engine.How
	started time.Time
}

// fault returns why the command was not started; 0 if it was.
func (b *bareEnd) fault() wrap.StartFault {
	return map[engine.How]wrap.StartFault{
		engine.Missing: wrap.NoProgram, engine.Denied: wrap.NotExecutable, engine.IsDirectory: wrap.ProgramIsDirectory, engine.NoDirectory: wrap.NoDirectory,
	}[b.how]
}

// bareResult returns the record of a command that ran without envwrap, from its end and what it
// printed to stdout and stderr.
func (e *Job) bareResult(rec *job.Record, end bareEnd, raw [2]opener) (*envelope.Result, error) {
	status := end.status
	ran := wrap.Recording{
		Whole: true, ExitCode: status, NotStarted: end.fault(), TimedOut: end.how == engine.TimedOut, Started: end.started, Ended: e.Now().UTC(),
	}
	if status > bareBySignal && status < bareBySignal+64 {
		ran.ExitCode, ran.Signal, ran.Name = -1, status-bareBySignal, farend.SignalName(status-bareBySignal)
	}
	s := e.session()
	defer s.Close()
	s.Command.Argv, s.Command.Dir = rec.Argv, cmp.Or(e.note().Dir, rec.Dir)
	for i, stream := range []*wrap.RecordedStream{&ran.Stdout, &ran.Stderr} {
		stream.Printed = raw[i]
	}
	if e.Record.Array == nil { // a member's envelope is kept as it is
		s.Command.Placement = envelope.Placement{Keep: envelope.KeepAll}
	}
	replayed, err := wrap.Replay(s.Command, &ran, nil)
	if err != nil {
		return nil, fmt.Errorf("read the output of job %q: %w", rec.ID, err)
	}
	res := replayed.Result
	if e.cut {
		counted := fmt.Sprintf("%d bytes on stdout", res.Stdout.Bytes)
		res.Outcome.Message = strings.Replace(res.Outcome.Message, " printed "+counted, " printed at least "+counted, 1)
	}
	if e.Store.CancelAsked(rec.ID) && status != 0 && (end.how == "" || end.how == engine.Stopped) {
		o := &res.Outcome
		o.Kind, o.Code, o.Message, o.Hint, o.ClassifiedBy, o.Retryable = envelope.Canceled, envelope.ECANCELED, res.Tool+" was canceled", "", envelope.ByEnvwrap, false
		res.ExitStatus = exitStatus(o)
	}
	res.Workspace = rec.Workspace
	warning := fmt.Sprintf("%s runner %q ran the command: its output was not masked there", NoEnvwrapThere, e.Row.Name)
	if status != 0 && e.Record.Far.Engine.Starts > 1 {
		warning += ", and --retries starts it again only where the engine has ended it"
	}
	if unheld := e.note().Unheld; len(unheld) > 0 {
		warning += ", and these options did not hold: " + strings.Join(unheld, ", ")
	}
	res.Warnings = append(res.Warnings, warning)
	if e.lost != "" {
		res.Warnings = append(res.Warnings, e.lost)
	}
	return res, nil
}

// exitStatus returns the exit status of a run that left no envelope.
func exitStatus(o *envelope.Outcome) int {
	return map[envelope.Kind]int{envelope.Timeout: 124, envelope.Canceled: 143}[o.Kind]
}

// NoEnvwrapThere begins the warning about such a run.
const NoEnvwrapThere = "no envwrap was found where"

// An opener opens what a command has printed.
type opener = func() (io.ReadCloser, error)

// raw returns what opens stdout and stderr of a command that ran without envwrap.
func (e *Job) raw() (raw [2]opener) {
	for i, file := range [...]string{engine.RawOut, engine.RawErr} {
		raw[i] = func() (io.ReadCloser, error) { return e.openRaw(file) }
	}
	return raw
}

// openRaw opens a file with what the command has printed. One that is missing was removed for
// want of room on the disk: the command was started with both.
func (e *Job) openRaw(file string) (io.ReadCloser, error) {
	from, err := e.Store.OpenShared(e.Record.ID, file)
	if errors.Is(err, fs.ErrNotExist) {
		e.lost = fmt.Sprintf("runner %q: what the command has printed is lost: %v", e.Row.Name, err)
		return io.NopCloser(strings.NewReader("")), nil
	}
	return from, err
}

// printed opens a text.
func printed(text *io.SectionReader) opener {
	return func() (io.ReadCloser, error) { return io.NopCloser(io.NewSectionReader(text, 0, text.Size())), nil }
}

// A Note is what those who read the output of a command that ran without envwrap have to
// know of it. It is a comment at the end of the script in the job's directory, which has the
// values in any case.
type Note struct {
	Dir    string      `json:"dir,omitempty"`    // the command's, if an option or the row names one
	Values []NoteValue `json:"values,omitempty"` // to be masked
	Unheld []string    `json:"unheld,omitempty"` // options that only an envwrap there would hold
}

// A NoteValue is a secret that the command was given, and the rule that masks it.
type NoteValue struct{ Rule, Secret string }

// noteMark precedes a Note.
const noteMark = "\n#envwrap "

// Text returns the end of the script; "" for a note that says nothing.
func (n *Note) Text() string {
	text, err := json.Marshal(n)
	if err != nil || string(text) == "{}" {
		return ""
	}
	return noteMark + string(text) + "\n"
}

// note returns what the submit has noted; a job of another machine has nothing.
func (e *Job) note() (n Note) {
	script, err := e.Store.ReadShared(e.Record.ID, "script")
	if i := bytes.LastIndex(script, []byte(noteMark)); err == nil && i >= 0 {
		_ = json.Unmarshal(script[i+len(noteMark):], &n) // another comment has no values
	}
	return n
}

// session returns a session that is prepared for the command of the job. The caller closes it.
func (e *Job) session() *session.Session {
	rec := e.Record
	options := session.Options{
		UserOptions: session.UserOptions{
			TraceID: rec.TraceID, Meaning: wrap.Meaning{Parse: rec.View.Parse}, Store: e.Store.Dir(),
			Limits: wrap.Limits{Timeout: rec.Limits.Timeout, MaxCapture: rec.Limits.MaxCapture, MaxArtifact: rec.Limits.MaxArtifact, InlineLimit: rec.View.InlineLimit},
		},
		Argv: rec.Argv, TaskID: rec.ID,
	}
	for _, v := range e.note().Values {
		options.Secrets = append(options.Secrets, redact.Value{Rule: v.Rule, Secret: v.Secret})
	}
	s := session.New(e.Session(), options)
	s.Prepare()
	return s
}
