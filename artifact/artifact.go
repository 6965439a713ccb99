// Package artifact is a content-addressed store on the local disk.
package artifact

import (
	"errors"
	"io"
	"time"
)

// Options configure a Store.
type Options struct {
	Dir string           // absolute path of the store
	Now func() time.Time // nil is time.Now
	Run string           // names this run's part files; "" is the process id
}

// A Store is one directory of objects. It is safe for concurrent use, by any
// number of processes.
type Store struct{ o Options }

// Open opens the store, and makes it where it is not there.
func Open(o Options) (*Store, error) { return nil, errors.New("not there yet") }

// Dir is the store's directory.
func (s *Store) Dir() string { return s.o.Dir }

// Info is what the index remembers of an object beside its digest and size.
type Info struct {
	Kind    string // MIME type
	Command string // namespace/verb of the run
	Stream  string // stdout, stderr, output
}

// A Pending is an object being written. It belongs to one goroutine.
type Pending struct{}

// Create begins an object.
func (s *Store) Create() (*Pending, error) { return nil, errors.New("not there yet") }

// Write adds to the object. After an error nothing more is taken.
func (p *Pending) Write(b []byte) (int, error) { return 0, errors.New("not there yet") }

// Commit makes the object durable and visible, and returns its digest,
// sha256:<64 hex>.
func (p *Pending) Commit(i Info) (string, error) { return "", errors.New("not there yet") }

// Discard drops the object; after Commit it does nothing.
func (p *Pending) Discard() {}

// Get opens an object by id: sha256:<hex>, bare hex, or a unique prefix of at
// least eight digits.
func (s *Store) Get(id string) (io.ReadCloser, error) { return nil, errors.New("not there yet") }
