package term

import "io"

// A Stripper removes the escape sequences (ECMA-48: CSI, OSC and the like) from text
// and passes it on, however it is cut into writes. A sequence that does not end within
// maxSequence bytes is text, of which only the beginning is removed.
type Stripper struct {
	w     io.Writer
	state escape
	size  int
	buf   []byte
}

// NewStripper returns a Stripper to w.
func NewStripper(w io.Writer) *Stripper { return &Stripper{w: w} }

type escape int

const (
	outside  escape = iota
	begun           // after ESC
	control         // CSI: until a byte of @ to ~
	stringed        // OSC, DCS and the like: until BEL or ESC \
	closing         // ESC within such a string
)

const maxSequence = 4 << 10

func (p *Stripper) Write(b []byte) (int, error) {
	p.buf = p.buf[:0]
	for _, c := range b {
		if p.state == outside && c != 0x1b {
			p.buf = append(p.buf, c)
			continue
		}
		p.step(c)
	}
	if len(p.buf) == 0 {
		return len(b), nil
	}
	if _, err := p.w.Write(p.buf); err != nil {
		return 0, err
	}
	return len(b), nil
}

// step takes a byte of a sequence.
func (p *Stripper) step(c byte) {
	if p.size++; p.size > maxSequence {
		p.state, p.size = outside, 0
		return
	}
	switch {
	case c == 0x1b && p.state == stringed:
		p.state = closing
	case c == 0x1b:
		p.state, p.size = begun, 0
	case p.state == begun && c == '[':
		p.state = control
	case p.state == begun && (c == ']' || c == 'P' || c == '^' || c == '_' || c == 'X'):
		p.state = stringed
	case p.state == begun && c >= ' ' && c <= '/': // an intermediate byte: one more follows
	case p.state == begun, p.state == closing, p.state == stringed && c == 0x07,
		p.state == control && c >= '@' && c <= '~':
		p.state = outside
	}
}
