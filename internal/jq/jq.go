// Package jq runs expressions of the jq language on JSON documents. A program that links
// it takes a quarter of a millisecond longer to start.
package jq

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/itchyny/gojq"

	"github.com/envwrap/envwrap/internal/query"
)

const (
	maxDepth = 10_000    // levels of a result, as many as encoding/json reads
	maxValue = 256 << 20 // the default of query.Options.MaxValue
)

// Run calls emit with the JSON text of every result, in order. Values are read one at a
// time, so that a stream needs the memory of its largest value only. Numbers keep their
// spelling unless they are computed with, and integers all their digits. An expression
// cannot read files, modules or environment variables. An error of the expression ends
// the run. If the error is a [query.Error] nothing was read.
func Run(ctx context.Context, expr string, in io.Reader, o query.Options, emit func(text []byte) error) error {
	g := newGuard(ctx, o.Timeout, o.MaxMemory)
	defer g.end()
	values := watched{newValues(in, cmp.Or(o.MaxValue, maxValue)), g}
	parsed, err := gojq.Parse(expr)
	if err != nil {
		return &query.Error{Err: err}
	}
	code, err := gojq.Compile(parsed, gojq.WithInputIter(values))
	if err != nil {
		return &query.Error{Err: err}
	}
	if o.Null {
		return notHalted(each(g, code, nil, emit))
	}
	for {
		v, ok := values.Next()
		if !ok {
			return nil
		}
		if err, failed := v.(error); failed {
			return err
		}
		if err := each(g, code, v, emit); err != nil {
			return notHalted(err)
		}
	}
}

// notHalted returns err, unless the expression ended the run itself (halt).
func notHalted(err error) error {
	if halt, ok := errors.AsType[*gojq.HaltError](err); ok && halt.Value() == nil {
		return nil
	}
	return err
}

// errNoInput is what jq says where input finds nothing.
var errNoInput = errors.New("no more inputs: input reads the next value, after the current one")

// each passes on the results for one value.
func each(g *guard, code *gojq.Code, v any, emit func([]byte) error) error {
	for results := code.RunWithContext(g.ctx, v); ; {
		v, ok := results.Next()
		if !ok {
			return nil
		}
		err, failed := v.(error)
		switch {
		case failed && err.Error() == "break":
			err = errNoInput
		case !failed && tooDeep(v, maxDepth):
			err = fmt.Errorf("the result has more than %d levels", maxDepth)
		}
		if err != nil {
			return fmt.Errorf("run expression: %w", g.cause(err))
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
