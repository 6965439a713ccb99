package dump

import (
	"math/rand/v2"
	"testing"
)

// Any line can be read, whatever signs are before, between and after its words, and what
// is masked of it is in order and on the line.
func TestAnyLine(t *testing.T) {
	v := NewValues()
	v.Add([]byte("Kq7mZr3T"), "env:X")
	v.Link()
	words := []string{
		" ", "  ", "   ", "\t", "|", "  |", "  >", "<", ">", "\"", "'", ",", ";", ":", ": ", " - ", "-", "+", " +", "=", "\\", `\n`, "...", "0x", "0b", "0o", "x",
		"[", "]", "{", "(", ")", "#", "*", "4b71", "4b", "71", "37", "6d5a", "00000010", "0000010", "K", "q", "7", "mZr3T", "S3E3", "75", "113", "Buffer ", "key: ",
		"web-1  | ", "10:00:00 ", "[INFO] ", "12\t", "12:", "M", "\x01\x00\x00\x00\x00\x00\x00\x04", "\x00", "\xff", "ä", "\r", "\n", "\n", "\n",
	}
	r := rand.New(rand.NewPCG(1, 1))
	var reader Reader
	for range 200_000 {
		var st State
		var b []byte
		for range 1 + r.IntN(12) {
			b = append(b, words[r.IntN(len(words))]...)
		}
		b = append(b, '\n')
		for _, sp := range reader.Find(nil, func() *Values { return v }, &st, b) {
			if sp.Start < 0 || sp.Start >= sp.End || sp.End > len(b) {
				t.Fatalf("%q: %v", b, sp)
			}
		}
	}
}
