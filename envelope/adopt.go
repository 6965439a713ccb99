package envelope

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/envwrap/envwrap/envelope/internal/delegator"
	"github.com/envwrap/envwrap/envelope/internal/wire"
)

// Adopt returns the record of an envelope that a command printed itself. stdout is the
// whole redacted output of run. If it does not claim to be one envelope of a known
// dialect, or progress events and their result, or if envwrap itself ended the run
// (timeout, canceled, not started), claims is false and nothing else is set. If it
// makes that claim and is invalid, or contradicts how the run ended, err is why (the run
// is then EENVELOPE).
//
// Otherwise adopted is the envelope's record, with run as its Exec. Outcome, command,
// payload and times are those of the envelope, and everything else is known from the
// run: see [Result.takeFacts]. If its Payload is too large to stay inline, the caller
// sets Payload to nil and Stdout to the stored stream.
func Adopt(run *Result, stdout []byte, known Adoption) (adopted *Result, claims bool, err error) {
	if run.Outcome.ClassifiedBy == ByEnvwrap && slices.Contains([]Kind{Timeout, Canceled, NotStarted}, run.Outcome.Kind) {
		return nil, false, nil
	}
	if last := resultOfStream(stdout); last != nil {
		stdout = last
	}
	claimed, claims := Identify(stdout)
	if !claims {
		return nil, false, nil
	}
	d := claimed.self().variantOf(stdout)
	w, faults := d.read(stdout, false)
	if known.Masked {
		faults = slices.DeleteFunc(faults, func(f wire.Fault) bool { return slices.Contains(countRules, f.Rule) })
	}
	if len(faults) > 0 {
		return nil, true, &FaultError{d.name, faults}
	}
	a := &adoption{Adoption: known, run: run, dialect: d}
	a.read(w, stdout)
	if err := a.contradiction(); err != nil {
		return nil, true, err
	}
	return a.finish(), true, nil
}

// countRules are the rules that compare counts with a text.
var countRules = []string{"output/bytes", "output/lines"}

// resultOfStream returns the last line of a stream of progress events that ends in a
// result (Protocol v1, "Streaming"); nil if text is not such a stream.
func resultOfStream(text []byte) []byte {
	lines := bytes.Split(bytes.TrimRight(text, "\r\n"), []byte{'\n'})
	for i, line := range lines {
		d, ok := Identify(line)
		status := wire.StringIn(wire.FieldsIn(line).Get("status"))
		if !ok || !d.Events() || (status == "progress") != (i < len(lines)-1) {
			return nil
		}
	}
	if len(lines) == 1 {
		return nil
	}
	return lines[len(lines)-1]
}

// An adoption is the state of adopting one envelope.
type adoption struct {
	Adoption
	run     *Result // that printed it
	dialect *dialect

	record *Result // of the envelope
	own    bool    // it is envwrap's own record of a run
	proved bool    // an envwrap below the run printed it
	ended  bool    // and ended with the status of the run
	named  Outcome // has the status that the envelope names
	jobs   *Jobs   // the answer about jobs in the envelope; nil if it answers about a run
}

// read sets the record from doc, whose wire struct is w.
func (a *adoption) read(w wireDoc, doc []byte) {
	if a.Reported != nil {
		a.proved, a.ended = a.Reported(doc)
	}
	own := w.run()
	switch foreign, moved := w.(interface{ adopted(doc []byte) *Result }); {
	case own != nil && own.Jobs == nil && own.ordinary() && a.dialect.spells(own, doc):
		a.record, a.own = own, true
	case moved:
		a.record = foreign.adopted(doc)
	default:
		a.record = a.dialect.record(w)
	}
	a.named = a.record.Outcome
	if own != nil && own.Jobs == nil {
		a.named = own.ended().Outcome
	} else if own != nil {
		a.jobs = own.Jobs
	}
	if exec := a.record.execFacts(); exec != nil { // it saw the process that ended
		a.named = execIn(exec, a.record.Ended).Outcome
	}
}

// tryLater is the status with which envwrap acknowledges a job that goes on
// (EX_TEMPFAIL).
const tryLater = 75

// contradiction returns an error if the envelope contradicts how the process ended. An
// envelope that reports an error and names no status contradicts no status: many tools
// end with 0 after they reported an error.
func (a *adoption) contradiction() error {
	o, run := &a.record.Outcome, &a.run.Outcome
	switch {
	case a.record.Progress:
		return errors.New("the envelope is a progress event, and no other came after it")
	case o.OK() && !run.OK() && !byItsStatus(run):
		return fmt.Errorf("the envelope says ok, and the run failed: %s", run.Message)
	case a.proved && (a.ended || !o.OK() || run.OK()):
	case o.OK() && run.ExitCode != nil && *run.ExitCode == tryLater && a.acknowledges():
	case a.named.hasStatus():
		if !a.agrees() {
			return fmt.Errorf("the envelope names %s, and the process ended with %s", a.named.status(), run.status())
		}
	case o.OK() && !run.OK():
		return fmt.Errorf("the envelope says ok, and the run failed: %s", run.Message)
	}
	return nil
}

// byItsStatus reports whether a run failed because of the status of its process, and
// nothing else.
func byItsStatus(o *Outcome) bool {
	return o.ClassifiedBy != ByEnvwrap && o.ClassifiedBy != ByPipeline
}

// hasStatus reports whether an outcome names how the process ended.
func (o *Outcome) hasStatus() bool { return o.ExitCode != nil || wire.IsSignal(o.Signal) }

// status describes how the process ended, for an error message.
func (o *Outcome) status() string {
	switch {
	case o.Signal != "":
		return o.Signal
	case o.ExitCode != nil:
		return fmt.Sprintf("status %d", *o.ExitCode)
	}
	return "no status"
}

// Statuses of a wrapper as env(1), timeout(1) and envwrap end with them.
const (
	statusTimedOut = 124 // it ended the command, which took too long
	statusFailed   = 125 // it failed itself
	statusSignal   = 128 // and the number of a signal
)

// agrees reports whether the process ended with the status that the envelope names, or
// with the one that wrappers end with in its place.
func (a *adoption) agrees() bool {
	named, run := &a.named, &a.run.Outcome
	if run.Signal != "" || run.ExitCode == nil {
		return named.Signal == run.Signal
	}
	n := *run.ExitCode
	switch {
	case named.Signal != "" && a.SignalName != nil && named.Signal == a.SignalName(n-statusSignal):
		return true
	case named.Signal == "" && n == *named.ExitCode:
		return true
	case a.record.Outcome.Code == ETIMEOUT:
		return n == statusTimedOut
	case a.record.Outcome.Code == ECANCELED:
		return n > statusSignal
	}
	return a.own && n == statusFailed && a.failsByOption()
}

// failsByOption reports whether an option of envwrap failed the run, so that envwrap ends
// with 125: --parse json found no JSON, or --on-overflow kill stopped the command.
func (a *adoption) failsByOption() bool {
	o := &a.record.Outcome
	return o.Code == EOUTPUTTOOLARGE || o.Code == EPARSE && a.named.ExitCode != nil && *a.named.ExitCode == 0
}

// acknowledges reports whether the envelope says that a job was taken, or goes on.
func (a *adoption) acknowledges() bool {
	if a.jobs != nil {
		return a.jobs.unfinished()
	}
	return a.record.Category == string(delegator.ExecutionAck)
}

// finish returns the record with the facts of the run.
func (a *adoption) finish() *Result {
	r, exec := a.record, *a.run
	exec.Stdout = Stream{Bytes: a.run.Stdout.Bytes, Lines: a.run.Stdout.Lines}
	exec.Extra = a.withinExec()
	if r.Outcome.OK() && !exec.Outcome.OK() { // the envelope says what the status means
		exec.Outcome = Outcome{Kind: r.Outcome.Kind, ExitCode: exec.Outcome.ExitCode, Signal: exec.Outcome.Signal}
	}
	r.Exec, r.Nested = &exec, a.own
	if nameless := a.dialect.nameless; nameless != "" && r.Command == nameless {
		r.Command, r.Tool = exec.Command, exec.Tool
	}
	r.takeFacts(&exec)
	if !a.proved {
		r.demoteHint()
		r.Extra = wire.FieldsIn(a.sanitizeJSON(wire.EncodeObject(r.Extra.Without(runFacts...))))
		r.Unnamed = r.Unnamed.Without("hint").Without(runFacts...)
		details := wire.FieldsIn(a.sanitizeJSON(wire.EncodeObject(r.Outcome.Details)))
		r.Outcome.Details, r.Outcome.Unnamed = details.Without("read"), r.Outcome.Unnamed.Without("read")
		if isProtocol(r.Dialect) { // in the others the hint is shown as the command's
			r.Extra = r.Extra.Without("hint", "seq", "final")
		}
	}
	a.sanitizeStream(&r.Stdout)
	a.sanitizeStream(&r.Stderr)
	r.Kept = slices.DeleteFunc(slices.Clone(r.Kept), func(k Kept) bool { return !a.has(k.Artifact) })
	for i := range r.Kept {
		r.Kept[i].Read = a.reading(r.Kept[i].Read, r.Kept[i].Artifact)
	}
	if r.Payload != nil {
		r.Payload = a.sanitizePayload(r.Payload)
	}
	if r.Started.IsZero() {
		r.Duration = exec.Duration
		r.Started = r.Ended.Add(-exec.Duration)
	}
	return r
}

// takeFacts takes from a run what only envwrap knows: whose run it was, where, under
// which ids, and whether it was remembered. What the envelope says of these is the word
// of the command, and in no place of envwrap's own. These too are the word of the
// envelope: Command, Tool, Argv, the streams of a nested run, Outcome, times,
// Redactions, Warnings, SkippedSources, Usage, Payload and Extra; what envwrap knows
// instead is in Exec.
func (r *Result) takeFacts(run *Result) {
	r.RequestID, r.TaskID, r.JobID = run.RequestID, run.TaskID, run.JobID
	r.TraceID, r.TraceMade = run.TraceID, run.TraceMade
	r.Workspace, r.Agent = run.Workspace, run.Agent
	r.Source, r.CacheKey, r.CacheAge, r.Stale = run.Source, run.CacheKey, run.CacheAge, run.Stale
	r.ExitStatus = run.ExitStatus
}

// runFacts are members that say whose run it was, and where its output is, as envwrap says
// it in one dialect or another. Metadata that another's envelope has beside its payload
// lose them.
var runFacts = []string{"read", "workspace", "agent", "job_id", "source", "cache_key", "trace_id", "cas_digest"}

// demoteHint moves the hint of an envelope from the place where envwrap has its own to
// the details of the error: nobody proved that it is envwrap's.
func (r *Result) demoteHint() {
	hint := r.Outcome.Hint
	if hint == "" {
		return
	}
	r.Outcome.Hint = ""
	payload := wire.FieldsIn(r.Payload)
	if !r.Nested && !isProtocol(r.Dialect) {
		return // it is in the payload, the details or the metadata
	}
	r.Outcome.Details = slices.Clone(r.Outcome.Details)
	r.Outcome.Details.Put("hint", hint)
	if payload.Get("hint") != nil {
		r.Payload = wire.EncodeObject(payload.Without("hint"))
	}
}

// withinExec moves the facts of a run out of an envelope that has them (one that envwrap
// wrote of an envelope, or a helper's) into those of the adopting run, so that the members
// of the payload keep their order.
func (a *adoption) withinExec() wire.Fields {
	r, exec := a.record, a.record.execFacts()
	switch {
	case r.Exec != nil:
		exec = wire.MustEncode(newView(r, EncodeOptions{}).exec(r.Exec))
	case exec == nil:
		return nil
	}
	if payload := wire.FieldsIn(r.Payload); isExec(payload.Get("exec")) {
		r.Payload = wire.EncodeObject(payload.Without("exec"))
	}
	for _, f := range []*wire.Fields{&r.Outcome.Details, &r.Extra} {
		if isExec(f.Get("exec")) {
			*f = f.Without("exec")
		}
	}
	if f := wire.FieldsIn(exec); f.Get("read") != nil {
		exec = wire.EncodeObject(f.Without("read"))
	}
	return wire.Fields{{Name: "exec", Value: a.sanitizeJSON(exec)}}
}

// sanitizePayload sanitizes the payload of another's envelope. The artifact of data in
// protocol/v1 is tied to meta.cas_digest, which only envwrap sets: if the store lacks it,
// it is removed from the data of a run, and any other data goes under "payload".
func (a *adoption) sanitizePayload(payload json.RawMessage) json.RawMessage {
	payload = a.sanitizeJSON(payload)
	f := wire.FieldsIn(payload)
	if read := wire.StringIn(f.Get("read")); read != "" && !a.proved {
		f = f.Without("read")
		payload = wire.EncodeObject(f)
	}
	switch digest := f.Get("artifact"); {
	case digest == nil && f.Get("hint") != nil && isProtocol(a.dialect.name) && !a.proved && !isRun(f.Get):
	case digest == nil || !isProtocol(a.dialect.name) || a.has(wire.StringIn(digest)):
		return payload
	case isRun(f.Get):
		return wire.EncodeObject(f.Without("artifact", "artifacts", "summary"))
	}
	return wire.EncodeObject(wire.Fields{{Name: "payload", Value: payload}})
}
