package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/envwrap/envwrap/internal/jq"
	"github.com/envwrap/envwrap/internal/query"
)

// runQuery is what envwrap asks for an expression that is more than simple filters:
// it reads standard input and prints a line of JSON for each result.
func runQuery(ctx context.Context, args []string) error {
	o, expr, err := query.Decode(args)
	if err != nil {
		return &usageError{"query is for envwrap itself: `envwrap help artifact query` has its use"}
	}
	out := bufio.NewWriterSize(os.Stdout, 64<<10)
	err = query.Run(ctx, jq.Language, expr, os.Stdin, o, func(text []byte) error {
		out.Write(text)
		return out.WriteByte('\n')
	})
	if _, bad := errors.AsType[*query.Error](err); bad {
		fmt.Fprintf(os.Stderr, "envwrap-net: %v\n", err)
		os.Exit(query.StatusExpression)
	}
	return errors.Join(err, out.Flush())
}
