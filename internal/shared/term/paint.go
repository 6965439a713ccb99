package term

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// Painted returns a JSON document to show on f: for a terminal escaped, and in
// colours if it has them.
func Painted(f *os.File, env environment, doc []byte) []byte {
	if len(doc) == 0 || !IsTerminal(f) {
		return doc
	}
	if doc[0] != '{' {
		return []byte(Text(string(doc)))
	}
	doc = EscapeJSON(doc)
	if !hasColours(f, env) {
		return doc
	}
	return paint(doc)
}

// EscapeJSON escapes the characters that JSON allows and terminals interpret: DEL, the
// controls of ISO 6429 above it (U+009B begins a sequence as ESC [ does), and those
// that change the order of other characters. Bytes that are not UTF-8 are left.
func EscapeJSON(doc []byte) []byte {
	var b bytes.Buffer
	for len(doc) > 0 {
		r, size := utf8.DecodeRune(doc)
		if r > ' ' && r != utf8.RuneError && obeyed(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.Write(doc[:size])
		}
		doc = doc[size:]
	}
	return b.Bytes()
}

// paint colours a JSON text. It adds nothing but colours: without them the text
// is the same.
func paint(doc []byte) []byte {
	var b bytes.Buffer
	for len(doc) > 0 {
		n, colour := 1, ""
		switch c := doc[0]; {
		case c == '"':
			n = jsontext.Skip(doc, 0)
			colour = colourOf(doc[:n], doc[n:])
		case strings.IndexByte("{}[]:, \n\r\t", c) < 0:
			if n = bytes.IndexAny(doc, "}], \n\r\t"); n < 0 {
				n = len(doc)
			}
			colour = paintWord
		}
		if colour != "" {
			b.WriteString(colour)
			b.Write(doc[:n])
			b.WriteString(paintNormal)
		} else {
			b.Write(doc[:n])
		}
		doc = doc[n:]
	}
	return b.Bytes()
}

// colourOf returns the colour of a string: names differ from values, and the
// word error from other words.
func colourOf(text, rest []byte) string {
	switch {
	case len(rest) > 0 && rest[0] == ':':
		return paintName
	case string(text) == `"error"`:
		return paintFault
	}
	return paintText
}
