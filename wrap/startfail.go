package wrap

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/hints"
	"github.com/envwrap/envwrap/internal/owned"
)

// A startFailure is the reason for which the child never ran.
type startFailure struct {
	status      int
	code        envelope.Code
	kind        envelope.Kind
	message     string // one line, the program first
	hint        string
	interpreter string
	retryable   bool
	missing     string   // the name that was looked for on PATH
	suggestions []string // programs that may have been meant
}

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

// missing: there is no such program on PATH.
func missing(name string) *startFailure {
	f := notFound(name)
	f.message = quoted(name) + ": program not found on PATH"
	f.missing = name
	return f
}

// place returns where a program was looked for. Directories that cannot be read
// have nothing in them.
func (r *run) place() hints.Place {
	dir := r.c.Dir
	if dir == "" {
		dir, _ = os.Getwd()
	}
	home, _ := getenv(r.c.Env, "HOME")
	return hints.Place{
		Path: pathElements(r.c.Env), Dir: dir, Root: r.c.Workspace, Home: home,
		Programs: func(element string) []string {
			entries, _ := os.ReadDir(in(dir, element))
			names := make([]string, 0, len(entries))
			for _, e := range entries {
				if !e.IsDir() {
					names = append(names, e.Name())
				}
			}
			return names
		},
		Executable: func(path string) bool { return checkExecutable(in(dir, path)) == nil },
	}
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
func exhausted(program string, err error) *startFailure {
	f := refused(program+": cannot be started: "+owned.Cause(err).Error(),
		"No more processes (ulimit -u, a container's pids.max) or memory: end some, raise the limit, or try again later.")
	f.retryable = true
	return f
}

// badArgument: what the caller asked for cannot be done at all.
func badArgument(message, hint string) *startFailure {
	return &startFailure{
		status: statusSelf, code: envelope.EARG, kind: envelope.Failure,
		message: message, hint: hint,
	}
}

// unusable turns what the system says of a path into a failure.
func unusable(path string, err error) *startFailure {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return notFound(path)
	case errors.Is(err, errDirectory):
		return refused(path+": is a directory", "Name a program inside it.")
	case errors.Is(err, fs.ErrPermission):
		return refused(path+": permission denied",
			fmt.Sprintf("Make it executable (chmod +x %s), or name its interpreter: envwrap -- sh %[1]s", hints.Quote(path)))
	}
	return refused(path+": "+owned.Cause(err).Error(), "Check the path and the rights on each directory of it.")
}

// A header is what the first bytes of a file that could not be started say about it.
type header struct {
	interpreter string // of a #! line, without its arguments
	arguments   string // of the interpreter
	carriage    bool   // the #! line ends with CR LF
	binary      bool   // it has a NUL byte: no script
	elf         bool
}

// headerBytes is how much of a file bash looks at before it calls it binary.
const headerBytes = 256

// readHeader looks at the file's beginning. A file that cannot be read, and what
// is no regular file (a FIFO would be waited for), has the zero header.
func readHeader(path string) header {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return header{}
	}
	file, err := owned.OpenPlain(path)
	if err != nil {
		return header{}
	}
	defer file.Close()
	buf := make([]byte, headerBytes)
	n, err := io.ReadFull(file, buf)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return header{}
	}
	buf = buf[:n]
	h := header{binary: bytes.IndexByte(buf, 0) >= 0, elf: bytes.HasPrefix(buf, []byte("\x7fELF"))}
	if rest, ok := bytes.CutPrefix(buf, []byte("#!")); ok {
		line, _, _ := bytes.Cut(rest, []byte("\n"))
		h.carriage = bytes.HasSuffix(line, []byte("\r"))
		h.interpreter, h.arguments, _ = strings.Cut(strings.Trim(string(line), " \t\r"), " ")
	}
	return h
}

// missingInterpreter: the file is there, what it needs to run is not.
func missingInterpreter(path string, h header) *startFailure {
	f := notFound(path)
	f.interpreter = h.interpreter
	switch {
	case h.carriage:
		f.interpreter += "\r"
		f.message = fmt.Sprintf("%s: interpreter %s not found (the first line ends with CR LF)", path, strconv.Quote(f.interpreter))
		f.hint = fmt.Sprintf("Give the script Unix line ends: sed -i 's/\\r$//' %s", hints.Quote(path))
	case h.interpreter != "":
		f.message = fmt.Sprintf("%s: interpreter %q not found", path, h.interpreter)
		f.hint = fmt.Sprintf("Install %s, or mend the first line of %s.", h.interpreter, path)
	default:
		f.interpreter = "dynamic loader"
		f.message = path + ": its dynamic loader was not found"
		f.hint = "The program was built for another C library or system; install that, or get a build for this one."
	}
	return f
}

// program returns what env(1), as the interpreter of a script, is asked to find:
// the first word that is no option and no assignment.
func (h header) program() string {
	if path.Base(h.interpreter) != "env" {
		return ""
	}
	for word := range strings.FieldsSeq(h.arguments) {
		if !strings.HasPrefix(word, "-") && !strings.Contains(word, "=") {
			return word
		}
	}
	return ""
}
