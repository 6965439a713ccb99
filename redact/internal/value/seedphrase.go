package value

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
)

// SeedPhrase returns the length of the words at the start of b if there are as many as a
// seed has, and each is as long as one of them is: three to eight small letters. One word
// again and again is no seed.
func SeedPhrase(b []byte) int {
	words, i, end, same := 0, 0, 0, true
	for words <= MaxSeedWords {
		n := ascii.Run(b[i:], ascii.Lower)
		if n < 3 || n > 8 || i+n < len(b) && ascii.Is(b[i+n], ascii.Upper|ascii.Digit|ascii.Under) || inSentence(string(b[i:i+n])) {
			break
		}
		words++
		same = same && bytes.HasPrefix(b[i:], b[:n])
		i += n
		end = i
		s := ascii.Run(b[i:], ascii.Blank|ascii.Comma)
		if s == 0 || s > 2 {
			break
		}
		i += s
	}
	if words < MinSeedWords || words > MaxSeedWords || words%3 != 0 || same {
		return 0
	}
	return end
}

// MinSeedWords and MaxSeedWords are how many words a seed has (BIP 39).
const (
	MinSeedWords = 12
	MaxSeedWords = 24
)
