package wrap

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/exitcode"
	"github.com/envwrap/envwrap/internal/hints"
	"github.com/envwrap/envwrap/internal/owned"
	"github.com/envwrap/envwrap/internal/pipeline"
	"github.com/envwrap/envwrap/wrap/internal/program"
)

// statusPipe is the status of a process that SIGPIPE ended, as a shell reports
// it: its reader had gone away.
const statusPipe = 128 + 13

// A probe asks bash how the stages of the pipeline that its text ends with
// ended. Its files lie in a directory of their own, 0700, which is removed with
// the run.
type probe struct {
	pipeline.Pipeline

	dir      string
	statuses []int // of the stages; nil where bash gave no answer
}

// Files of a probe's directory.
const (
	probeStartup = "env"
	probeAnswer  = "statuses"
)

// openProbe prepares a probe if the command is a pipeline of bash. If the files cannot
// be made nothing will be known of the stages.
func (r *run) openProbe() {
	text, ok := pipeline.Text(r.c.Argv)
	if !ok || !r.probeable() {
		return
	}
	line, ok := pipeline.Read(text)
	if !ok || r.shadowed(line.Stages) {
		return
	}
	dir, err := os.MkdirTemp("", "envwrap-")
	if err != nil {
		return
	}
	r.probe = &probe{Pipeline: line, dir: dir}
	own, set := variable(r.c.Env, pipeline.Variable)
	startup, ok := pipeline.Probe(filepath.Join(dir, probeAnswer), own, set)
	if ok && !strings.ContainsAny(dir, "$`\\") {
		err = os.WriteFile(filepath.Join(dir, probeStartup), []byte(startup), 0o600)
	}
	if !ok || err != nil {
		r.closeProbe()
	}
}

// probeable reports whether bash reads its start-up file in silence.
func (r *run) probeable() bool {
	options, _ := variable(r.c.Env, "SHELLOPTS")
	return !strings.Contains(options, "xtrace") && !strings.Contains(options, "verbose")
}

// shadowed reports whether a function in the environment has the name of a
// stage's program: then the name says nothing.
func (r *run) shadowed(stages []pipeline.Stage) bool {
	return slices.ContainsFunc(r.c.Env, func(pair string) bool {
		function, ok := strings.CutPrefix(pair, "BASH_FUNC_")
		if !ok {
			return false
		}
		name, _, _ := strings.Cut(function, "%%=")
		return slices.ContainsFunc(stages, func(s pipeline.Stage) bool { return s.Name() == name })
	})
}

// variable returns the value of an environment variable: of several, the last,
// as bash takes it.
func variable(env []string, name string) (value string, set bool) {
	for _, pair := range env {
		if v, ok := strings.CutPrefix(pair, name+"="); ok {
			value, set = v, true
		}
	}
	return value, set
}

// probed returns env with the start-up file of the probe.
func (r *run) probed(env []string) []string {
	if r.probe == nil {
		return env
	}
	kept := slices.DeleteFunc(slices.Clone(env), func(pair string) bool {
		return strings.HasPrefix(pair, pipeline.Variable+"=")
	})
	return append(kept, pipeline.Variable+"="+filepath.Join(r.probe.dir, probeStartup))
}

// readProbe takes the answer, once the shell has ended.
func (r *run) readProbe() {
	if r.probe == nil {
		return
	}
	f, err := owned.OpenPlain(filepath.Join(r.probe.dir, probeAnswer))
	if err != nil {
		return
	}
	defer f.Close()
	answer := make([]byte, 4<<10)
	n, _ := f.Read(answer)
	r.probe.statuses, _ = pipeline.Statuses(string(answer[:n]), len(r.probe.Stages))
}

// closeProbe removes the files of the probe.
func (r *run) closeProbe() {
	if r.probe != nil {
		_ = os.RemoveAll(r.probe.dir)
	}
}

// byPipeline: a stage of the pipeline that the shell ran has failed, although
// the shell's own status, which is that of the last stage, does not say so. The
// answer comes from files that the stages could have written to, so it makes
// errors of what seemed well; the status of the shell itself is never doubted
// but where it is a stage's.
func (j *judgement) byPipeline() (envelope.Outcome, bool) {
	p := j.probe
	own, known := j.stages()
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

// stages reports whether the statuses of the pipeline's stages are known, and returns
// the stage whose status is the shell's, or -1.
func (j *judgement) stages() (own int, known bool) {
	p := j.probe
	switch {
	case p == nil || p.statuses == nil || j.failure != nil || j.end.signal != 0 || j.end.lost:
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
	if _, known := j.stages(); known && j.stopped.cause == stopNone && slices.Max(j.probe.statuses) > 0 {
		j.res.Pipeline = j.probe.statuses
	}
}

// stageOf returns the stage whose status the shell ended with: the last, or
// under pipefail the last of those that failed. It is -1 where it is no stage's.
func (p *probe) stageOf(status int) int {
	for i, s := range slices.Backward(p.statuses) {
		if s == status {
			return i
		}
		if s != 0 {
			return -1
		}
	}
	return -1
}

// failed reports whether the status of a stage is a failure.
func (p *probe) failed(i int) bool {
	status := p.statuses[i]
	if status == 0 || status == statusPipe && i < len(p.Stages)-1 {
		return false
	}
	m, ok := exitcode.Lookup(p.Stages[i].Args(), status)
	return !ok || !m.Kind.OK()
}

// drained reports whether all stages after i read their input to the end, so
// that the end of stage i is its own doing.
func (p *probe) drained(i int) bool { return p.early(i) < 0 }

// early returns the first stage after i that may stop reading before the end of
// its input, or -1.
func (p *probe) early(i int) int {
	for k := i + 1; k < len(p.Stages); k++ {
		s := p.Stages[k]
		argv := s.Argv
		if len(argv) > 0 {
			argv = argv[len(argv)-len(exitcode.Through(s.Args())):]
		}
		if !pipeline.ReadsAll(s, argv) {
			return k
		}
	}
	return -1
}

// doubt returns why the status of a stage is not counted as a failure.
func (p *probe) doubt(i int) string {
	reader := "a later stage"
	if name := p.Stages[p.early(i)].Name(); name != "" {
		reader = program.Name(name)
	}
	return fmt.Sprintf("%s ended with %d, which is not counted as a failure: %s may have stopped reading before that", p.label(i), p.statuses[i], reader)
}

// label names a stage: "make (stage 1 of 2)".
func (p *probe) label(i int) string {
	place := fmt.Sprintf("stage %d of %d", i+1, len(p.Stages))
	if name := p.Stages[i].Name(); name != "" {
		return program.Name(name) + " (" + place + ")"
	}
	return place
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
	alone, command := *j.run, *j.c
	command.Argv = p.Stages[i].Args()
	alone.c, alone.end = &command, end{code: p.statuses[i]}
	stage := &judgement{run: &alone, res: j.res}
	var o envelope.Outcome
	switch name := p.Stages[i].Name(); {
	case p.statuses[i] == statusNotFound:
		o = envelope.Outcome{Kind: envelope.NotStarted, Code: envelope.ENOTFOUND}
		if name != "" {
			o.Hint, o.Suggestions = hints.Missing(name, j.place())
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
