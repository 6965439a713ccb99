package wrap

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// defaultPath is searched where the child's environment has no PATH: what
// confstr(_CS_PATH) gives on POSIX systems (execvp(3)).
const defaultPath = "/bin:/usr/bin"

// A program is a file that may be executed.
type program struct {
	path     string // what to execute, as the child sees it from its directory
	relative bool   // found only through "." or an empty or relative PATH element
}

// lookup finds the program name as execvp(3) does, with the PATH in env and
// seen from dir. It distinguishes its failures, which os/exec does not.
func lookup(name string, env []string, dir string) (program, *startFailure) {
	if name == "" {
		return program{}, notFound(name)
	}
	if hasSeparator(name) {
		return direct(name, env, dir)
	}
	return onPath(name, env, dir)
}

// direct checks a program that was given with a path.
func direct(name string, env []string, dir string) (program, *startFailure) {
	var failure *startFailure
	for _, path := range executableNames(name, env) {
		err := checkExecutable(in(dir, path))
		if err == nil {
			return program{path: path}, nil
		}
		if failure == nil || !errors.Is(err, fs.ErrNotExist) {
			failure = unusable(name, err)
		}
	}
	return program{}, failure
}

// onPath searches PATH. A file that must not be executed is remembered, as in bash, and
// reported if no program is found.
func onPath(name string, env []string, dir string) (program, *startFailure) {
	var refused *startFailure
	for _, element := range pathElements(env) {
		relative := !filepath.IsAbs(element)
		for _, file := range executableNames(name, env) {
			path := join(element, file)
			err := checkExecutable(in(dir, path))
			if err == nil {
				return program{path: path, relative: relative}, nil
			}
			if refused == nil && errors.Is(err, fs.ErrPermission) {
				refused = unusable(path, err)
			}
		}
	}
	if refused != nil {
		return program{}, refused
	}
	return program{}, missing(name)
}

// pathElements splits the PATH in env; an empty element is the current
// directory (POSIX, XBD 8.3).
func pathElements(env []string) []string {
	path, ok := getenv(env, "PATH")
	if !ok {
		path = defaultPath
	}
	elements := strings.Split(path, string(os.PathListSeparator))
	for i, e := range elements {
		if e == "" {
			elements[i] = "."
		}
	}
	return elements
}

// join is filepath.Join that keeps a leading "./", so that the result is
// never looked up again.
func join(element, file string) string {
	if element == "." {
		return "." + string(filepath.Separator) + file
	}
	return strings.TrimRight(element, string(filepath.Separator)) + string(filepath.Separator) + file
}

// in is path as it is seen from dir.
func in(dir, path string) string {
	if dir == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// getenv reads a variable as getenv(3) does: the first of that name counts.
func getenv(env []string, name string) (string, bool) {
	for _, pair := range env {
		if k, v, ok := strings.Cut(pair, "="); ok && sameName(k, name) {
			return v, true
		}
	}
	return "", false
}

// errDirectory is the error of checkExecutable for a directory.
var errDirectory = errors.New("is a directory")

// checkExecutable reports why path cannot be executed: an error that is
// fs.ErrNotExist, fs.ErrPermission, errDirectory, or another of the system's.
func checkExecutable(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return errDirectory
	}
	return accessible(path, info)
}
