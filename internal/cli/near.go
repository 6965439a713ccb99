package cli

import (
	"strings"

	"github.com/envwrap/envwrap/internal/hints"
)

// Nearest returns the name that a mistyped word most likely means: at most
// two letters away and less than half of it; "" where there is none, or where
// two are equally near.
func Nearest(word string, names []string) string {
	word = strings.ToLower(word)
	best, found := min(3, (len(word)+1)/2), ""
	for _, n := range names {
		switch d := hints.Distance(word, n, best); {
		case d < best:
			best, found = d, n
		case d == best:
			found = ""
		}
	}
	return found
}
