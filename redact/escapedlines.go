package redact

import (
	"bytes"
	"slices"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// lines looks at the lines within each string of the line that has line ends as
// escapes, as a message in JSON has: what goes on over lines, such as a key, a table or
// folded base64, is found there as it is in a file.
func (v decoder) lines(f found) {
	if v.sc == nil || v.sc.layer >= maxLayers || v.cutLeft || v.cutRight || len(f.hits)+len(f.runs) == 0 || !ascii.Contains(v.Text[v.Lo:v.Hi], '\\') {
		return
	}
	for at := v.Lo; ; {
		i := bytes.Index(v.Text[at:v.Hi], []byte(`\n`))
		if i < 0 {
			return
		}
		start, end := v.stringAround(at, at+i)
		if end-at-i > value.Min && f.within(start, end) {
			v.linesOf(start, end)
		}
		at = end
	}
}

// within reports whether something was found in text[start:end].
func (f found) within(start, end int) bool {
	h, _ := slices.BinarySearchFunc(f.hits, start, func(h hit, at int) int { return h.pos - at })
	r, _ := slices.BinarySearchFunc(f.runs, start, func(r span, at int) int { return r.start - at })
	return h < len(f.hits) && f.hits[h].pos < end || r < len(f.runs) && f.runs[r].start < end
}

// stringAround returns the bounds of the string, in quotes that are not escaped, that has
// the byte at i, from a place within the line on.
func (v decoder) stringAround(from, i int) (start, end int) {
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
func (v decoder) linesOf(start, end int) {
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
	for _, s := range v.sc.nested().lookAt(text) {
		end := s.start + len(bytes.TrimRight(text[s.start:s.end], "\r\n"))
		v.add(start+s.start, start+end, s.rule)
	}
}
