package artifactcmd

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/shared/term"
)

// checkedLimit is the size in bytes up to which an artifact is read whole and
// checked before its first byte is printed.
const checkedLimit = 1 << 20

func artifactCatVerb(*cli.Env) *cli.Verb {
	var part span
	var lines lineSpan
	return &cli.Verb{
		Name:    "cat",
		Args:    "ID...",
		Takes:   cli.AnArtifact,
		Prints:  true,
		Summary: "print an artifact, byte for byte",
		Text: `The bytes are checked against the digest: an artifact that is corrupt is moved
to quarantine, and the status is 1. A range of lines or bytes is read without
the check.
A terminal gets control characters spelled out, as less(1) does, unless --raw.
With --json at most 1 MiB is shown, and the command that shows more.`,
		Has:     cli.HasStore | cli.HasJSON | cli.HasRaw,
		Example: "envwrap artifact cat sha256:2cf24dba\nenvwrap artifact cat --lines 118:529 2cf24dba\nenvwrap artifact cat --bytes -4096: 2cf24dba",
		Options: []*cli.Option{
			linesOption(&lines),
			{
				Name: "bytes", Value: "A:B", NoEnv: true,
				Help: "only the bytes from offset A to before B; negative ones count from the end",
				Set:  cli.Into(&part, parseSpan),
			},
			{
				Name: "range", Value: "A:B", NoEnv: true,
				Help: "the same as --bytes",
				Set:  cli.Into(&part, parseSpan),
			},
		},
		Run: eachArtifact(func(c *cli.Call, a *cli.Archive, id string) error {
			o, err := a.Get(id)
			if err != nil {
				return err
			}
			defer o.Close()
			from, to := part.within(o.Size())
			if lines.isSet() {
				if from, to, err = lines.within(o); err != nil {
					return err
				}
				lines.warnBeyond(c, o, from)
			} else if n := o.Size(); part.from > 0 && part.from >= n {
				c.Complain(fmt.Errorf("artifact %s has %s bytes: offset %d is beyond its end", cli.ShortID(o.Digest()), term.Thousands(n), part.from))
			}
			return printRange(c, o, from, to)
		}),
	}
}

// checkedReader returns a reader of an artifact. It reads a small artifact and checks its
// digest first; the digest of a large one is checked at its end.
func checkedReader(o *artifact.Object) (io.Reader, error) {
	if o.Size() > checkedLimit {
		return o, nil
	}
	b, err := io.ReadAll(o)
	return bytes.NewReader(b), err
}

// copyTo copies the rest of r to w and distinguishes their errors.
func copyTo(w io.Writer, r io.Reader) error {
	b := make([]byte, 256<<10)
	for {
		n, readErr := r.Read(b)
		if _, err := w.Write(b[:n]); err != nil {
			return printError(err)
		}
		if errors.Is(readErr, io.EOF) {
			return nil
		}
		if readErr != nil {
			return readErr
		}
	}
}

func printError(err error) error { return fmt.Errorf("print an artifact: %w", err) }

// A span is a range of bytes, as slices are spelled in most languages.
type span struct {
	from, to int64 // negative ones count from the end
	bounded  bool  // to counts; else all to the end
}

func parseSpan(s string) (span, error) {
	const hint = "Write it like 0:4096, 4096: or -1024: (the last 1024 bytes)."
	a, b, ok := strings.Cut(s, ":")
	r := span{bounded: b != ""}
	var err, err2 error
	if a != "" {
		r.from, err = strconv.ParseInt(a, 10, 64)
	}
	if b != "" {
		r.to, err2 = strconv.ParseInt(b, 10, 64)
	}
	if !ok || err != nil || err2 != nil {
		return span{}, cli.BadValue(s, "range", hint)
	}
	return r, nil
}

// within returns the range in a file of size bytes; both ends lie in the file.
func (s span) within(size int64) (from, to int64) {
	at := func(n int64) int64 {
		if n < 0 {
			n += size
		}
		return min(max(n, 0), size)
	}
	from, to = at(s.from), size
	if s.bounded {
		to = at(s.to)
	}
	return from, max(from, to)
}
