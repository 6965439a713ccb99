package envelope

import (
	"hash/maphash"
	"slices"
)

// Bounds of what is kept to know a name again.
const (
	longestPushName = 1 << 20 // bytes of a name
	mostPushNames   = 1 << 16 // names of one object; of later ones nothing is known
)

// pushNames knows the names of the open objects of a text that goes by, by
// their hashes. An object of few names costs no allocation.
type pushNames struct {
	text    []byte   // the name in hand, as it is spelled
	hashes  []uint64 // of all open objects, the outermost first
	objects []pushObject
	seed    maphash.Seed
	seeded  bool
}

// A pushObject is one open object.
type pushObject struct {
	from int                 // its first name in the hashes
	many map[uint64]struct{} // its names, where they are more than a few
}

func (n *pushNames) open() {
	if !n.seeded {
		n.seed, n.seeded = maphash.MakeSeed(), true
	}
	n.objects = append(n.objects, pushObject{from: len(n.hashes)})
}

func (n *pushNames) close() {
	last := len(n.objects) - 1
	n.hashes, n.objects = n.hashes[:n.objects[last].from], n.objects[:last]
}

// add puts the name in hand into the innermost object and reports whether it
// was there before.
func (n *pushNames) add() (name string, repeated bool) {
	own := &n.objects[len(n.objects)-1]
	h := n.hash()
	if own.many != nil {
		if _, repeated = own.many[h]; !repeated && len(own.many) < mostPushNames {
			own.many[h] = struct{}{}
		}
	} else {
		repeated = n.addFew(own, h)
	}
	if repeated {
		name = string(n.text)
	}
	return name, repeated
}

func (n *pushNames) addFew(own *pushObject, h uint64) (repeated bool) {
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

// hash is that of the name in hand, however it is escaped.
func (n *pushNames) hash() uint64 {
	if isPlainASCII(n.text) {
		return maphash.Bytes(n.seed, n.text)
	}
	quoted := append(append([]byte{'"'}, n.text...), '"')
	return maphash.Bytes(n.seed, unquoted(quoted))
}
