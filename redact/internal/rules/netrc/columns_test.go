package netrc

import (
	"testing"

	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/syntax"
)

func TestShortLinesOfSecrets(t *testing.T) {
	for _, line := range []string{"", " ", `"`, `""`, `a b "`, `a b ""`, "a b", "a b cde"} {
		v := match.View{Line: syntax.Line{Text: []byte(line), Hi: len(line)}}
		FindSecretLine(&v, 1)
		if want := line == "a b cde"; (len(v.Spans) > 0) != want {
			t.Errorf("%q: got spans %v, want some: %v", line, v.Spans, want)
		}
	}
}
