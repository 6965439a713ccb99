package query

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
)

// A filter passes its results for v to yield, and returns yield's error as it
// is.
type filter func(ctx context.Context, v any, yield func(any) error) error

type program struct{ filter }

// Run implements [Program].
func (p program) Run(ctx context.Context, v any, yield func(any) error) error {
	return p.filter(ctx, v, yield)
}

// Marshal implements [Program].
func (program) Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// A dataError means that the data is not what a filter needs.
type dataError struct{ text string }

func (e *dataError) Error() string { return e.text }

func identity(_ context.Context, v any, yield func(any) error) error { return yield(v) }

// literal yields one value, whatever the input is.
func literal(value any) filter {
	return func(_ context.Context, _ any, yield func(any) error) error { return yield(value) }
}

// function makes a filter of a function with one result.
func function(f func(v any) (any, error)) filter {
	return func(_ context.Context, v any, yield func(any) error) error {
		result, err := f(v)
		if err != nil {
			return err
		}
		return yield(result)
	}
}

// pipe runs b on each result of a.
func pipe(a, b filter) filter {
	return func(ctx context.Context, v any, yield func(any) error) error {
		return a(ctx, v, func(v any) error { return b(ctx, v, yield) })
	}
}

// comma yields the results of a, then those of b.
func comma(a, b filter) filter {
	return func(ctx context.Context, v any, yield func(any) error) error {
		if err := a(ctx, v, yield); err != nil {
			return err
		}
		return b(ctx, v, yield)
	}
}

// optional yields the results of f up to an error of the data.
func optional(f filter) filter {
	return func(ctx context.Context, v any, yield func(any) error) error {
		var later error // of what takes the results
		err := f(ctx, v, func(v any) error {
			later = yield(v)
			return later
		})
		if _, data := errors.AsType[*dataError](err); data && later == nil {
			return nil
		}
		return err
	}
}

// comparison yields for each pair of results whether they are equal, or the
// opposite.
func comparison(a, b filter, opposite bool) filter {
	return func(ctx context.Context, v any, yield func(any) error) error {
		return b(ctx, v, func(right any) error {
			return a(ctx, v, func(left any) error { return yield(equal(left, right) != opposite) })
		})
	}
}

// selected yields the input once for each result of f that is neither null nor
// false.
func selected(f filter) filter {
	return func(ctx context.Context, v any, yield func(any) error) error {
		return f(ctx, v, func(result any) error {
			if !truth(result) {
				return nil
			}
			return yield(v)
		})
	}
}

// collected yields all results of f as one array.
func collected(f filter) filter {
	return func(ctx context.Context, v any, yield func(any) error) error {
		all := []any{}
		err := f(ctx, v, func(v any) error {
			all = append(all, v)
			return ctx.Err()
		})
		if err != nil {
			return err
		}
		return yield(all)
	}
}
