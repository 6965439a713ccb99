package artifact

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
)

// A crashOutcome says which unsynced data survives a crash.
type crashOutcome struct {
	name string
	// file returns the bytes of a file, directory the names of a directory.
	file      func(n *node) []byte
	directory func(n *node) map[string]*node
}

// crashOutcomes are the damages that power cuts are known to leave.
func crashOutcomes(r *rand.Rand) []crashOutcome {
	volatile := func(n *node) map[string]*node { return n.names }
	return []crashOutcome{
		{"all of it", func(n *node) []byte { return n.data }, volatile},
		{"nothing of it", func(n *node) []byte { return n.synced }, func(n *node) map[string]*node { return n.durable }},
		{"names without bytes", func(n *node) []byte { return n.synced }, volatile},
		{"names and half of the bytes", func(n *node) []byte {
			return n.data[: (len(n.synced)+len(n.data)+1)/2 : len(n.data)]
		}, volatile},
		{"names and zeros", func(n *node) []byte {
			return append(slices.Clone(n.synced), make([]byte, max(0, len(n.data)-len(n.synced)))...)
		}, volatile},
		{"some names", func(n *node) []byte { return n.synced }, func(n *node) map[string]*node { return someNames(r, n) }},
	}
}

// someNames keeps each change of a directory, or loses it.
func someNames(r *rand.Rand, n *node) map[string]*node {
	names := map[string]*node{}
	for _, from := range []map[string]*node{n.names, n.durable} {
		for _, name := range slices.Sorted(maps.Keys(from)) {
			if n.names[name] == n.durable[name] || r.IntN(2) == 0 {
				names[name] = from[name]
			}
		}
	}
	return names
}

// reboots are the disks that a power cut may leave. A disk with a journal has the
// names as of one of its changes, and those of a moment; the other any.
func (d *disk) reboots(r *rand.Rand) map[string]*disk {
	all := map[string]*disk{}
	for _, a := range crashOutcomes(r) {
		if !d.ordered {
			all[a.name] = d.reboot(a)
			continue
		}
		a.directory = func(n *node) map[string]*node { return n.names }
		for i, root := range d.journals {
			left := &disk{root: root, now: d.now, noLinks: d.noLinks, ordered: true}
			all[fmt.Sprintf("%s, change %d of %d", a.name, i, len(d.journals))] = left.reboot(a)
		}
	}
	return all
}

// reboot is the disk after a power cut. The old one is not changed.
func (d *disk) reboot(a crashOutcome) *disk {
	d.mu.Lock()
	defer d.mu.Unlock()
	seen := map[*node]*node{}
	var restore func(n *node) *node
	restore = func(n *node) *node {
		if seen[n] != nil {
			return seen[n]
		}
		after := &node{mode: n.mode, mtime: n.kept, kept: n.kept}
		seen[n] = after
		if n.names == nil {
			after.data = slices.Clone(a.file(n))
			after.synced = slices.Clone(after.data)
			if after.mtime.IsZero() {
				after.mtime = n.mtime
			}
			return after
		}
		after.names = map[string]*node{}
		for name, child := range a.directory(n) {
			after.names[name] = restore(child)
		}
		after.durable = maps.Clone(after.names)
		return after
	}
	after := &disk{root: restore(d.root), now: d.now, noLinks: d.noLinks, ordered: d.ordered}
	after.record()
	return after
}
