package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/envwrap/envwrap/internal/query"
	"github.com/envwrap/envwrap/internal/term"
)

// What a query may take where no option says otherwise.
const (
	queryTimeout = time.Minute
	queryMemory  = 1 << 30
)

func artifactQueryVerb(*World) *verb {
	var store string
	var asJSON, raw, pretty bool
	o := query.Options{Timeout: queryTimeout, MaxMemory: queryMemory}
	return &verb{
		name:    "query",
		args:    "EXPR ID",
		takes:   anArtifact,
		summary: "ask a JSON artifact a question in the jq language",
		text: `A result is printed as one line of JSON. Values are read one at a time, so
that NDJSON of any size can be asked; one value has at most 256 MiB. Integers
are exact, whatever their size. An expression that calls itself for ever ends
at --timeout or --max-memory, with status 1.`,
		example: "envwrap artifact query '.items | length' sha256:2cf24dba\nenvwrap artifact query -r '.[] | select(.level == \"error\") | .message' 2cf24dba",
		options: []*option{
			archiveOption(&store),
			jsonOption(&asJSON),
			{name: "timeout", value: "DURATION", def: "1m", noEnv: true, help: "most time that the expression takes for one value of the input; 0 is no limit", set: into(&o.Timeout, duration)},
			{name: "max-memory", value: "SIZE", def: "1GiB", noEnv: true, help: "most memory that it takes; 0 is no limit", set: into(&o.MaxMemory, size)},
			{name: "raw-output", short: "r", noEnv: true, help: "print strings without quotes", set: into(&raw, boolean)},
			{name: "pretty", noEnv: true, help: "indent results", set: into(&pretty, boolean)},
			{name: "slurp", short: "s", noEnv: true, help: "read all values into one array", set: into(&o.Slurp, boolean)},
			{name: "raw-input", short: "R", noEnv: true, help: "every line is a string", set: into(&o.Lines, boolean)},
			{name: "null-input", short: "n", noEnv: true, help: "run once, on null; input and inputs read the values", set: into(&o.Null, boolean)},
		},
		run: func(ctx context.Context, c *call) error {
			words := c.args()
			if len(words) != 2 {
				return usagef("an expression and an ID are needed, not %s", term.Plural(len(words), "word"))
			}
			a, err := c.openArchive(store)
			if err != nil {
				return err
			}
			defer a.Close()
			in, err := a.Get(words[1])
			if err != nil {
				return asUsage(err)
			}
			defer in.Close()
			if asJSON && (raw || pretty) {
				return usagef("--json spells results itself: leave out -r and --pretty")
			}
			r, err := checked(in)
			if err != nil {
				return queryError(err, in.Digest())
			}
			out, flush := term.Content(c.Stdout, false)
			w := &results{Writer: bufio.NewWriterSize(out, 64<<10), raw: raw, pretty: pretty}
			if asJSON {
				w.digest = in.Digest()
			}
			err = query.Run(ctx, words[0], r, o, w.add)
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

// queryError tells a wrong expression from wrong data.
func queryError(err error, digest string) error {
	if bad, ok := errors.AsType[*query.Error](err); ok {
		return usagef("%v", bad)
	}
	if err != nil {
		return fmt.Errorf("query artifact %s: %w", digest, err)
	}
	return nil
}
