package wrap

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/platform/launch"
	"github.com/envwrap/envwrap/internal/shared/exitcode"
	"github.com/envwrap/envwrap/internal/shared/failpattern"
	"github.com/envwrap/envwrap/internal/shared/hints"
	"github.com/envwrap/envwrap/internal/shared/shell"
	"github.com/envwrap/envwrap/wrap/internal/program"
)

// steps are the rows of the contract's table "How a run ends, and its code".
var steps = [...]func(*judgement) (envelope.Outcome, bool){
	(*judgement).notStarted,
	(*judgement).byStop,
	(*judgement).byShell,
	(*judgement).byEnv,
	(*judgement).byOption,
	(*judgement).byTable,
	(*judgement).byPipeline,
	(*judgement).byOverflow,
	(*judgement).byParse,
	(*judgement).byStore,
	(*judgement).bySignature,
	(*judgement).bySysexits,
	(*judgement).byStatus,
}

// classify decides the outcome. It is called again once more is known.
func (w *recorder) classify() envelope.Outcome {
	j := newJudgement(w, w.c.unframed())
	j.argv = j.decisive()
	j.recordStages()
	outcome := j.lean
	spoken := false
	for _, step := range steps {
		if outcome, spoken = step(j); spoken {
			break
		}
	}
	if !spoken {
		outcome = j.lean
	}
	j.complete(&outcome)
	return outcome
}

// complete adds exit code, signal, details, message and hint.
func (j *judgement) complete(o *envelope.Outcome) {
	if j.failure == nil {
		if j.end.signal != 0 {
			o.Signal = j.end.name
		} else if !j.end.lost {
			code := j.end.code
			o.ExitCode = &code
		}
	}
	if o.OK() {
		o.Message, o.Hint = "", ""
		return
	}
	o.Details = append(o.Details, j.inner()...)
	if o.Message == "" {
		o.Message = program.Name(j.c.Argv[0]) + " " + j.ended()
	}
	if j.failure == nil {
		o.Message = because(o.Message, j.why(o))
	}
	if o.Hint == "" {
		o.Hint = j.hint(o)
	}
}

func (j *judgement) notStarted() (envelope.Outcome, bool) {
	if j.failure == nil {
		return envelope.Outcome{}, false
	}
	return j.failure.outcome(), true
}

// byStop: envwrap ended the child itself.
func (j *judgement) byStop() (envelope.Outcome, bool) {
	tool := program.Name(j.c.Argv[0])
	o := envelope.Outcome{ClassifiedBy: envelope.ByEnvwrap}
	switch j.stopped.cause {
	case stopTimeout:
		o.Kind, o.Code, o.Retryable, o.Timeout = envelope.Timeout, envelope.ETIMEOUT, true, envelope.HardTimeout
		o.Message = fmt.Sprintf("%s timed out after %s", tool, seconds(j.c.Timeout))
		o.Details = j.waiting()
	case stopIdle:
		o.Kind, o.Code, o.Retryable, o.Timeout = envelope.Timeout, envelope.ETIMEOUT, true, envelope.IdleTimeout
		o.Message = fmt.Sprintf("%s timed out after %s without output", tool, seconds(j.c.IdleTimeout))
		o.Details = j.waiting()
	case stopCanceled:
		if j.tookSignal() && j.end.code == 0 {
			return o, false
		}
		o.Kind, o.Code = envelope.Canceled, envelope.ECANCELED
		o.Message = tool + " was stopped: envwrap was canceled"
		if name := j.stopped.name(); name != "" {
			o.Message = fmt.Sprintf("%s was stopped: envwrap got %s", tool, name)
		}
	case stopOverflow:
		o.Kind, o.Code = envelope.Partial, envelope.EOUTPUTTOOLARGE
		if j.stopped.late {
			o.Message = j.overLimit()
			j.skip(tool + notInline)
			break
		}
		o.Message = fmt.Sprintf("%s was stopped: its stdout is over the capture limit of %d bytes", tool, j.c.MaxCapture)
		j.skip(fmt.Sprintf("%s: output after the first %d bytes", tool, j.stdout.capture.bytes))
	default:
		return o, false
	}
	return o, true
}

// waiting names the input that a child which ran out of time waited for, if that can be
// known: input, or an answer to the prompt at which its output ends.
func (j *judgement) waiting() envelope.Fields {
	var f envelope.Fields
	if j.waitedForStdin {
		f = append(f, field("waiting_for", "stdin"))
	}
	for _, s := range []*envelope.Stream{&j.res.Stderr, &j.res.Stdout} {
		tail := strings.ToValidUTF8(string(s.Tail), "\ufffd")
		if prompt := oneLine(tail[strings.LastIndexByte(tail, '\n')+1:]); prompt != "" {
			return append(f, field("prompt", prompt))
		}
	}
	return f
}

// byShell: 126 and 127 of a shell speak about the command in its text; 127 only where the
// shell says so, since it has several meanings. 1 and 2 are read where the last that the
// shell says is that a variable is not set.
func (j *judgement) byShell() (envelope.Outcome, bool) {
	if !j.exited() || !exitcode.IsShell(j.c.Argv) {
		return envelope.Outcome{}, false
	}
	stderr, stdout, about := j.res.Stderr.Tail, j.res.Stdout.Tail, j.end.code == statusNotExecutable || j.end.code == statusNotFound
	if !about {
		stderr = bytes.TrimRight(stderr, "\n")
		stderr, stdout = stderr[bytes.LastIndexByte(stderr, '\n')+1:], nil
	}
	reason, name, ok := failpattern.Shell(stderr, stdout)
	if j.end.code == statusNotExecutable {
		reason, ok = failpattern.NotExecutable, true
	}
	if inv, runs := shell.ReadInvocation(exitcode.Through(j.c.Argv)); !ok && runs {
		reason = failpattern.Unset
		name, ok = failpattern.Demanded(stderr, inv.Text)
	}
	if !about && (reason != failpattern.Unset || j.end.code != 1 && j.end.code != 2) {
		return envelope.Outcome{}, false
	}
	if !ok || reason == failpattern.NotExecutable && j.end.code != statusNotExecutable {
		return envelope.Outcome{}, false
	}
	o := envelope.Outcome{Kind: envelope.Failure, Code: envelope.ENOTFOUND, ClassifiedBy: envelope.ByShell}
	switch reason {
	case failpattern.NotFound:
		o.Kind, o.Meaning = envelope.NotStarted, exitcode.MeaningOf("shell", j.end.code)
		o.Hint, o.Suggestions = j.missing(name)
	case failpattern.NoInterpreter:
		o.Kind = envelope.NotStarted
		o.Hint = cmp.Or(j.interpreterHint(name), fmt.Sprintf("The interpreter of %s is not there: mend its first line (#!), or install the interpreter.", name))
	case failpattern.NotExecutable:
		o.Code, o.Meaning = envelope.EIO, exitcode.MeaningOf("shell", j.end.code)
		if _, failure := j.c.find(name); failure != nil && strings.Contains(name, "/") && failure.code == envelope.EIO {
			o.Hint = failure.hint
		}
	case failpattern.Unset:
		o.Code = envelope.ERUNTIME
		o.Hint = fmt.Sprintf("Set the variable %s, or write ${%s:-} where it may be unset.", name, name)
	case failpattern.NoScript:
		o.Hint = fmt.Sprintf("There is no file %s: check the path, and the directory that the command runs in.", name)
	case failpattern.NoLibrary:
		o.Hint = fmt.Sprintf("Install the package that has the library %s, or name its directory in LD_LIBRARY_PATH.", name)
	}
	return o, true
}

// missing returns what to do about a program that a shell, or a program like env, did not
// find.
func (j *judgement) missing(name string) (hint string, meant []string) {
	if strings.Contains(name, "/") {
		if hint := j.interpreterHint(name); hint != "" {
			return hint, nil
		}
		return fmt.Sprintf("There is no program %s: check the path, and the directory that the command runs in.", name), nil
	}
	return hints.Missing(name, j.c.searchedPlace())
}

// interpreterHint returns what to do about a program that is there and was not found, since
// the interpreter or the loader that it needs is not there; else "".
func (j *judgement) interpreterHint(path string) string {
	file, failure := j.c.find(path)
	if failure != nil {
		return ""
	}
	h := launch.ReadHeader(program.In(j.c.Dir, file.Path))
	if _, failure := j.c.find(h.Interpreter); failure == nil && !h.Carriage || h == (launch.Header{}) {
		return ""
	}
	return missingInterpreter(path, h).hint
}

// byEnv: env(1), as the interpreter of a script, did not find the program that the
// script needs. The script itself never ran.
func (j *judgement) byEnv() (envelope.Outcome, bool) {
	if !j.exited() || j.end.code != statusNotFound {
		return envelope.Outcome{}, false
	}
	script, failure := j.c.find(j.c.Argv[0])
	if failure != nil {
		return envelope.Outcome{}, false
	}
	name := launch.ReadHeader(program.In(j.c.Dir, script.Path)).Program()
	if name == "" {
		return envelope.Outcome{}, false
	}
	if _, failure := j.c.find(name); failure == nil || failure.code != envelope.ENOTFOUND {
		return envelope.Outcome{}, false
	}
	o := envelope.Outcome{
		Kind: envelope.NotStarted, Code: envelope.ENOTFOUND, ClassifiedBy: envelope.ByEnvwrap, Interpreter: name,
		Message: fmt.Sprintf("%s: interpreter %q not found", j.c.Argv[0], name),
	}
	o.Hint, o.Suggestions = hints.Missing(name, j.c.searchedPlace())
	return o, true
}

// byOption: the caller has said what the status means. 0 stays ok.
func (j *judgement) byOption() (envelope.Outcome, bool) {
	if !j.exited() {
		return envelope.Outcome{}, false
	}
	if slices.Contains(j.c.OkExit, j.end.code) {
		return j.leanTo(envelope.Success)
	}
	mapped, ok := j.c.ExitMap[j.end.code]
	if !ok {
		return envelope.Outcome{}, false
	}
	o := envelope.Outcome{Kind: mapped.Kind, Code: mapped.Code, ClassifiedBy: envelope.ByOption}
	if o.Code == "" && o.Kind.OK() {
		return j.leanTo(o.Kind)
	}
	if o.Code == "" {
		o.Code = kindCode(o.Kind)
	}
	if o.Kind == "" {
		o.Kind = codeKind(o.Code)
	}
	o.Retryable = usuallyRetryable(o.Code)
	if o.Kind == envelope.Partial {
		j.skip(fmt.Sprintf("%s: part of the work (status %d)", program.Name(j.c.Argv[0]), j.end.code))
	}
	return o, true
}

func (j *judgement) byOverflow() (envelope.Outcome, bool) {
	if j.c.OnOverflow != OverflowError || !j.over(j.stdout.capture) {
		return envelope.Outcome{}, false
	}
	o := envelope.Outcome{Kind: envelope.Partial, Code: envelope.EOUTPUTTOOLARGE, ClassifiedBy: envelope.ByEnvwrap}
	o.Message = j.overLimit()
	if j.failed() {
		o.Kind = envelope.Failure
		o.Message = fmt.Sprintf("%s, and %s", o.Message, j.ended())
		return o, true
	}
	j.skip(program.Name(j.c.Argv[0]) + notInline)
	return o, true
}

// overLimit returns the message for a stdout that is over the capture limit.
func (j *judgement) overLimit() string {
	return fmt.Sprintf("%s printed %d bytes on stdout, over the capture limit of %d",
		program.Name(j.c.Argv[0]), j.stdout.capture.bytes, j.c.MaxCapture)
}

// notInline is added to the message of a partial result whose output is complete in its
// artifact.
const notInline = ": stdout is not inline, only its artifact has all of it"

func (j *judgement) byParse() (envelope.Outcome, bool) {
	if j.parseErr == nil {
		return envelope.Outcome{}, false
	}
	o := envelope.Outcome{Kind: envelope.Failure, Code: envelope.EPARSE, ClassifiedBy: envelope.ByEnvwrap}
	o.Message = fmt.Sprintf("%s: %v", program.Name(j.c.Argv[0]), j.parseErr)
	if j.failed() {
		o.Message = fmt.Sprintf("%s, and %s", o.Message, j.ended())
	}
	return o, true
}

// byStore: below a client the output is printed if it cannot be stored, and a warning says so.
func (j *judgement) byStore() (envelope.Outcome, bool) {
	if j.storeErr == nil || j.c.Below {
		return envelope.Outcome{}, false
	}
	o := envelope.Outcome{Kind: envelope.Failure, Code: envelope.EIO, ClassifiedBy: envelope.ByEnvwrap} // not retryable: the command has run
	missing := ""
	if len(j.lost) > 0 {
		missing = " (" + strings.Join(j.lost, ", ") + " missing)"
	}
	o.Message = fmt.Sprintf("%s %s, and its output could not be stored%s: %v", program.Name(j.c.Argv[0]), j.ended(), missing, j.storeErr)
	return o, true
}

// brokenEnvelope returns the outcome of a child that printed an envelope that
// cannot be relied on.
func brokenEnvelope(res *envelope.Result, err error) envelope.Outcome {
	o := res.Outcome
	o.Kind, o.Code, o.ClassifiedBy = envelope.Failure, envelope.EENVELOPE, envelope.ByEnvwrap
	o.Retryable = false
	o.Message = oneLine(fmt.Sprintf("%s printed a broken envelope: %v", res.Tool, err))
	o.Message = because(o.Message, lastLine(res, false))
	o.Hint = "Mend what the command prints, or take its output as text with --parse text."
	return o
}
