package redact

import (
	"bytes"
	"slices"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// lines looks at the lines within each string of the line that has line ends as
// escapes, as a message in JSON has: what goes on over lines, such as a key, a table or
// folded base64, is found there as it is in a file. Strings without a hit or run are
// left out.
func (d *decoder) lines(v *view, hits []hit, runs []span) {
	if d.innermost() || v.cutLeft || v.cutRight || len(hits)+len(runs) == 0 || !ascii.Contains(v.Text[v.Lo:v.Hi], '\\') {
		return
	}
	for at := v.Lo; ; {
		i := bytes.Index(v.Text[at:v.Hi], []byte(`\n`))
		if i < 0 {
			return
		}
		start, end := stringAround(v, at, at+i)
		if end-at-i > value.Min && anyWithin(hits, runs, start, end) {
			d.linesOf(v, start, end)
		}
		at = end
	}
}

// anyWithin reports whether a hit or a run is in text[start:end].
func anyWithin(hits []hit, runs []span, start, end int) bool {
	h, _ := slices.BinarySearchFunc(hits, start, func(h hit, at int) int { return h.pos - at })
	r, _ := slices.BinarySearchFunc(runs, start, func(r span, at int) int { return r.start - at })
	return h < len(hits) && hits[h].pos < end || r < len(runs) && runs[r].start < end
}

// stringAround returns the bounds of the string, in quotes that are not escaped, that has
// the byte at i, from a place within the line on.
func stringAround(v *view, from, i int) (start, end int) {
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

// linesOf marks the secrets in v.Text[start:end], whose line ends are escapes.
func (d *decoder) linesOf(v *view, start, end int) {
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
	for _, s := range d.finder.inLines(text) {
		end := s.start + len(bytes.TrimRight(text[s.start:s.end], "\r\n"))
		v.add(start+s.start, start+end, s.rule)
	}
}
