package cachecmd

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/internal/app/cache"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/session"
)

// A memory is one cache with the store that it belongs to.
type memory struct {
	store   *artifact.Store
	cache   *cache.Cache
	entries []*cache.Entry
}

// openMemories opens all caches that there are and reads their entries.
func openMemories(c *cli.Call) (all []*memory, done func(), err error) {
	a, err := c.OpenArchive()
	if err != nil {
		return nil, nil, err
	}
	done = func() {
		for _, m := range all {
			_ = m.cache.Close()
		}
		a.Close()
	}
	for _, s := range a.Stores {
		kept, err := c.Session().OpenCache(s, artifact.SyncFull, cache.OpenRead)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			m := &memory{store: s, cache: kept}
			all = append(all, m)
			m.entries, err = kept.All()
		}
		if err != nil {
			done()
			return nil, nil, err
		}
	}
	return all, done, nil
}

// match finds the entries whose key begins as id does.
func match(all []*memory, id string) (of *memory, e *cache.Entry, err error) {
	const least = 8
	prefix := strings.ToLower(strings.TrimPrefix(id, "sha256:"))
	if len(prefix) < least || len(prefix) > 64 || strings.Trim(prefix, "0123456789abcdef") != "" {
		return nil, nil, cli.Usagef("%q is not a key: write sha256: and 64 hexadecimal digits, or the first 8 or more", id)
	}
	for _, m := range all {
		for _, found := range m.entries {
			if !strings.HasPrefix(string(found.Key), "sha256:"+prefix) {
				continue
			}
			if e != nil && e.Key != found.Key {
				return nil, nil, fmt.Errorf("%q fits several runs: give more digits, as `envwrap cache ls --json` has them", id)
			}
			of, e = m, found
		}
	}
	if e == nil {
		return nil, nil, fmt.Errorf("no run is remembered under %q", id)
	}
	return of, e, nil
}

// forget removes an entry and gives its artifacts back to the collector.
func (m *memory) forget(e *cache.Entry) error {
	if _, err := m.cache.Remove(e.Key); err != nil {
		return err
	}
	session.Release(m.store, e, nil)
	return nil
}
