package redact

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/names"
)

// maxBlock is how many lines of a block are looked at, and maxInline how many bytes of
// one that is on the line of its name.
const (
	maxBlock  = 10
	maxInline = 256
)

// opensBlock notes that a block may begin after a name that is as telling as st, and
// looks at one that ends on the same line. The name ends at end, and what follows its
// operator is at i.
func (v *view) opensBlock(st names.Strength, end, i int, op operator) {
	switch {
	case st < names.Telling:
		return
	case op == opColon, op == opAssign:
	case op == opNone:
		i = v.spaces(v.closing(end))
	default:
		return
	}
	rest := trimRight(v.text[i:v.hi])
	switch {
	case len(rest) == 0 && op != opColon, len(rest) > 0 && rest[0] != '{', v.cutLeft || v.cutRight:
		return
	case len(rest) <= 1:
		if n := v.indent(); n < maxBlockIndent {
			v.next.block = block{st, uint8(n), maxBlock}
		}
		return
	}
	end = i + min(len(rest), maxInline)
	if n := bytes.IndexByte(v.text[i:end], '}'); n > 0 {
		end = i + n
	}
	for j := i + 1; j < end; j++ {
		if ascii.Is(v.text[j], ascii.Alpha) && !ascii.Is(v.text[j-1], ascii.Word) {
			v.blockMember(st, j)
			j += ascii.Run(v.text[j:end], ascii.Word)
		}
	}
}

// maxBlockIndent bounds the indentation of a block's name.
const maxBlockIndent = 200

// indent returns how far the line is indented, after the prefix of a log or a diff.
func (v *view) indent() int {
	b := unprefixed(v.text[v.lo:v.hi])
	if len(b) > 0 && (b[0] == '+' || b[0] == '-') {
		b = b[1:]
	}
	return ascii.Run(b, ascii.Blank)
}

// blockLine looks for the value of b on the line, and goes on with it on the next.
func (v *view) blockLine(b block) {
	i := v.margin()
	if i < v.hi && v.indent() <= int(b.indent) {
		return
	}
	if b.lines--; b.lines > 0 && v.next.block.lines == 0 {
		v.next.block = b
	}
	if i < v.hi && isQuote(v.text[i]) {
		i++
	}
	v.blockMember(b.strength, i)
}

// blockMember looks at the value of the member of a block at i, if it is one that has
// the value.
func (v *view) blockMember(st names.Strength, i int) {
	n := ascii.Run(v.text[i:v.hi], ascii.Word)
	var buf [16]byte
	switch string(ascii.AppendLower(buf[:0], v.text[i:i+n])) {
	case "value", "default", "defaultvalue", "default_value":
	default:
		return
	}
	k := v.spaces(v.closing(i + n))
	if k >= v.hi || v.text[k] != ':' && v.text[k] != '=' {
		return
	}
	f := field{strength: st, op: opMember, start: i, end: i + n}
	f.value, f.quote = v.value(v.spaces(k + 1))
	if v.secret(&f) {
		v.mark(&f)
	}
}

// tableOfKeys notes that the value of a key is on one of the next lines, or marks it on
// this one, as Azure lists the keys of an account; pos is that of the key's name.
func tableOfKeys(v *view, pos int) {
	end := min(v.hi, pos+maxInline)
	if n := bytes.Index(v.text[pos:end], []byte(`"value"`)); n >= 0 {
		v.blockMember(names.Telling, pos+n+1)
		return
	}
	if n := v.indent(); n > 0 && n < maxBlockIndent && !v.cutLeft && !v.cutRight {
		v.next.block = block{names.Telling, uint8(n - 1), maxExpected}
	}
}
