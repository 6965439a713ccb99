package hints

import "slices"

const (
	maxSimilar = 3  // names in a suggestion
	maxName    = 64 // bytes of a name that is compared
	swapped    = 4  // points for the same letters, more than all others together
)

// longName is the least length, in bytes, of a name that may be two letters away.
const longName = 8

// similarNames returns the names that are similar to name, the most similar first: one
// letter away, or two if the name is long and both begin with the same letter. If one has
// the same letters in another order, only such names are returned; known programs come
// first.
func similarNames(name string, each func(yield func(string) bool)) []string {
	limit := 1
	switch {
	case len(name) < 3 || len(name) > maxName:
		return nil
	case len(name) >= longName:
		limit = 2
	}
	var found []string
	each(func(other string) bool {
		switch d := Distance(name, other, limit); {
		case d == 0 || d > limit || d == 2 && name[0] != other[0]:
		case d < limit:
			limit, found = d, append(found[:0], other)
		default:
			found = append(found, other)
		}
		return true
	})
	slices.Sort(found)
	found = slices.Compact(found)
	slices.SortStableFunc(found, func(a, b string) int { return likelihood(name, b) - likelihood(name, a) })
	for i, other := range found {
		if i == maxSimilar || likelihood(name, found[0]) >= swapped && likelihood(name, other) < swapped {
			return found[:i]
		}
	}
	return found
}

// likelihood returns points that order equally similar names: for the same letters in
// another order, for a program in the table, and for the same first letter.
func likelihood(name, other string) int {
	points := 0
	if len(name) == len(other) && sameLetters(name, other) {
		points += swapped
	}
	if _, known := rowOf(other); known {
		points += 2
	}
	if name[0] == other[0] {
		points++
	}
	return points
}

func sameLetters(a, b string) bool {
	var count [256]int
	for i := range len(a) {
		count[a[i]]++
		count[b[i]]--
	}
	return count == [256]int{}
}

// Distance returns how many letters have to be added, dropped, changed or swapped with
// their neighbour to turn a into b. The result is greater than limit if that is more,
// or if a name has more than 64 bytes.
func Distance(a, b string, limit int) int {
	if len(a) > maxName || len(b) > maxName || len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	var rows [3][maxName + 1]uint8
	for j := range len(b) + 1 {
		rows[0][j] = uint8(j)
	}
	for i := 1; i <= len(a); i++ {
		row, last, before := &rows[i%3], &rows[(i+2)%3], &rows[(i+1)%3]
		row[0] = uint8(i)
		for j := 1; j <= len(b); j++ {
			change := last[j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			row[j] = min(last[j]+1, row[j-1]+1, change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return int(rows[len(a)%3][len(b)])
}
