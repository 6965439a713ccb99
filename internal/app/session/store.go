package session

import (
	"fmt"
	"path/filepath"

	"github.com/envwrap/envwrap/artifact"
)

// StoreDirs returns the directories that may have this user's artifacts, the best first:
// only the one that was named, here or to an envwrap that runs this one, or else the
// default one and its fallback.
func (env *Env) StoreDirs(named string) []string {
	dirs, _ := env.StorePlaces(named)
	return dirs
}

// StorePlaces returns what StoreDirs does, and why a directory that is usually among
// them is left out.
func (env *Env) StorePlaces(named string) (dirs []string, left error) {
	if dir := env.namedStore(named); dir != "" {
		return []string{dir}, nil
	}
	fallback, left := env.fallbackDir()
	if left != nil {
		return env.StateDir(), left
	}
	return append(env.StateDir(), fallback), nil
}

// FirstStore returns the first of StoreDirs without looking for its fallback, or "" if
// only the fallback is known.
func (env *Env) FirstStore(named string) string {
	if dir := env.namedStore(named); dir != "" {
		return dir
	}
	return append(env.StateDir(), "")[0]
}

// namedStore returns the directory that was named, here or to an envwrap that runs this
// one, or "".
func (env *Env) namedStore(named string) string {
	if named == "" && env.EnclosingStore != nil {
		named = env.EnclosingStore()
	}
	if named == "" {
		return ""
	}
	return env.Path(named)
}

// fallbackDir returns the store that is used if the default one cannot be written. It is
// an error if that directory could have come with a repository, since nobody named it.
func (env *Env) fallbackDir() (string, error) {
	tmp, ok := env.Lookup("TMPDIR")
	if !ok {
		tmp = env.TempDir
	}
	if !filepath.IsAbs(tmp) {
		return "", fmt.Errorf("nothing is used in its place: TMPDIR %q is not absolute", tmp)
	}
	dir := artifact.FallbackDir(tmp)
	if root, ok := WorkTree(ResolveLinks(dir)); ok {
		return "", fmt.Errorf("%q is not used in its place: it lies in the work tree of the repository %q", dir, root)
	}
	return dir, nil
}

// OpenStore opens for writing the first of StoreDirs that can be written. The string is
// a warning if it is the fallback place, else "".
func (env *Env) OpenStore(o artifact.Options, named string) (*artifact.Store, string, error) {
	dirs, left := env.StorePlaces(named)
	s, warning, err := artifact.OpenFirst(o, dirs...)
	if err != nil && left != nil {
		err = fmt.Errorf("%w; %w", err, left)
	}
	if err == nil && named == "" && len(env.StateDir()) == 0 {
		if dir, _ := env.fallbackDir(); dir == dirs[0] {
			warning = fmt.Sprintf("neither HOME nor XDG_STATE_HOME names a directory; %q is used for the store", dir)
		}
	}
	return s, warning, err
}

// StateDir returns $XDG_STATE_HOME/envwrap, or that below the home directory, or on
// Windows below the local application data; nil if none of these is known.
func (env *Env) StateDir() []string {
	if dir := env.UserDir(".local/state", "XDG_STATE_HOME", "LOCALAPPDATA"); dir != "" {
		return []string{dir}
	}
	return nil
}

// UserDir returns the directory envwrap in the first of the variables that has an
// absolute path, else in home below $HOME, or "" if neither is known.
func (env *Env) UserDir(home string, variables ...string) string {
	for _, name := range variables {
		if dir, ok := env.Lookup(name); ok && filepath.IsAbs(dir) {
			return filepath.Join(dir, "envwrap")
		}
	}
	if dir, ok := env.Lookup("HOME"); ok && filepath.IsAbs(dir) {
		return filepath.Join(dir, home, "envwrap")
	}
	return ""
}
