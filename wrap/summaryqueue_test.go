package wrap

import (
	"strings"
	"testing"

	"github.com/envwrap/envwrap/envelope"
)

// A stream that is summarized in the background has the same summary, also where
// the store takes a part of it only.
func TestSummaryQueue(t *testing.T) {
	text := strings.Repeat("opened the lease\n", 60_000) + "error: the lease is lost\n" + strings.Repeat("closed the lease\n", 60_000)
	for _, most := range []int64{0, 1 << 20} {
		var direct envelope.Summarizer
		_, _ = direct.Write([]byte(text))
		c := &capture{max: most, pumped: true}
		for rest := text; rest != ""; {
			n := min(len(rest), 100_003)
			c.summarize([]byte(rest[:n]))
			c.bytes += int64(n)
			rest = rest[n:]
		}
		if c.queue == nil {
			t.Fatal("there was no queue")
		}
		c.finishSummary()
		if got, want := c.sum.Excerpt(2000).Text, direct.Excerpt(2000).Text; got != want || !strings.Contains(got, "is lost") {
			t.Errorf("at most %d stored: excerpt %q; want %q", most, got, want)
		}
		if c.kept != nil != (most > 0) || c.kept != nil && c.kept.Stream().Bytes != most {
			t.Errorf("at most %d stored: kept is %v", most, c.kept)
		}
	}
}
