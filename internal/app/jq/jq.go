// Package jq runs expressions of the jq language on JSON documents, within limits of
// time, memory and output.
package jq

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/itchyny/gojq"
)

const (
	// maxDepth is how many levels a result may have, as many as encoding/json reads.
	maxDepth = 10_000
	// DefaultMaxValue is the default of Options.MaxValue, in bytes.
	DefaultMaxValue = 256 << 20
	// DefaultMaxResults is the default of Options.MaxResults, in bytes.
	DefaultMaxResults = 1 << 30
)

// Options configure [Run].
type Options struct {
	Null       bool  // run once, on null; the functions input and inputs read the values
	MaxValue   int64 // largest input value in bytes; 0 is DefaultMaxValue
	MaxResults int64 // most bytes of the results for one input value; 0 is DefaultMaxResults

	Timeout   time.Duration // longest time between two input values; 0 is no limit
	MaxMemory int64         // limit of the heap in bytes, garbage not counted; 0 is no limit

	// Abort, if not nil, ends the process. It is called if the expression goes on after
	// a limit was reached or the context was done: gojq looks at the context between its
	// instructions, one of which may work for hours (splits, tojson).
	Abort func(error)
}

// An Error means that an expression is not valid. Its text is one line.
type Error struct{ err error }

func (e *Error) Error() string { return "read expression: " + e.err.Error() }

// Unwrap returns the parser's error.
func (e *Error) Unwrap() error { return e.err }

// errHalt means that the expression ended the run (halt).
var errHalt = errors.New("halt")

// Run calls emit with the JSON text of every result, in order. Values are read one at a
// time, so that a stream needs the memory of its largest value only. Numbers keep their
// spelling unless they are computed with, and integers all their digits. An expression
// cannot read files, modules or environment variables. An error of the expression ends
// the run. If the error is an [Error] nothing was read.
func Run(ctx context.Context, expr string, in io.Reader, o Options, emit func(text []byte) error) error {
	if o.MaxValue == 0 {
		o.MaxValue = DefaultMaxValue
	}
	if o.MaxResults == 0 {
		o.MaxResults = DefaultMaxResults
	}
	r := &runner{guard: newGuard(ctx, o.Timeout, o.MaxMemory, o.Abort), emit: emit, most: o.MaxResults}
	defer r.guard.end()
	values := watched{newValues(in, o.MaxValue), r}
	if err := r.compile(expr, values); err != nil {
		return &Error{err}
	}
	err := r.all(values, o.Null)
	if errors.Is(err, errHalt) {
		return nil
	}
	return err
}

// A runner runs one expression.
type runner struct {
	guard *guard
	code  *gojq.Code
	emit  func([]byte) error
	most  int64 // bytes of the results for one input value
	bytes int64 // of the results for the current one
}

func (r *runner) compile(expr string, input gojq.Iter) error {
	parsed, err := gojq.Parse(expr)
	if err != nil {
		return err
	}
	r.code, err = gojq.Compile(parsed, gojq.WithInputIter(input))
	return err
}

// all runs the expression on each value, or once on null.
func (r *runner) all(values gojq.Iter, null bool) error {
	if null {
		return r.one(nil)
	}
	for {
		v, ok := values.Next()
		if !ok {
			return nil
		}
		if err, failed := v.(error); failed {
			return err
		}
		if err := r.one(v); err != nil {
			return err
		}
	}
}

// one passes on the results for one value.
func (r *runner) one(v any) error {
	for results := r.code.RunWithContext(r.guard.ctx, v); ; {
		result, ok := results.Next()
		if !ok {
			return nil
		}
		text, err := marshal(result)
		if err != nil {
			return fmt.Errorf("run expression: %w", r.guard.cause(err))
		}
		if r.bytes += int64(len(text)) + 1; r.bytes > r.most {
			return fmt.Errorf("run expression: the results for one value of the input have more than %d MiB", r.most>>20)
		}
		r.guard.paused.Store(true)
		err = r.emit(text)
		r.guard.paused.Store(false)
		if err != nil {
			return err
		}
	}
}

// marshal returns a result as JSON, or the error that it is.
func marshal(result any) ([]byte, error) {
	if err, failed := result.(error); failed {
		return nil, plain(err)
	}
	if tooDeep(result, maxDepth) {
		return nil, fmt.Errorf("the result has more than %d levels", maxDepth)
	}
	return gojq.Marshal(result)
}

// errNoInput is jq's error if input finds no further value.
var errNoInput = errors.New("no more inputs: input reads the next value, after the current one")

// plain returns an error of the expression in words that a reader can use.
func plain(err error) error {
	if halt, ok := errors.AsType[*gojq.HaltError](err); ok && halt.Value() == nil {
		return errHalt
	}
	if err.Error() == "break" {
		return errNoInput
	}
	return err
}

// watched passes on values, each of which gives the expression all of its time and room
// for results again.
type watched struct {
	gojq.Iter
	r *runner
}

func (w watched) Next() (any, bool) {
	w.r.guard.paused.Store(true)
	v, ok := w.Iter.Next()
	w.r.guard.spent.Store(0)
	w.r.guard.paused.Store(false)
	w.r.bytes = 0
	return v, ok
}

// tooDeep reports whether a value has more than depth levels. What prints it
// calls itself for every one.
func tooDeep(v any, depth int) bool {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			if depth == 0 || tooDeep(e, depth-1) {
				return true
			}
		}
	case map[string]any:
		for _, e := range v {
			if depth == 0 || tooDeep(e, depth-1) {
				return true
			}
		}
	}
	return false
}
