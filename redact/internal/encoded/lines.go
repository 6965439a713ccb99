package encoded

import (
	"bytes"
	"slices"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/literal"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// Lines searches the lines within each string of the line that has line ends as escapes,
// as a message in JSON has: a key, a table or folded base64 that goes on over lines is
// found there as in a file. Strings without a hit or run are left out.
func (d *Decoder) Lines(v *match.View, hits []literal.Hit, runs []match.Span) {
	if d.Innermost() || v.CutLeft || v.CutRight || len(hits)+len(runs) == 0 || !ascii.Contains(v.Text[v.Lo:v.Hi], '\\') {
		return
	}
	for at := v.Lo; ; {
		i := bytes.Index(v.Text[at:v.Hi], []byte(`\n`))
		if i < 0 {
			return
		}
		start, end := stringAround(v, at, at+i)
		if end-at-i > value.Min && anyWithin(hits, runs, start, end) && !emptyKey(v.Text[start:end]) {
			d.linesOf(v, start, end)
		}
		at = end
	}
}

// emptyKey reports whether b is the frame of a private key with nothing in it, or with
// one letter again and again, as documents and tests have it.
func emptyKey(b []byte) bool {
	const begin, end = "-----BEGIN ", "-----END "
	if !bytes.HasPrefix(b, []byte(begin)) {
		return false
	}
	b = b[len(begin):]
	i, j := bytes.Index(b, []byte("-----")), bytes.Index(b, []byte(end))
	return i >= 0 && j >= i+len("-----") && value.TraitsOf(b[i+len("-----"):j]).Distinct < value.FewBytes && bytes.IndexByte(b[j+len(end):], '\\') < 0
}

// anyWithin reports whether a hit or a run is in text[start:end].
func anyWithin(hits []literal.Hit, runs []match.Span, start, end int) bool {
	h, _ := slices.BinarySearchFunc(hits, start, func(h literal.Hit, at int) int { return h.Pos - at })
	r, _ := slices.BinarySearchFunc(runs, start, func(r match.Span, at int) int { return r.Start - at })
	return h < len(hits) && hits[h].Pos < end || r < len(runs) && runs[r].Start < end
}

// stringAround returns the bounds of the string, in quotes that are not escaped, around
// the byte at i; the string begins at or after from.
func stringAround(v *match.View, from, i int) (start, end int) {
	quote := func(i int) bool { return v.Text[i] == '"' && ascii.Backslashes(v.Text[v.Lo:], i-v.Lo)%2 == 0 }
	start, end = i, i
	for start > from && !quote(start-1) {
		start--
	}
	for end < v.Hi && !quote(end) {
		end++
	}
	return start, max(end, i+len(`\n`))
}

// linesOf adds spans for the secrets in v.Text[start:end], whose line ends are escapes.
func (d *Decoder) linesOf(v *match.View, start, end int) {
	text := slices.Clone(v.Text[start:end])
	for i := 0; ; {
		n := bytes.Index(text[i:], []byte(`\n`))
		if n < 0 {
			break
		}
		i += n + len(`\n`)
		for k := i - 2; k >= 0 && text[k] == '\\'; k-- {
			text[k] = '\r'
		}
		text[i-1] = '\n'
	}
	for _, s := range d.finder.InLines(text) {
		end := s.Start + len(bytes.TrimRight(text[s.Start:s.End], "\r\n"))
		v.Add(start+s.Start, start+end, s.Rule)
	}
}
