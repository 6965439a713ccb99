// Package query asks JSON documents questions in the jq language: reading the
// input, limits, and a [Language] of simple filters. Package jq has the whole
// language, which costs each program that links it a quarter of a millisecond at
// its start.
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

// DefaultMaxValue is the most bytes of one input value.
const DefaultMaxValue = 256 << 20

// Options say how the input is read.
type Options struct {
	Null     bool  // run once, on null; input and inputs read the values
	MaxValue int64 // most bytes of one input value; 0 is DefaultMaxValue

	Timeout   time.Duration // most time between two input values; 0 is no limit
	MaxMemory int64         // most bytes of heap, beside what is garbage at that time; 0 is no limit
}

// A Language compiles expressions. The input's further values are for
// expressions that read them themselves.
type Language func(expr string, input Values) (Program, error)

// A Program is a compiled expression. Run passes each result for v to yield, and
// returns yield's error as it is, or [ErrHalt]. It returns soon after ctx is done.
type Program interface {
	Run(ctx context.Context, v any, yield func(any) error) error
	Marshal(result any) ([]byte, error)
}

// An Error means that the language has no such expression. Its text is one line.
type Error struct{ err error }

func (e *Error) Error() string { return errorPrefix + e.err.Error() }

const errorPrefix = "read expression: "

// Unwrap returns the parser's error.
func (e *Error) Unwrap() error { return e.err }

// ErrHalt means that the expression ended the run itself.
var ErrHalt = errors.New("halt")

// Run calls emit with the JSON text of every result, in order. Values are read
// one at a time, so that a stream of any length needs the memory of its
// largest value. Numbers that are not computed with keep their spelling, and
// integers their digits. No file, module or environment variable can be read
// by an expression. An error of the expression ends the run, as it does in jq's
// own exit status. Nothing was read where the error is an [Error].
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

// Raw returns the text of a JSON string, and anything else as it is.
func Raw(text []byte) []byte {
	var s string
	if len(text) > 0 && text[0] == '"' && json.Unmarshal(text, &s) == nil {
		return []byte(s)
	}
	return text
}
