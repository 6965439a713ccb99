package wrap

import (
	"cmp"
	"io/fs"
	"os"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/wrap/internal/pipe"
	"github.com/envwrap/envwrap/wrap/internal/program"
)

// A StdinKind is the kind of a command's standard input, as far as envwrap knows it
// without reading.
type StdinKind int

const (
	StdinUnknown StdinKind = iota // known only by reading
	StdinEmpty                    // at its end
	StdinRegular                  // a regular file, from its present offset
	StdinIdle                     // an open pipe with nothing in it yet
)

// Kind returns the kind of s, without reading from it.
func (s Stdin) Kind() StdinKind {
	if s.Mode == StdinNull || s.File == nil {
		return StdinEmpty
	}
	info, err := s.File.Stat()
	if err != nil {
		return StdinEmpty // closed: the child gets the null device
	}
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return StdinRegular
	case mode&fs.ModeSocket != 0 && s.Mode == StdinAuto:
		return StdinEmpty
	case mode&fs.ModeNamedPipe != 0:
		return kindOfPipe(s.File)
	case mode&fs.ModeCharDevice != 0 && isNull(info):
		return StdinEmpty
	}
	return StdinUnknown
}

func kindOfPipe(f *os.File) StdinKind {
	state, ok := pipe.Inspect(f)
	switch {
	case !ok || state.Queued > 0:
		return StdinUnknown
	case state.Ended:
		return StdinEmpty
	}
	return StdinIdle
}

func isNull(info fs.FileInfo) bool {
	null, err := os.Stat(os.DevNull)
	return err == nil && os.SameFile(null, info)
}

// ProgramPath returns the file that the command would run, looked up with the PATH in
// Env and relative to Dir. It returns false if it finds no such file.
func (c *Command) ProgramPath() (string, bool) {
	if len(c.Argv) == 0 {
		return "", false
	}
	found, failure := c.find(c.Argv[0])
	if failure != nil {
		return "", false
	}
	return program.In(c.Dir, found.Path), true
}

// CommandName returns the namespace/verb in the record of c, with no secret masked: it is
// for comparing, not to be shown.
func CommandName(c *Command) string {
	return cmp.Or(c.Name, envelope.CommandName(program.Name(c.Argv[0])))
}
