package cli

import "strings"

// nearest returns the name that a mistyped word most likely means: at most
// two letters away and less than half of it; "" where there is none, or where
// two are equally near.
func nearest(word string, names []string) string {
	word = strings.ToLower(word)
	best, found := min(3, (len(word)+1)/2), ""
	for _, n := range names {
		switch d := distance(word, n); {
		case d < best:
			best, found = d, n
		case d == best:
			found = ""
		}
	}
	return found
}

// distance is the number of letters to add, drop, change or swap with their
// neighbour to make b from a.
func distance(a, b string) int {
	rows := [3][]int{}
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
	}
	for j := range rows[1] {
		rows[1][j] = j
	}
	for i := 1; i <= len(a); i++ {
		last, row := rows[i%3], rows[(i+1)%3]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := last[j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			row[j] = min(last[j]+1, row[j-1]+1, change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], rows[(i-1)%3][j-2]+1)
			}
		}
	}
	return rows[(len(a)+1)%3][len(b)]
}
