package artifact

import (
	"hash/crc32"
	"strconv"
)

// appendSealed adds a line to b: the CRC-32 (IEEE) of the text as eight
// hexadecimal digits, a space, the text, a newline. So a torn or damaged line
// is known for what it is.
func appendSealed(b, text []byte) []byte {
	sum := strconv.FormatUint(uint64(crc32.ChecksumIEEE(text)), 16)
	b = append(b, "00000000"[len(sum):]...)
	b = append(b, sum...)
	b = append(b, ' ')
	b = append(b, text...)
	return append(b, '\n')
}

// unseal returns the text of a sealed line, which has lost its newline.
func unseal(line []byte) ([]byte, bool) {
	if len(line) < 9 || line[8] != ' ' {
		return nil, false
	}
	sum, err := strconv.ParseUint(string(line[:8]), 16, 32)
	if err != nil || crc32.ChecksumIEEE(line[9:]) != uint32(sum) {
		return nil, false
	}
	return line[9:], true
}
