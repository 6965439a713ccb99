package names

import (
	"strings"
	"sync"

	_ "embed"
)

// services are the names of services that give out keys, in lower case and in order,
// one a line. Which services there are was taken from what public scanners say that
// they cover; how a scanner spells one counts for nothing. A name is here only if
// the service writes it so, spaces and signs left out: as its product, as its
// domain ("chec.io", "onwater.io"), or in its API's names ("x-rapidapi-key").
//
//go:embed services.txt
var services string

// Service reports whether w, in lower case, names a service that gives out keys. Beside
// such a name a word such as "key" suggests a secret more strongly.
func Service(w string) bool {
	if h := serviceHash(w); serviceHashes()[h>>6]>>(h&63)&1 == 0 {
		return false
	}
	for from, to := 0, len(services); from < to; {
		middle := from + (to-from)/2
		start := strings.LastIndexByte(services[:middle], '\n') + 1
		end := start + strings.IndexByte(services[start:], '\n')
		switch line := services[start:end]; {
		case line == w:
			return true
		case line < w:
			from = end + 1
		default:
			to = start
		}
	}
	return false
}

// serviceHashes has a bit for the hash of each service: most words have none of these
// hashes.
var serviceHashes = sync.OnceValue(func() *[1 << (serviceBits - 6)]uint64 {
	t := new([1 << (serviceBits - 6)]uint64)
	for w := range strings.Lines(services) {
		h := serviceHash(strings.TrimSuffix(w, "\n"))
		t[h>>6] |= 1 << (h & 63)
	}
	return t
})

// serviceBits is the length of a hash in bits.
const serviceBits = 14

func serviceHash(w string) uint32 {
	h := uint32(0)
	for i := range len(w) {
		h = h*31 + uint32(w[i])
	}
	return h * 0x9e3779b1 >> (32 - serviceBits)
}
