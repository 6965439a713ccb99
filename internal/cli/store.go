package cli

import (
	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
)

// storeDirs is [session.World.StoreDirs].
func (w *World) storeDirs(named string) []string { return w.session().StoreDirs(named) }

// openFirst is [session.World.OpenStore].
func (w *World) openFirst(o artifact.Options, named string) (*artifact.Store, string, error) {
	return w.session().OpenStore(o, named)
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
			return "envwrap artifact cat " + envelope.ShortDigest(digest)
		}
		return "envwrap artifact cat --store " + shellQuote(w.path(store)) + " " + envelope.ShortDigest(digest)
	}
}
