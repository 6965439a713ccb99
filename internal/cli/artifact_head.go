package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strconv"
)

// defaultLines is what head and tail show without -n.
const defaultLines = 10

// An extent is how much head and tail show.
type extent struct {
	lines int
	bytes int64 // instead of lines, where set
	isSet bool

	fromStart bool // it is the number of the first line or byte
}

func (e *extent) options() []*option {
	e.lines = defaultLines
	return []*option{
		{name: "lines", short: "n", value: "N", def: strconv.Itoa(defaultLines), noEnv: true, help: "how many lines", set: into(&e.lines, count)},
		{name: "bytes", short: "c", value: "SIZE", noEnv: true, help: "how many bytes, instead of lines", set: func(given []string) error {
			e.isSet = true
			return into(&e.bytes, size)(given)
		}},
	}
}

// count reads a number of things.
func count(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0, badValue(s, "number", "Write it in digits.")
	}
	return n, nil
}

func artifactHeadVerb(*World) *verb {
	var store string
	var asJSON, raw bool
	var e extent
	return &verb{
		name:    "head",
		args:    "ID...",
		takes:   anArtifact,
		summary: "print the beginning of an artifact",
		example: "envwrap artifact head -n 40 sha256:2cf24dba\nenvwrap artifact head -c 1KiB 2cf24dba",
		options: append([]*option{archiveOption(&store), jsonOption(&asJSON), rawOption(&raw)}, e.options()...),
		run: eachArtifact(&store, func(_ context.Context, c *call, a *archive, id string) error {
			o, err := a.Get(id)
			if err != nil {
				return err
			}
			defer o.Close()
			end := min(e.bytes, o.Size())
			if !e.isSet {
				if end, err = endOfLine(o, e.lines); err != nil {
					return err
				}
			}
			return c.piece(o, 0, end, store, asJSON, raw)
		}),
	}
}

// endOfLine is the offset behind the n-th line of an artifact.
func endOfLine(o io.ReaderAt, n int) (int64, error) {
	b := make([]byte, 64<<10)
	for off := int64(0); n > 0; {
		k, err := o.ReadAt(b, off)
		for i := 0; i < k; {
			j := bytes.IndexByte(b[i:k], '\n')
			if j < 0 {
				break
			}
			i += j + 1
			if n--; n == 0 {
				return off + int64(i), nil
			}
		}
		off += int64(k)
		if errors.Is(err, io.EOF) {
			return off, nil
		}
		if err != nil {
			return 0, err
		}
	}
	return 0, nil
}
