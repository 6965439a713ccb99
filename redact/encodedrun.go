package redact

import (
	"bytes"
	"slices"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/decode"
	"github.com/envwrap/envwrap/redact/internal/syntax"
)

// A decoder looks into what is encoded on the line of a view, by another scanner.
type decoder struct{ *view }

// runs looks into the encoded runs of the line, and marks each that has a
// secret in it, whole.
func (v decoder) runs(runs []span) {
	if v.sc == nil || v.sc.layer >= maxLayers {
		return
	}
	for _, r := range runs {
		switch {
		case r.start >= v.limit || v.covered(r):
		case r.rule != "":
			v.add(r.start, r.end, r.rule)
		default:
			v.run(r)
		}
	}
}

// run marks the run r where it has a secret in it.
func (v decoder) run(r span) {
	b := v.Text[r.start:r.end]
	if ascii.Contains(b, '%') {
		v.escaped(r)
		return
	}
	var buf [decode.MaxReadings]decode.Reading
	for _, d := range decode.Readings(buf[:0], b) {
		text := v.sc.textOf(d, b)
		if rule, ok := v.sc.inside(text); ok {
			v.add(r.start, r.end+ascii.Run(v.Text[r.end:v.Hi], ascii.Equals), rule)
			return
		}
		if decode.Textual(text) {
			return // which no other reading of it would be
		}
	}
}

// shortestRun is the least length of an encoded run that is looked into for what
// it shows.
const shortestRun = 24

// encodedWord looks into the encoded run around pos, where a word for a secret, or the
// first of what is compressed, shows in base64.
func encodedWord(v *view, pos int) {
	if pos < v.wordTo {
		return
	}
	r := span{start: pos - ascii.RunBack(v.Text[v.Lo:pos], decode.RunByte), end: pos + v.Run(pos, decode.RunByte)}
	v.wordTo = r.end
	for r.start < pos && (v.Text[r.start] == '+' || v.Text[r.start] == '-') {
		r.start++ // of a diff
	}
	if r.end-r.start >= shortestRun {
		v.runsSeen = append(v.runsSeen, r)
	}
}

// covered reports whether a span that was found has the run in it.
func (v decoder) covered(r span) bool {
	for _, s := range v.spans {
		if s.start <= r.start && r.end <= s.end {
			return true
		}
	}
	return false
}

// inside reports whether text, which was decoded, has a secret in it, and by
// which rule the first is one.
func (s *scanner) inside(text []byte) (rule string, ok bool) {
	for _, sp := range s.decoded(text) {
		return sp.rule, true
	}
	return "", false
}

// decoded finds the secrets in a text that was decoded.
func (s *scanner) decoded(text []byte) []span {
	n := s.nested()
	n.prepare()
	var out []span
	if joined := bytes.ReplaceAll(text, []byte("\n"), nil); len(joined) < len(text)-1 {
		for _, sp := range n.known.find(nil, joined) { // folded before it was encoded
			if sp.rule != rulePacked {
				out = append(out, span{start: sp.start, end: len(text), rule: sp.rule})
			}
		}
	}
	return append(out, n.lookAt(text)...)
}

// nested returns the scanner of what is within the text.
func (s *scanner) nested() *scanner {
	if s.inner == nil {
		s.inner = newScanner(s.r)
		s.inner.layer, s.inner.left = s.layer+1, s.left
	}
	return s.inner
}

// lookAt finds the secrets in text, by itself.
func (s *scanner) lookAt(text []byte) []span {
	s.prepare()
	s.state = state{}
	w, v := &s.main, &s.view
	var out []span
	w.load(s, text)
	for i := w.seek(0, s.state.active()); i < len(w.text); i = w.seek(i, s.state.active()) {
		end := w.lineEnd(i)
		s.show(w.text)
		v.Lo, v.Hi, v.limit = i, end, end
		w.spans = v.spansOf(w.take(end), &s.state, w.spans[:0])
		for _, sp := range w.spans {
			sp.start, sp.end = w.gaps.after(sp.start), w.gaps.before(sp.end)
			out = append(out, sp)
		}
		if v.drop {
			out = append(out, span{start: w.gaps.before(i), end: w.gaps.before(end), rule: ruleKey})
		}
		i = end
	}
	return out
}

const (
	// maxFolded is how much of a folded text is kept for the next line.
	maxFolded = 768
	// maxPacked is how much is where the text is compressed, and maxUnfolded how much of
	// what it is unpacked to is looked at, maxAgainSeen of it with each line: a private key
	// that began before the line is within that.
	maxPacked    = 8 << 10
	maxUnfolded  = 64 << 10
	maxAgainSeen = 4 << 10
	// foldUnit is a multiple of the groups of all codes.
	foldUnit = 24
)

// folded looks into a line of an encoded text that is folded, as base64 and
// xxd -p fold theirs: before is the end of what came before the line, in the same
// code. A secret that goes on over the line's end is masked on both, for the first
// part of one is masked even if the rest does not come. It reports whether the line
// is one and nothing else: the first may follow a text.
func (v decoder) folded(before string) bool {
	if v.sc == nil || v.sc.layer >= maxLayers || v.cutLeft || v.cutRight {
		return false
	}
	line := v.Text[v.Lo:v.Hi]
	core := bytes.Trim(syntax.Unprefixed(line), " \t\r\"',+>")
	core = bytes.TrimSuffix(core, []byte(`\n`))
	text := bytes.TrimRight(core, "=")
	alone := ascii.Run(text, decode.RunByte) == len(text)
	if !alone { // the first line of one may follow a text
		at := len(text) - ascii.RunBack(text, decode.RunByte)
		before, text, core = "", text[at:], core[at:]
	}
	if len(text) == 0 || before == "" && len(text) < wrappedLine {
		return false
	}
	all := text
	if before != "" {
		all = append(append(v.sc.unfolded[:0], before...), text...)
		v.sc.unfolded = all
	}
	var buf [decode.MaxReadings]decode.Reading
	for _, d := range decode.Readings(buf[:0], all) {
		if d.Reversed || d.Skip > 0 {
			continue
		}
		packed := decode.Compressed(d.Decode(nil, all[:min(len(all), foldUnit)]))
		if packed || v.sc.mayShow(d, all, len(before)) {
			v.unfold(d, all, len(before), core)
		}
		if len(text) >= wrappedLine && len(text) == len(core) {
			keep := maxFolded
			if packed {
				keep = maxPacked
			}
			if n := len(all) - keep; n > 0 {
				all = all[(n+foldUnit-1)/foldUnit*foldUnit:]
			}
			v.next.folded = string(all)
		}
		return alone
	}
	return false
}

// mayShow reports whether a secret may show in what all[from:], with a little before
// it, stands for: some printable bytes in a row, or with zeros between them as in
// UTF-16. Certificates and images have few of them.
func (s *scanner) mayShow(d decode.Reading, all []byte, from int) bool {
	s.raw = d.Decode(s.raw[:0], all[max(0, from-foldUnit)/foldUnit*foldUnit:])
	n := 0
	for _, c := range s.raw {
		switch {
		case c >= ' ' && c <= '~', c == 0, c >= '\t' && c <= '\r':
			if n++; n == leastShown {
				return true
			}
		default:
			n = 0
		}
	}
	return false
}

const leastShown = 16 // bytes

// unfold marks core, which is the line whose code begins at from in all, where a
// secret of the decoded text is in it, or begins at its end.
func (v decoder) unfold(d decode.Reading, all []byte, from int, core []byte) {
	raw := d.Decode(v.sc.raw[:0], all)
	v.sc.raw = raw
	var text []byte
	first := from * d.Bits / 8
	if !decode.Compressed(raw) {
		text = v.sc.plainText(raw)
	} else if text, first = v.sc.unpackNew(raw, first); text == nil {
		return
	}
	found := v.sc.decoded(text)
	i := slices.IndexFunc(found, func(s span) bool { return s.end > first })
	var rule string
	if i >= 0 {
		rule = found[i].rule
	} else {
		var ok bool
		if rule, ok = v.sc.begins(text); !ok {
			return
		}
	}
	at := v.Lo + bytes.LastIndex(v.Text[v.Lo:v.Hi], core)
	v.add(at, at+len(core), rule)
}

// maxBegun is how much of the end of a text is looked at for the beginning of a
// secret.
const maxBegun = 256

// begins reports whether a text that is cut at its end may have the beginning of
// a secret there, and of which rule.
func (s *scanner) begins(text []byte) (rule string, ok bool) {
	tail := text[max(0, len(text)-maxBegun):]
	if rule, ok = s.known.begins(tail); ok || s.rules == nil {
		return rule, ok
	}
	for _, h := range s.rules.filter.find(nil, tail, nil) {
		if l := &literals[h.lit]; l.of == ofToken && len(l.text) > minBegun && (h.pos == 0 || !ascii.Is(tail[h.pos-1], ascii.Word)) {
			f, t := prefixes[l.arg][0].get()
			if rest := tail[h.pos+len(t.Prefix):]; len(rest) < t.Min && ascii.Run(rest, t.Class) == len(rest) {
				return f.Rule, true
			}
		}
	}
	return "", false
}

// begins reports whether b ends in the beginning of a known value.
func (k *knownSet) begins(b []byte) (rule string, ok bool) {
	for _, n := range k.plain {
		for i := max(0, len(b)-len(n.text)+1); i+minBegun <= len(b); i++ {
			j := bytes.Index(b[i:], n.text[:minBegun])
			if j < 0 {
				break
			}
			i += j
			if bytes.HasPrefix(n.text, b[i:]) {
				return n.rule, true
			}
		}
	}
	return "", false
}

// encodedWords are words for secrets as they show in base64, at each of the three
// alignments, and the first of what is compressed: password, PASSWORD, Password,
// passwd, secret, SECRET, token, TOKEN, apikey, api_key, API_KEY.
var encodedWords = [...]string{
	"H4sI", "1f8b08", "1F8B08", "cGFzc3dvcm", "Bhc3N3b3Jk", "wYXNzd29yZ", "UEFTU1dPUk", "BBU1NXT1JE", "QQVNTV09SR", "UGFzc3dvcm", "Bhc3N3b3Jk", "QYXNzd29yZ", "cGFzc3dk", "Bhc3N3Z", "wYXNzd2", "c2VjcmV0", "NlY3Jld", "zZWNyZX", "U0VDUkVU", "NFQ1JFV", "TRUNSRV", "dG9rZW", "Rva2Vu", "0b2tlb", "VE9LRU", "RPS0VO", "UT0tFT", "YXBpa2V5", "FwaWtle", "hcGlrZX", "YXBpX2tle", "FwaV9rZX", "hcGlfa2V5", "QVBJX0tFW", "FQSV9LRV", "BUElfS0VZ", "Oi8v",
}
