//go:build !amd64 || purego

package excerpt

import "encoding/binary"

// classify returns which of the first 64 bytes of b are letters, which are newlines, which are
// control characters but tabs and newlines, which are not ASCII, and which letters are capitals or
// not ASCII, a bit for each; the bits of capitals mean nothing where no letter is.
func classify(b *[blockRoom]byte) (letters, newlines, odd, high, capitals uint64) {
	const gather = 0x0002040810204081 // moves the high bit of each byte to the highest byte
	plain := uint64(highBits)
	for i := 0; i < 64; i += 8 {
		x := binary.LittleEndian.Uint64(b[i : i+8])
		y := x &^ highBits
		lower := y | blanks
		letter := (lower + (0x80-'a')*lowBits) ^ (lower + (0x7f-'z')*lowBits) | x
		letters = letters>>8 | letter&highBits*gather&(0xff<<56)
		other := y ^ '\n'*lowBits + 0x7f*lowBits | x
		newlines = newlines>>8 | other&highBits*gather&(0xff<<56)
		capitals = capitals>>8 | (^x<<2|x)&highBits*gather&(0xff<<56)
		blank := (y + (0x80-'\t')*lowBits) ^ (y + (0x7f-'\n')*lowBits)
		plain &= y + (0x80-' ')*lowBits | blank | x
		odd |= (y + lowBits) &^ x
		high |= x
	}
	if high &= highBits; high != 0 {
		for i := 0; i < 64; i += 8 {
			high = high>>8 | binary.LittleEndian.Uint64(b[i:i+8])&highBits*gather&(0xff<<56)
		}
	}
	if (odd|^plain)&highBits == 0 {
		return letters, ^newlines, 0, high, capitals
	}
	odd = 0
	for i, c := range b[:64] {
		if c < ' ' && c != '\t' && c != '\n' || c == 0x7f {
			odd |= 1 << i
		}
	}
	return letters, ^newlines, odd, high, capitals
}
