package wrap

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/shared/exitcode"
	"github.com/envwrap/envwrap/internal/shared/failpattern"
	"github.com/envwrap/envwrap/internal/shared/hints"
	"github.com/envwrap/envwrap/wrap/internal/program"
)

// byPipeline: a stage of the pipeline that the shell ran has failed, although
// the shell's own status, the last stage's, does not say so. The
// answer comes from files that the stages could have written to, so it makes
// errors of what seemed well; the status of the shell itself is never doubted
// but where it is a stage's.
func (j *judgement) byPipeline() (envelope.Outcome, bool) {
	p := j.probe
	own, known := j.stageStatuses()
	if !known || slices.Contains(j.c.OkExit, j.end.code) {
		return envelope.Outcome{}, false
	}
	if own >= 0 {
		switch {
		case j.end.code == statusPipe && own < len(p.Stages)-1 && !p.drained(own):
			j.warn(p.doubt(own))
			j.leanTo(envelope.Warning)
		case p.failed(own):
			return j.stage(own)
		default:
			m, _ := exitcode.Lookup(p.Stages[own].Args(), j.end.code)
			j.leanTo(cmp.Or(m.Kind, envelope.Success)) // 141 has no row
		}
	}
	doubtful := -1
	for i := range p.Stages {
		switch {
		case i == own || !p.failed(i):
		case p.drained(i):
			return j.stage(i)
		case doubtful < 0:
			doubtful = i
		}
	}
	if doubtful >= 0 {
		j.warn(p.doubt(doubtful))
		if !j.mute {
			j.leanTo(envelope.Warning)
		}
	}
	return j.lean, false
}

// stageStatuses reports whether the statuses of the pipeline's stages are known, and returns
// the stage whose status is the shell's, or -1.
func (j *judgement) stageStatuses() (own int, known bool) {
	p := j.probe
	switch {
	case p == nil || p.LastPipeline == nil || p.statuses == nil || j.failure != nil || j.end.signal != 0 || j.end.lost:
		return -1, false
	case j.end.code == 0:
		return -1, p.Certain
	}
	own = p.stageOf(j.end.code)
	return own, own >= 0 && p.Alone
}

// recordStages puts the statuses of the stages into the record, whatever step then
// speaks, unless all are 0.
func (j *judgement) recordStages() {
	if _, known := j.stageStatuses(); known && j.stopped.cause == stopNone && slices.Max(j.probe.statuses) > 0 {
		j.res.Pipeline = j.probe.statuses
	}
}

// stageSteps classify the status of a stage.
var stageSteps = [...]func(*judgement) (envelope.Outcome, bool){
	(*judgement).byTable,
	(*judgement).bySignature,
	(*judgement).bySysexits,
	(*judgement).byStatus,
}

// stage classifies stage i as if it had been run alone.
func (j *judgement) stage(i int) (envelope.Outcome, bool) {
	p := j.probe
	run, command := *j.run, *j.c
	command.Argv = p.Stages[i].Args()
	run.end = exitState{code: p.statuses[i]}
	alone := *j.recorder
	alone.run = &run
	stage := newJudgement(&alone, &command)
	var o envelope.Outcome
	switch name := p.Stages[i].Name(); {
	case p.statuses[i] == statusNotFound:
		o = envelope.Outcome{Kind: envelope.NotStarted, Code: envelope.ENOTFOUND}
		if name = j.missingOf(name); name != "" {
			o.Hint, o.Suggestions = j.missing(name)
		}
	case p.statuses[i] == statusNotExecutable:
		o = envelope.Outcome{Kind: envelope.Failure, Code: envelope.EIO}
	default:
		for _, step := range stageSteps {
			var spoken bool
			if o, spoken = step(stage); spoken {
				break
			}
		}
	}
	o.ClassifiedBy = envelope.ByPipeline
	o.Message = fmt.Sprintf("%s ended with %d", p.label(i), p.statuses[i])
	return o, true
}

// missingOf returns the program that was not found where a command ended with 127: the
// command itself, or what it says that it did not find. It is "" if that is not known.
func (j *judgement) missingOf(command string) string {
	if command == "" {
		return ""
	}
	if _, failure := j.c.find(command); failure != nil && !hints.Builtin(command) {
		return command
	}
	if name := failpattern.MissingOf(program.Name(command), j.res.Stderr.Tail); name != "" {
		return name
	}
	name, _ := failpattern.Missing(j.res.Stderr.Tail, j.res.Stdout.Tail)
	return name
}
