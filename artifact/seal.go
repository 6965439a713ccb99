package artifact

import "hash/crc32"

// sealLen is the length of a line's checksum and the space after it.
const sealLen = 9

// appendSealed adds a line to b: the CRC-32 (IEEE) of the text as eight
// lower-case hexadecimal digits, a space, the text, a newline. So a torn or
// damaged line is known for what it is.
func appendSealed(b, text []byte) []byte {
	sum := checksum(text)
	b = append(b, sum[:]...)
	b = append(b, text...)
	return append(b, '\n')
}

// unseal returns the text of a sealed line, which has lost its newline.
func unseal(line []byte) ([]byte, bool) {
	if len(line) < sealLen {
		return nil, false
	}
	text := line[sealLen:]
	return text, checksum(text) == [sealLen]byte(line[:sealLen])
}

// checksum is what precedes a text.
func checksum(text []byte) (sum [sealLen]byte) {
	const digits = "0123456789abcdef"
	c := crc32.ChecksumIEEE(text)
	for i := range sealLen - 1 {
		sum[i] = digits[c>>(28-4*i)&15]
	}
	sum[sealLen-1] = ' '
	return sum
}
