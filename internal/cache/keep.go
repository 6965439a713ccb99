package cache

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// entryLimit is the most bytes of an entry's file. Streams that are large lie in
// the store, unless the caller wants them inline.
const entryLimit = 1 << 30

func (c *Cache) entryName(k Key) string { return filepath.Join(c.dir, entriesDir, k.name()) }

// Get returns the entry of a key, fresh or not; nil where there is none, and
// where what is there is damaged.
func (c *Cache) Get(k Key) *Entry {
	e, err := readEntry(c.entryName(k))
	if err != nil || e.Key != k {
		return nil
	}
	return e
}

func readEntry(name string) (*Entry, error) {
	f, err := openFile(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() > entryLimit {
		return nil, errors.Join(err, errDamaged)
	}
	text := make([]byte, info.Size())
	if _, err := f.ReadAt(text, 0); err != nil {
		return nil, err
	}
	return decode(text)
}

// Put keeps an entry in the place of what has its key. It is there whole or not
// at all, and on disk where the cache is kept so.
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
	dir := filepath.Join(c.dir, entriesDir)
	tmp, err := writeTemp(dir, text, c.sync)
	if err != nil {
		return err
	}
	// The time of the file is when the entry ends: so tidying need not read it.
	if err = os.Chtimes(tmp, e.Ends(), e.Ends()); err == nil {
		err = os.Rename(tmp, c.entryName(e.Key))
	}
	if err != nil {
		_ = os.Remove(tmp)
		return err
	}
	if c.sync {
		syncDir(dir)
	}
	return nil
}

// syncDir makes a name durable where the file system can. An entry that a power
// cut takes away is a miss and no more.
func syncDir(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}

// Remove forgets an entry; false means that there was none.
func (c *Cache) Remove(k Key) (bool, error) {
	err := os.Remove(c.entryName(k))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("forget the run %s: %w", k, cause(err))
	}
	return true, nil
}

// All returns every entry, in no order. A damaged one is returned with its Key
// alone, so that it can be removed.
func (c *Cache) All() ([]*Entry, error) {
	files, err := os.ReadDir(filepath.Join(c.dir, entriesDir))
	if err != nil {
		return nil, fmt.Errorf("list the remembered runs: %w", err)
	}
	var all []*Entry
	for _, f := range files {
		if !isKeyName(f.Name()) {
			continue
		}
		k := Key("sha256:" + f.Name())
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
	keepMemo  = 30 * 24 * time.Hour // what is known of files
)

// Tidy removes what is of no use any more, at most once a day. gone is called
// for each entry that goes.
func (c *Cache) Tidy(gone func(*Entry)) {
	mark := filepath.Join(c.dir, tidiedFile)
	if info, err := os.Stat(mark); err == nil && c.now().Sub(info.ModTime()).Abs() < tidyEvery {
		return
	}
	if err := os.WriteFile(mark, nil, 0o600); err != nil {
		return
	}
	_ = os.Chtimes(mark, c.now(), c.now())
	c.sweep(entriesDir, keepEnded, func(name string) {
		if e, err := readEntry(name); err == nil {
			gone(e)
		}
	})
	c.sweep(digestsDir, keepMemo, nil)
	c.sweepLocks()
}

// sweep removes old files of a directory; temporary ones go sooner.
func (c *Cache) sweep(dir string, keep time.Duration, before func(name string)) {
	files, _ := os.ReadDir(filepath.Join(c.dir, dir))
	for _, f := range files {
		info, err := f.Info()
		if err != nil {
			continue
		}
		limit := keep
		if strings.HasPrefix(f.Name(), temporary) {
			limit = keepTemp
		}
		if c.now().Sub(info.ModTime()) <= limit {
			continue
		}
		name := filepath.Join(c.dir, dir, f.Name())
		if before != nil {
			before(name)
		}
		_ = os.Remove(name)
	}
}
