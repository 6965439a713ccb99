package dump

import (
	"bytes"
	"strconv"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/decode"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/syntax"
)

// A reading is a way to read lines.
type reading int

const (
	digits   reading = iota // hex: xxd, hexdump -C, od -tx1
	words                   // hex, of words whose last byte is the first: hexdump, od -x
	decimals                // od -tu1, arrays
	octals                  // od, od -b
	binaries                // xxd -b
	base64
	base32
	cells // od -c
	uu    // uuencode
	text  // fold, grep -o, quoted-printable
	ways  // how many there are
)

// A line is text[start:end], without what is before and after its bytes.
type line struct {
	text       []byte
	start, end int
	whole      []byte       // from the start, with blanks and quotes
	column     int          // where the text beside the bytes begins, 0 without one
	tokens     []match.Span // numbers
	commas     bool         // between numbers
	base       byte         // the letter of 0x, 0o or 0b before numbers

	packed              bool // all of the line is of the characters of base64
	least, most         int  // lengths of tokens
	odd, notDec, notOct bool // some tokens are
}

// The characters before bytes, between them and after them.
const (
	before = 1 << iota
	between
	after
)

var signs = func() (t [256]uint8) {
	for i, set := range [...]string{" \t\"'([{<>#*", " \t,;:-+\\'\"", " \t\"',;)]}>\\"} {
		for _, c := range []byte(set) {
			t[c] |= 1 << i
		}
	}
	return t
}()

// run returns how many bytes at the start of b are such signs.
func run(b []byte, of uint8) int {
	n := 0
	for n < len(b) && signs[b[n]]&of != 0 {
		n++
	}
	return n
}

// trim sets l to the line text[start:], without its end and what logs and programs have
// before it.
func (l *line) trim(text []byte, start int) {
	for len(text) > start && (text[len(text)-1] == '\n' || text[len(text)-1] == '\r') {
		text = text[:len(text)-1]
	}
	*l = line{text: text, start: start, end: len(text), tokens: l.tokens[:0]}
	b := text[start:]
	if len(b) > dockerHeader && b[0] < 3 && b[1] == 0 && b[2] == 0 && b[3] == 0 {
		b = b[dockerHeader:]
	}
	if len(b) == 0 {
		return
	}
	if n := ascii.Run(b, ascii.HexDigit|ascii.Colon); n == len(b) && bytes.Count(b, []byte{':'}) > 1 || n >= 6 && n <= 8 && bytes.HasPrefix(b[n:], []byte("  ")) {
		l.start, l.whole = l.end-len(b), b
		return
	}
	if c := b[0]; ascii.Is(c, ascii.Digit|ascii.Upper) || c == '[' || ascii.Contains(b, '|') {
		b = syntax.Unprefixed(b)
	}
	n := ascii.Run(b, ascii.Blank)
	if m := n + ascii.Run(b[n:], ascii.Digit); m > n && m < len(b) {
		if b[m] == '\t' || b[m] == ':' && m+1 < len(b) && !ascii.Is(b[m+1], ascii.Blank) && !ascii.Contains(b[m+1:], ':') {
			b = b[m+1:] // the number of the line, by cat -n and grep -n
		}
	}
	l.start, l.whole = l.end-len(b), b
}

// dockerHeader is the length of what Docker sends before each piece of a stream.
const dockerHeader = 8

// ordinary reports whether the line, which is not empty, is of a text that goes on after
// its first word, which is no number, sign or label.
func (l *line) ordinary() bool {
	b := l.whole
	n := len(b)
	if c := b[n-1]; n <= narrow || c == '|' || c == '<' || c == '=' || c == '+' || n == uuLen(b[0]) || n%4 == 0 && b[0] == ' ' && b[4] == ' ' && b[n-4] == ' ' {
		return false
	}
	b = b[run(b, before):]
	word := ascii.Run(b, decode.RunByte|ascii.Equals)
	if word == 0 || word == len(b) {
		return word == 0 && (len(b) == 0 || signs[b[0]]&between == 0)
	}
	rest, last := b[word:], b[word-1]
	switch {
	case rest[0] == ':', last == '=', signs[last]&between != 0, b[0] == '0', bytes.HasPrefix(b, []byte("Buffer ")):
		return false
	case signs[rest[0]]&between != 0 && ascii.Run(b, ascii.HexDigit) == word:
		return false
	}
	return run(rest, after) < len(rest)
}

// split finds the bytes of the line.
func (l *line) split() {
	b := l.text[l.start:]
	beside, last := "  |", b[len(b)-1]
	if last == '<' {
		beside = "  >"
	}
	i := -1
	if last == '|' || last == '<' {
		i = bytes.Index(b, []byte(beside)) // of hexdump -C, od -tx1z
	}
	blank := run(b, before)
	l.start += blank
	if i > blank {
		l.column = l.start + i - blank
		l.end = l.column
	} else {
		b = bytes.TrimSuffix(b, []byte(" +"))
		for len(b) > 0 && signs[b[len(b)-1]]&after != 0 {
			b = b[:len(b)-1]
		}
		l.end = max(l.start, len(l.text)-len(l.whole)+len(bytes.TrimSuffix(b, []byte(`\n`))))
	}
	if l.scan(); len(l.tokens) == 0 && !l.packed {
		if n := labelLen(l.text[l.start:l.end]); n > 0 {
			l.start += n
			l.scan()
		}
	}
}

// labelLen returns the length of a label before bytes, such as "key: " or the sign of a
// list.
func labelLen(b []byte) int {
	n := bytes.IndexByte(b[:min(len(b), maxLabel)], ' ') + 1
	if n > 1 && bytes.IndexByte([]byte(":=-+"), b[n-2]) >= 0 || bytes.HasPrefix(b, []byte("Buffer ")) {
		return n
	}
	return 0
}

// maxLabel is the length of the longest label.
const maxLabel = 32

// scan sets packed, and finds the numbers of the line.
func (l *line) scan() {
	code := bytes.TrimRight(l.text[l.start:l.end], "=")
	l.packed = len(code) > 0 && ascii.LongRun(code, decode.RunByte) == len(code)
	l.least, l.tokens = len(l.text), l.tokens[:0]
	for i, offset := l.start, false; ; {
		from := i
		for i < l.end && signs[l.text[i]]&between != 0 {
			l.commas = l.commas || l.text[i] == ','
			i++
		}
		if len(l.tokens) > 0 && bytes.HasPrefix(l.text[i:l.end], []byte("...")) {
			l.end = i // of Node.js, which leaves out the rest
		}
		if i == l.end {
			break
		}
		i += l.prefixLen(l.text[i:l.end], i > from)
		n := ascii.Run(l.text[i:l.end], ascii.HexDigit)
		if n == 0 || i+n < l.end && ascii.Is(l.text[i+n], ascii.Word|ascii.Plus|ascii.Equals|ascii.Dot) {
			l.tokens = l.tokens[:0]
			return
		}
		t := match.Span{Start: i, End: i + n}
		i += n
		if len(l.tokens) > 0 || offset || !l.isOffset(t) {
			l.note(t)
		} else {
			offset = true
		}
	}
	l.commas = l.commas || l.end < len(l.text) && l.text[l.end] == ','
}

// prefixLen returns the length of the sign of a base at the start of b, and notes it: of
// 0x, and if separated is set of x. Only six digits or more are binary, for 0b is in hex.
func (l *line) prefixLen(b []byte, separated bool) int {
	switch {
	case separated && b[0] == 'x':
		return 1
	case len(b) < 3 || b[0] != '0':
	case b[1]|0x20 == 'x':
		l.base = 'x'
		return 2
	case b[1] == 'o', b[1] == 'b' && (l.base == 'b' || ascii.Run(b[2:min(len(b), 10)], ascii.Digit) >= 6):
		l.base = b[1]
		return 2
	}
	return 0
}

// isOffset reports whether the first number of the line is the offset of its bytes.
func (l *line) isOffset(t match.Span) bool {
	n, rest := t.End-t.Start, l.text[t.End:l.end]
	gap := ascii.Run(rest, ascii.Blank|ascii.Colon|ascii.Dash)
	next := ascii.Run(rest[gap:], ascii.HexDigit)
	switch {
	case n < 4 || gap == 0 || next == 0:
		return false
	case rest[0] == ':' && gap > 1: // xxd
		if i := bytes.Index(rest[gap:], []byte("  ")); i >= 0 && l.column == 0 {
			l.column = t.End + gap + i
			l.end = l.column
		}
		return true
	case gap == 3 && rest[1] == '-': // openssl
		if i := bytes.Index(rest, []byte("   ")); i >= 0 {
			l.column = t.End + i
			l.end = l.column
		}
		return true
	}
	return n >= 6 && n <= 8 && n != next
}

// note adds a number.
func (l *line) note(t match.Span) {
	n := t.End - t.Start
	l.tokens = append(l.tokens, t)
	l.least, l.most = min(l.least, n), max(l.most, n)
	l.odd = l.odd || n%2 == 1
	for _, c := range l.text[t.Start:t.End] {
		l.notDec = l.notDec || c > '9'
		l.notOct = l.notOct || c > '7'
	}
}

// readings returns a bit for each way in which the line may be read.
func (l *line) readings() (of uint16) {
	add := func(w reading, may bool) {
		if may {
			of |= 1 << w
		}
	}
	if len(l.tokens) > 0 {
		same := l.least == l.most
		add(digits, !l.odd || len(l.tokens) == 1 || l.base == 'x')
		add(words, !l.odd && l.least >= 4 && l.most <= 16)
		add(decimals, !l.notDec && l.most <= 5 && l.base == 0)
		add(octals, !l.notOct && (same && l.most%3 == 0 && l.most <= 6 || l.base == 'o'))
		add(binaries, !l.notOct && (same && l.most == 8 || l.base == 'b'))
	}
	if l.packed {
		code := l.text[l.start:l.end]
		add(base64, true)
		add(base32, ascii.Run(code, ascii.Upper|ascii.Digit|ascii.Equals) == len(code) || ascii.Run(code, ascii.Lower|ascii.Digit|ascii.Equals) == len(code))
	}
	n, last := len(l.whole), l.whole[len(l.whole)-1]
	add(cells, l.cells(nil) > 0)
	add(uu, n == uuLen(l.whole[0]))
	add(text, n <= narrow || last == '=' && n <= mailLine)
	return of
}

// uuLen returns the length of a line of uuencode that begins with c, 0 if there is none.
func uuLen(c byte) int {
	if n := int(c) - ' '; n > 0 && n <= uuLine {
		return 1 + (n+2)/3*4
	}
	return 0
}

const (
	narrow   = 8  // characters of a line of a text that is folded, at the most
	mailLine = 76 // of quoted-printable
	uuLine   = 45 // bytes of a line of uuencode
)

// cells calls do for each character of a line of od -c, of which each takes four columns,
// and returns how many there are: none if the line is not one.
func (l *line) cells(do func(cell []byte, at int)) int {
	b := l.whole
	if n := ascii.Run(b, ascii.HexDigit); n >= 6 && n <= 8 {
		b = b[n:]
	}
	if len(b)%4 != 0 || len(b) == 0 || b[0] != ' ' {
		return 0
	}
	for i := 0; i < len(b); i += 4 {
		if b[i] != ' ' || b[i+1] != ' ' && ascii.Run(b[i+1:i+4], ascii.Digit) < 3 || b[i+2] != ' ' && b[i+1] == ' ' && b[i+2] != '\\' {
			return 0
		}
	}
	for i := 0; i < len(b) && do != nil; i += 4 {
		do(b[i:i+4], len(l.text)-len(b)+i)
	}
	return len(b) / 4
}

// read has s follow the bytes of the line, read in the way w.
func (l *line) read(w reading, s *follower) {
	switch w {
	case base64, base32:
		for i := l.start; i < l.end; i++ {
			switch {
			case l.text[i] == '=':
				return
			case w == base64:
				s.putBits(uint32(decode.Sextet(l.text[i])), 6, i, i+1)
			default:
				s.putBits(decode.Quintet(l.text[i])&31, 5, i, i+1)
			}
		}
		return
	case cells:
		l.cells(func(cell []byte, at int) {
			c := cell[3]
			if cell[2] != ' ' {
				x, _ := strconv.ParseUint(string(cell[1:]), 8, 8)
				c = byte(x)
			}
			s.put(c, at+1, at+4)
		})
		return
	case text:
		for i, c := range l.whole {
			if i < len(l.whole)-1 || c != '=' {
				s.put(c, len(l.text)-len(l.whole)+i, len(l.text)-len(l.whole)+1+i)
			}
		}
		return
	case uu:
		for i, c := range l.whole[1:] {
			s.putBits(uint32(c-' ')&63, 6, len(l.text)-len(l.whole)+1+i, len(l.text)-len(l.whole)+2+i)
		}
		s.bits = 0
		return
	case digits:
		for _, t := range l.tokens {
			if l.base == 'x' && (t.End-t.Start)%2 == 1 {
				s.putBits(0, 4, t.Start, t.Start)
			}
			for i := t.Start; i < t.End; i++ {
				s.putBits(uint32(decode.Nibble(l.text[i])), 4, i, i+1)
			}
		}
		return
	}
	for _, t := range l.tokens {
		number := string(l.text[t.Start:t.End])
		switch w {
		case words:
			for i := t.End; i > t.Start; i -= 2 {
				s.put(decode.Nibble(l.text[i-2])<<4|decode.Nibble(l.text[i-1]), t.Start, t.End)
			}
		case decimals, octals, binaries:
			x, _ := strconv.ParseUint(number, bases[w], 32)
			s.put(byte(x), t.Start, t.End)
			s.put(byte(x>>8), t.Start, t.End)
		}
	}
}

// bases are those of the numbers.
var bases = [...]int{decimals: 10, octals: 8, binaries: 2}
