package wrap

import (
	"testing"

	"github.com/envwrap/envwrap/envelope"
)

// A success has as much of an excerpt as there is room for, a failure less, unless the caller
// says how much.
func TestExcerptSize(t *testing.T) {
	for _, c := range []struct {
		code   envelope.Code
		chosen int
		want   int
	}{
		{"", 0, 64 << 10},
		{envelope.ERUNTIME, 0, 8 << 10},
		{envelope.ETIMEOUT, 0, 8 << 10},
		{"", 100, 100},
		{envelope.ERUNTIME, 100, 100},
	} {
		r := &run{c: &Command{Limits: Limits{InlineLimit: 64 << 10, Excerpt: c.chosen}}}
		w := &recorder{run: r, res: &envelope.Result{Outcome: envelope.Outcome{Code: c.code}}}
		if got := w.excerptSize(); got != c.want {
			t.Errorf("%q, chosen %d: got %d, want %d", c.code, c.chosen, got, c.want)
		}
	}
}
