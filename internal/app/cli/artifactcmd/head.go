package artifactcmd

import (
	"bytes"
	"errors"
	"io"
	"strconv"

	"github.com/envwrap/envwrap/internal/app/cli"
)

// defaultLines is how many lines head and tail print without -n.
const defaultLines = 10

// A lineRange is the number of lines or bytes that head and tail show.
type lineRange struct {
	lines int
	bytes int64 // instead of lines, where set
	isSet bool

	fromStart bool // it is the number of the first line or byte
}

func (e *lineRange) options() []*cli.Option {
	e.lines = defaultLines
	return []*cli.Option{
		{Name: "lines", Short: "n", Value: "N", Def: strconv.Itoa(defaultLines), NoEnv: true, Help: "how many lines", Set: cli.Into(&e.lines, cli.Count)},
		{Name: "bytes", Short: "c", Value: "SIZE", NoEnv: true, Help: "how many bytes, instead of lines", Set: func(given []string) error {
			e.isSet = true
			return cli.Into(&e.bytes, cli.Size)(given)
		}},
	}
}

func artifactHeadVerb(*cli.Env) *cli.Verb {
	var e lineRange
	return &cli.Verb{
		Name:    "head",
		Args:    "ID...",
		Takes:   cli.AnArtifact,
		Prints:  true,
		Summary: "print the beginning of an artifact",
		Has:     cli.HasStore | cli.HasJSON | cli.HasRaw,
		Example: "envwrap artifact head -n 40 sha256:2cf24dba\nenvwrap artifact head -c 1KiB 2cf24dba",
		Options: e.options(),
		Run: eachArtifact(func(c *cli.Call, a *cli.Archive, id string) error {
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
			return printRange(c, o, 0, end)
		}),
	}
}

// endOfLine returns the offset after the n-th line of an artifact.
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
