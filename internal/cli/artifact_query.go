package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/envwrap/envwrap/internal/query"
)

func artifactQueryVerb(*World) *verb {
	var store string
	var raw, pretty bool
	var o query.Options
	return &verb{
		name:    "query",
		args:    "EXPR ID",
		summary: "ask a JSON artifact a question in the jq language",
		text: `A result is printed as one line of JSON. Values are read one at a time, so
that NDJSON of any size can be asked; one value has at most 256 MiB. Integers
are exact, whatever their size.`,
		example: "envwrap artifact query '.items | length' sha256:2cf24dba\nenvwrap artifact query -r '.[] | select(.level == \"error\") | .message' 2cf24dba",
		options: []*option{
			archiveOption(&store),
			{name: "raw-output", short: "r", noEnv: true, help: "print strings without quotes", set: into(&raw, boolean)},
			{name: "pretty", noEnv: true, help: "indent results", set: into(&pretty, boolean)},
			{name: "slurp", short: "s", noEnv: true, help: "read all values into one array", set: into(&o.Slurp, boolean)},
			{name: "raw-input", short: "R", noEnv: true, help: "every line is a string", set: into(&o.Lines, boolean)},
			{name: "null-input", short: "n", noEnv: true, help: "run once, on null; input and inputs read the values", set: into(&o.Null, boolean)},
		},
		run: func(ctx context.Context, c *call) error {
			words := c.args()
			if len(words) != 2 {
				return usagef("an expression and an ID are needed, not %s", plural(len(words), "word"))
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
			w := bufio.NewWriterSize(c.Stdout, 64<<10)
			err = query.Run(ctx, words[0], in, o, func(text []byte) error { return writeResult(w, text, raw, pretty) })
			return queryError(errors.Join(err, w.Flush()), in.Digest())
		},
	}
}

func writeResult(w *bufio.Writer, text []byte, raw, pretty bool) error {
	if raw {
		text = query.Raw(text)
	}
	if pretty && len(text) > 0 && (text[0] == '{' || text[0] == '[') {
		var b bytes.Buffer
		if json.Indent(&b, text, "", "  ") == nil {
			text = b.Bytes()
		}
	}
	w.Write(text)
	return w.WriteByte('\n')
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
