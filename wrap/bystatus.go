package wrap

import (
	"bytes"
	"cmp"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/platform/proc"
	"github.com/envwrap/envwrap/internal/shared/exitcode"
	"github.com/envwrap/envwrap/internal/shared/failpattern"
	"github.com/envwrap/envwrap/internal/shared/hints"
	"github.com/envwrap/envwrap/internal/shared/shell"
	"github.com/envwrap/envwrap/wrap/internal/program"
)

// bySignature reads the output of a failed command for a well-known text.
func (j *judgement) bySignature() (envelope.Outcome, bool) {
	if j.mute || !j.exited() {
		return envelope.Outcome{}, false
	}
	m, ok := failpattern.Find(j.res.Stderr.Tail, j.res.Stdout.Tail)
	if !ok {
		return envelope.Outcome{}, false
	}
	return envelope.Outcome{
		Kind: m.Kind, Code: m.Code, Retryable: m.Retryable, Network: m.Network,
		ClassifiedBy: envelope.BySignature,
	}, true
}

// innerHint says what to do about the command that a build tool or a program like env could
// not run, where its output shows that; else it is "".
func (j *judgement) innerHint() string {
	status, ok := failpattern.Inner(j.res.Stderr.Tail, j.res.Stdout.Tail)
	if !ok {
		status = j.end.code
	}
	tool := program.Name(j.c.Argv[0])
	switch status {
	case statusNotFound:
		if name, ok := failpattern.Missing(j.res.Stderr.Tail, j.res.Stdout.Tail); ok {
			hint, _ := j.missing(name)
			return hint
		}
		if ok {
			return tool + " ran a command that was not found (status 127): install it, or mend PATH."
		}
	case statusNotExecutable:
		if ok {
			return tool + " ran a command that could not be executed (status 126): check its rights (chmod +x) and its format."
		}
	}
	return ""
}

// inner returns the status that a build tool replaced with its own, for the
// record's details.
func (j *judgement) inner() envelope.Fields {
	if !j.exited() {
		return nil
	}
	status, ok := failpattern.Inner(j.res.Stderr.Tail, j.res.Stdout.Tail)
	if !ok || status == j.end.code {
		return nil
	}
	return envelope.Fields{field("inner_exit_code", status)}
}

// byTable: the program's documentation gives the status a meaning, by itself or with a
// text that the program prints.
func (j *judgement) byTable() (envelope.Outcome, bool) {
	if j.mute || !j.exited() {
		return envelope.Outcome{}, false
	}
	m, ok := exitcode.LookupText(j.argv, j.end.code, j.res.Stderr.Head, j.res.Stderr.Tail, j.res.Stdout.Head, j.res.Stdout.Tail)
	if !ok {
		m, ok = exitcode.Lookup(j.argv, j.end.code)
	}
	if !ok {
		return envelope.Outcome{}, false
	}
	if m.Code == "" && j.uncertain {
		return envelope.Outcome{}, false
	}
	if m.Code == "" {
		return j.leanTo(m.Kind)
	}
	o := envelope.Outcome{
		Kind: m.Kind, Code: m.Code, Retryable: m.Retryable,
		ClassifiedBy: envelope.ByTable, Meaning: m.Row.Meaning,
		Network: m.Row.Class == "network" || m.Row.Class == "tls",
	}
	if install := hints.Install(m.Tool); m.Row.Tools == exitcode.EveryTool && m.Row.Class == "dependency" && install != "" {
		o.Hint = "Install it: " + install + "."
	}
	j.vague = m.Row.Class == "generic" || m.Row.Class == "child"
	if m.Refinable {
		if refined, ok := j.bySignature(); ok {
			refined.Meaning = o.Meaning
			return refined, true
		}
		if refined, ok := j.byPhrase(); ok && m.Row.Class == "generic" {
			return refined, true
		}
		if refined, ok := j.byEchoed(); ok && m.Row.Class == "child" {
			return refined, true
		}
	}
	if m.Refinable || m.Row.Class == "exec" || m.Row.Class == "dependency" && j.end.code == statusNotFound {
		o.Hint = cmp.Or(o.Hint, j.innerHint())
	}
	if o.Kind == envelope.Partial {
		j.skip(m.Tool + ": " + m.Row.Meaning)
	}
	return o, true
}

// byPhrase: the line that names the reason says of a status that is broad, or that the
// table does not know, that something is not there, or that the call is wrong.
func (j *judgement) byPhrase() (envelope.Outcome, bool) {
	if j.mute || j.uncertain || !j.exited() || exitcode.IsShell(j.argv) {
		return envelope.Outcome{}, false
	}
	m, ok := exitcode.LookupPhrase(j.argv, j.end.code, j.reason())
	if !ok {
		m, ok = exitcode.LookupUsage(j.argv, j.end.code, j.res.Stderr.Head, j.res.Stderr.Tail)
	}
	return envelope.Outcome{
		Kind: m.Kind, Code: m.Code, Retryable: m.Retryable, Meaning: m.Row.Meaning,
		Network: m.Row.Class == "network", ClassifiedBy: envelope.ByTable,
	}, ok
}

// byEchoed: make or npm printed the command that it ran, and the status of that command says
// that another try may help.
func (j *judgement) byEchoed() (envelope.Outcome, bool) {
	status, ok := failpattern.Inner(j.res.Stderr.Tail, j.res.Stdout.Tail)
	if !ok {
		status = j.end.code
	}
	echoed := bytes.TrimRight(j.res.Stdout.Tail, "\n")
	echoed = bytes.TrimPrefix(echoed[bytes.LastIndexByte(echoed, '\n')+1:], []byte("> ")) // of npm
	text, err := shell.Parse(string(echoed), shell.POSIX)
	if err != nil {
		return envelope.Outcome{}, false
	}
	stage, ok := text.Sole()
	m, found := exitcode.Lookup(stage.Args(), status)
	j.vague = j.vague && !(ok && found && m.Retryable)
	return envelope.Outcome{
		Kind: m.Kind, Code: m.Code, Retryable: m.Retryable, Meaning: m.Row.Meaning,
		Network: m.Row.Class == "network", ClassifiedBy: envelope.ByTable,
	}, ok && found && m.Retryable
}

func (j *judgement) bySysexits() (envelope.Outcome, bool) {
	if j.mute || !j.exited() || exitcode.Known(j.argv) {
		return envelope.Outcome{}, false
	}
	m, ok := exitcode.Sysexits(j.end.code)
	if !ok {
		return envelope.Outcome{}, false
	}
	return envelope.Outcome{
		Kind: m.Kind, Code: m.Code, Retryable: m.Retryable,
		ClassifiedBy: envelope.BySysexits, Meaning: m.Row.Meaning,
	}, true
}

// byStatus: an unknown status is never ok.
func (j *judgement) byStatus() (envelope.Outcome, bool) {
	if !j.failed() {
		return envelope.Outcome{}, false
	}
	if o, ok := j.byPhrase(); ok {
		return o, true
	}
	o := envelope.Outcome{
		Kind: envelope.Failure, Code: envelope.ERUNTIME, ClassifiedBy: envelope.ByStatus,
		Meaning: exitcode.SystemMeaning(j.end.code),
	}
	if j.killed() {
		o.Retryable = true
		if n, ok := proc.OOMKills(); ok && n > 0 {
			o.Details = append(o.Details, field("oom_kills", n))
		}
	}
	return o, true
}
