package wrap

import (
	"io/fs"
	"os"
)

// A Feed is what a command would find on its standard input, as far as that can
// be told without reading from it.
type Feed int

const (
	FeedUnknown Feed = iota // something that only reading can tell
	FeedNothing             // it is at its end
	FeedFile                // a regular file, from where it stands
	FeedIdle                // a pipe that is open and holds nothing
)

// Feed says what s is.
func (s Stdin) Feed() Feed {
	if s.Mode == StdinNull || s.File == nil {
		return FeedNothing
	}
	info, err := s.File.Stat()
	if err != nil {
		return FeedNothing // closed: the child gets the null device
	}
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return FeedFile
	case mode&fs.ModeSocket != 0 && s.Mode == StdinAuto:
		return FeedNothing
	case mode&fs.ModeNamedPipe != 0:
		return feedOfPipe(s.File)
	case mode&fs.ModeCharDevice != 0 && isNull(info):
		return FeedNothing
	}
	return FeedUnknown
}

func feedOfPipe(f *os.File) Feed {
	state, ok := lookAtPipe(f)
	switch {
	case !ok || state.queued > 0:
		return FeedUnknown
	case state.ended:
		return FeedNothing
	}
	return FeedIdle
}

func isNull(info fs.FileInfo) bool {
	null, err := os.Stat(os.DevNull)
	return err == nil && os.SameFile(null, info)
}

// ProgramPath is the file that the command would run, with the PATH of its own
// environment and seen from its directory; false where there is none.
func (c *Command) ProgramPath() (string, bool) {
	if len(c.Argv) == 0 {
		return "", false
	}
	found, failure := lookup(c.Argv[0], c.Env, c.Dir)
	if failure != nil {
		return "", false
	}
	return in(c.Dir, found.path), true
}

// CommandName is the namespace/verb that the record of c has.
func CommandName(c *Command) string { return commandName(c.Name, toolName(c.Argv[0])) }
