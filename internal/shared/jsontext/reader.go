package jsontext

import (
	"unicode/utf8"
)

// Whole returns a Reader for a document with one value. The caller must Release it.
func Whole(depth int, warn func(Fault) bool) *Reader {
	r := readers.Get().(*Reader)
	r.MaxDepth, r.Warn, r.Single = depth, warn, true
	return r
}

// Release allows a Reader that Whole returned to be used again. Neither it nor its
// fields may be used afterwards.
func (r *Reader) Release() {
	clear(r.Top[:cap(r.Top)])
	clear(r.Path[:cap(r.Path)])
	*r = Reader{Top: r.Top[:0], Path: r.Path[:0], stack: r.stack[:0], names: r.names.emptied()}
	readers.Put(r)
}

// Read reads a whole document and returns the fault that ended the reading, or nil.
func (r *Reader) Read(src []byte) *Fault {
	r.src, r.valid = src, utf8.Valid(src)
	r.Write(src)
	r.Close()
	return r.fault
}

// Write reads the next piece of the text.
func (r *Reader) Write(p []byte) {
	for i := 0; i < len(p); {
		switch c := p[i]; {
		case r.state == inString:
			i = r.readString(p, i)
		case r.state < inString && isSpace(c):
			if c == '\n' {
				r.lineBreak(i)
			}
			i++
		case r.state < inString:
			i = r.readStructure(p, i)
		case r.state == inLiteral:
			i = r.readLiteral(p, i)
		case r.state == ended:
			return
		case r.state <= inHex:
			i = r.readEscape(p, i)
		default:
			i = r.readNumber(p, i)
		}
	}
	r.base += int64(len(p))
	if r.src == nil && r.isName && r.state >= inString && r.state <= inHex {
		r.name, r.from = append(r.name, p[r.from:]...), 0
	}
}

// Close ends the text.
func (r *Reader) Close() {
	if r.isNumber() {
		r.endValue(r.src, len(r.src))
	}
	switch r.state {
	case ended:
	case atTop:
		if r.Values == 0 && !r.Empty {
			r.fail(r.base, "json/syntax", "there is no value")
		}
	case inLiteral:
		r.unexpected(r.token, []byte{r.first})
	case inHex:
		r.fail(r.token, "json/syntax", needsHex)
	case inString, inEscape:
		r.fail(r.base, "json/syntax", "the text ends inside a string")
	default:
		if r.src != nil && r.state == atFirstItem {
			r.Path = append(r.Path, Step{})
		}
		r.unexpected(r.base, nil)
	}
}

// Check reads src, one value with optional white space around it, and returns its first
// fault, or nil. For warn see [Reader].
func Check(src []byte, depth int, warn func(Fault) bool) *Fault {
	r := Whole(depth, warn)
	defer r.Release()
	return r.Read(src)
}

// Valid reports whether src is one JSON value, with or without repeated names.
func Valid(src []byte) bool {
	return Check(src, 10_000, func(Fault) bool { return true }) == nil
}

// Strings calls text for each string in a well-formed document that is a value, not a
// name, with the Reader at that place. The document is read once, however deep it is.
func Strings(src []byte, depth int, text func(r *Reader, str []byte)) {
	r := Whole(depth, func(Fault) bool { return true })
	defer r.Release()
	r.Text = text
	r.Read(src)
}
