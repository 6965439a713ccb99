package term

import (
	"bytes"
	"testing"
)

func TestStatusLineHasNothingThatIsObeyed(t *testing.T) {
	var b bytes.Buffer
	line := NewStatusLine(&b, func() int { return 80 })
	line.Draw("a\x1b]0;t\x07  1s\nnext\u202e\u009b2J")
	line.Erase()
	if got, want := b.String(), "\ra^[]0;t^G  1s next<U+202E><U+009B>2J\x1b[K\r\x1b[K"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
