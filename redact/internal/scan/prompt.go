package scan

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/envwrap/envwrap/redact/internal/ansi"
	"github.com/envwrap/envwrap/redact/internal/ascii"
)

// A Preview masks the beginnings of unfinished lines, such as prompts.
type Preview struct {
	trial *Scanner // tries how a line may go on
	out   []byte
}

// Of returns the masked beginning of the unfinished line that follows what s has masked,
// as far as no usual continuation of the line would change it. The line is tail[seen:];
// cut says that it began before tail. The result is valid until the next call.
func (p *Preview) Of(s *Scanner, tail []byte, seen int, cut bool) []byte {
	line := tail[seen:]
	if len(line) == 0 || s.search.set.user != nil || s.over {
		return nil
	}
	s.search.prepare()
	n := s.search.known.BegunBefore(line, settledEnd(line))
	if n == 0 {
		return nil
	}
	p.out = append(p.out[:0], p.maskAs(s, tail, seen, cut)...)
	begin := tail[:seen+n]
	p.common(p.maskAs(s, begin, seen, cut))
	for _, more := range continuations {
		p.common(p.maskAs(s, append(slices.Clip(begin), more...), seen, cut))
	}
	if s.search.set.builtin {
		p.common(p.maskAs(s, append(slices.Clip(begin), repeats(line)...), seen, cut))
	}
	return p.out
}

// continuations are ways in which a line may go on, each with a made-up secret: the value
// of a name before it, the name of a value before it, a URL's credentials.
var continuations = []string{
	"q7Zk3vB9xT2mL5wR8cN4pY6s",
	" q7Zk3vB9xT2mL5wR8cN4pY6s",
	"q7Zk3vB9 xT2mL5wR 8cN4pY6s",
	`"q7Zk3vB9xT2mL5wR8cN4pY6s"`,
	`","name":"DB_PASSWORD"}`,
	`"name":"DB_PASSWORD"}`,
	`' name='DB_PASSWORD'`,
	"q7Zk3vB9@example.com/",
	"AAFq7Zk3vB9xT2mL5wR8cN4pY6sH1jK0dGe",
	"|q7Zk3vB9xT2mL5wR8cN4pY6sH1jK",
	" is q7Zk3vB9xT2mL5wR",
	`q7Zk3vB9xT2mL5wR8cN4pY6s"`,
	"q7Zk3vB9xT2mL5wR8cN4pY6s'",
	"//ada:q7Zk3vB9xT2mL5wR@example.com/",
	"3f9a1c7be05d824f6a91c3d7e8b24f0619d3a5c7e2b80f46a1d9c3e75b0f824d",
}

// common cuts the output at the first byte in which b differs.
func (p *Preview) common(b []byte) {
	n := 0
	for n < len(p.out) && n < len(b) && p.out[n] == b[n] {
		n++
	}
	p.out = p.out[:n]
}

// maskAs returns the text that would be passed on if b were the rest of the line.
func (p *Preview) maskAs(s *Scanner, b []byte, seen int, cut bool) []byte {
	t := p.trial
	if t == nil {
		t = s.Another()
		t.search.prepare()
		p.trial = t
	}
	t.State, t.Dumps, t.over, t.Out = s.State, s.Dumps, false, t.Out[:0]
	switch {
	case cut:
		t.Part(b, seen, len(b), false, true)
	case !t.Lines(b):
		return b
	}
	return t.Out
}

// maxRepeats is how many of a line's last words are tried as secrets.
const maxRepeats = 32

// repeats returns a continuation in which each of the line's last words that might be a
// secret is the value of a name: a secret is masked wherever it is on its line.
func repeats(line []byte) []byte {
	var out []byte
	words := bytes.Fields(line)
	for _, word := range words[max(0, len(words)-maxRepeats):] {
		word = bytes.Trim(word, `"'()[]{}<>,;:.?!`)
		if len(word) >= minRepeated && len(word) <= maxRepeatedLen {
			out = append(append(append(out, ` password="`...), word...), '"')
		}
	}
	return out
}

// settledEnd returns the end of the part of a line in which no token has begun that may go
// on after the line: that before the last word, or all of it if the word ends as prompts
// and bars do.
func settledEnd(line []byte) int {
	if i := bytes.Index(line, []byte("-----BEGIN ")); i >= 0 {
		return i
	}
	if bytes.Count(line, []byte{'"'})%2 == 1 {
		return bytes.LastIndexByte(line, '"') // a quoted value may go on with anything
	}
	shown := ansi.TrimCodes(line)
	start := len(shown)
	for start > 0 && !ascii.Is(shown[start-1], ascii.Blank) && shown[start-1] != '\r' && shown[start-1] != '\b' {
		start--
	}
	var codes ansi.Text
	if word := codes.Strip(shown[start:], false, nil); len(word) == 0 || noTokenBegins(word) {
		return len(line)
	}
	return start
}

// maxNumber is the greatest length of a number that is shown before it is complete.
const maxNumber = 6

// noTokenBegins reports whether a word that may go on cannot be the beginning of a token:
// it ends in the punctuation of a prompt or in a character that is not ASCII, has no
// letter or digit, or is a short number (3/10, 0:04, 12.5).
func noTokenBegins(word []byte) bool {
	last := word[len(word)-1]
	letters, digits, marks := 0, 0, 0
	for _, c := range word {
		switch {
		case c >= utf8.RuneSelf:
		case ascii.Is(c, ascii.Digit):
			digits++
		case c|0x20 >= 'a' && c|0x20 <= 'z':
			letters++
		default:
			marks++
		}
	}
	switch {
	case last >= utf8.RuneSelf:
		r, _ := utf8.DecodeLastRune(word)
		return r != utf8.RuneError
	case bytes.ContainsAny(word, "$\\`\""):
		return false // $6$ is how hashes begin
	case letters+digits == 0:
		return !bytes.ContainsAny(word, "'{") && len(bytes.Trim(word, "-")) > 0
	case letters == 0 && len(word) <= maxNumber:
		return marks > 0 && last != '.' && word[0] != '\'' && bytes.IndexByte(word, '.') <= len("100")
	case bytes.HasSuffix(word, []byte("...")):
		return true
	case last == ':':
		return digits == 0 && !bytes.ContainsAny(word, "/='") && !ascii.HasFold(word, "http")
	case strings.IndexByte("?>)]!,;", last) >= 0:
		return digits == 0
	}
	return false
}
