package artifact

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/envwrap/envwrap/internal/platform/safefs"
)

// Resolve returns the digest of the object that an id names. It takes an id and returns
// errors as Get does.
func (s *Store) Resolve(id string) (string, error) { return Stores{s}.Resolve(id) }

// Stores are the stores that may have a user's objects, in the order in which they are
// searched.
type Stores []*Store

// OpenReadAll opens, as OpenRead does, those of dirs that are stores; there may be none.
// An error means that an existing store cannot be used.
func OpenReadAll(o Options, dirs ...string) (Stores, error) {
	var all Stores
	var first error
	for _, dir := range dirs {
		o.Dir = dir
		s, err := OpenRead(o)
		if err == nil {
			all = append(all, s)
		} else if first == nil && !errors.Is(err, fs.ErrNotExist) {
			first = err
		}
	}
	return all, first
}

// Close releases all of them.
func (a Stores) Close() {
	for _, s := range a {
		s.Close()
	}
}

// Resolve is [Store.Resolve] for several stores.
func (a Stores) Resolve(id string) (string, error) {
	_, name, err := a.find(id)
	if err != nil {
		return "", err
	}
	return digestPrefix + name, nil
}

// Locate returns the store that has an object, and its digest.
func (a Stores) Locate(id string) (*Store, string, error) {
	s, name, err := a.find(id)
	if err != nil {
		return nil, "", err
	}
	return s, digestPrefix + name, nil
}

// find returns the first store that has the object, and its name.
func (a Stores) find(id string) (*Store, string, error) {
	prefix, err := parseID(id)
	if err != nil {
		return nil, "", err
	}
	var names []string
	var in *Store
	for _, s := range a {
		found, err := s.objects.names(prefix)
		if err != nil {
			return nil, "", fmt.Errorf("look for artifact %q in %q: %w", id, s.dir, err)
		}
		if in == nil && len(found) > 0 {
			in = s
		}
		names = append(names, found...)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	switch len(names) {
	case 0:
		for _, s := range a {
			if s.objects.quarantined(prefix) {
				return nil, "", fmt.Errorf("%q: %w: it was found corrupt and lies in quarantine; run its command again", id, ErrNotFound)
			}
		}
		return nil, "", fmt.Errorf("%q: %w", id, ErrNotFound)
	case 1:
		return in, names[0], nil
	}
	e := &AmbiguousError{ID: id}
	for _, name := range names {
		e.Candidates = append(e.Candidates, digestPrefix+name)
	}
	return nil, "", e
}

// Get opens an object by id: sha256:<hex>, bare hex, or a unique prefix of at
// least six digits. By the name of a part it opens what that has so far, or the object that
// was made of it. Errors: [ErrID], [ErrNotFound], [*AmbiguousError].
func (s *Store) Get(id string) (*Object, error) { return Stores{s}.Get(id) }

// Get is [Store.Get] for several stores.
func (a Stores) Get(id string) (*Object, error) {
	if isPart(id) {
		return a.getPart(id)
	}
	s, name, err := a.find(id)
	if errors.Is(err, ErrNotFound) {
		return a.fetch(id, err)
	}
	if err != nil {
		return nil, err
	}
	o, err := s.objects.open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%q: %w", id, ErrNotFound)
	}
	if err != nil {
		return nil, fmt.Errorf("read artifact %q: %w", id, err)
	}
	return o, nil
}

// fetch gets an object from the first of the stores that has a Fetcher, and stores it
// there. It returns the error missing if no remote has the object.
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

// findOrFetch returns the same as find, and fetches the object if no store has it.
func (a Stores) findOrFetch(id string) (*Store, string, error) {
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
	if n, ok := s.fetcher.(CorruptNoter); ok && errors.Is(err, ErrCorrupt) {
		n.NoteCorrupt(digestPrefix + name)
	}
	return err
}

// Path returns the absolute path of an object's file, for programs that need one. The
// file is read-only and exists until the collector removes the object. For a packed
// object, which has no plain file, Path returns an error.
func (s *Store) Path(id string) (string, error) { return Stores{s}.Path(id) }

// Path is [Store.Path] for several stores.
func (a Stores) Path(id string) (string, error) {
	s, name, err := a.findOrFetch(id)
	if err != nil {
		return "", err
	}
	fi, err := s.fs.Lstat(objectName(name))
	if err != nil {
		return "", fmt.Errorf("artifact %q is packed: use artifact cat %s", id, digestPrefix+name)
	}
	if !fi.Mode().IsRegular() {
		return "", fmt.Errorf("artifact %q: it is no regular file but %s", id, safefs.KindOf(fi.Mode()))
	}
	return s.dir + string(os.PathSeparator) + objectsDir + string(os.PathSeparator) +
		name[:2] + string(os.PathSeparator) + name, nil
}
