package wire

// A nameSet knows the names of one object: a few by looking through them, many
// by a map.
type nameSet[T string | []byte] struct {
	from int // the object's first name in the list of all names
	many map[string]struct{}
}

const fewNames = 16

// add puts name into the set and reports whether it was there before.
func (n *nameSet[T]) add(names *[]T, name T) (repeated bool) {
	if n.many != nil {
		_, repeated = n.many[string(name)]
		n.many[string(name)] = struct{}{}
		return repeated
	}
	own := (*names)[n.from:]
	for _, other := range own {
		if string(other) == string(name) {
			return true
		}
	}
	*names = append(*names, name)
	if len(own) == fewNames {
		n.many = make(map[string]struct{}, 4*fewNames)
		for _, name := range (*names)[n.from:] {
			n.many[string(name)] = struct{}{}
		}
	}
	return false
}
