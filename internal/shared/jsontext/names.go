package jsontext

import (
	"hash/maphash"
	"slices"
	"unicode/utf8"
)

const fewNames = 16

// names knows the names of the open objects by their hashes. An object of few
// names costs no allocation.
type names struct {
	hashes  []uint64 // of all open objects, the outermost first
	objects []object
	seed    maphash.Seed
	seeded  bool
}

type object struct {
	from int                 // its first name in the hashes
	many map[uint64]struct{} // its names, where they are more than a few
}

const mostNames = 1 << 16 // of one object in a text that arrives in pieces; of later ones nothing is known

func (n *names) emptied() names {
	clear(n.objects[:cap(n.objects)])
	return names{n.hashes[:0], n.objects[:0], n.seed, n.seeded}
}

func (n *names) open() {
	if !n.seeded {
		n.seed, n.seeded = maphash.MakeSeed(), true
	}
	n.objects = append(n.objects, object{from: len(n.hashes)})
}

func (n *names) close() {
	last := len(n.objects) - 1
	n.hashes, n.objects = n.hashes[:n.objects[last].from], n.objects[:last]
}

// hash returns the hash of a name. A short one is its own.
func (n *names) hash(name []byte) uint64 {
	if len(name) > 7 {
		return maphash.Bytes(n.seed, name)
	}
	h := uint64(len(name))
	for _, c := range name {
		h = h<<8 | uint64(c)
	}
	return h
}

// add puts a name into the innermost object and reports whether it was there
// before.
func (n *names) add(name []byte, all bool) (repeated bool) {
	own := &n.objects[len(n.objects)-1]
	h := n.hash(name)
	if own.many != nil {
		if _, repeated = own.many[h]; !repeated && (all || len(own.many) < mostNames) {
			own.many[h] = struct{}{}
		}
		return repeated
	}
	few := n.hashes[own.from:]
	if slices.Contains(few, h) {
		return true
	}
	if n.hashes = append(n.hashes, h); len(few) == fewNames {
		own.many = make(map[uint64]struct{}, 4*fewNames)
		for _, h := range n.hashes[own.from:] {
			own.many[h] = struct{}{}
		}
	}
	return false
}

// shorten returns the beginning of a name for a fault's text.
func shorten(name []byte) string {
	const most = 80
	if len(name) <= most {
		return string(name)
	}
	end := most
	for end > most-utf8.UTFMax && !utf8.RuneStart(name[end]) {
		end--
	}
	return string(name[:end]) + "…"
}
