package encodings

import (
	"bytes"
	"encoding/hex"

	"github.com/envwrap/envwrap/redact/internal/ascii"
)

// A Dump finds a value in the output of hexdump -C, od -tx1 and xxd: a few bytes of it,
// which are a needle, are searched for, and those around them are compared. A line of a
// dump has 16 bytes, so that a value may go on over several.
type Dump struct {
	value  string
	off, n int // the bytes that are searched for
}

const (
	MaxDumped = 64  // bytes of the longest value that is searched for in dumps
	dumpPart  = 5   // bytes that are searched for
	dumpLine  = 128 // characters of a line of a dump, at the most
)

// Dumps calls add for parts of s as dumps write them: bytes apart, and in groups of two of
// which either begins the part.
func Dumps(s string, add func(text string, d *Dump)) {
	n := dumpPart
	if len(s) < MinWide {
		n-- // it is short itself, so that short needles cost no more
	}
	for off := 0; off+n <= len(s); off = dumpNext(off, n, len(s)) {
		d := &Dump{s, off, n}
		h := hex.EncodeToString([]byte(s[off : off+n]))
		add(separated(h, " "), d)
		for first := 2; first <= 4; first += 2 {
			text := []byte(h[:first])
			for i := first; i < len(h); i += 4 {
				text = append(append(text, ' '), h[i:min(len(h), i+4)]...)
			}
			add(string(text), d)
		}
	}
}

// dumpNext returns the offset of the part after that at off, such that each eight bytes in
// a row have one: hexdump has a gap after so many. The last part ends with the value. It
// returns size if there is no other part.
func dumpNext(off, n, size int) int {
	if off+n < size {
		return min(off+n-1, size-n)
	}
	return size
}

// Span returns the bounds of the value around b[start:end], which are the bytes of its
// part. If not all of it is there, the span goes on to the end of the line: the text that
// is printed beside the bytes has a part of the value, too.
func (d *Dump) Span(b []byte, start, end int) (from, to int, ok bool) {
	from, to = start, end
	i, k := d.off, d.off+d.n
	for ; k < len(d.value); k++ {
		gap := ascii.Run(b[to:min(len(b), to+2)], ascii.Blank)
		p := to + gap
		if p+2 > len(b) || hexByte(b[p:p+2]) != int(d.value[k]) {
			if gap < 2 && p+2 <= len(b) && ascii.Run(b[p:p+2], ascii.HexDigit) == 2 {
				return 0, 0, false // another byte
			}
			break
		}
		to = p + 2
	}
	for ; i > 0; i-- {
		gap := ascii.RunBack(b[max(0, from-2):from], ascii.Blank)
		p := from - gap - 2
		if p < 0 || ascii.RunBack(b[max(0, p-4):p], ascii.HexDigit) == 4 {
			break // at the place that begins the line
		}
		if hexByte(b[p:p+2]) != int(d.value[i-1]) {
			if gap < 2 && ascii.Run(b[p:p+2], ascii.HexDigit) == 2 {
				return 0, 0, false
			}
			break
		}
		from = p
	}
	if i == 0 && k == len(d.value) {
		return from, to, true
	}
	line := b[max(0, from-dumpLine):from]
	line = line[bytes.LastIndexByte(line, '\n')+1:]
	if ascii.Run(line, ascii.HexDigit|ascii.Blank|ascii.Colon) < len(line) {
		return 0, 0, false // of no dump
	}
	to += bytes.IndexAny(append(b[to:min(len(b), to+dumpLine):min(len(b), to+dumpLine)], '\n'), "\r\n")
	return from, to, true
}
