package wrap

import (
	"encoding/json"
	"slices"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/shared/shell"
)

// A judgement decides what one run means. Its steps are asked in order, and the first
// that returns an outcome decides. A step may also lean to an outcome, which holds
// unless a later step finds an error.
type judgement struct {
	*recorder
	// c is the command of the run, without the frame of an agent around its text.
	c *Command
	// argv is the command line whose status is judged: that of c, or of a shell's text the
	// command that set the status.
	argv []string
	// uncertain means that the status may report another failure than that of argv, or that
	// a program of the text could have made the shell name argv: it makes no failure ok.
	uncertain bool
	lean      envelope.Outcome
	mute      bool // a row or an option has said that the status is no failure

	vague bool // the row that speaks says only that it failed
}

// newJudgement judges the end of c, which hides the command of the run itself.
func newJudgement(w *recorder, c *Command) *judgement {
	return &judgement{recorder: w, c: c, argv: c.Argv, lean: envelope.Outcome{Kind: envelope.Success}}
}

// unframed returns the command without the frame of an agent around its text.
func (c *Command) unframed() *Command {
	bare, _, _, ok := shell.Unframe(c.Argv)
	if !ok {
		return c
	}
	alone := *c
	alone.Argv = bare
	return &alone
}

// exited reports whether the child ended by itself with a status other than 0.
func (j *judgement) exited() bool { return j.end.signal == 0 && !j.end.lost && j.end.code != 0 }

// failed reports whether the child's end is a failure that no row or option has
// explained as a success.
func (j *judgement) failed() bool {
	return !j.mute && (j.end.lost || j.end.signal != 0 || j.end.code != 0)
}

// killed reports whether another process sent SIGKILL, or the kernel for lack of memory.
// A shell reports it as 137.
func (j *judgement) killed() bool { return j.end.name == "SIGKILL" || j.end.code == statusSignal+9 }

// leanTo: the status is no failure, and the search for other errors goes on.
func (j *judgement) leanTo(kind envelope.Kind) (envelope.Outcome, bool) {
	j.lean = envelope.Outcome{Kind: kind}
	j.mute = true
	return j.lean, false
}

func (j *judgement) skip(part string) {
	if !slices.Contains(j.res.SkippedSources, part) {
		j.res.SkippedSources = append(j.res.SkippedSources, part)
	}
}

// field returns a member of the record's details.
func field(name string, value any) envelope.Field {
	text, err := json.Marshal(value)
	if err != nil { // no value of ours has a kind that JSON lacks
		text = []byte("null")
	}
	return envelope.Field{Name: name, Value: text}
}
