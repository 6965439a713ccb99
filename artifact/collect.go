package artifact

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/artifact/internal/filesys"
	"github.com/envwrap/envwrap/artifact/internal/partial"
)

// Collect removes the objects that the policy does not keep, and part files of dead
// writers. It may run beside any number of writers, readers and collectors.
func (s *Store) Collect(p Policy) (*Collection, error) {
	c := &collector{s: s, Policy: p}
	if err := c.collect(); err != nil {
		return &c.Collection, fmt.Errorf("collect artifacts in %q: %w", s.dir, err)
	}
	return &c.Collection, nil
}

// A collector removes the objects that its policy does not keep, and counts them.
type collector struct {
	Policy
	Collection
	s *Store
}

func (c *collector) collect() error {
	if c.s.fs.ReadOnly != nil {
		return c.s.fs.ReadOnly
	}
	if err := c.s.objects.finishEvictions(); err != nil {
		return err
	}
	var all []shardObject
	err := inShards(c.s.objects, c.s.objects.list, func(found []shardObject) { all = append(all, found...) })
	if err != nil {
		return err
	}
	if err := c.choose(all); err != nil {
		return err
	}
	if c.DryRun {
		return nil
	}
	if err := c.remove(all); err != nil {
		return err
	}
	err = errors.Join(c.dropDeadParts(), c.emptyQuarantine(), c.s.pins.dropExpired())
	if index, indexErr := c.s.fs.SizeOf(indexDir); len(c.Removed) > 0 || indexErr != nil || index > usualLine*int64(c.Objects) {
		err = errors.Join(err, c.s.index.prune())
	}
	return err
}

// usualLine is more than the bytes of an index for each object, as a rule. If the index
// has fewer and nothing was removed, few of its lines are of objects that are gone, and
// reading it would cost more than the rest of a collection.
const usualLine = 400

// choose sets the reason of what goes, the oldest first, and counts.
func (c *collector) choose(all []shardObject) error {
	pinned, err := c.s.pins.pinned()
	if err != nil {
		return err
	}
	slices.SortFunc(all, func(a, b shardObject) int { return a.modified.Compare(b.modified) })
	c.Objects = len(all)
	for i := range all {
		c.Bytes += all[i].size
		c.Largest = max(c.Largest, all[i].size)
	}
	left := c.Bytes
	for i := range all {
		h := &all[i]
		reason := c.against(c.s.now().Sub(h.modified), left)
		if reason == "" {
			continue
		}
		if k, _ := keyOf(h.name); pinned[k] {
			c.Kept.Pinned++
			continue
		}
		if c.s.now().Sub(h.modified) < c.Grace {
			c.Kept.Young++
			continue
		}
		h.reason = reason
		left -= h.size
		if c.DryRun {
			c.removed(h)
		}
	}
	return nil
}

// emptyQuarantine removes corrupt objects that have been in quarantine for longer than
// objects are kept.
func (c *collector) emptyQuarantine() error {
	files, err := c.s.fs.ReadDir(quarantineDir)
	err = filesys.IgnoreNotExist(err)
	for _, fi := range files {
		if c.outlived(c.s.now().Sub(fi.ModTime())) {
			err = errors.Join(err, c.s.fs.Remove(quarantineDir+"/"+fi.Name()))
		}
	}
	return err
}

// dropDeadParts removes the part files of dead writers that are older than objects are
// kept.
func (c *collector) dropDeadParts() error {
	names, err := c.s.fs.NamesIn(partDir)
	if err != nil {
		return err
	}
	for _, base := range names {
		f, err := c.s.parts.Claim(base)
		if err != nil {
			continue
		}
		fi, err := f.Stat()
		if err == nil && (partial.Scratch.Matches(base) || c.outlived(c.s.now().Sub(fi.ModTime()))) {
			if c.s.fs.Remove(f.Name) == nil {
				c.Parts++
			}
		}
		f.Close()
	}
	return nil
}

// remove takes the chosen objects, shard by shard.
func (c *collector) remove(all []shardObject) error {
	all = slices.DeleteFunc(all, func(h shardObject) bool { return h.reason == "" })
	slices.SortStableFunc(all, func(a, b shardObject) int { return strings.Compare(a.name[:2], b.name[:2]) })
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].name[:2] == all[0].name[:2] {
			n++
		}
		if err := c.removeFrom(all[:n]); err != nil {
			return err
		}
		all = all[n:]
	}
	return nil
}

// lockBatch is how many objects are removed at most under one hold of a shard's lock, so
// that no writer waits for long.
const lockBatch = 16

// removeFrom takes the chosen objects of one shard.
func (c *collector) removeFrom(shard []shardObject) error {
	var chosen []shardObject
	for _, h := range shard {
		if h.reason != "" {
			chosen = append(chosen, h)
		}
	}
	for batch := range slices.Chunk(chosen, lockBatch) {
		if err := c.removeBatch(batch); err != nil {
			return err
		}
	}
	return nil
}

func (c *collector) removeBatch(batch []shardObject) error {
	d, err := c.s.fs.OpenDir(shardDir(batch[0].name))
	if err != nil {
		return filesys.IgnoreNotExist(err)
	}
	defer d.Close()
	if err := c.s.fs.TryLock(d); err != nil {
		c.Kept.Busy += len(batch)
		return nil
	}
	pinned, err := c.s.pins.pinned() // again: now no pin can come
	if err != nil {
		return err
	}
	limit := c.s.now().Add(-c.Grace)
	for i := range batch {
		k, _ := keyOf(batch[i].name)
		if pinned[k] {
			c.Kept.Pinned++
			continue
		}
		gone, err := c.s.objects.evict(batch[i].name, limit)
		if err != nil {
			return err
		}
		if gone {
			c.removed(&batch[i])
		}
	}
	return nil
}
