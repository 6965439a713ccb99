package artifactcmd

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/companion"
)

// The limits of a query without options.
const (
	queryTimeout = time.Minute
	queryMemory  = 1 << 30
)

func artifactQueryVerb(*cli.Env) *cli.Verb {
	q := companion.Query{Timeout: queryTimeout, MaxMemory: queryMemory}
	return &cli.Verb{
		Name:    "query",
		Args:    "EXPR ID",
		Takes:   cli.AnArtifact,
		Prints:  true,
		Summary: "query a JSON artifact in the jq language",
		Text: `A result is printed as one line of JSON. Values are read one at a time, so
that NDJSON of any size can be asked; one value has at most 256 MiB. Integers
are exact, whatever their size. It needs the companion program, envwrap-net, which is
in every package. An expression that calls itself for ever ends at --timeout or
--max-memory, or after 1 GiB of results for one value, with status 1.`,
		Has:     cli.HasStore | cli.HasJSON,
		Example: "envwrap artifact query '.items | length' sha256:2cf24dba\nenvwrap artifact query -r '.[] | select(.code) | .message' 2cf24dba",
		Options: []*cli.Option{
			{Name: "timeout", Value: "DURATION", Def: "1m", NoEnv: true, Help: "time limit for each input value; 0 is no limit", Set: cli.Into(&q.Timeout, cli.Duration)},
			{Name: "max-memory", Value: "SIZE", Def: "1GiB", NoEnv: true, Help: "memory limit; 0 is no limit", Set: cli.Into(&q.MaxMemory, cli.Size)},
			{Name: "raw-output", Short: "r", NoEnv: true, Help: "print strings without quotes", Set: cli.Into(&q.Raw, cli.Boolean)},
			{Name: "pretty", NoEnv: true, Help: "indent results", Set: cli.Into(&q.Pretty, cli.Boolean)},
			{Name: "null-input", Short: "n", NoEnv: true, Help: "run once with null; input and inputs read the values", Set: cli.Into(&q.Null, cli.Boolean)},
		},
		Run: func(ctx context.Context, c *cli.Call) error {
			if c.JSON() && (q.Raw || q.Pretty) {
				return cli.Usagef("--json spells results itself: leave out -r and --pretty")
			}
			a, err := c.OpenArchive()
			if err != nil {
				return err
			}
			defer a.Close()
			words := c.Operands()
			in, err := a.Get(words[1])
			if err != nil {
				return cli.AsUsage(err)
			}
			defer in.Close()
			if c.JSON() {
				q.Digest = in.Digest()
			}
			return query(ctx, c, words[0], in, q)
		},
	}
}

// query makes the companion run an expression on an artifact, and passes on what it
// prints.
func query(ctx context.Context, c *cli.Call, expr string, in *artifact.Object, q companion.Query) error {
	program, err := c.Companion()
	if err != nil {
		return cli.Usagef("%v", err)
	}
	r, err := checkedReader(in)
	if err == nil {
		out, flush := c.Content(false)
		call := companion.Call{
			Program: program, Args: []string{"query", companion.Encode(q), expr},
			Environ: c.Environ, Stdin: r, Stdout: out,
		}
		err = errors.Join(call.Run(ctx), flush())
	}
	if exit, failed := errors.AsType[*companion.Exit](err); failed && exit.Status == companion.StatusExpression {
		return cli.Usagef("%v", exit)
	}
	if err != nil {
		return fmt.Errorf("query artifact %s: %w", in.Digest(), err)
	}
	return nil
}
