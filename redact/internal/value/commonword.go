package value

import (
	"bytes"
	"strings"

	"github.com/envwrap/envwrap/redact/internal/ascii"
)

// CommonWord reports whether w is a word that is no secret in settings and in source.
func CommonWord(w string) bool {
	if len(w) > maxPhrase {
		return false
	}
	if strings.IndexByte(w, '_') >= 0 || strings.IndexByte(w, '-') >= 0 {
		var buf [maxPhrase]byte
		for i := range copy(buf[:], w) {
			if buf[i] == '_' || buf[i] == '-' {
				buf[i] = ' '
			}
		}
		return commonPhrase(string(buf[:len(w)]))
	}
	return commonPhrase(w)
}

// maxPhrase is the greatest length of what CommonWord knows.
const maxPhrase = 20

// maxStandIn is the greatest length of what StandIn knows.
const maxStandIn = 40

// StandIn reports whether b is two words or more, run together or with signs between them,
// that only say what has to stand there: my_password, somepassword, YOUR-API-KEY.
func StandIn(b []byte) bool {
	var buf [maxStandIn]byte
	return len(b) <= maxStandIn && standsIn(ascii.AppendLower(buf[:0], b), 0, false)
}

// WeakPassword reports whether b is a StandIn that people also set as a password: small
// letters with no sign between them, and no instruction to give one's own. testpassword,
// mysecretpassword.
func WeakPassword(b []byte) bool {
	return ascii.Run(b, ascii.Lower) == len(b) && bytes.HasSuffix(b, []byte("password")) && !bytes.Contains(b, []byte("your")) && StandIn(b)
}

// standsIn reports whether w, in small letters and after so many such words, of which one
// was for a secret if that is true, is the rest of a StandIn.
func standsIn(w []byte, words int, secret bool) bool {
	if words > 0 {
		w = bytes.TrimLeft(w, "-_. ")
	}
	switch {
	case len(w) == 0:
		return secret && words > 1
	case w[0] >= byte(len(forSecrets)):
		return false
	}
	for i, table := range [...]*wordsWithin{&forSecrets, &besideThem} {
		for _, rest := range table[w[0]] {
			if bytes.HasPrefix(w[1:], []byte(rest)) && standsIn(w[1+len(rest):], words+1, secret || i == 0) {
				return true
			}
		}
	}
	return false
}
