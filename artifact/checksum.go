package artifact

import "hash/crc32"

// checksumLen is the length of a line's checksum and the space after it.
const checksumLen = 9

// appendChecksummed adds a line to b: the CRC-32 (IEEE) of the text as eight
// lower-case hexadecimal digits, a space, the text, a newline. So a torn or
// damaged line is known for what it is.
func appendChecksummed(b, text []byte) []byte {
	sum := checksum(text)
	b = append(b, sum[:]...)
	b = append(b, text...)
	return append(b, '\n')
}

// parseChecksummed returns the text of a checksummed line, which has lost its newline.
func parseChecksummed(line []byte) ([]byte, bool) {
	if len(line) < checksumLen {
		return nil, false
	}
	text := line[checksumLen:]
	return text, checksum(text) == [checksumLen]byte(line[:checksumLen])
}

// checksum is what precedes a text.
func checksum(text []byte) (sum [checksumLen]byte) {
	const digits = "0123456789abcdef"
	c := crc32.ChecksumIEEE(text)
	for i := range checksumLen - 1 {
		sum[i] = digits[c>>(28-4*i)&15]
	}
	sum[checksumLen-1] = ' '
	return sum
}
