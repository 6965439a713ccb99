package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"

	"github.com/envwrap/envwrap/internal/app/companion"
	"github.com/envwrap/envwrap/internal/app/jq"
	"github.com/envwrap/envwrap/internal/shared/errtext"
)

// maxStack limits the stack of an expression in bytes: a value of a million levels, which
// gojq walks by recursion, crashes the process then instead of taking a gigabyte first.
const maxStack = 64 << 20

// runQuery runs a jq expression on the JSON values of standard input and prints its
// results.
func runQuery(ctx context.Context, args []string) error {
	if len(args) != 2 {
		return &usageError{"query is for envwrap itself: `envwrap help artifact query` has its use"}
	}
	var q companion.Query
	if err := companion.Decode(args[0], &q); err != nil {
		return err
	}
	debug.SetMaxStack(maxStack)
	debug.SetTraceback("none")
	out := jq.NewPrinter(os.Stdout, jq.Format{Raw: q.Raw, Pretty: q.Pretty, Digest: q.Digest})
	o := jq.Options{Null: q.Null, Timeout: q.Timeout, MaxMemory: q.MaxMemory, Abort: func(err error) {
		_ = out.Close()
		complain(err)
		os.Exit(statusFailed)
	}}
	err := jq.Run(ctx, args[1], os.Stdin, o, out.Add)
	if _, bad := errors.AsType[*jq.Error](err); bad {
		complain(err)
		os.Exit(statusExpression)
	}
	return errors.Join(err, out.Close())
}

// complain prints an error on stderr, with long parts cut.
func complain(err error) { fmt.Fprintf(os.Stderr, "envwrap-net: %s\n", errtext.Bound(err.Error())) }
