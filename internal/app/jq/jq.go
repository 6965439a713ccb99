// Package jq is the whole jq language, for package query.
package jq

import (
	"context"
	"errors"

	"github.com/itchyny/gojq"

	"github.com/envwrap/envwrap/internal/app/query"
)

// Language returns a [query.Language].
func Language(expr string, input query.Values) (query.Program, error) {
	parsed, err := gojq.Parse(expr)
	if err != nil {
		return nil, err
	}
	code, err := gojq.Compile(parsed, gojq.WithInputIter(input))
	if err != nil {
		return nil, err
	}
	return program{code}, nil
}

type program struct{ code *gojq.Code }

// Marshal implements [query.Program].
func (program) Marshal(v any) ([]byte, error) { return gojq.Marshal(v) }

// Run implements [query.Program].
func (p program) Run(ctx context.Context, v any, yield func(any) error) error {
	for results := p.code.RunWithContext(ctx, v); ; {
		v, ok := results.Next()
		if !ok {
			return nil
		}
		if err, failed := v.(error); failed {
			return plain(err)
		}
		if err := yield(v); err != nil {
			return err
		}
	}
}

// errNoInput is what jq says where input finds nothing.
var errNoInput = errors.New("no more inputs: input reads the next value, after the current one")

// plain returns an error of the expression in words that a reader can use.
func plain(err error) error {
	if halt, ok := errors.AsType[*gojq.HaltError](err); ok && halt.Value() == nil {
		return query.ErrHalt
	}
	if err.Error() == "break" {
		return errNoInput
	}
	return err
}
