package cli

import (
	"path/filepath"

	"github.com/envwrap/envwrap/artifact"
)

// storeDirs are the places where this user's artifacts lie, the best first: the
// one that was named, here or to an envwrap around us, and no other; else the
// usual one, and the one that takes its place where it cannot be written.
func (w *World) storeDirs(named string) []string {
	if named == "" {
		named = w.outerStore()
	}
	if named != "" {
		return []string{w.path(named)}
	}
	tmp, ok := w.lookup("TMPDIR")
	if !ok {
		tmp = w.TempDir
	}
	return append(w.stateDir(), artifact.FallbackDir(tmp))
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
		store, warning, err := artifact.OpenFirst(o, r.storeDirs(r.o.store)...)
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
