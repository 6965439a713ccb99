package excerpt

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// reasons are the lines that may say why something failed: those of the highest
// weight, and the earlier of two alike.
type reasons struct {
	best [8]reason
	n    int
	open int // how many of them go on in the next line
}

type reason struct {
	off   int64
	why   int
	kinds [rareKinds]uint32
	text  []byte
	open  bool // it goes on in the next line
}

// add takes p where it may be the best line.
func (r *reasons) add(p *piece, why int) {
	why = why * often[min(log2(int64(p.seen), 1), len(often)-1)] / 100
	least := 0
	if r.n < len(r.best) {
		least = r.n
		r.n++
	} else {
		for i := range r.best {
			if r.best[i].why < r.best[least].why {
				least = i
			}
		}
		if r.best[least].why >= why {
			return
		}
	}
	b := &r.best[least]
	if b.open {
		r.open--
	}
	b.off, b.why, b.kinds, b.text = p.off, why, p.kinds, append(b.text[:0], p.text...)
	if b.open = announces(b.text); b.open {
		r.open++
	}
}

// follow appends a line to the reasons before it that announce it.
func (r *reasons) follow(line []byte) {
	if line = bytes.TrimSpace(line); r.open == 0 || len(line) == 0 {
		return
	}
	for i := range r.best[:r.n] {
		b := &r.best[i]
		if !b.open {
			continue
		}
		b.text = append(append(b.text, ' '), line...)
		if b.open = announces(b.text) && len(b.text) < wholeLine; !b.open {
			r.open--
		}
	}
}

// announces reports whether a line ends in a colon, so that what went wrong is in
// the next one: "panicked at src/main.rs:4:5:", or "error: |-" in YAML.
func announces(t []byte) bool {
	t = bytes.TrimRight(t, " |->")
	return len(t) > 0 && t[len(t)-1] == ':'
}

// line returns the first line that says about as well as any why, and how well.
func (r *reasons) line(final *sketch) (text []byte, why int) {
	top := 0
	for i := range r.best[:r.n] {
		top = max(top, r.best[i].final(final))
	}
	var best *reason
	for i := range r.best[:r.n] {
		if b := &r.best[i]; b.final(final)*100 >= top*nearlyBest && (best == nil || b.off < best.off) {
			best = b
		}
	}
	if best == nil {
		return nil, 0
	}
	return best.text, best.why
}

// final returns how well the line says why, less where its like occurs many
// times.
func (r *reason) final(count *sketch) int {
	n := count.count(rareShape, r.kinds[rareShape])
	if h := r.kinds[rareFailure]; h != 0 {
		n = max(n, count.count(rareFailure, h))
	}
	return r.why * often[min(log2(int64(n), 4), len(often)-1)] / 100
}

// nearlyBest is the percentage of the highest weight from which on the first
// line says as well why.
const nearlyBest = 66

// Best returns the line of the text that says best why something failed, with the
// next one where it ends in a colon, in at most n characters, and how well it says so: 0 where no line does, 50 and more
// where it is surely an error. It may be called where Excerpt may.
func (w *Writer) Best(n int) (line string, weight int) {
	w.finish()
	text, why := w.why.line(w.count)
	return strings.TrimSpace(shorten(string(text), n)), why
}

// shorten returns s in at most n characters: of a line that is a little longer its
// beginning and its end, where errors that wrap others have the cause.
func shorten(s string, n int) string {
	const mark = " … "
	switch count := utf8.RuneCountInString(s); {
	case count <= n:
		return s
	case count <= 3*n && n > 2*len(mark):
		head := n / 3
		return firstRunes(s, head) + mark + s[len(firstRunes(s, count-(n-head-utf8.RuneCountInString(mark)))):]
	}
	return firstRunes(s, n)
}

// firstRunes returns the first n characters of s.
func firstRunes(s string, n int) string {
	for i := range s {
		if n--; n < 0 {
			return s[:i]
		}
	}
	return s
}
