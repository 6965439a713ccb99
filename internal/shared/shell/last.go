package shell

import (
	"errors"
	"slices"
)

// A LastPipeline is the pipeline that a text ends with.
type LastPipeline struct {
	Pipeline

	// Alone means that an exit status other than 0 can only come from this pipeline or
	// of a command with another number of stages.
	Alone bool
	// Certain means that the shell can end with status 0 only after this pipeline has
	// run, or after a command with another number of stages.
	Certain bool
}

// Last returns the pipeline that the text ends with. It looks into { }, if, case and for
// over words. If one branch of an if or a case ends with a pipeline of several stages, Last
// returns that pipeline, which the shell may have skipped: then PIPESTATUS has another
// number of statuses, or Certain and Alone are false.
//
// It returns an error if the text has no command, if the pipeline is negated or in the
// background, or if a command that the shell itself executes may change the meaning of the
// others: alias, enable, eval, trap and a sourced file, except the activate script of a
// virtual environment of Python.
func (t *Text) Last() (*LastPipeline, error) {
	last := t.last.decisive()
	switch {
	case t.alters != nil:
		return nil, t.alters
	case len(last.stages) == 0:
		return nil, errors.New("the text has no command")
	case last.negated:
		return nil, errors.New("the last pipeline is negated")
	case last.background:
		return nil, errors.New("the last pipeline runs in the background")
	}
	same := t.pipelines[len(last.stages)] > 1
	return &LastPipeline{
		Pipeline: t.pipeline(last),
		Alone:    !same,
		Certain:  !same || !t.exits && !last.alternative,
	}, nil
}

// Alters returns an error if a command that the shell itself executes may change the meaning
// of the others, as [Text.Last] says.
func (t *Text) Alters() error { return t.alters }

// Defines reports whether the text defines a function with that name.
func (t *Text) Defines(name string) bool { return slices.Contains(t.functions, name) }
