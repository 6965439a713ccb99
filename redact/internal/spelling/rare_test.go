package spelling

import (
	"encoding/base32"
	"testing"
)

// TestAligned32 compares with the characters of encoding/base32 that are the same
// whatever the bytes before and after a value are.
func TestAligned32(t *testing.T) {
	for n := range 20 {
		value := "\xffp\x00as\x80sw0rd-x7Kq9-tail"[:n]
		for shift := range 5 {
			got := aligned32(value, shift)
			zeros := base32.StdEncoding.EncodeToString([]byte("\x00\x00\x00\x00"[:shift] + value + "\x00\x00\x00\x00\x00"))
			ones := base32.StdEncoding.EncodeToString([]byte("\xff\xff\xff\xff"[:shift] + value + "\xff\xff\xff\xff\xff"))
			from := (shift*8 + 4) / 5
			to := max(from, (shift+n)*8/5)
			if got != zeros[from:to] || got != ones[from:to] {
				t.Errorf("%q after %d: %q, want %q", value, shift, got, zeros[from:to])
			}
		}
	}
}
