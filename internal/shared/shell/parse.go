package shell

import (
	"errors"
	"io"
	"runtime"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxText bounds a text, in bytes. Linux passes no longer argument (MAX_ARG_STRLEN).
const maxText = 128 << 10

// maxFrames bounds how deep the parser calls itself, in functions: about 150 commands, each
// within the one before.
const maxFrames = 1000

var (
	errLong    = errors.New("the text is longer than 128 KiB")
	errDeep    = errors.New("the text is nested too deeply")
	errBytes   = errors.New("the text has a NUL or a carriage return")
	errUnknown = errors.New("no dialect with that number")
	errParser  = errors.New("the parser failed")
)

// Parse parses a text. It returns an error if the text is not one of that dialect, if it
// is longer than 128 KiB or nested too deeply, or if it has a construct that shells may
// read differently from the parser. Time and space are linear in the length of the text.
func Parse(text string, d Dialect) (t *Text, err error) {
	switch {
	case d <= 0 || int(d) >= len(variants):
		return nil, errUnknown
	case len(text) > maxText:
		return nil, errLong
	case strings.ContainsAny(text, "\x00\r"):
		return nil, errBytes
	}
	defer func() {
		if recover() != nil { // a fault of the parser must not end the run
			t, err = nil, errParser
		}
	}()
	file, err := syntax.NewParser(syntax.Variant(variants[d])).Parse(&guardedReader{rest: text}, "")
	if err != nil {
		return nil, err
	}
	t = &Text{Source: text, dialect: d, stmts: file.Stmts}
	if err := t.read(); err != nil {
		return nil, err
	}
	return t, nil
}

// A guardedReader gives a text to the parser in pieces, and fails with errDeep if the
// parser's calls are nested too deeply. The parser calls itself for brackets, reserved words and
// operators of several grammars: 64 KiB of "(" would cost a second, and 256 MiB of stack.
type guardedReader struct {
	rest   string
	frames [maxFrames]uintptr
}

func (s *guardedReader) Read(p []byte) (int, error) {
	if s.rest == "" {
		return 0, io.EOF
	}
	if runtime.Callers(0, s.frames[:]) == len(s.frames) {
		return 0, errDeep
	}
	n := copy(p[:min(len(p), 512)], s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

// read walks through the tree and sets the fields that Last needs.
func (t *Text) read() error {
	t.pipelines = map[int]int{}
	r := reader{Text: t}
	t.last = r.list(t.stmts, scope{own: true})
	switch {
	case r.err != nil:
		return r.err
	case t.dialect == Zsh && slices.ContainsFunc([]string{"$[", "$=", "$~", "$^", "$+"}, func(s string) bool { return strings.Contains(t.Source, s) }):
		return errors.New("an expansion of zsh is not certain")
	}
	return continuations(t.Source)
}

// continuations returns an error if a line ends with a backslash that the parser may take
// for a continuation where the shell does not, or the other way around: in a comment,
// within an operator and after other backslashes.
func continuations(text string) error {
	certain := !strings.Contains(text, "$\\\n") && !strings.Contains(text, "(\\\n(") && !strings.Contains(text, "&\\\n>")
	for line := range strings.Lines(text) {
		line, ended := strings.CutSuffix(line, "\n")
		if n := backslashes(line); ended && n%2 == 1 {
			certain = certain && n == 1 && !hasComment(line)
		}
	}
	if !certain {
		return errors.New("a backslash at the end of a line is not certain")
	}
	return nil
}

// hasComment reports whether there may be a comment in a line: quotes are not looked at.
func hasComment(line string) bool {
	for i := range len(line) {
		if line[i] == '#' && (i == 0 || strings.IndexByte(" \t;&|()<>`", line[i-1]) >= 0) {
			return true
		}
	}
	return false
}
