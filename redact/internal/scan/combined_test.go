package scan

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/redact/internal/known"
	"github.com/envwrap/envwrap/redact/internal/literal"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/rules"
)

// FuzzCombined finds in one pass over a long text the literals that the search for them
// alone finds, and each known value.
func FuzzCombined(f *testing.F) {
	const secret = "s3cr3t/V4lue+w\"ith=signs\\"
	f.Add([]byte("password=hunter2x9 "), byte(0))
	f.Add([]byte("ghp_"+secret+"eyJ"), byte(1))
	f.Add([]byte("AUTHORIZATION: https://a:b@c\n73264981"), byte(7))
	f.Add([]byte("\x00\xff-----BEGIN PRIVATE KEY"), byte(15))
	values := []known.Value{{Rule: "env:X", Secret: secret}, {Rule: "env:N", Secret: "73264981"}}
	c := newCombined(known.NewSet(values))
	f.Fuzz(func(t *testing.T, scrap []byte, shift byte) {
		if len(scrap) == 0 || len(scrap) > 1<<10 {
			return
		}
		b := append(bytes.Repeat([]byte{' '}, int(shift)), bytes.Repeat(scrap, 1+1<<10/len(scrap))...)
		b = append(b, strings.Repeat(".", 16<<10)...)
		b = append(b, scrap...)
		var at literal.Scratch
		hits, spans := c.find(nil, nil, b, &at)
		if want := rules.Find(nil, b, &at); !slices.Equal(hits, want) {
			t.Fatalf("%.80q: got %d literals, want %d", b, len(hits), len(want))
		}
		for _, v := range values {
			for at := 0; ; at++ {
				i := bytes.Index(b[at:], []byte(v.Secret))
				if i < 0 {
					break
				}
				at += i
				if !slices.ContainsFunc(spans, func(s match.Span) bool { return s.Start <= at && at < s.End }) {
					t.Fatalf("%.80q: the known value at %d is not found", b, at)
				}
			}
		}
	})
}
