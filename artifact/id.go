package artifact

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/artifact/internal/filesys"
)

const (
	digestPrefix = "sha256:"
	hexLen       = 64
	minPrefix    = 6 // hexadecimal digits of an id
)

// parseID returns the hexadecimal digits of an id, in lower case.
func parseID(id string) (string, error) {
	name := strings.ToLower(id)
	name = strings.TrimPrefix(name, digestPrefix)
	if len(name) < minPrefix || len(name) > hexLen || !isHex(name) {
		return "", fmt.Errorf("%q: %w", id, ErrID)
	}
	return name, nil
}

// isHex reports whether s is made of lower-case hexadecimal digits.
func isHex(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// Resolve returns the digest of the object that an id names. It takes an id and returns
// errors as Get does.
func (s *Store) Resolve(id string) (string, error) { return Stores{s}.Resolve(id) }

// names returns the objects whose digests begin with prefix, sorted.
func (s *Store) names(prefix string) ([]string, error) {
	if len(prefix) == hexLen {
		for _, suffix := range suffixes {
			_, err := s.fs.Lstat(objectName(prefix) + suffix)
			if !errors.Is(err, fs.ErrNotExist) {
				return []string{prefix}, err
			}
		}
		return nil, nil
	}
	entries, err := s.fs.Names(shardDir(prefix))
	if filesys.UnlessGone(err) != nil {
		return nil, err
	}
	var found []string
	for _, name := range entries {
		name, _ = cutSuffix(name)
		if isObject(name) && strings.HasPrefix(name, prefix) {
			found = append(found, name)
		}
	}
	slices.Sort(found)
	return slices.Compact(found), nil
}

// isObject reports whether a file of a shard has an object's name.
func isObject(name string) bool { return len(name) == hexLen && isHex(name) }

// Stores are the stores that may have a user's objects, in the order in which they are
// searched.
type Stores []*Store

// OpenReadAll opens, as OpenRead does, those of dirs that are stores, which may be
// none. An error means that an existing store cannot be used.
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
		found, err := s.names(prefix)
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
			if s.quarantined(prefix) {
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

func shardDir(name string) string   { return objectsDir + "/" + name[:2] }
func objectName(name string) string { return objectsDir + "/" + name[:2] + "/" + name }

// packedSuffix ends the name of an object's packed file.
const packedSuffix = ".gz"

// suffixes are those of an object's files: the plain one, then the packed one.
var suffixes = [...]string{"", packedSuffix}

// cutSuffix returns the name of a shard's file without the suffix of a packed
// one, and whether it had one.
func cutSuffix(file string) (name string, packed bool) { return strings.CutSuffix(file, packedSuffix) }
