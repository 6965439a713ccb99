// Package ansi takes the control sequences of terminals out of a text.
package ansi

import (
	"bytes"
	"sort"
)

const escape = 0x1b

// A gap is a control sequence that was taken out of a text.
type gap struct {
	at  int // offset in the text without colour codes
	raw int // offset in the raw text
	n   int // length of the code
}

// A Text is a text without its terminal colour codes and links, for a secret may be
// printed in two colours. Its methods lead offsets back to the raw text.
type Text struct {
	buf  []byte
	gaps []gap
}

// invisible are the characters without a width that may be within a word: the zero width
// space, non-joiner and joiner, the word joiner, the soft hyphen and the byte order mark.
var invisible = [...]string{"\u200b", "\u200c", "\u200d", "\u2060", "\u00ad", "\ufeff"}

// A codeFinder finds where codes may begin. It searches no part of a text twice.
type codeFinder struct {
	raw    []byte
	next   [1 + len(invisible)]int // the next escape, and the next of each that is invisible, or the length of raw
	sought bool                    // next is set
}

// from returns the offset at or after i of the next code, -1 if none exists.
func (f *codeFinder) from(i int, hidden bool) int {
	first := len(f.raw)
	for k := range f.next {
		if k > 0 && !hidden {
			break
		}
		if !f.sought || f.next[k] < i {
			n := 0
			if k == 0 {
				n = bytes.IndexByte(f.raw[i:], escape)
			} else {
				n = bytes.Index(f.raw[i:], []byte(invisible[k-1]))
			}
			if f.next[k] = i + n; n < 0 {
				f.next[k] = len(f.raw)
			}
		}
		first = min(first, f.next[k])
	}
	if f.sought = true; first == len(f.raw) {
		return -1
	}
	return first
}

// invisibleLen returns the length of the invisible character at the start of b, 0 if
// none is there.
func invisibleLen(b []byte) int {
	for _, c := range invisible {
		if bytes.HasPrefix(b, []byte(c)) {
			return len(c)
		}
	}
	return 0
}

// Strip returns raw without colour codes and links, and if hidden is set without invisible
// characters: raw itself if it has none. A link stays if harmless reports false for its
// address; with nil all links do.
func (s *Text) Strip(raw []byte, hidden bool, harmless func(address []byte) bool) []byte {
	s.gaps = s.gaps[:0]
	codes := codeFinder{raw: raw}
	hidden = hidden && mayHide(raw)
	i := codes.from(0, hidden)
	if i < 0 {
		return raw
	}
	s.buf = append(s.buf[:0], raw[:i]...)
	for i < len(raw) {
		n := codeLen(raw[i:])
		if n == 0 && harmless != nil {
			n = linkLen(raw[i:], harmless)
		}
		if n == 0 && hidden {
			n = invisibleLen(raw[i:])
		}
		if n > 0 {
			s.gaps = append(s.gaps, gap{at: len(s.buf), raw: i, n: n})
			i += n
			continue
		}
		next := codes.from(i+1, hidden)
		if next < 0 {
			next = len(raw)
		}
		s.buf = append(s.buf, raw[i:next]...)
		i = next
	}
	return s.buf
}

// mayHide reports whether raw has the first byte of an invisible character.
func mayHide(raw []byte) bool {
	return bytes.IndexByte(raw, '\xe2') >= 0 || bytes.IndexByte(raw, '\xc2') >= 0 || bytes.IndexByte(raw, '\xef') >= 0
}

// codeLen returns the length of the control sequence at the start of b (ECMA-48 CSI, at
// most 32 bytes, or the choice of a character set), 0 if none exists.
func codeLen(b []byte) int {
	if len(b) < 3 || b[0] != escape {
		return 0
	}
	if b[1] == '(' || b[1] == ')' {
		return 3
	}
	if b[1] != '[' {
		return 0
	}
	for i := 2; i < len(b) && i < 32; i++ {
		switch c := b[i]; {
		case c >= 0x40 && c <= 0x7e:
			return i + 1
		case c < 0x20 || c > 0x3f:
			return 0
		}
	}
	return 0
}

// maxLink is the greatest length of a link.
const maxLink = 2 << 10

// linkLen returns the length of the code at the start of b that begins or ends a link, as
// terminals have agreed on (OSC 8; parameters; address), 0 if none exists or its address
// is not harmless.
func linkLen(b []byte, harmless func(address []byte) bool) int {
	const begin = "\x1b]8;"
	if !bytes.HasPrefix(b, []byte(begin)) {
		return 0
	}
	b = b[:min(len(b), maxLink)]
	end := len(begin) + bytes.IndexAny(b[len(begin):], "\a\x1b\n")
	if end < len(begin) || b[end] == '\n' {
		return 0
	}
	n := end + 1
	if b[end] == escape {
		if n == len(b) || b[n] != '\\' {
			return 0
		}
		n++
	}
	_, address, ok := bytes.Cut(b[len(begin):end], []byte{';'})
	if !ok || len(address) > 0 && !harmless(address) {
		return 0
	}
	return n
}

// RawBefore returns the raw offset of text offset i, ahead of the codes at that place.
func (s *Text) RawBefore(i int) int { return i + s.removed(i) }

// RawAfter returns the raw offset of text offset i, after the codes at that place.
func (s *Text) RawAfter(i int) int { return i + s.removed(i+1) }

// removed returns how many bytes of codes were taken out ahead of text offset i.
func (s *Text) removed(i int) int {
	n := s.gapsBefore(i)
	if n == 0 {
		return 0
	}
	g := s.gaps[n-1]
	return g.raw + g.n - g.at
}

// gapsBefore returns how many codes precede text offset i.
func (s *Text) gapsBefore(i int) int {
	return sort.Search(len(s.gaps), func(g int) bool { return s.gaps[g].at >= i })
}

// AppendCodes appends the codes within text[start:end] to dst.
func (s *Text) AppendCodes(dst, raw []byte, start, end int) []byte {
	for _, g := range s.gaps[s.gapsBefore(start+1):] {
		if g.at >= end {
			break
		}
		dst = append(dst, raw[g.raw:g.raw+g.n]...)
	}
	return dst
}

// TrimCodes returns b without the complete colour codes and cursor movements at its end
// (ECMA-48, CSI).
func TrimCodes(b []byte) []byte {
	for {
		i := bytes.LastIndex(b, []byte("\x1b["))
		if i < 0 || i+2 >= len(b) || b[len(b)-1] < '@' || b[len(b)-1] > '~' {
			return b
		}
		for _, c := range b[i+2 : len(b)-1] {
			if c < ' ' || c > '?' {
				return b
			}
		}
		b = b[:i]
	}
}
