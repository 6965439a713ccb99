package limitbuf

import (
	"io"
	"strings"
	"testing"
)

// The limit applies to copies (ReadFrom, as os/exec does) and to writes.
func TestBufferKeepsToItsLimit(t *testing.T) {
	const most = 1 << 10
	for n, over := range map[int]bool{0: false, most - 1: false, most: false, most + 1: true, 100 * most: true} {
		b := NewBuffer(most)
		text := strings.Repeat("x", n)
		copied, err := io.Copy(b, struct{ io.Reader }{strings.NewReader(text)})
		if err != nil || copied != int64(n) {
			t.Fatal(copied, err)
		}
		if got := min(n, most); b.String() != text[:got] || len(b.Bytes()) != got || b.Over() != over {
			t.Errorf("%d bytes: %d are kept, over %t", n, len(b.Bytes()), b.Over())
		}
	}
}
