package artifact

import (
	"errors"
	"fmt"
	"io"
)

// A Fetcher gets objects that a store does not have from another place. It must be safe
// for concurrent use.
type Fetcher interface {
	// Fetch writes the bytes of the object with a digest, sha256:<hex>, to w. The error
	// wraps [ErrNotFound] if the object does not exist there either. The store checks
	// the bytes against the digest before it uses them.
	Fetch(digest string, w io.Writer) error
}

// A Sender copies committed objects to another place. It must be safe for concurrent
// use.
type Sender interface {
	// Send is called after an object, sha256:<hex>, was committed. The run that made it
	// waits, so Send should only note the digest for later.
	Send(digest string, size int64)
}

// fetch gets an object from the first of the stores that has a Fetcher, and keeps
// it there. missing is the error where none has the object.
func (a Stores) fetch(id string, missing error) (*Object, error) {
	name, err := parseID(id)
	if err != nil || len(name) != hexLen {
		return nil, missing
	}
	for _, s := range a {
		if s.fetcher == nil {
			continue
		}
		switch err := s.fetch(name); {
		case err == nil:
			return s.objects.open(name)
		case !errors.Is(err, ErrNotFound):
			return nil, fmt.Errorf("fetch artifact %q: %w", id, err)
		}
	}
	return nil, missing
}

// bring returns what find does, after it has fetched the object if no store has it.
func (a Stores) bring(id string) (*Store, string, error) {
	s, name, err := a.find(id)
	if !errors.Is(err, ErrNotFound) {
		return s, name, err
	}
	o, err := a.fetch(id, err)
	if err != nil {
		return nil, "", err
	}
	_ = o.Close()
	return a.find(id)
}

// fetch stores an object of the Fetcher.
func (s *Store) fetch(name string) error {
	p, err := s.Create()
	if err != nil {
		return err
	}
	defer p.Discard()
	p.fetched, p.want = true, name
	if err := s.fetcher.Fetch(digestPrefix+name, p); err != nil {
		return err
	}
	_, err = p.Commit(Info{})
	return err
}
