package redact

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/envwrap/envwrap/redact/internal/ascii"
)

// Settled returns the masked beginning of the unfinished line that is held back, as far
// as no usual continuation of the line would change it, so that a prompt can be shown
// before its line ends. It is a prefix of what the Writer passes on later, and empty if
// a secret may begin there. Settled passes nothing on: the caller has to skip what it
// has shown. The result is valid until the next call.
//
// The last word is left out unless its end shows that it is a prompt, a number of a
// progress bar or the like: a token may have begun. What precedes it is masked with
// several assumed continuations (a long value, a name and a value, the credentials of a
// URL), and only what is the same for all of them is returned. With rules of a user
// (Options.Rules), which can match anywhere, the result is always empty.
func (w *Writer) Settled() []byte {
	line := w.tail[w.seen:]
	if len(line) == 0 || w.err != nil || w.off || w.sc.search.set.user != nil || w.sc.over {
		return nil
	}
	w.sc.search.prepare()
	n := w.sc.search.known.begun(line, settledEnd(line))
	if n == 0 {
		return nil
	}
	w.settled = append(w.settled[:0], w.maskAs(w.tail)...)
	begin := w.tail[:w.seen+n]
	w.common(w.maskAs(begin))
	for _, more := range continuations {
		w.common(w.maskAs(append(slices.Clip(begin), more...)))
	}
	if w.sc.search.set.builtin {
		w.common(w.maskAs(append(slices.Clip(begin), repeats(line)...)))
	}
	return w.settled
}

// continuations are ways in which a line may go on, each with a made-up secret: the
// value of a name before it, the name of a value before it, a URL's credentials.
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

// common cuts what is settled at the first byte in which b differs.
func (w *Writer) common(b []byte) {
	n := 0
	for n < len(w.settled) && n < len(b) && w.settled[n] == b[n] {
		n++
	}
	w.settled = w.settled[:n]
}

// maskAs returns what would be passed on now if b were the rest of the line.
func (w *Writer) maskAs(b []byte) []byte {
	s := w.trial
	if s == nil {
		s = newScanner(w.sc.search.set)
		s.search.prepare()
		w.trial = s
	}
	s.state, s.over, s.out = w.sc.state, false, s.out[:0]
	switch {
	case w.mid:
		s.part(b, w.seen, len(b), false, true)
	case !s.lines(b):
		return b
	}
	return s.out
}

// maxRepeats is how many of a line's last words are tried as secrets.
const maxRepeats = 32

// repeats returns a continuation in which each of the line's last words that might be
// a secret is the value of a name: a secret is masked wherever it is on its line.
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

// settledEnd returns the end of the part of a line in which no token has begun that
// may go on after the line: that before the last word, or all of it where the word
// ends as prompts and bars do.
func settledEnd(line []byte) int {
	if i := bytes.Index(line, []byte("-----BEGIN ")); i >= 0 {
		return i
	}
	if bytes.Count(line, []byte{'"'})%2 == 1 {
		return bytes.LastIndexByte(line, '"') // a quoted value may go on with anything
	}
	shown := trimCodes(line)
	start := len(shown)
	for start > 0 && !ascii.Is(shown[start-1], ascii.Blank) && shown[start-1] != '\r' && shown[start-1] != '\b' {
		start--
	}
	var codes stripped
	if word := codes.strip(shown[start:], nil); len(word) == 0 || harmless(word) {
		return len(line)
	}
	return start
}

// maxNumber is the greatest length of a number that is shown before it is complete.
const maxNumber = 6

// harmless reports whether a word that may go on cannot be the beginning of a token:
// what ends in the punctuation of a prompt or with a character that is not ASCII, what
// has no letter or digit, and short numbers (3/10, 0:04, 12.5).
func harmless(word []byte) bool {
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
