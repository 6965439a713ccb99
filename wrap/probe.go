package wrap

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/internal/platform/safefs"
	"github.com/envwrap/envwrap/internal/platform/scratch"
	"github.com/envwrap/envwrap/internal/shared/exitcode"
	"github.com/envwrap/envwrap/internal/shared/pipeline"
	"github.com/envwrap/envwrap/internal/shared/shell"
	"github.com/envwrap/envwrap/wrap/internal/program"
	"github.com/envwrap/envwrap/wrap/internal/tap"
)

// statusPipe is the status of a process that SIGPIPE ended, as a shell reports
// it: its reader had gone away.
const statusPipe = 128 + 13

// A probe asks bash how the stages of the pipeline that its text ends with ended, and which
// command it began last. Its files lie in a directory of their own, which is removed with
// the run.
type probe struct {
	*pipeline.Line

	dir      *scratch.Dir
	statuses []int        // of the stages; nil where bash gave no answer
	command  *shell.Stage // the command that decided the status; nil where that is not known
	others   shell.Others // what could have forged which command that is
}

// Files of a probe's directory.
const (
	probeStartup = "env"
	probeAnswer  = "statuses"
	probeFramed  = "framed" // the answer of a command in the frame of an agent
	probeCommand = "command"
)

// newProbe prepares a probe, and what it keeps of pipelines, if the command is a text of bash with several commands, else it
// returns nil. A warning says that its files cannot be made: then nothing will be known of the stages.
func (r *run) newProbe() (p *probe, warning string) {
	c := r.c
	line, ok := pipeline.Read(c.Argv, c.Env)
	if !ok {
		return nil, ""
	}
	dir, err := scratch.New()
	if err != nil {
		return nil, unknownStages + err.Error()
	}
	if os.Getpid()%sweepEvery == 0 {
		go scratch.Sweep(r.now())
	}
	p = &probe{Line: line, dir: dir}
	r.keepPipes(line, dir.Path)
	startup, ok := line.Startup(pipeline.Answers{Statuses: p.file(probeAnswer), Command: p.file(probeCommand)}, c.Env)
	// bash expands the name of its start-up file
	if !ok || strings.ContainsAny(dir.Path, "$`\\") {
		p.close()
		return nil, ""
	}
	if err := os.WriteFile(p.file(probeStartup), []byte(startup), 0o600); err != nil {
		p.close()
		return nil, unknownStages + err.Error()
	}
	return p, ""
}

// sweepEvery is how many runs with a probe there are to one that removes what killed runs
// left: to list the place for temporary files takes longer than to make a directory there.
const sweepEvery = 32

// file returns the path of a file of the probe.
func (p *probe) file(name string) string { return filepath.Join(p.dir.Path, name) }

// unknownStages begins the warning of a run without a probe.
const unknownStages = "how the early stages of the pipeline ended is not known: "

// prepare returns the command line and the environment with which the shell answers.
func (p *probe) prepare(argv, env []string) ([]string, []string) {
	if p == nil {
		return argv, env
	}
	startup := p.file(probeStartup)
	argv, own := p.Run(startup, p.file(probeFramed))
	if !own {
		return argv, env
	}
	kept := slices.DeleteFunc(slices.Clone(env), func(pair string) bool {
		return strings.HasPrefix(pair, pipeline.Variable+"=")
	})
	return argv, append(kept, pipeline.Variable+"="+startup)
}

// read takes the answers, once the shell has ended.
func (p *probe) read() {
	if p == nil {
		return
	}
	if p.LastPipeline != nil {
		p.readStatuses()
	}
	if p.statuses == nil && p.Deciders != nil {
		if s, others, ok := shell.FindDecider(p.Deciders, pipeline.LastCommand(p.answer(probeCommand))); ok {
			p.command, p.others = &s, others
		}
	}
}

func (p *probe) readStatuses() {
	known := false
	if p.Framed() {
		p.statuses, known = pipeline.Statuses(p.answer(probeFramed), len(p.Stages))
	}
	if !known {
		p.statuses, _ = pipeline.Statuses(p.answer(probeAnswer), len(p.Stages))
	}
}

// maxAnswer is the most bytes of an answer of bash that are read.
const maxAnswer = 16 << 10

// answer returns the last maxAnswer bytes of what bash wrote to a file of the probe.
func (p *probe) answer(file string) string {
	f, err := safefs.OpenPlain(p.file(file))
	if err != nil {
		return ""
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() > maxAnswer {
		_, _ = f.Seek(-maxAnswer, io.SeekEnd) // what cannot be read says nothing
	}
	text, _ := io.ReadAll(io.LimitReader(f, maxAnswer))
	return string(text)
}

// close removes the files of the probe.
func (p *probe) close() {
	if p != nil {
		_ = p.dir.Remove()
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
	position := fmt.Sprintf("stage %d of %d", i+1, len(p.Stages))
	if name := p.Stages[i].Name(); name != "" {
		return program.Name(name) + " (" + position + ")"
	}
	return position
}

// keptMost is how many bytes of one stage's output are stored at most: masking is slower than a
// pipe, and goes on while the pipeline runs.
const keptMost = 64 << 20

// keepPipes has the shell offer what the early stages of line's pipelines print, by files in
// dir. Without that the pipelines run as they are.
func (r *run) keepPipes(line *pipeline.Line, dir string) {
	if !r.c.KeepPipes || r.c.Stdout.To != nil || r.stdout.read == nil {
		return
	}
	if r.c.Terminal {
		for _, k := range line.Kept {
			if k.Terminal {
				return
			}
		}
	}
	if len(line.Kept) == 0 {
		return
	}
	cat, missing := r.c.find("cat")
	if missing != nil || !filepath.IsAbs(cat.Path) {
		return
	}
	var sinks []tap.Sink
	for _, k := range line.Kept {
		o := &keptOutput{capture: r.newCapture("pipeline", nil)}
		if args := exitcode.Through(k.Stage.Args()); len(args) > 0 {
			o.stage = program.Name(args[0])
		}
		o.capture.live = liveView{}
		o.capture.sum.ExcerptMax = -1
		o.capture.pumped = true
		o.capture.onPart = r.onPart("pipeline")
		if most := &o.capture.max; *most == 0 || *most > keptMost {
			*most = keptMost
		}
		o.masked = r.c.Redactor.Writer(o.capture)
		o.masked.After(func() []string { return []string{k.Command} })
		r.kept, sinks = append(r.kept, o), append(sinks, o)
	}
	t, err := tap.New(sinks, pipeline.Done)
	if err != nil {
		r.kept = nil
		if !errors.Is(err, errors.ErrUnsupported) {
			r.warn("the output of early stages is not kept: " + err.Error())
		}
		return
	}
	r.tap = t
	k := pipeline.Keeper{Request: t.Request(), Answer: t.Answer, Cat: cat.Path, Dir: dir, Inherited: t.Inherited(pipeline.Substitution)}
	for i, script := range line.Keep(k) {
		// bash copies by itself without the file
		_ = os.WriteFile(pipeline.KeptFile(dir, i), []byte(script), 0o600)
	}
	for _, s := range r.both() {
		s.offered = true
	}
}

// closeTap ends the reading of early stages.
func (r *run) closeTap() {
	if r.tap != nil {
		r.tap.Close()
	}
}

// discardKept removes from the store what was not committed.
func (r *run) discardKept() {
	for _, o := range r.kept {
		o.capture.discard()
	}
}
