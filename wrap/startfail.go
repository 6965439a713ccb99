package wrap

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/platform/launch"
	"github.com/envwrap/envwrap/internal/platform/safefs"
	"github.com/envwrap/envwrap/internal/shared/hints"
	"github.com/envwrap/envwrap/wrap/internal/program"
)

func (f *startFailure) outcome() envelope.Outcome {
	return envelope.Outcome{
		Kind:         f.kind,
		Code:         f.code,
		Message:      f.message,
		Hint:         f.hint,
		Retryable:    f.retryable,
		ClassifiedBy: envelope.ByEnvwrap,
		Interpreter:  f.interpreter,
		Suggestions:  f.suggestions,
	}
}

// notFound: there is no such file.
func notFound(path string) *startFailure {
	hint := "There is no file %q; check the path and --cwd."
	if strings.HasPrefix(path, "~") {
		hint = "There is no file %q: only a shell reads ~ as the home directory, and not in quotes."
	}
	return &startFailure{
		status: statusNotFound, code: envelope.ENOTFOUND, kind: envelope.NotStarted,
		message: quoted(path) + ": no such file",
		hint:    fmt.Sprintf(hint, path),
	}
}

// notOnPath: there is no such program on PATH.
func notOnPath(name string) *startFailure {
	f := notFound(name)
	f.message = quoted(name) + ": program not found on PATH"
	f.missing = name
	return f
}

// find finds a program as c's child would.
func (c *Command) find(name string) (program.File, *startFailure) {
	found, err := program.Find(name, c.Env, c.Dir)
	switch {
	case err == nil:
		return found, nil
	case errors.Is(err, program.ErrNotOnPath):
		return found, notOnPath(name)
	}
	return found, unusable(err.Path, err.Err)
}

// searchedPlace returns where a program was looked for. Directories that cannot be read
// have nothing in them.
func (c *Command) searchedPlace() hints.SearchPath {
	dir := c.Dir
	if dir == "" {
		dir, _ = os.Getwd()
	}
	home, _ := program.Getenv(c.Env, "HOME")
	return hints.SearchPath{
		Path: program.Elements(c.Env), Dir: dir, Root: c.Workspace, Home: home,
		Programs: func(element string) []string {
			entries, _ := os.ReadDir(program.In(dir, element))
			names := make([]string, 0, len(entries))
			for _, e := range entries {
				if !e.IsDir() {
					names = append(names, e.Name())
				}
			}
			return names
		},
		Executable: func(path string) bool { return program.Check(program.In(dir, path)) == nil },
	}
}

// failure returns why c was not started on another machine, whose files are not looked at; nil
// if it was.
func (f StartFault) failure(c *Command) *startFailure {
	name := c.Argv[0]
	switch f {
	case NoProgram:
		if strings.Contains(name, "/") || name == "" {
			return notFound(name)
		}
		failure := notOnPath(name)
		failure.hint, failure.suggestions = hints.Missing(name, hints.SearchPath{
			Programs: func(string) []string { return nil }, Executable: func(string) bool { return false },
		})
		return failure
	case NotExecutable:
		return unusable(name, fs.ErrPermission)
	case ProgramIsDirectory:
		return unusable(name, program.ErrDirectory)
	case NoDirectory:
		return badArgument(fmt.Sprintf("cannot run in directory %q: it is missing there, or cannot be entered", c.Dir),
			"Give --cwd, or cwd of the runner's table, a directory that exists there.")
	}
	return nil
}

// quoted returns a name for a message: an empty one is quoted.
func quoted(name string) string {
	if name == "" {
		return `""`
	}
	return name
}

// refused: the program is there and cannot be executed.
func refused(message, hint string) *startFailure {
	return &startFailure{
		status: statusNotExecutable, code: envelope.EIO, kind: envelope.Failure,
		message: message, hint: hint,
	}
}

// exhausted: the system has no room for the process.
func exhausted(name string, err error) *startFailure {
	f := refused(name+": cannot be started: "+safefs.Cause(err).Error(),
		"No more processes (ulimit -u, a container's pids.max) or memory: end some, raise the limit, or try again later.")
	f.retryable = true
	return f
}

// badArgument: no system call can do as the caller asks.
func badArgument(message, hint string) *startFailure {
	return &startFailure{
		status: statusSelf, code: envelope.EARG, kind: envelope.Failure,
		message: message, hint: hint,
	}
}

// unusable turns the system's error about a path into a failure.
func unusable(path string, err error) *startFailure {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return notFound(path)
	case errors.Is(err, program.ErrDirectory):
		return refused(path+": is a directory", "Name a program inside it.")
	case errors.Is(err, fs.ErrPermission):
		return refused(path+": permission denied",
			fmt.Sprintf("Make it executable (chmod +x %s), or name its interpreter: envwrap -- sh %[1]s", hints.Quote(path)))
	}
	return refused(path+": "+safefs.Cause(err).Error(), "Check the path and the rights on each directory of it.")
}

// missingInterpreter: the file is there, but not the interpreter or loader that it needs.
func missingInterpreter(path string, h launch.Header) *startFailure {
	f := notFound(path)
	f.interpreter = h.Interpreter
	switch {
	case h.Carriage:
		f.interpreter += "\r"
		f.message = fmt.Sprintf("%s: interpreter %s not found (the first line ends with CR LF)", path, strconv.Quote(f.interpreter))
		f.hint = fmt.Sprintf("Give the script Unix line ends: sed -i 's/\\r$//' %s", hints.Quote(path))
	case h.Interpreter != "":
		f.message = fmt.Sprintf("%s: interpreter %q not found", path, h.Interpreter)
		f.hint = fmt.Sprintf("Install %s, or mend the first line of %s.", h.Interpreter, path)
	default:
		f.interpreter = "dynamic loader"
		f.message = path + ": its dynamic loader was not found"
		f.hint = "The program was built for another C library or system; install that, or get a build for this one."
	}
	return f
}
