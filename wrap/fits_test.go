package wrap

import (
	"testing"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
)

// The inline limit is on the serialized data; what is exactly at it stays.
func TestInlineLimitIsStrictlyGreater(t *testing.T) {
	res := &envelope.Result{Argv: []string{"cat"}, Stdout: envelope.Stream{Bytes: 5, Lines: 1, Text: "text\n"}}
	size := int64(envelope.InlineSize(res))
	for limit, want := range map[int64]bool{size: true, size - 1: false, size + 1: true, 0: false} {
		r := &run{c: &Command{Limits: Limits{InlineLimit: limit}, Capture: Capture{Store: noStore}}}
		if got := r.fits(res); got != want {
			t.Errorf("data of %d bytes, limit %d: fits %v", size, limit, got)
		}
	}
}

func noStore() (*artifact.Store, string, error) { return nil, "", errNoStore }
