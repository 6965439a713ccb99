package cache

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"

	"github.com/envwrap/envwrap/internal/platform/safefs"
)

// entryLimit is the most bytes of an entry's file. Large streams are in the store,
// unless the caller wants them inline.
const entryLimit = 1 << 30

func entryName(k Key) string { return path.Join(entriesDir, k.name()) }

// Get returns the entry of a key, fresh or not, or nil if none exists or it is
// damaged.
func (c *Cache) Get(k Key) *Entry {
	e, err := c.readEntry(entryName(k))
	if err != nil || e.Key != k {
		return nil
	}
	return e
}

func (c *Cache) readEntry(name string) (*Entry, error) {
	f, err := c.dir.OpenFile(name, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readWhole(f)
}

// readWhole reads an entry's file. If it does not begin as an entry does, the rest is
// not read, whatever its size.
func readWhole(f *os.File) (*Entry, error) {
	info, err := f.Stat()
	if err != nil || info.Size() > entryLimit {
		return nil, errors.Join(err, errDamaged)
	}
	begin := make([]byte, len(magic))
	if _, err := f.ReadAt(begin, 0); err != nil || string(begin) != magic {
		return nil, errDamaged
	}
	text := make([]byte, info.Size())
	if _, err := f.ReadAt(text, 0); err != nil {
		return nil, err
	}
	return decode(text)
}

// Put stores an entry atomically, replacing one with the same key, and with
// Options.Sync forces it to disk.
func (c *Cache) Put(e *Entry) error {
	text, err := e.encode()
	if err == nil {
		err = c.place(e, text)
	}
	if err != nil {
		return fmt.Errorf("remember the run: %w", err)
	}
	return nil
}

func (c *Cache) place(e *Entry, text []byte) error {
	tmp, err := writeTemp(c.dir, entriesDir, text, c.sync)
	if err != nil {
		return err
	}
	// The time of the file is when the entry ends: so tidying need not read it.
	if err = c.dir.Chtimes(tmp, e.Ends()); err == nil {
		err = c.dir.Rename(tmp, entryName(e.Key))
	}
	if err != nil {
		_ = c.dir.Remove(tmp)
		return err
	}
	if c.sync {
		_ = c.dir.Sync(entriesDir) // an entry that a power cut takes away is a miss and no more
	}
	return nil
}

// Remove removes an entry. It returns false if there was none.
func (c *Cache) Remove(k Key) (bool, error) {
	err := c.dir.Remove(entryName(k))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("forget the run %s: %w", k, safefs.Cause(err))
	}
	return true, nil
}

// All returns every entry, in no particular order. A damaged one has only its Key set, so
// that it can be removed.
func (c *Cache) All() ([]*Entry, error) {
	names, err := c.dir.Names(entriesDir)
	if err != nil {
		return nil, fmt.Errorf("list the remembered runs: %w", err)
	}
	var all []*Entry
	for _, name := range names {
		if !isKeyName(name) {
			continue
		}
		k := Key("sha256:" + name)
		e := c.Get(k)
		if e == nil {
			e = &Entry{Key: k}
		}
		all = append(all, e)
	}
	return all, nil
}

func isKeyName(s string) bool {
	return len(s) == 64 && strings.Trim(s, "0123456789abcdef") == ""
}

// Limits of tidying.
const (
	tidyEvery = 24 * time.Hour
	keepEnded = 24 * time.Hour      // entries that have ended, for those who ask why
	keepTemp  = time.Hour           // what a writer that died has left
	keepMemo  = 30 * 24 * time.Hour // digests of large files
)

// Tidy removes entries that have expired, and files that are no longer used, at most
// once a day. It calls gone for each entry that it removes.
func (c *Cache) Tidy(gone func(*Entry)) {
	if info, err := c.dir.Lstat(tidiedFile); err == nil && c.now().Sub(info.ModTime()).Abs() < tidyEvery {
		return
	}
	mark, err := c.dir.OpenFile(tidiedFile, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil || mark.Close() != nil || c.dir.Chtimes(tidiedFile, c.now()) != nil {
		return
	}
	c.sweep(entriesDir, keepEnded, func(name string) {
		if e, err := c.readEntry(name); err == nil {
			gone(e)
		}
	})
	c.sweep(digestsDir, keepMemo, nil)
	c.sweepLocks()
}

// sweep removes old files of a directory; temporary ones go sooner.
func (c *Cache) sweep(dir string, keep time.Duration, before func(name string)) {
	files, _ := c.dir.ReadDir(dir)
	for _, info := range files {
		limit := keep
		if strings.HasPrefix(info.Name(), temporary) {
			limit = keepTemp
		}
		if c.now().Sub(info.ModTime()) <= limit {
			continue
		}
		name := path.Join(dir, info.Name())
		if before != nil {
			before(name)
		}
		_ = c.dir.Remove(name)
	}
}
