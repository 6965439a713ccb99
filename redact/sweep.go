package redact

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/decode"
)

// found is what was found in a text, or a part of it, at first sight.
type found struct {
	hits  []hit  // literals of the built-in rules
	user  []hit  // keywords of a user's rules
	known []span // known values
	runs  []span // that may be an encoded text, or, with a rule, are the words of a seed
}

// A sweep is a text and what was found in it.
type sweep struct {
	gaps  stripped
	text  []byte // without colour codes
	found found
	rest  found // what was not taken yet
	spans []span
	every bool // each line is to be looked at
}

// scratch returns what the prefilter notes places of b in; nil if b is short, or among
// the first of a stream.
func (s *scanner) scratch(b []byte) *places {
	s.searched += len(b)
	if len(b) <= shortText || s.searched <= beforeTable {
		return nil
	}
	if s.at == nil {
		s.at = new(places)
	}
	return s.at
}

func (w *sweep) load(s *scanner, b []byte) {
	w.text = w.gaps.strip(b, s.decoder.harmless())
	f := &w.found
	f.hits, f.user, f.known, f.runs = f.hits[:0], f.user[:0], f.known[:0], f.runs[:0]
	at := s.scratch(w.text)
	switch j := s.together(at); {
	case j != nil:
		f.hits, f.known = j.find(f.hits, f.known, w.text, at)
	case s.rules != nil:
		f.hits = s.rules.find(f.hits, w.text, at)
		fallthrough
	default:
		f.known = s.known.find(f.known, w.text)
	}
	if !s.decoder.innermost() {
		least := decode.MinRun
		if s.rules == nil {
			least = decode.MinKnownRun
		}
		decode.Runs(w.text, least, func(start, end int) { f.runs = append(f.runs, span{start: start, end: end}) })
	}
	inOrder := len(f.runs)
	f.takePacked(w.text)
	if s.rules != nil {
		f.runs = findSeeds(f.runs, w.text, at)
	}
	if len(f.runs) > inOrder {
		slices.SortFunc(f.runs, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	}
	if s.user != nil {
		f.user = s.user.filter.find(f.user, w.text, at)
		w.every = len(s.user.always) > 0
	}
	w.rest = *f
}

// takePacked makes runs of what is not known but compressed, from the first mark in
// each.
func (f *found) takePacked(b []byte) {
	n, end := 0, 0
	for _, s := range f.known {
		if s.rule != rulePacked {
			f.known[n] = s
			n++
			continue
		}
		if s.start < end {
			continue
		}
		of := ascii.Class(decode.RunByte)
		if b[s.start] == '%' {
			of = escapedPart | ascii.Plus
		}
		end = s.start + ascii.Run(b[s.start:], of)
		f.runs = append(f.runs, span{start: s.start, end: end})
	}
	f.known = f.known[:n]
}

// together returns what finds known values along with literals, or nil; at is that of
// the prefilter.
func (s *scanner) together(at *places) *joint {
	if s.r.joint == nil || at == nil {
		return nil
	}
	return s.r.joint()
}

// seek finds the line at or after i that is to be looked at: the next one, or
// the next with something in it. It returns the end of the text where there is
// none.
func (w *sweep) seek(i int, next bool) int {
	if next || w.every {
		return i
	}
	first := len(w.text)
	if len(w.rest.hits) > 0 {
		first = w.rest.hits[0].pos
	}
	if len(w.rest.user) > 0 {
		first = min(first, w.rest.user[0].pos)
	}
	if len(w.rest.known) > 0 {
		first = min(first, w.rest.known[0].start)
	}
	if len(w.rest.runs) > 0 {
		first = min(first, w.rest.runs[0].start)
	}
	if first >= len(w.text) || first <= i {
		return max(i, first)
	}
	return i + lastLine(w.text[i:first])
}

// lastLine returns where the last line of b begins.
func lastLine(b []byte) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	n := len(b)
	for ; n >= 8; n -= 8 {
		x := binary.LittleEndian.Uint64(b[n-8:]) ^ '\n'*ones
		if (x-ones)&^x&tops != 0 {
			break // one of the eight is a newline
		}
	}
	for n > 0 && b[n-1] != '\n' {
		n--
	}
	return n
}

// lineEnd returns the end of the line that begins at i, after its newline.
func (w *sweep) lineEnd(i int) int {
	if n := bytes.IndexByte(w.text[i:], '\n'); n >= 0 {
		return i + n + 1
	}
	return len(w.text)
}

// take returns what was found before end and not yet taken.
func (w *sweep) take(end int) found {
	var f found
	r := &w.rest
	f.hits, r.hits = splitHits(r.hits, end)
	f.user, r.user = splitHits(r.user, end)
	f.known, r.known = splitSpans(r.known, end)
	f.runs, r.runs = splitSpans(r.runs, end)
	return f
}

// splitSpans cuts spans at the first that does not begin before end.
func splitSpans(spans []span, end int) (before, rest []span) {
	n := 0
	for n < len(spans) && spans[n].start < end {
		n++
	}
	return spans[:n], spans[n:]
}

// splitHits cuts hits at the first that is not before end.
func splitHits(hits []hit, end int) (before, rest []hit) {
	n := 0
	for n < len(hits) && hits[n].pos < end {
		n++
	}
	return hits[:n], hits[n:]
}
