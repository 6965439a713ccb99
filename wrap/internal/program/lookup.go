// Package program finds the file that a command's name means, and looks at why it cannot
// be executed.
package program

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

// A File is a file that may be executed.
type File struct {
	Path     string // what to execute, as the child sees it from its directory
	Relative bool   // found only through "." or an empty or relative PATH element
}

// An Error says why there is no [File].
type Error struct {
	Path string // what was looked for or found
	Err  error  // ErrNotOnPath, or as of [Check]
}

func (e *Error) Error() string { return e.Path + ": " + e.Err.Error() }

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// ErrNotOnPath means that no directory of PATH has a program of the name.
var ErrNotOnPath = errors.New("program not found on PATH")

// Find finds the program name as execvp(3) does, with the PATH in env and
// seen from dir. It distinguishes its failures, which os/exec does not.
func Find(name string, env []string, dir string) (File, *Error) {
	if name == "" {
		return File{}, &Error{name, fs.ErrNotExist}
	}
	if hasSeparator(name) {
		return direct(name, env, dir)
	}
	return onPath(name, env, dir)
}

// direct checks a program that was given with a path.
func direct(name string, env []string, dir string) (File, *Error) {
	var failure *Error
	for _, path := range executableNames(name, env) {
		err := Check(In(dir, path))
		if err == nil {
			return File{Path: path}, nil
		}
		if failure == nil || !errors.Is(err, fs.ErrNotExist) {
			failure = &Error{name, err}
		}
	}
	return File{}, failure
}

// onPath searches PATH. A file that must not be executed is remembered, as in bash, and
// reported if no program is found.
func onPath(name string, env []string, dir string) (File, *Error) {
	failure := &Error{name, ErrNotOnPath}
	for _, element := range Elements(env) {
		relative := !filepath.IsAbs(element)
		for _, file := range executableNames(name, env) {
			path := join(element, file)
			err := Check(In(dir, path))
			if err == nil {
				return File{Path: path, Relative: relative}, nil
			}
			if errors.Is(failure, ErrNotOnPath) && errors.Is(err, fs.ErrPermission) {
				failure = &Error{path, err}
			}
		}
	}
	return File{}, failure
}

// Elements splits the PATH in env; an empty element is the current
// directory (POSIX, XBD 8.3).
func Elements(env []string) []string {
	path, ok := Getenv(env, "PATH")
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

// In returns path resolved against dir, if it is relative.
func In(dir, path string) string {
	if dir == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// Getenv reads a variable as getenv(3) does: the first of that name counts.
func Getenv(env []string, name string) (string, bool) {
	for _, pair := range env {
		if k, v, ok := strings.Cut(pair, "="); ok && sameName(k, name) {
			return v, true
		}
	}
	return "", false
}

// ErrDirectory is the error of Check for a directory.
var ErrDirectory = errors.New("is a directory")

// Check reports why path cannot be executed: an error that is
// fs.ErrNotExist, fs.ErrPermission, ErrDirectory, or another of the system's.
func Check(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return ErrDirectory
	}
	return accessible(path, info)
}

// Name returns the base name of a program, without .exe.
func Name(program string) string {
	name := filepath.Base(filepath.ToSlash(program))
	if ext := filepath.Ext(name); strings.EqualFold(ext, ".exe") {
		name = strings.TrimSuffix(name, ext)
	}
	return name
}
