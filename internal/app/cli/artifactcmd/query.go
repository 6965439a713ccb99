package artifactcmd

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/query"
	"github.com/envwrap/envwrap/internal/shared/term"
)

// What a query may take where no option says otherwise.
const (
	queryTimeout = time.Minute
	queryMemory  = 1 << 30
)

func artifactQueryVerb(*cli.World) *cli.Verb {
	var raw, pretty bool
	o := query.Options{Timeout: queryTimeout, MaxMemory: queryMemory}
	return &cli.Verb{
		Name:    "query",
		Args:    "EXPR ID",
		Takes:   cli.AnArtifact,
		Summary: "query a JSON artifact in the jq language",
		Text: `A result is printed as one line of JSON. Values are read one at a time, so
that NDJSON of any size can be asked; one value has at most 256 MiB. Integers
are exact, whatever their size. Paths, slices, |, commas, == and !=, keys, length,
map and select are read here; envwrap-net does the rest of the language. An
expression that calls itself for ever ends at --timeout or --max-memory, with
status 1.`,
		Has:     cli.HasStore | cli.HasJSON,
		Example: "envwrap artifact query '.items | length' sha256:2cf24dba\nenvwrap artifact query -r '.[] | select(.level == \"error\") | .message' 2cf24dba",
		Options: []*cli.Option{
			{Name: "timeout", Value: "DURATION", Def: "1m", NoEnv: true, Help: "time limit for each input value; 0 is no limit", Set: cli.Into(&o.Timeout, cli.Duration)},
			{Name: "max-memory", Value: "SIZE", Def: "1GiB", NoEnv: true, Help: "memory limit; 0 is no limit", Set: cli.Into(&o.MaxMemory, cli.Size)},
			{Name: "raw-output", Short: "r", NoEnv: true, Help: "print strings without quotes", Set: cli.Into(&raw, cli.Boolean)},
			{Name: "pretty", NoEnv: true, Help: "indent results", Set: cli.Into(&pretty, cli.Boolean)},
			{Name: "null-input", Short: "n", NoEnv: true, Help: "run once with null; input and inputs read the values", Set: cli.Into(&o.Null, cli.Boolean)},
		},
		Run: func(ctx context.Context, c *cli.Call) error {
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
			if c.JSON() && (raw || pretty) {
				return cli.Usagef("--json spells results itself: leave out -r and --pretty")
			}
			r, err := checked(in)
			if err != nil {
				return queryError(err, in.Digest())
			}
			out, flush := term.Content(c.Stdout, false)
			w := &results{Writer: bufio.NewWriterSize(out, 64<<10), raw: raw, pretty: pretty}
			if c.JSON() {
				w.digest = in.Digest()
			}
			err = query.Run(ctx, query.Filters, words[0], r, o, w.add)
			if _, more := errors.AsType[*query.Error](err); more {
				err = queryByCompanion(ctx, c, words[0], r, o, w.add)
			}
			if status, none := errors.AsType[cli.Status](err); none {
				return status
			}
			if _, bad := errors.AsType[*query.Error](err); !bad {
				err = errors.Join(err, w.end(), flush())
			}
			return queryError(err, in.Digest())
		},
	}
}

// results print what a query finds, as it is found: a line each, or as an
// array in one JSON object, which is whole also where the query fails.
type results struct {
	*bufio.Writer
	raw, pretty bool
	digest      string // of the artifact; "" is for lines
	n           int
}

func (r *results) add(text []byte) error {
	if r.digest != "" {
		r.open()
		if r.n++; r.n > 1 {
			r.WriteByte(',')
		}
		_, err := r.Write(text)
		return err
	}
	if r.raw {
		text = query.Raw(text)
	}
	if r.pretty && len(text) > 0 && (text[0] == '{' || text[0] == '[') {
		var b bytes.Buffer
		if json.Indent(&b, text, "", "  ") == nil {
			text = b.Bytes()
		}
	}
	r.Write(text)
	return r.WriteByte('\n')
}

func (r *results) open() {
	if r.n == 0 {
		fmt.Fprintf(r, `{"digest":%q,"results":[`, r.digest)
	}
}

func (r *results) end() error {
	if r.digest != "" {
		r.open()
		fmt.Fprintf(r, "],\"count\":%d}\n", r.n)
	}
	return r.Flush()
}

// queryError distinguishes a wrong expression from wrong data.
func queryError(err error, digest string) error {
	if bad, ok := errors.AsType[*query.Error](err); ok {
		return cli.Usagef("%v", bad)
	}
	if err != nil {
		return fmt.Errorf("query artifact %s: %w", digest, err)
	}
	return nil
}
