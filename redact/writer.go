package redact

import (
	"io"
	"slices"

	"github.com/envwrap/envwrap/redact/internal/scan"
	"github.com/envwrap/envwrap/redact/internal/utf16stream"
)

// A Writer masks the text written to it and passes it on. Its output does not depend on
// how the input was cut into writes. A complete line is passed on in the same Write. An
// unfinished line is held back until its end or Close; once it has 64 KiB, all but its
// last 16 KiB is passed on. A Write of 512 KiB or more is masked on two cores. A Writer
// is not safe for concurrent use.
type Writer struct {
	dst io.Writer
	set *scan.Set // nil: nothing is masked
	err error

	asked   func() []string      // the commands that the text is the output of; nil once they are read
	begun   bool                 // the form of the text is known
	lines   lineWriter           // without a scanner until scanner is called
	decoder *utf16stream.Decoder // of a text in UTF-16, which is masked in UTF-8 and encoded again
	preview scan.Preview         // of the unfinished line
}

// Write masks p and passes on as much as no later text can change. An error is the
// destination's; every later call returns it again.
func (w *Writer) Write(p []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	if w.set == nil {
		return w.dst.Write(p)
	}
	n := len(p)
	if n == 0 {
		return 0, nil
	}
	if !w.begun {
		p, w.err = w.begin(p)
	}
	switch {
	case w.err != nil:
	case w.decoder != nil:
		_, w.err = w.decoder.Write(p)
	default:
		_, w.err = w.lines.Write(p)
	}
	if w.err != nil {
		return 0, w.err
	}
	return n, nil
}

// Or separates two ways to type a command of [Writer.After].
const Or = scan.Or

// After says that the text is the output of commands, of one after the other. It is masked
// as if a line with a prompt and the command preceded the output of each: a password alone on
// the first line of the output of "pass show prod/db" is a secret. That is not done for
// commands that make random text. Where the output of a command begins that others precede is
// not known: on the lines where it may be, a value has to look random. commands returns
// them as they are typed, without those that print nothing; it is called once, at the first
// Write. Where one may be typed in two ways, [Or] is between them.
func (w *Writer) After(commands func() []string) { w.asked = commands }

// scanner returns the scanner, which it makes when it is first called: most commands print
// nothing on one of their streams.
func (w *Writer) scanner() *scan.Scanner {
	if w.lines.sc == nil {
		w.lines.sc = scan.New(w.set)
	}
	return w.lines.sc
}

// begin looks at the first bytes of a stream, and returns those of p that are still to
// be masked: none where it is too early to know whether the stream is in UTF-16.
func (w *Writer) begin(p []byte) ([]byte, error) {
	if sc := w.scanner(); w.asked != nil {
		sc.After(w.asked)
		w.asked = nil
	}
	held := w.lines.tail
	first := slices.Concat(held, p[:min(len(p), utf16stream.OrderBytes)])
	order, known := utf16stream.OrderOf(first)
	if !known {
		w.lines.tail = first
		return nil, nil
	}
	w.begun = true
	if order == nil {
		return p, nil
	}
	p = append(held, p...)
	w.lines.tail, w.lines.dst = nil, utf16stream.NewEncoder(w.dst, order)
	w.decoder = utf16stream.NewDecoder(&w.lines, order)
	if mark := p[:2]; mark[0] >= 0xfe {
		_, err := w.dst.Write(mark)
		return p[2:], err
	}
	return p, nil
}

// Close masks and writes what was held back. It does not close the destination.
func (w *Writer) Close() error {
	if w.err != nil || w.lines.sc == nil {
		return w.err
	}
	var rest []byte // a byte at the end of UTF-16 that is no character
	if w.decoder != nil {
		rest, w.err = w.decoder.Flush()
	}
	if w.err == nil {
		w.err = w.lines.finishAll()
	}
	if w.err == nil && len(rest) > 0 {
		_, w.err = w.dst.Write(rest)
	}
	w.decoder = nil
	return w.err
}

// Settled returns the masked beginning of the unfinished line that is held back, as far
// as no usual continuation of the line would change it, so that a prompt can be shown
// before its line ends. It is a prefix of what the Writer passes on later, and empty if
// a secret may begin there. Settled passes nothing on: the caller has to skip what it
// has shown. The result is valid until the next call.
//
// The last word is left out unless its end shows that it is a prompt, a number of a
// progress bar or the like: a token may have begun. The text that precedes it is masked with
// several assumed continuations (a long value, a name and a value, the credentials of a
// URL), and Settled returns only the text that all of them have in common. With rules of a user
// (Options.Rules), which can match anywhere, the result is always empty.
func (w *Writer) Settled() []byte {
	if w.err != nil || w.lines.sc == nil || w.decoder != nil {
		return nil
	}
	return w.preview.Of(w.lines.sc, w.lines.tail, w.lines.seen, w.lines.mid)
}

// Trace sets a function that is called for each span as it is masked, before Write or
// Close returns.
func (w *Writer) Trace(f func(Finding)) {
	sc := w.scanner()
	sc.Trace = nil
	if f != nil {
		sc.Trace = func(found scan.Finding) { f(Finding(found)) }
	}
}

// Counts returns how many spans each rule masked. It is complete after Close.
func (w *Writer) Counts() Counts {
	if w.lines.sc == nil {
		return nil
	}
	return Counts(w.lines.sc.Counts)
}
