package search

import (
	"bytes"
	"strings"
)

// A Finder returns the position of a byte in the first line of b that
// matches, or -1. b consists of whole lines.
type Finder func(b []byte) int

// textFinder looks for a plain text that is not empty; fold means in any case, and
// that the text is ASCII.
func textFinder(text string, fold bool) Finder {
	if fold {
		return foldFinder(bytes.ToLower([]byte(text)))
	}
	return rareFinder([]byte(text))
}

// rareFinder finds a text by its byte that is rarest in logs and sources, which is two to
// three times as fast as bytes.Index on logs. If that byte turns out to be common,
// bytes.Index takes over.
func rareFinder(needle []byte) Finder {
	at := rarest(needle)
	c := needle[at]
	return func(b []byte) int {
		for misses, pos := 0, at; pos < len(b); pos++ {
			i := bytes.IndexByte(b[pos:], c)
			if i < 0 {
				return -1
			}
			pos += i
			begin := pos - at
			if bytes.HasPrefix(b[begin:], needle) {
				return begin
			}
			if misses++; misses > 16+pos/32 {
				i := bytes.Index(b[begin+1:], needle)
				if i < 0 {
					return -1
				}
				return begin + 1 + i
			}
		}
		return -1
	}
}

// foldFinder finds a lower-case ASCII text in any case, by its letter that is rarest in
// logs and sources.
func foldFinder(needle []byte) Finder {
	at := rarest(needle)
	low, up := needle[at], bytes.ToUpper(needle[at : at+1])[0]
	return func(b []byte) int {
		l, u := nextByte{c: low}, nextByte{c: up}
		for pos := at; ; pos++ {
			i := l.from(b, pos)
			if up != low {
				i = min(i, u.from(b, pos))
			}
			begin := i - at
			if begin+len(needle) > len(b) {
				return -1
			}
			if equalFold(b[begin:begin+len(needle)], needle) {
				return begin
			}
			pos = i
		}
	}
}

// A nextByte caches the position of the next c, so that each c is searched for once.
type nextByte struct {
	c     byte
	at    int
	known bool
}

// fillFrom returns the position of the first c at pos or later, len(b) where there is
// none.
func (a *nextByte) from(b []byte, pos int) int {
	if a.known && a.at >= pos {
		return a.at
	}
	a.known = true
	a.at = len(b)
	if pos < len(b) {
		if i := bytes.IndexByte(b[pos:], a.c); i >= 0 {
			a.at = pos + i
		}
	}
	return a.at
}

// rarest returns the index of the byte of a text that is rarest in logs.
func rarest(text []byte) int {
	const common = " etaoinsrhldcumfpgwybv0123456789./:-_kxjqz"
	best, at := -2, 0
	for i, c := range text {
		rank := strings.IndexByte(common, c)
		if rank < 0 {
			rank = len(common)
		}
		if rank > best {
			best, at = rank, i
		}
	}
	return at
}

// equalFold compares with a lower-case ASCII text.
func equalFold(b, lower []byte) bool {
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
