package artifact

import (
	"io"
	"sync/atomic"
	"time"

	"github.com/envwrap/envwrap/artifact/internal/filesys"
	"github.com/envwrap/envwrap/artifact/internal/partial"
)

// Options configure a [Store]. Only Dir is required.
type Options struct {
	Dir  string           // absolute path of the store
	Now  func() time.Time // nil is time.Now
	Run  string           // names this run's part files and index lines; "" is derived from the process id
	Sync Sync             // how much Commit forces to disk before it returns

	// MaxSize is how many bytes the store may have, including those being written; 0 is
	// no limit. It limits writes through this Store only.
	MaxSize int64

	NoMaintenance bool // Create starts no automatic collection

	Fetch Fetcher // gets missing objects; nil gets none
	Send  Sender  // is called for committed objects; may be nil
}

// Sync chooses how much Commit forces to the disk before it returns.
type Sync int

const (
	SyncFull Sync = iota // the file and its name: survives a power cut
	SyncData             // the file only: its name may be lost in a power cut
	SyncOff              // nothing: survives the death of processes only
)

// A Store is a directory of objects. It is safe for concurrent use by any number of
// goroutines and processes.
type Store struct {
	dir      string
	now      func() time.Time
	fs       *filesys.Volume
	version  string                       // of the layout found
	prepared atomic.Pointer[partial.File] // made by Open to see whether that works

	objects *objects
	parts   *partial.Files
	pins    *pins
	index   *index
	sizes   *sizes
	quota   *quota

	fetcher Fetcher
	sender  Sender

	maintenance maintenance
}

// Dir returns the store's directory.
func (s *Store) Dir() string { return s.dir }

// Close releases the store. Objects that were not committed are left to Recover. It
// waits at most a millisecond for background work.
func (s *Store) Close() error {
	s.maintenance.await()
	if p := s.prepared.Swap(nil); p != nil {
		p.Drop()
	}
	return s.fs.Close()
}

// A Fetcher gets objects that a store does not have from another place. It must be safe
// for concurrent use.
type Fetcher interface {
	// Fetch writes the bytes of the object with a digest, sha256:<hex>, to w. The error
	// wraps [ErrNotFound] if the object does not exist there either. The store checks
	// the bytes against the digest before it uses them.
	Fetch(digest string, w io.Writer) error
}

// A CorruptNoter is a [Fetcher] that wants to know which objects, sha256:<hex>, had other
// bytes than their digests say. It must be safe for concurrent use.
type CorruptNoter interface{ NoteCorrupt(digest string) }

// A Sender copies committed objects to another place. It must be safe for concurrent
// use.
type Sender interface {
	// Send is called after an object, sha256:<hex>, was committed. The run that made it
	// waits, so Send should only note the digest for later.
	Send(digest string, size int64)
}

// maintainWait is how long Close waits for the automatic collector. A later run continues
// the unfinished work.
const maintainWait = time.Millisecond

// A maintenance runs the automatic collector in the background, once.
type maintenance struct {
	off     bool
	running atomic.Bool
	done    chan struct{} // closed when it is done
}

// start runs the collector, unless it was started before.
func (m *maintenance) start(collect func()) {
	if m.off || !m.running.CompareAndSwap(false, true) {
		return
	}
	go func() {
		defer close(m.done)
		collect()
	}()
}

// await waits for the collector, but not for long.
func (m *maintenance) await() {
	if !m.running.Load() {
		return
	}
	select {
	case <-m.done:
	case <-time.After(maintainWait):
	}
}
