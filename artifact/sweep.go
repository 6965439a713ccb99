package artifact

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
)

// remove takes the chosen objects, shard by shard.
func (s *Store) remove(c *Collection, p Policy, all []held) error {
	all = slices.DeleteFunc(all, func(h held) bool { return h.reason == "" })
	slices.SortStableFunc(all, func(a, b held) int { return strings.Compare(a.name[:2], b.name[:2]) })
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].name[:2] == all[0].name[:2] {
			n++
		}
		if err := s.removeFrom(c, p, all[:n]); err != nil {
			return err
		}
		all = all[n:]
	}
	return nil
}

// lockBatch bounds how many objects go under one hold of a shard's lock, so
// that no writer waits for long.
const lockBatch = 16

// removeFrom takes the chosen objects of one shard.
func (s *Store) removeFrom(c *Collection, p Policy, shard []held) error {
	var chosen []held
	for _, h := range shard {
		if h.reason != "" {
			chosen = append(chosen, h)
		}
	}
	for batch := range slices.Chunk(chosen, lockBatch) {
		if err := s.removeBatch(c, p, batch); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) removeBatch(c *Collection, p Policy, batch []held) error {
	d, err := s.fs.OpenDir(shardDir(batch[0].name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer d.Close()
	if err := s.lock(d, true); err != nil {
		c.Kept.Busy += len(batch)
		return nil
	}
	pinned, err := s.pinned() // again: now no pin can come
	if err != nil {
		return err
	}
	limit := s.now().Add(-p.Grace)
	for i := range batch {
		k, _ := keyOf(batch[i].name)
		if pinned[k] {
			c.Kept.Pinned++
			continue
		}
		gone, err := s.take(batch[i].name, limit)
		if err != nil {
			return err
		}
		if gone {
			c.removed(&batch[i])
		}
	}
	return nil
}
