// Package query runs expressions of the jq language on JSON documents: it reads the
// input, keeps limits, and has a [Language] of simple filters. Package jq has the whole
// language, which adds a quarter of a millisecond to the start of a program that links
// it.
package query

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// maxDepth is how many levels a result may have, as many as encoding/json
// reads.
const maxDepth = 10_000

// DefaultMaxValue is the default of Options.MaxValue, in bytes.
const DefaultMaxValue = 256 << 20

// Options configure [Run].
type Options struct {
	Null     bool  // run once, on null; the functions input and inputs read the values
	MaxValue int64 // largest input value in bytes; 0 is DefaultMaxValue

	Timeout   time.Duration // longest time between two input values; 0 is no limit
	MaxMemory int64         // limit of the heap in bytes, garbage not counted; 0 is no limit
}

// A Language compiles an expression. input is for expressions that read further values
// themselves.
type Language func(expr string, input Values) (Program, error)

// A Program is a compiled expression. Run calls yield with each result for v, and
// returns yield's error unchanged, or ErrHalt. It returns soon after ctx is done.
// Marshal returns a result as JSON.
type Program interface {
	Run(ctx context.Context, v any, yield func(any) error) error
	Marshal(result any) ([]byte, error)
}

// An Error means that an expression is not valid in the language. Its text is one line.
type Error struct{ err error }

func (e *Error) Error() string { return errorPrefix + e.err.Error() }

const errorPrefix = "read expression: "

// Unwrap returns the parser's error.
func (e *Error) Unwrap() error { return e.err }

// ErrHalt means that the expression ended the run (halt).
var ErrHalt = errors.New("halt")

// Run calls emit with the JSON text of every result, in order. Values are read one at a
// time, so that a stream needs the memory of its largest value only. Numbers keep their
// spelling unless they are computed with, and integers all their digits. An expression
// cannot read files, modules or environment variables. An error of the expression ends
// the run. If the error is an [Error] nothing was read.
func Run(ctx context.Context, language Language, expr string, in io.Reader, o Options, emit func(text []byte) error) error {
	if o.MaxValue == 0 {
		o.MaxValue = DefaultMaxValue
	}
	g := newGuard(ctx, o.Timeout, o.MaxMemory)
	defer g.end()
	values := watched{newValues(in, o.MaxValue), g}
	program, err := language(expr, values)
	if err != nil {
		return &Error{err}
	}
	if o.Null {
		return notHalted(each(g, program, nil, emit))
	}
	for {
		v, ok := values.Next()
		if !ok {
			return nil
		}
		if err, failed := v.(error); failed {
			return err
		}
		if err := each(g, program, v, emit); err != nil {
			return notHalted(err)
		}
	}
}

func notHalted(err error) error {
	if errors.Is(err, ErrHalt) {
		return nil
	}
	return err
}

// each passes on the results for one value.
func each(g *guard, program Program, v any, emit func([]byte) error) error {
	var emitted error
	err := program.Run(g.ctx, v, func(result any) error {
		if tooDeep(result, maxDepth) {
			return fmt.Errorf("the result has more than %d levels", maxDepth)
		}
		text, err := program.Marshal(result)
		if err != nil {
			return err
		}
		g.paused.Store(true)
		emitted = emit(text)
		g.paused.Store(false)
		return emitted
	})
	if emitted != nil {
		return emitted
	}
	if err != nil {
		return fmt.Errorf("run expression: %w", g.cause(err))
	}
	return nil
}

// Raw returns the text of a JSON string, and any other value unchanged.
func Raw(text []byte) []byte {
	var s string
	if len(text) > 0 && text[0] == '"' && json.Unmarshal(text, &s) == nil {
		return []byte(s)
	}
	return text
}
