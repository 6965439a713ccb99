// Package pipeline finds out the exit statuses of the stages of a shell pipeline.
//
// A shell reports only the status of the last stage, so that
// "make 2>&1 | tail -5" succeeds where make failed. For "bash -c TEXT" the
// package gives three things: [Read] names the stages of the pipeline that TEXT
// ends with, [Probe] makes a start-up file for bash that records PIPESTATUS when
// the shell exits, and [ReadsAll] says whether a stage reads its input to the
// end. Only then is an early status the stage's own, and not the consequence of
// a reader that went away.
//
// The package reads no output and decides no outcome. Its functions keep no
// state.
package pipeline

// A Stage is one command of a pipeline.
type Stage struct {
	// Argv is the program and its arguments. It is nil if the program is not a literal
	// word: for a compound command, or a name that bash expands.
	Argv []Word
	// Input means that a redirection replaces the pipe as standard input.
	Input bool
}

// A Word is one argument of a command.
type Word struct {
	// Text is the argument after the removal of quotes. Expansions are kept as
	// they are written.
	Text string
	// Literal means that bash passes on exactly Text.
	Literal bool
	// Quoted means that the word begins with a quote, so that it is one argument
	// whatever its expansions yield.
	Quoted bool
}

// Name returns the program of the stage as it was written, or "" where it is
// not known.
func (s Stage) Name() string {
	if len(s.Argv) == 0 {
		return ""
	}
	return s.Argv[0].Text
}

// Args returns the stage's program and arguments as strings.
func (s Stage) Args() []string {
	args := make([]string, len(s.Argv))
	for i, w := range s.Argv {
		args[i] = w.Text
	}
	return args
}

// A Pipeline is the last command of a shell text.
type Pipeline struct {
	Stages []Stage
	// Alone means that an exit status other than 0 can only be that of this pipeline or
	// of a command with another number of stages.
	Alone bool
	// Certain means that the shell can end with status 0 only after this pipeline has
	// run, or after a command with another number of stages.
	Certain bool
}
