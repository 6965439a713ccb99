package runcmd

import (
	"io"
	"strings"
	"testing"
)

// A far end that answers without end costs no more memory than an answer may have.
func TestAnswerOfAFarEndIsCapped(t *testing.T) {
	var answer capped
	// exec copies in this way: from a reader that has no WriteTo.
	n, err := io.Copy(&answer, struct{ io.Reader }{strings.NewReader(strings.Repeat("x", askMost+1<<20))})
	if err != nil || n != askMost+1<<20 {
		t.Fatal(n, err)
	}
	if got := len(answer.String()); got != askMost {
		t.Errorf("%d bytes are kept", got)
	}
}
