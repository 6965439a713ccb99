// Package cache stores remembered runs in the artifact store's directory: what a
// command printed and how it ended, under a key made of everything that may change
// that.
//
// A cache is the directory cache of a store, which only its owner can read:
//
//	salt            32 random bytes, in hexadecimal; no key can be guessed without it
//	entries/<key>   one remembered run: a header and both streams
//	locks/<key>     held by who runs the command now, as long as it runs; those who
//	                wait look each 25 ms, until their own time limit
//	digests/<name>  digests of large files, so that they are not read again
//
// The output was redacted before. Variables are stored as their names and salted digests.
// Entries are written atomically, and a damaged one is ignored. Any number of processes may
// use a cache at the same time, and any of them may be killed at any moment.
package cache

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"

	"github.com/envwrap/envwrap/internal/platform/safefs"
)

// Names inside a store.
const (
	dirName    = "cache"
	saltFile   = "salt"
	entriesDir = "entries"
	locksDir   = "locks"
	digestsDir = "digests"
	tidiedFile = "tidied"
)

// Options configure a Cache.
type Options struct {
	Store string           // the directory of a store, which only its owner may access
	Now   func() time.Time // nil is time.Now
	Locks bool             // the file system has locks that cannot hang
	Sync  bool             // force entries to disk
}

// A Cache is the remembered runs of a store. It is safe for concurrent use.
type Cache struct {
	dir   *safefs.Dir
	salt  []byte
	now   func() time.Time
	locks bool
	sync  bool
}

// Open opens the cache of a store and creates it if necessary. The caller must Close
// it.
func Open(o Options) (*Cache, error) {
	c, err := OpenRead(o)
	if !errors.Is(err, fs.ErrNotExist) {
		return c, err
	}
	if err := create(o.Store); err != nil {
		return nil, fmt.Errorf("make the cache of remembered runs: %w", err)
	}
	return OpenRead(o)
}

func create(store string) error {
	s, err := safefs.Open(store)
	if err != nil {
		return err
	}
	defer s.Close()
	for _, name := range []string{"", entriesDir, locksDir, digestsDir} {
		if err := s.Mkdir(path.Join(dirName, name), 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	dir, err := s.Dir(dirName)
	if err != nil {
		return err
	}
	defer dir.Close()
	return newSalt(dir)
}

// saltMost is the most bytes that are read of the salt's file.
const saltMost = 1 << 10

// OpenRead opens the cache of a store. The error wraps fs.ErrNotExist if none exists.
// The caller must Close it.
func OpenRead(o Options) (*Cache, error) {
	c, err := openRead(o)
	if err != nil {
		return nil, fmt.Errorf("open the cache of remembered runs: %w", err)
	}
	return c, nil
}

func openRead(o Options) (*Cache, error) {
	s, err := safefs.Open(o.Store)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	dir, err := s.Dir(dirName)
	if err != nil {
		return nil, err
	}
	c := &Cache{dir: dir, now: o.Now, locks: o.Locks, sync: o.Sync}
	text, err := dir.ReadFile(saltFile, saltMost)
	if err == nil {
		c.salt, err = hex.DecodeString(strings.TrimSpace(string(text)))
		if err != nil || len(c.salt) != sha256.Size {
			err = fmt.Errorf("its salt %q is damaged; remove the directory %q", saltFile, dir.Name())
		}
	}
	if err != nil {
		_ = dir.Close()
		return nil, err
	}
	return c, nil
}

// Close closes the cache. Every Lock must have ended.
func (c *Cache) Close() error { return c.dir.Close() }

// newSalt makes the file of the salt. If several processes do so at once, one of them
// wins, and all read what it wrote.
func newSalt(dir *safefs.Dir) error {
	var salt [sha256.Size]byte
	_, _ = rand.Read(salt[:]) // it never fails
	tmp, err := writeTemp(dir, ".", []byte(hex.EncodeToString(salt[:])+"\n"), true)
	if err != nil {
		return err
	}
	defer func() { _ = dir.Remove(tmp) }()
	_ = dir.Link(tmp, saltFile) // replaces nothing
	if _, err := dir.Lstat(saltFile); err == nil {
		return nil
	}
	return dir.Rename(tmp, saltFile) // no hard links here
}

// temporary begins the names of files that are being written.
const temporary = ".tmp-"

// writeTemp writes a new file beside the one that it becomes, 0600, and returns
// its name. No file is left where that fails.
func writeTemp(dir *safefs.Dir, in string, text []byte, sync bool) (name string, err error) {
	f, name, err := dir.CreateTemp(in, temporary)
	if err != nil {
		return "", err
	}
	_, err = f.Write(text)
	if err == nil && sync {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		_ = dir.Remove(name)
		return "", err
	}
	return name, nil
}

// Locks reports whether runs with the same key can wait for each other.
func (c *Cache) Locks() bool { return c.locks && lockable }

// mark returns a digest of parts that is worthless without the salt.
func (c *Cache) mark(parts ...string) string {
	h := hmac.New(sha256.New, c.salt)
	for _, p := range parts {
		var n [8]byte
		for i := range n {
			n[i] = byte(len(p) >> (8 * i))
		}
		h.Write(n[:])
		h.Write([]byte(p))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
