package utf16stream

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"
)

// units returns UTF-16 of one character a number.
func units(order binary.AppendByteOrder, list ...uint16) (b []byte) {
	for _, u := range list {
		b = order.AppendUint16(b, u)
	}
	return b
}

// What a decoder writes is UTF-8, and an encoder makes the bytes of the stream of it, surrogates
// without their half included, wherever both are cut.
func TestRoundTrip(t *testing.T) {
	for _, c := range []struct {
		units []uint16
		text  string
	}{
		{[]uint16{'a', 0, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xfffd, 0xffff}, "a\x00\x7f\u0080\u07ff\u0800\ud7ff\ue000\ufffd\uffff"},
		{[]uint16{0xd800, 0xdc00, 'x', 0xdbff, 0xdfff, 0xd83d, 0xde00}, "\U00010000x\U0010ffff😀"},
		{[]uint16{0xd83d, 'x'}, "\xed\xa0\xbdx"},
		{[]uint16{0xde00, 0xd83d}, "\xed\xb8\x80\xed\xa0\xbd"},
		{[]uint16{0xd800, 0xd83d, 0xde00, 0xdfff}, "\xed\xa0\x80😀\xed\xbf\xbf"},
	} {
		for _, order := range []binary.AppendByteOrder{binary.BigEndian, binary.LittleEndian} {
			stream := units(order, c.units...)
			for cut := 1; cut <= len(stream)+1; cut++ {
				var text, back bytes.Buffer
				d, e := NewDecoder(&text, order), NewEncoder(&back, order)
				writeCut(t, d, append(stream, 'z'), cut)
				if rest, err := d.Flush(); string(rest) != "z" || err != nil {
					t.Errorf("%x by %d: rest %q, %v", stream, cut, rest, err)
				}
				writeCut(t, e, text.Bytes(), cut)
				if text.String() != c.text || !bytes.Equal(back.Bytes(), stream) {
					t.Errorf("%x by %d: %q, want %q; back %x", stream, cut, text.String(), c.text, back.Bytes())
				}
			}
		}
	}
}

func writeCut(t *testing.T, w io.Writer, p []byte, n int) {
	t.Helper()
	for ; len(p) > 0; p = p[min(n, len(p)):] {
		part := p[:min(n, len(p))]
		if k, err := w.Write(part); k != len(part) || err != nil {
			t.Fatal(k, err)
		}
	}
}

// A long write is decoded in parts, none of which is lost.
func TestLongWrite(t *testing.T) {
	text := strings.Repeat("é€😀-", 3*maxDecoded/8)
	var stream, back bytes.Buffer
	writeCut(t, NewEncoder(&stream, binary.LittleEndian), []byte(text), len(text))
	d := NewDecoder(&back, binary.LittleEndian)
	writeCut(t, d, stream.Bytes(), stream.Len())
	if rest, err := d.Flush(); len(rest) > 0 || err != nil || back.String() != text {
		t.Error(rest, err, back.Len(), len(text))
	}
}

type broken struct{}

var errBroken = errors.New("broken")

func (broken) Write([]byte) (int, error) { return 0, errBroken }

// An error of the destination is the error of the write.
func TestBrokenDestination(t *testing.T) {
	for _, w := range []io.Writer{NewDecoder(broken{}, binary.BigEndian), NewEncoder(broken{}, binary.BigEndian)} {
		if n, err := w.Write([]byte("abcd")); n != 0 || !errors.Is(err, errBroken) {
			t.Error(n, err)
		}
	}
	if _, err := NewDecoder(broken{}, binary.BigEndian).Flush(); !errors.Is(err, errBroken) {
		t.Error(err)
	}
}

func TestOrderOf(t *testing.T) {
	for b, want := range map[string]struct {
		order binary.AppendByteOrder
		known bool
	}{
		"":              {nil, false},
		"\xff":          {nil, false},
		"\xfe":          {nil, false},
		"\xfd":          {nil, true},
		"\xff\xfe":      {binary.LittleEndian, true},
		"\xfe\xffab":    {binary.BigEndian, true},
		"a":             {binary.LittleEndian, false},
		"a\x00b":        {binary.LittleEndian, false},
		"a\x00b\x00":    {binary.LittleEndian, true},
		"a\x00~\x00x":   {binary.LittleEndian, true},
		"\x00":          {binary.BigEndian, false},
		"\x00 \x00~":    {binary.BigEndian, true},
		"\x00a\x00\x7f": {nil, true},
		"\x00a\x00\n":   {nil, true},
		"a\x00\n\x00":   {nil, true},
		"ab":            {nil, true},
		"a\x00bc":       {nil, true},
		"\x00ab":        {nil, true},
		"\x00\x00":      {nil, true},
	} {
		if order, known := OrderOf([]byte(b)); order != want.order || known != want.known {
			t.Errorf("%q: %v, %t, want %v, %t", b, order, known, want.order, want.known)
		}
	}
}
