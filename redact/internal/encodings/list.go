package encodings

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"github.com/envwrap/envwrap/redact/internal/ascii"
)

// A List finds a value in a list of its bytes, as numbers or in hex, or in base64, that
// may go on over several lines: the output of xxd -p, xxd -i and base64 -w, the slices
// that programs print. Some of the elements, which are a needle, are searched for, and
// those around them are compared.
type List struct {
	value  string // or its base64, of which the elements are characters
	off, n int    // the elements that are searched for
	format *listFormat
}

// A listFormat is how the bytes of a list are written.
type listFormat struct {
	byte, sep string
	base      int // 0 for base64
	part      int // bytes of a part that is searched for
	step      int // from one part to the next
}

var listFormats = [...]listFormat{
	{"%02x", "", 16, 6, 5},
	{"%02X", "", 16, 6, 10},
	{"0x%02x", ", ", 16, 3, 8},
	{"0x%02x", ",", 16, 3, oneLine},
	{"0x%02x", " ", 16, 3, oneLine},
	{"%d", ", ", 10, 4, 7},
	{"%d", ",", 10, 4, 7},
	{"%d", " ", 10, 4, oneLine},
}

// base64List is base64 that is folded, in lines of fifteen characters or more. Parts for
// shorter lines would be more, and so short that the search takes up to a quarter longer.
var base64List = listFormat{part: MinWide, step: 5}

// oneLine is the step of a format in which programs write all of a list on one line: one
// part is enough.
const oneLine = MaxMixed

// Lists calls add for parts of s as lists have them.
func Lists(s string, add func(text string, l *List)) {
	for i := range listFormats {
		f := &listFormats[i]
		for off := min(2, len(s)%f.part); off+f.part <= len(s); off += f.step {
			var b strings.Builder
			for k := off; k < off+f.part; k++ {
				if k > off {
					b.WriteString(f.sep)
				}
				fmt.Fprintf(&b, f.byte, s[k])
			}
			if b.Len() >= MinWide {
				add(b.String(), &List{s, off, f.part, f})
			}
		}
	}
	for shift := range 3 {
		t, u := aligned(base64.RawStdEncoding, s, shift), aligned(base64.RawURLEncoding, s, shift)
		for off := 0; off+base64List.part <= len(t); off += base64List.step {
			end := off + base64List.part
			add(t[off:end], &List{t, off, base64List.part, &base64List})
			if t[off:end] != u[off:end] {
				add(u[off:end], &List{u, off, base64List.part, &base64List})
			}
		}
	}
}

// Span returns the bounds of the value around b[start:end], which are the bytes of its
// part, or of what one line has of it.
func (l *List) Span(b []byte, start, end int) (from, to int, ok bool) {
	from, to = start, end
	for k := l.off + l.n; k < len(l.value); k++ {
		size, rest := l.element(b[to:], l.value[k])
		if !rest {
			break
		}
		if size == 0 {
			return 0, 0, false
		}
		to += size
	}
	for k := l.off - 1; k >= 0; k-- {
		size, rest := l.elementBefore(b[:from], l.value[k])
		if !rest {
			break
		}
		if size == 0 {
			return 0, 0, false
		}
		from -= size
	}
	return from, to, true
}

// element returns the length of the separator and the element at the start of b if that
// is c, and whether any element is there.
func (l *List) element(b []byte, c byte) (n int, ok bool) {
	n = min(len(l.format.sep), ascii.Run(b, ascii.Blank|ascii.Comma))
	digits := l.digits(b[n:])
	if digits == 0 {
		return 0, false
	}
	if l.is(b[n:n+digits], c) {
		return n + digits, true
	}
	return 0, true
}

// elementBefore is element for the end of b.
func (l *List) elementBefore(b []byte, c byte) (n int, ok bool) {
	n = min(len(l.format.sep), ascii.RunBack(b, ascii.Blank|ascii.Comma))
	b = b[:len(b)-n]
	digits := ascii.RunBack(b[max(0, len(b)-4):], ascii.Alnum)
	switch {
	case l.format.base == 0:
		digits = ascii.RunBack(b[max(0, len(b)-1):], Base64Around&^ascii.Equals)
		if digits == 0 {
			return 0, false
		}
	case digits == 0 || len(l.format.sep) > 0 && n == 0:
		return 0, false
	case l.format.sep == "":
		digits = min(digits, 2)
	}
	if l.is(b[len(b)-digits:], c) {
		return n + digits, true
	}
	return 0, true
}

// digits returns the length of the element at the start of b.
func (l *List) digits(b []byte) int {
	if l.format.base == 0 {
		return ascii.Run(b[:min(len(b), 1)], Base64Around&^ascii.Equals)
	}
	if l.format.sep == "" {
		return min(ascii.Run(b[:min(len(b), 2)], ascii.HexDigit), 2)
	}
	return ascii.Run(b[:min(len(b), 5)], ascii.Alnum)
}

// is reports whether the element b is c.
func (l *List) is(b []byte, c byte) bool {
	if l.format.base == 0 {
		return b[0] == c
	}
	n, err := strconv.ParseUint(strings.TrimPrefix(string(b), "0x"), l.format.base, 8)
	return err == nil && byte(n) == c
}
