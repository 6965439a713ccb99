// Package query asks JSON documents questions in the jq language.
package query

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/itchyny/gojq"
)

// maxDepth is how many levels a result may have, as many as encoding/json
// reads.
const maxDepth = 10_000

// DefaultMaxValue is the most bytes of one input value.
const DefaultMaxValue = 256 << 20

// Options say how the input is read.
type Options struct {
	Lines    bool  // every line is a string; else the input is JSON values
	Slurp    bool  // all values as one array; with Lines, all text as one string
	Null     bool  // run once, on null; input and inputs read the values
	MaxValue int64 // most bytes of one input value; 0 is DefaultMaxValue

	Timeout   time.Duration // most time between two input values; 0 is no limit
	MaxMemory int64         // most bytes of heap, beside what is garbage at that time; 0 is no limit
}

// An Error means that the expression is no jq. Its text is one line.
type Error struct{ err error }

func (e *Error) Error() string { return "read expression: " + e.err.Error() }

// Unwrap returns the parser's error.
func (e *Error) Unwrap() error { return e.err }

// Run calls emit with the JSON text of every result, in order. Values are read
// one at a time, so that a stream of any length needs the memory of its
// largest value. Numbers that are not computed with keep their spelling, and
// integers their digits. No file, module or environment variable can be read
// by an expression.
func Run(ctx context.Context, expr string, in io.Reader, o Options, emit func(text []byte) error) error {
	if o.MaxValue == 0 {
		o.MaxValue = DefaultMaxValue
	}
	parsed, err := gojq.Parse(expr)
	if err != nil {
		return &Error{err}
	}
	g := newGuard(ctx, o.Timeout, o.MaxMemory)
	defer g.end()
	values := watched{newValues(in, o), g}
	code, err := gojq.Compile(parsed, gojq.WithInputIter(values))
	if err != nil {
		return &Error{err}
	}
	if o.Null {
		return each(g, code.RunWithContext(g.ctx, nil), emit)
	}
	for {
		v, ok := values.Next()
		if !ok {
			return nil
		}
		if err, failed := v.(error); failed {
			return err
		}
		if err := each(g, code.RunWithContext(g.ctx, v), emit); err != nil {
			if errors.Is(err, errHalt) {
				return nil
			}
			return err
		}
	}
}

// errHalt means that the expression ended the run itself.
var errHalt = errors.New("halt")

// each passes on the results for one value. An error of the expression ends
// the run, as it does in jq's own exit status.
func each(g *guard, results gojq.Iter, emit func([]byte) error) error {
	for {
		v, ok := results.Next()
		if !ok {
			return nil
		}
		if err, failed := v.(error); failed {
			var halt *gojq.HaltError
			if errors.As(err, &halt) && halt.Value() == nil {
				return errHalt
			}
			return fmt.Errorf("run expression: %w", g.cause(plain(err)))
		}
		if tooDeep(v, maxDepth) {
			return fmt.Errorf("run expression: the result has more than %d levels", maxDepth)
		}
		text, err := gojq.Marshal(v)
		if err != nil {
			return fmt.Errorf("run expression: %w", err)
		}
		g.paused.Store(true)
		err = emit(text)
		g.paused.Store(false)
		if err != nil {
			return err
		}
	}
}

// errNoInput is what jq says where input finds nothing.
var errNoInput = errors.New("no more inputs: input reads the next value, after the current one")

// plain is an error of the expression in words that a reader can use.
func plain(err error) error {
	if err.Error() == "break" {
		return errNoInput
	}
	return err
}

// Raw returns the text of a JSON string, and anything else as it is.
func Raw(text []byte) []byte {
	var s string
	if len(text) > 0 && text[0] == '"' && json.Unmarshal(text, &s) == nil {
		return []byte(s)
	}
	return text
}

// newValues makes the input as a jq iterator.
func newValues(in io.Reader, o Options) gojq.Iter {
	limited := &limitReader{r: in, max: o.MaxValue, left: o.MaxValue}
	switch {
	case o.Lines && o.Slurp:
		return &textValue{limited}
	case o.Lines:
		return &lineValues{bufio.NewReaderSize(limited, 64<<10), limited}
	}
	d := json.NewDecoder(&unmarked{r: limited})
	d.UseNumber()
	docs := &jsonValues{d: d, in: limited}
	if o.Slurp {
		limited.whole = true
		return &slurped{docs: docs}
	}
	return docs
}

// unmarked reads blanks for a byte order mark at the beginning, as other programs
// that read JSON do, so that offsets stay what they are.
type unmarked struct {
	r    io.Reader
	head []byte // of the input, that was looked at and not read yet
	seen bool
}

func (u *unmarked) Read(b []byte) (int, error) {
	if !u.seen {
		u.seen, u.head = true, make([]byte, len(byteOrderMark))
		n, err := io.ReadFull(u.r, u.head)
		if u.head = u.head[:n]; string(u.head) == byteOrderMark {
			u.head = []byte("   ")
		}
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return 0, err
		}
	}
	if len(u.head) > 0 {
		n := copy(b, u.head)
		u.head = u.head[n:]
		return n, nil
	}
	return u.r.Read(b)
}

const byteOrderMark = "\xef\xbb\xbf"

// jsonValues are the documents of a JSON stream.
type jsonValues struct {
	d    *json.Decoder
	in   *limitReader
	done bool
}

func (i *jsonValues) Next() (any, bool) {
	if i.done {
		return nil, false
	}
	i.in.reset()
	var v any
	err := i.d.Decode(&v)
	if err == nil {
		return v, true
	}
	i.done = true
	if errors.Is(err, io.EOF) {
		return nil, false
	}
	return notJSON(err, i.d.InputOffset()), true
}

// notJSON says where the input stops being JSON.
func notJSON(err error, offset int64) error {
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("the input is no JSON at byte %d: %w", syntax.Offset, err)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("the input is no JSON at byte %d: it ends in the middle of a value", offset)
	}
	return fmt.Errorf("read the input: %w", err)
}

// slurped is all documents as one array.
type slurped struct {
	docs *jsonValues
	done bool
}

func (i *slurped) Next() (any, bool) {
	if i.done {
		return nil, false
	}
	i.done = true
	all := []any{}
	for {
		v, ok := i.docs.Next()
		if !ok {
			return all, true
		}
		if _, failed := v.(error); failed {
			return v, true
		}
		all = append(all, v)
	}
}

// lineValues are lines, without their ends.
type lineValues struct {
	r  *bufio.Reader
	in *limitReader
}

func (i *lineValues) Next() (any, bool) {
	i.in.reset()
	line, err := i.r.ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("read the input: %w", err), true
	}
	if line == "" {
		return nil, false
	}
	return strings.ToValidUTF8(strings.TrimSuffix(line, "\n"), "\uFFFD"), true
}

// textValue is all of the input as one string.
type textValue struct{ in *limitReader }

func (i *textValue) Next() (any, bool) {
	if i.in == nil {
		return nil, false
	}
	b, err := io.ReadAll(i.in)
	i.in = nil
	if err != nil {
		return fmt.Errorf("read the input: %w", err), true
	}
	return strings.ToValidUTF8(string(b), "\uFFFD"), true
}

// A limitReader fails where one value takes more bytes than it may.
type limitReader struct {
	r         io.Reader
	max, left int64
	whole     bool // the limit is for all values together
}

func (l *limitReader) reset() {
	if !l.whole {
		l.left = l.max
	}
}

func (l *limitReader) Read(b []byte) (int, error) {
	if l.left <= 0 {
		return 0, fmt.Errorf("one value has more than %d bytes", l.max)
	}
	n, err := l.r.Read(b[:min(int64(len(b)), l.left)])
	l.left -= int64(n)
	return n, err
}
