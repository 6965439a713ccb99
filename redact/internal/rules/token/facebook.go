package token

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// nearService is how far after the name of a service its token may begin.
const nearService = 256

// FindFacebook marks the access token of an app, its id and its secret with a bar between,
// on a line that names the service at pos
// (https://developers.facebook.com/docs/facebook-login/guides/access-tokens).
func FindFacebook(v *match.View, pos int) {
	i, end := max(pos, v.FacebookTo), min(v.Hi, pos+nearService)
	for i < end {
		if !ascii.Is(v.Text[i], ascii.Digit) {
			i++
			continue
		}
		id := ascii.Run(v.Text[i:v.Hi], ascii.Digit)
		if sep := barLen(v.Text[i+id : v.Hi]); id >= 13 && id <= 17 && sep > 0 {
			from := i + id + sep
			if n := v.Run(from, ascii.URLSafe); n >= 27 && n <= 40 && value.TraitsOf(v.Text[from:from+n]).Random(20) {
				v.Add(i, from+n, match.RuleFacebook)
			}
		}
		i += id
	}
	v.FacebookTo = max(v.FacebookTo, i)
}

// barLen returns the length of the bar, or of its escape in a URL, at the start of b.
func barLen(b []byte) int {
	switch {
	case len(b) > 0 && b[0] == '|':
		return 1
	case bytes.HasPrefix(b, []byte("%7C")), bytes.HasPrefix(b, []byte("%7c")):
		return 3
	}
	return 0
}
