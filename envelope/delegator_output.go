package envelope

import (
	"fmt"
	"strings"

	"github.com/envwrap/envwrap/envelope/internal/delegator"
	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/excerpt"
	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// delegatorKeeps returns which outputs are stored although they are small: those that the
// envelope leaves out.
func delegatorKeeps(o EncodeOptions) Keep {
	if o.IncludeOutput == IncludeAlways {
		return KeepFailed
	}
	return KeepAll
}

// delegatorCompletes reports whether an output that is to be inlined is so whole.
func delegatorCompletes(plain *view) bool {
	v := newDelegatorView(plain)
	if !v.includesOutput() || !v.ordinary() || !v.Outcome.OK() && !v.task {
		return true
	}
	for _, s := range []*Stream{&v.Stdout, &v.Stderr} {
		if s.Artifact != "" {
			continue
		}
		if _, cut := v.bothEnds(s); cut {
			return false
		}
	}
	return true
}

func (v *delegatorView) artifactList() []delegator.Artifact {
	var list []delegator.Artifact
	for _, s := range v.stored() {
		size := s.Bytes
		if s.Summary != nil {
			size = s.Summary.SizeBytes
		}
		list = append(list, delegator.Artifact{
			Type: "output", Ref: wire.Filled(s.Artifact), Size: wire.Count(size),
			SHA256: wire.HexDigest(strings.TrimPrefix(s.Artifact, "sha256:")),
		})
	}
	return list
}

// includesOutput follows "Output Inclusion Rules": that of a task that failed or
// timed out always, any other where it was asked for.
func (v *delegatorView) includesOutput() bool {
	return v.opt.IncludeOutput == IncludeAlways || v.task && (v.state == delegator.TaskFailed || v.state == delegator.TaskTimeout)
}

// outputMost is max_output_bytes unless the caller says otherwise: the most bytes
// of both streams. Each has half of them, and of a stream that is longer half of
// that from both ends.
const outputMost = 64 << 10

// maxOutput returns the most bytes of both streams.
func (v *delegatorView) maxOutput() int {
	if v.opt.MaxOutput > 0 {
		return v.opt.MaxOutput
	}
	return outputMost
}

// outputEnd returns the most bytes of each end of a stream.
func (v *delegatorView) outputEnd() int { return v.maxOutput() / 4 }

func (v *delegatorView) output() *delegator.Output {
	if !v.includesOutput() {
		return &delegator.Output{Reason: v.withReading("Output left out by default; ask with --include-output, or read the artifact", func(namedStream) bool { return false })}
	}
	w := &delegator.Output{Included: true, MaxBytes: wire.Count(v.maxOutput())}
	stdout, cut := v.bothEnds(&v.Stdout)
	stderr, cutToo := v.bothEnds(&v.Stderr)
	w.Stdout, w.Stderr = &stdout, &stderr
	if w.Truncated = cut || cutToo; w.Truncated {
		n := wire.Count(v.Stdout.Bytes + v.Stderr.Bytes)
		w.OriginalSize = &n
		w.Reason = v.withReading("The middle is left out.", func(s namedStream) bool {
			return s.Stream == &v.Stdout && !cut || s.Stream == &v.Stderr && !cutToo
		})
	}
	return w
}

// bothEnds returns a stream as text, and whether its middle is left out.
func (v *delegatorView) bothEnds(s *Stream) (string, bool) {
	end := v.outputEnd()
	if v.cut.inline > 0 {
		end = min(end, v.cut.inline/4)
	}
	if v.cut.tail > 0 {
		end = min(end, v.cut.tail)
	}
	text, whole := s.whole()
	text = jsontext.ValidUTF8(text) // which may make it longer
	head, tail := text, text
	if !whole {
		head, tail = jsontext.ValidUTF8(string(s.Head)), jsontext.ValidUTF8(string(s.Tail))
		if len(s.Head)+len(s.Tail) == 0 && s.Excerpt != nil {
			head, tail = s.Excerpt.Text, s.Excerpt.Text
		}
	} else if len(text) <= 2*end && !s.Truncated {
		return text, false
	}
	return joinEnds(headBytes(head, end), tailBytes(tail, end)), true
}

// lastOutput returns the last 64 KiB of what was printed, stderr after stdout.
func (v *delegatorView) lastOutput() string {
	return tailBytes(excerpt.Clean(v.Stdout.end())+excerpt.Clean(v.Stderr.end()), v.tailRoom())
}

// summaryLine says in one line how the run ended.
func (v *delegatorView) summaryLine() string {
	code, how := v.exitCode(), "ended"
	if v.Nested {
		code = v.Outcome.ExitCode
	}
	switch {
	case v.task && (v.state == delegator.TaskFailed || v.state == delegator.TaskTimeout):
		return v.short(v.Outcome.Message)
	case v.task && v.state == delegator.TaskCancelled:
		how = "was cancelled"
	case code != nil:
		how = fmt.Sprintf("ended with status %d", *code)
	}
	line := v.Tool + " " + how + " after " + wire.SpokenSeconds(v.seconds())
	ran := v.ran()
	if ran == nil {
		return line // another's run, whose output is not known
	}
	return line + "; " + spokenBytes(v.spokenSize(&ran.Stdout)+v.spokenSize(&ran.Stderr)) + " of output"
}

// exitCode returns the exit status of the command that envwrap ran.
func (v *delegatorView) exitCode() *int {
	if v.Exec != nil {
		return v.Exec.Outcome.ExitCode
	}
	return v.Outcome.ExitCode
}

func spokenBytes(n int64) string {
	if n == 1 {
		return "1 byte"
	}
	return fmt.Sprintf("%d bytes", n)
}

// setArtifacts puts artifacts into the streams: stdout's is the first, where
// text, which may say how to read them, names no other.
func (r *Result) setArtifacts(list []delegator.Artifact, text string) {
	for i, a := range list[:min(len(list), 2)] {
		s := []*Stream{&r.Stdout, &r.Stderr}[i]
		read, name := readingIn(text, string(a.Ref))
		if name == "stderr" {
			s = &r.Stderr
		}
		s.Artifact, s.Bytes, s.Read = string(a.Ref), int64(a.Size), read
	}
}

// localTask is the prefix of the id of a task.
const localTask = "T-local-"

// A delegatorView is a view with what a delegator document has to know of the record.
type delegatorView struct {
	*view
	category delegator.Category // of the tool that answers
	task     bool               // the record is the run of a job of ours
	state    delegator.State    // how the run ended
}

func newDelegatorView(v *view) *delegatorView {
	return &delegatorView{view: v, category: delegatorCategory(v.Result), task: wire.IsULID(v.JobID) && v.ran() != nil, state: taskState(&v.Outcome)}
}

// delegatorCategory returns the category of the tool that answers: of the tools of jobs the
// one that the answer is of, and of a run, or where there is no answer, what the
// record says.
func delegatorCategory(r *Result) delegator.Category {
	switch {
	case r.Jobs != nil && (r.Category == "" || r.Outcome.OK() && !r.Jobs.unfinished()):
		return r.Jobs.category()
	case r.Category != "":
		return delegator.Category(r.Category)
	}
	return delegator.WaitResult
}

// category returns the category of the tool that gives such an answer, by "Tool-to-Category
// Mapping".
func (j *Jobs) category() delegator.Category {
	switch j.Kind {
	case JobsSubmit:
		return delegator.ExecutionAck
	case JobsCancel, JobsList, JobsCleanup:
		return delegator.RegistryInfo
	}
	return delegator.StatusSnapshot
}

// taskState returns how a run ended, as "State Values" has it.
func taskState(o *Outcome) delegator.State {
	switch {
	case o.OK():
		return delegator.TaskCompleted
	case o.Kind == Timeout:
		return delegator.TaskTimeout
	case o.Kind == Canceled:
		return delegator.TaskCancelled
	}
	return delegator.TaskFailed
}
