package cli

import (
	"fmt"
	"path/filepath"

	"github.com/envwrap/envwrap/artifact"
)

// storeDirs are the places where this user's artifacts lie, the best first: the
// one that was named, here or to an envwrap around us, and no other; else the
// usual one, and the one that takes its place where it cannot be written.
func (w *World) storeDirs(named string) []string {
	dirs, _ := w.storePlaces(named)
	return dirs
}

// storePlaces is storeDirs, and why a place that usually is among them is not.
func (w *World) storePlaces(named string) (dirs []string, left error) {
	if named == "" {
		named = w.outerStore()
	}
	if named != "" {
		return []string{w.path(named)}, nil
	}
	standIn, left := w.standIn()
	if left != nil {
		return w.stateDir(), left
	}
	return append(w.stateDir(), standIn), nil
}

// standIn is the place that is used where the usual one cannot be written. It is
// none where it could have come with a repository: nobody named it.
func (w *World) standIn() (string, error) {
	tmp, ok := w.lookup("TMPDIR")
	if !ok {
		tmp = w.TempDir
	}
	if !filepath.IsAbs(tmp) {
		return "", fmt.Errorf("nothing is used in its place: TMPDIR %q is not absolute", tmp)
	}
	dir := artifact.FallbackDir(tmp)
	if root, ok := workTree(settled(dir)); ok {
		return "", fmt.Errorf("%q is not used in its place: it lies in the work tree of the repository %q", dir, root)
	}
	return dir, nil
}

// openFirst opens for writing the first of the places of storeDirs where that is
// possible. The string is a warning, not empty where an earlier one was passed over.
func (w *World) openFirst(o artifact.Options, named string) (*artifact.Store, string, error) {
	dirs, left := w.storePlaces(named)
	s, warning, err := artifact.OpenFirst(o, dirs...)
	if err != nil && left != nil {
		err = fmt.Errorf("%w; %w", err, left)
	}
	return s, warning, err
}

// stateDir is $XDG_STATE_HOME/envwrap, else that under the home directory; on
// Windows the local application data serve. None where nothing is known.
func (w *World) stateDir() []string {
	if dir, ok := w.lookup("XDG_STATE_HOME"); ok && filepath.IsAbs(dir) {
		return []string{filepath.Join(dir, "envwrap")}
	}
	if dir, ok := w.lookup("LOCALAPPDATA"); ok && filepath.IsAbs(dir) {
		return []string{filepath.Join(dir, "envwrap")}
	}
	if home, ok := w.lookup("HOME"); ok && filepath.IsAbs(home) {
		return []string{filepath.Join(home, ".local", "state", "envwrap")}
	}
	return nil
}

// storeOpener opens the store for writing when something is to be stored: once
// for all attempts of a command. closeStore ends it.
func (r *runner) storeOpener() func() (*artifact.Store, string, error) {
	return func() (*artifact.Store, string, error) {
		if r.store != nil {
			return r.store, r.storeWarning, nil
		}
		o := artifact.Options{Now: r.Now, Run: r.cmd.TaskID, Sync: r.o.storeSync}
		store, warning, err := r.openFirst(o, r.o.store)
		r.store, r.storeWarning = store, warning
		return store, warning, err
	}
}

// closeStore lets the store tidy up for a moment. What was committed is on
// disk, so an error loses nothing.
func (r *runner) closeStore() {
	if r.store != nil {
		_ = r.store.Close()
	}
}

// syncWords are the values of --store-sync.
func syncWords() []word[artifact.Sync] {
	return []word[artifact.Sync]{{"full", artifact.SyncFull}, {"data", artifact.SyncData}, {"off", artifact.SyncOff}}
}

// readCommand makes the command line that shows an artifact, from whatever
// directory it is given.
func (w *World) readCommand(store string) func(digest string) string {
	return func(digest string) string {
		if store == "" {
			return "envwrap artifact cat " + digest
		}
		return "envwrap artifact cat --store " + shellQuote(w.path(store)) + " " + digest
	}
}
