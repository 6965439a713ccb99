package cli

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/internal/app/session"
)

// ShimMark is the name of a file that marks a directory of shims: links to envwrap with
// the names of the programs that they wrap.
const ShimMark = ".envwrap-shims"

// shimmed returns the Env in which an envwrap that was called through a shim, a link
// in a directory of shims with the name of another program, runs that program with
// --emit auto. It returns w if envwrap was called by its own name, or was merely
// renamed.
//
// It cannot call itself for ever: the program that runs is never envwrap, which device
// and inode show, and what it starts does not find the shims on its PATH.
func (env *Env) shimmed() *Env {
	name := filepath.Base(env.Args[0])
	if name == "envwrap" || name == "envwrap.exe" || env.Executable == nil {
		return env
	}
	self, err := env.Self()
	if err != nil || !env.calledAsShim(env.Args[0], self) {
		return env
	}
	path, _ := env.Lookup("PATH")
	path = WithoutShims(path)
	s := *env
	s.Args = append([]string{"envwrap", "--emit", "auto", "--", programName(path, name, self)}, env.Args[1:]...)
	s.Environ = session.SetAll(slices.Clone(env.Environ), "PATH="+path)
	return &s
}

// programName returns the name to start a shim's program by: its name without a path,
// which it may print in its messages, or its path if that name leads back to envwrap.
func programName(path, name string, self fs.FileInfo) string {
	real, ok := FindProgram(path, name, self)
	first, _ := FindProgram(path, name, nil)
	if ok && first != real {
		return real
	}
	return name
}

// Self returns the file of the running program.
func (env *Env) Self() (fs.FileInfo, error) {
	if env.Executable == nil {
		return nil, errors.New("the program has no file")
	}
	path, err := env.Executable()
	if err != nil {
		return nil, err
	}
	return os.Stat(path)
}

// calledAsShim reports whether a program name, as a shell hands it over, stands
// for a link to us in a directory of shims.
func (env *Env) calledAsShim(called string, self fs.FileInfo) bool {
	if strings.ContainsRune(called, filepath.Separator) {
		return IsShimDir(filepath.Dir(env.Path(called)))
	}
	path, _ := env.Lookup("PATH")
	return slices.ContainsFunc(filepath.SplitList(path), func(dir string) bool {
		info, err := os.Stat(filepath.Join(dir, called))
		return err == nil && os.SameFile(info, self) && IsShimDir(dir)
	})
}

// IsShimDir reports whether envwrap made a directory for shims.
func IsShimDir(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, ShimMark))
	return err == nil
}

// FindProgram returns the path of the first program with a name on a PATH, other than
// the file self unless that is nil.
func FindProgram(path, name string, self fs.FileInfo) (string, bool) {
	for _, dir := range filepath.SplitList(path) {
		file := filepath.Join(cmp.Or(dir, "."), name)
		info, err := os.Stat(file)
		if err != nil || !info.Mode().IsRegular() || info.Mode().Perm()&0o111 == 0 || os.SameFile(info, self) {
			continue
		}
		if !filepath.IsAbs(file) {
			file = "." + string(filepath.Separator) + file // else it would be looked for on PATH
		}
		return file, true
	}
	return "", false
}

// WithoutShims returns a PATH without directories of shims.
func WithoutShims(path string) string {
	dirs := slices.DeleteFunc(filepath.SplitList(path), IsShimDir)
	return strings.Join(dirs, string(os.PathListSeparator))
}

// IsShim reports whether a file is a link to this program, to another version of
// envwrap, or to one that no longer exists.
func IsShim(link string, self fs.FileInfo) bool {
	target, err := os.Readlink(link)
	if err != nil {
		return false
	}
	info, err := os.Stat(link)
	return err != nil || os.SameFile(info, self) || strings.HasPrefix(filepath.Base(target), "envwrap")
}

// ShimDir returns where shims are kept: the directory that was named, else
// $XDG_DATA_HOME/envwrap/shims.
func (env *Env) ShimDir(named string) (string, error) {
	if named != "" {
		return env.Path(named), nil
	}
	if dir := env.Session().UserDir(".local/share", "XDG_DATA_HOME"); dir != "" {
		return filepath.Join(dir, "shims"), nil
	}
	return "", errors.New("find the directory of shims: HOME is not set\nName a directory with --dir.")
}

// ShimTarget returns the target of shims: the envwrap on PATH if that is this program,
// whose own path may change with each version.
func (env *Env) ShimTarget() (string, error) {
	self, err := env.Self()
	if err != nil {
		return "", err
	}
	path, _ := env.Lookup("PATH")
	for _, dir := range filepath.SplitList(path) {
		file := filepath.Join(dir, "envwrap")
		if info, err := os.Stat(file); err == nil && filepath.IsAbs(file) && os.SameFile(info, self) && !IsShimDir(dir) {
			return file, nil
		}
	}
	return env.Executable()
}
