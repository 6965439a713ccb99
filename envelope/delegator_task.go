package envelope

import (
	"bytes"
	"cmp"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/envwrap/envwrap/envelope/internal/delegator"
	"github.com/envwrap/envwrap/envelope/internal/mimetype"
	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// A task is a background job whose command is over. Unlike a run in the
// foreground, which is the tool itself and so fails with it, a task that failed
// is a good answer about a task: status is ok, and state says failed.

// waitResult returns the data of a task that ended, in a wait_result.
func (v *delegatorView) waitResult() *delegator.Data {
	w := &delegator.Data{
		TaskID: wire.Filled(localTask + v.taskID()), State: v.state, Summary: v.summaryLine(),
		Metadata: v.taskMetadata(), Artifacts: v.artifactList(),
	}
	switch {
	case v.ordinary():
		w.Output = v.output()
	case v.task:
		w.Output = v.adoptedOutput()
	}
	if v.Payload != nil && !v.saysNothing() && (w.Output == nil || !w.Output.Included) {
		w.Payload = v.payload()
	}
	if v.Exec != nil {
		w.Exec = v.exec(v.Exec)
	}
	return w
}

// nestedTask returns the data of a task whose command printed an envelope of this
// dialect: the task in that envelope, if it has one, under the id of this task. The
// error, and any other answer, describe this task.
func (v *delegatorView) nestedTask() wire.Fields {
	var own any = v.waitResult()
	if v.category == delegator.ResultSet {
		own = v.resultSet()
	}
	data := wire.FieldsIn(wire.MustEncode(own))
	if !v.Outcome.OK() || !wire.ReadInto(v.Payload, new(delegator.Data)) && !wire.ReadInto(v.Payload, new(delegator.Result)) {
		return data
	}
	data = data.Without("payload")
	order := wire.ShapeOf(reflect.TypeOf(own).Elem())
	for _, f := range wire.FieldsIn(v.payload()) {
		switch f.Name {
		case "task_id":
		case "metadata":
			metadata := wire.FieldsIn(f.Value)
			if code := wire.FieldsIn(data.Get("metadata")).Get("exit_code"); code != nil {
				metadata.Add("exit_code", code)
			}
			data.Set(f.Name, wire.EncodeObject(metadata))
		default:
			data.Set(f.Name, f.Value)
		}
	}
	slices.SortStableFunc(data, func(a, b wire.Field) int { return cmp.Compare(order.Place(a.Name), order.Place(b.Name)) })
	return data
}

// saysNothing reports whether the payload of an adopted envelope is empty, as it is
// where the envelope has an error in its place.
func (v *delegatorView) saysNothing() bool { return string(v.Payload) == "{}" }

// adoptedOutput returns the output of a task that printed an envelope: the payload as its
// stdout, and the task's own stderr.
func (v *delegatorView) adoptedOutput() *delegator.Output {
	plain, r := *v.view, *v.Result
	plain.Result, r.Stderr = &r, v.Exec.Stderr
	switch payload := v.payload(); {
	case v.saysNothing():
		r.Stdout = v.Exec.Stdout
	case payload != nil:
		r.Stdout = Stream{Text: string(payload), Bytes: int64(len(payload))}
	}
	x := *v
	x.view = &plain
	return x.output()
}

// resultSet returns the data of a task that ended, in a result_set.
func (v *delegatorView) resultSet() *delegator.Result {
	run := v.waitResult()
	m := v.taskMetadata()
	m.ExitCode = v.exitCode()
	return &delegator.Result{
		TaskID: run.TaskID, State: delegator.TaskState(run.State), Summary: run.Summary, Duration: v.seconds(), CompletedTS: v.ts(),
		Metadata: m, Artifacts: run.Artifacts, Output: run.Output, Events: v.taskEvents(), Payload: run.Payload, Exec: run.Exec,
	}
}

// taskMetadata returns the EnhancedMetadata, as far as envwrap knows of such things.
func (v *delegatorView) taskMetadata() *delegator.Metadata {
	duration := v.seconds()
	m := &delegator.Metadata{Duration: &duration, TaskStatus: wire.Quoted(string(v.state)), Redactions: v.redactions(), Cache: v.cache(true)}
	if v.task && !v.Outcome.OK() {
		m.Error = v.errorContext()
	}
	return m
}

// errorContext returns what went wrong. Nothing did if the task was cancelled.
func (v *delegatorView) errorContext() *delegator.Context {
	o := &v.Outcome
	w := &delegator.Context{
		Message: v.short(o.Message), Type: string(v.foreignCode()), Signal: o.Signal,
		Retryable: o.Retryable && o.Code != ETIMEOUT, ClassifiedBy: string(o.ClassifiedBy),
	}
	if o.Hint != "" {
		w.Suggestions = []string{v.short(o.Hint)}
	}
	switch v.state {
	case delegator.TaskCancelled:
		return nil
	case delegator.TaskTimeout:
		if w.TimeoutType = wire.TimeoutType(o.Timeout); w.TimeoutType == "" {
			w.TimeoutType = wire.TimeoutType(HardTimeout)
		}
		w.Partial = &delegator.Partial{Output: v.lastOutput()}
		if own := new(delegator.Partial); wire.ReadInto(o.Details.Get("partial_results"), own) {
			w.Partial = own
		}
	}
	if !v.ordinary() {
		w.Rest.Put("details", v.roomy(o.Details.Without("exit_code", "hint", "partial_results", "timeout_type", "classified_by", "retryable")))
	}
	return w
}

// taskEvents says how many events there are, which are the lines of JSON that the
// command printed if these were all, and has the last of them where they were
// asked for and are at hand.
func (v *delegatorView) taskEvents() *delegator.Events {
	s := &v.ran().Stdout
	n := s.events()
	switch {
	case n == 0:
		return &delegator.Events{Reason: "The command printed no lines of JSON"}
	case !v.opt.IncludeEvents:
		return &delegator.Events{Count: wire.Count(n), Reason: "Events left out by default; ask with --include-events, or read the lines of stdout"}
	}
	w := &delegator.Events{Included: true, Count: wire.Count(n), Events: s.lastEvents(v.tailRoom())}
	if int64(len(w.Events)) < n {
		w.Reason = "These are the last ones; all are the lines of stdout"
	}
	return w
}

// tailRoom returns the most bytes of the end of a stream.
func (v *delegatorView) tailRoom() int {
	if v.cut.tail > 0 {
		return v.cut.tail
	}
	return tailKeep
}

// lastEvents returns the last lines of JSON in room bytes, no more than the document
// allows, in their order.
func (s *Stream) lastEvents(room int) []json.RawMessage {
	text, whole := s.whole()
	if !whole {
		text = s.end()
		if int64(len(text)) < s.Bytes {
			_, text, _ = strings.Cut(text, "\n") // it may begin within a line
		}
	}
	list := []json.RawMessage{}
	for line := range strings.Lines(text) {
		if event := jsontext.TrimSpace([]byte(line)); isObject(event) && jsontext.Valid(event) {
			list = append(list, event)
		}
	}
	from := len(list)
	for from > max(0, len(list)-delegator.EventsMost) && room >= len(list[from-1]) {
		from--
		room -= len(list[from])
	}
	return list[from:]
}

// events returns the number of records of a stream of JSON lines, 0 for any other.
func (s *Stream) events() int64 {
	if y := s.Summary; y != nil && y.Kind == mimetype.NDJSON && y.RecordCount != nil {
		return *y.RecordCount
	}
	if s.Text == "" || jsontext.Kind([]byte(s.Text)) != '{' {
		return 0
	}
	n := int64(0)
	for line := range bytes.Lines([]byte(s.Text)) {
		if line = jsontext.TrimSpace(line); len(line) == 0 {
			continue
		}
		if !isObject(line) || !jsontext.Valid(line) {
			return 0
		}
		n++
	}
	return n
}

// readTask reads the data of a wait_result or a result_set into r; nil if the document
// is in none of ours.
func readTask(w *delegator.Envelope, r *Result, data []byte, into interface{ Parts() delegator.Parts }) *Result {
	if !wire.ReadInto(data, into) {
		return nil
	}
	d := into.Parts()
	id, ok := strings.CutPrefix(string(d.TaskID), localTask)
	if !ok || !wire.IsULID(id) {
		return nil
	}
	r.TaskID = id
	if d.State != delegator.TaskCompleted || w.ToolCategory == delegator.ResultSet {
		r.JobID = id
	}
	r.within(d.Exec)
	if d.CompletedTS != "" {
		r.setTimes(string(d.CompletedTS), wire.FromSeconds(d.Duration).Milliseconds())
	}
	reason := ""
	if d.Output != nil {
		reason = d.Output.Reason
	}
	r.setArtifacts(d.Artifacts, reason)
	var m delegator.Metadata
	if !wire.ReadInto(wire.RawIn(d.Metadata), &m) {
		return nil
	}
	r.readNotes(m.Redactions, m.Cache)
	if m.ExitCode != nil {
		r.Outcome.ExitCode = m.ExitCode
	}
	setState(d.State, &r.Outcome, m.Error)
	switch o := d.Output; {
	case o == nil || !o.Included || o.Stdout == nil || o.Stderr == nil:
	case o.Truncated:
		r.Stdout.readEnds(*o.Stdout)
		r.Stderr.readEnds(*o.Stderr)
	default:
		readOutput(o, r)
		r.Stdout.countReplaced(bytesIn(wire.StringIn(wire.FieldsIn(data).Get("summary"))) - r.Stderr.Bytes)
	}
	if e := d.Events; e != nil && e.Count > 0 && r.Stdout.Summary == nil {
		n := int64(e.Count)
		r.Stdout.Summary = &Summary{SizeBytes: r.Stdout.Bytes, Kind: mimetype.NDJSON, RecordCount: &n}
	}
	return r
}

// readOutput takes whole streams, which may be in the store too.
func readOutput(w *delegator.Output, r *Result) {
	stdout, stderr := r.Stdout.Artifact, r.Stderr.Artifact
	r.Stdout, r.Stderr = plainStream(wire.MustEncode(*w.Stdout)), plainStream(wire.MustEncode(*w.Stderr))
	if text := *w.Stdout; jsontext.Kind([]byte(text)) == '{' || jsontext.Kind([]byte(text)) == '[' {
		_ = r.Stdout.Interpret([]byte(text), ParseAuto) // which demands nothing
	}
	if r.Stdout.Bytes == 0 && stderr == "" {
		stdout, stderr = "", stdout // the only artifact belongs to the only stream with output
	}
	r.Stdout.keptAs(stdout)
	r.Stderr.keptAs(stderr)
}

// bytesIn returns how many bytes of output the summary of a task says, 0 if it does not.
func bytesIn(summary string) int64 {
	said, ok := strings.CutSuffix(summary, " bytes of output")
	n, err := strconv.ParseInt(said[strings.LastIndexByte(said, ' ')+1:], 10, 64)
	if !ok || err != nil {
		return 0
	}
	return n
}

// readEnds takes a stream of which the middle was left out if it is in the store, or whole.
func (s *Stream) readEnds(text string) {
	head, tail, cut := strings.Cut(text, omission+"\n")
	switch {
	case s.Artifact == "":
		*s = plainStream(wire.Quoted(text))
	case cut:
		s.Head, s.Tail = []byte(head), []byte(tail)
	default:
		s.keptAs(s.Artifact)
	}
}

// countReplaced sets the length of a text that has U+FFFD in place of bytes that are not UTF-8.
func (s *Stream) countReplaced(length int64) {
	n := int64(len(s.Text)) - length
	if replaced := n / int64(replacementGrowth); length > 0 && n > 0 && n%int64(replacementGrowth) == 0 && replaced <= int64(strings.Count(s.Text, "\ufffd")) {
		s.Bytes, s.Replaced = length, replaced
	}
}

// keptAs says that a stream which is here is in the store too.
func (s *Stream) keptAs(artifact string) {
	if artifact != "" {
		s.Artifact, s.Excerpt = artifact, &Excerpt{Text: s.Text}
	}
}

// setState takes what the state of a task says of its run.
func setState(s delegator.State, o *Outcome, w *delegator.Context) {
	switch s {
	case delegator.TaskCompleted:
		return
	case delegator.TaskFailed:
		o.Kind, o.Code = Failure, ERUNTIME
	case delegator.TaskCancelled:
		o.Kind, o.Code = Canceled, ECANCELED
	case delegator.TaskTimeout:
		o.Kind, o.Code = Timeout, ETIMEOUT
	}
	if w == nil {
		return
	}
	o.setCode(w.Type, o.Code)
	o.Message, o.Signal, o.Retryable, o.ClassifiedBy = w.Message, w.Signal, w.Retryable, Classifier(w.ClassifiedBy)
	o.Timeout = TimeoutType(w.TimeoutType)
	if len(w.Suggestions) > 0 {
		o.Hint = w.Suggestions[0]
	}
}
