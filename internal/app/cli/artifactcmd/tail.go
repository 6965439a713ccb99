package artifactcmd

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/internal/app/cli"
)

func artifactTailVerb(*cli.Env) *cli.Verb {
	var follow bool
	var e lineRange
	options := e.tailOptions()
	return &cli.Verb{
		Name:    "tail",
		Args:    "ID...",
		Takes:   cli.AnArtifact,
		Prints:  true,
		Summary: "print the end of an artifact, or follow one that is being written",
		Text: `With -n +N it begins at line N, with -c +N at byte N, counted from 1.

The ID may be the name of a part, as artifact ls shows it after the artifacts.
With -f its output is printed until its writer is done; the status is 1 if
the writer died. The store gets output a second after it was printed at the
latest.`,
		Has:     cli.HasStore | cli.HasJSON | cli.HasRaw,
		Example: "envwrap artifact tail -n 40 sha256:2cf24dba\nenvwrap artifact tail -n +601 2cf24dba\nenvwrap artifact tail -f 4711-abc.1",
		Options: append(options, &cli.Option{
			Name: "follow", Short: "f", NoEnv: true,
			Help: "print output as it is written", Set: cli.Into(&follow, cli.Boolean),
		}),
		Run: func(ctx context.Context, c *cli.Call) error {
			if follow && c.JSON() {
				return cli.Usagef("-f prints lines, so --json cannot be combined with it")
			}
			return eachArtifact(func(c *cli.Call, a *cli.Archive, id string) error {
				if follow || isPart(id) && !c.JSON() {
					return tailPart(ctx, c, a, id, &e, follow)
				}
				return printTail(c, a, id, &e)
			})(ctx, c)
		},
	}
}

func printTail(c *cli.Call, a *cli.Archive, id string, e *lineRange) error {
	o, err := a.Get(id)
	if err != nil {
		return err
	}
	defer o.Close()
	from, err := e.tailOffset(o, o.Size())
	if err != nil {
		return err
	}
	return printRange(c, o, from, o.Size())
}

// isPart reports whether a name belongs to a part; ids have no dot.
func isPart(name string) bool { return strings.Contains(name, ".") }

// tailOptions returns the options of an extent that may also begin where the user
// says.
func (e *lineRange) tailOptions() []*cli.Option {
	options := e.options()
	for _, o := range options {
		plain := o.Set
		o.Set = func(given []string) error {
			var last string
			last, e.fromStart = strings.CutPrefix(given[len(given)-1], "+")
			return plain([]string{last})
		}
	}
	return options
}

// tailOffset returns the offset from which the end of a file is shown.
func (e *lineRange) tailOffset(r io.ReaderAt, size int64) (int64, error) {
	switch {
	case e.fromStart && e.isSet:
		return min(max(0, e.bytes-1), size), nil
	case e.fromStart:
		return endOfLine(r, e.lines-1)
	case e.isSet:
		return max(0, size-e.bytes), nil
	}
	return lineFromEnd(r, size, e.lines)
}

// tailPart prints a part from its last lines on, with follow until its writer is
// done. One whose writer is done already is an artifact by now, or nothing.
func tailPart(ctx context.Context, c *cli.Call, a *cli.Archive, name string, e *lineRange, follow bool) error {
	begin := func(p *artifact.Object) (int64, error) { return e.tailOffset(p, p.Size()) }
	for _, s := range a.Stores {
		var err error
		w, end := c.Content(c.Raw())
		if follow {
			err = s.Follow(ctx, name, begin, w)
		} else {
			err = s.Peek(name, begin, w)
		}
		err = errors.Join(err, end())
		if !errors.Is(err, artifact.ErrNotFound) {
			return err
		}
	}
	if _, err := a.Resolve(name); err == nil {
		return printTail(c, a, name, e)
	}
	digest, err := a.OfPart(name)
	if err != nil {
		return err
	}
	return printTail(c, a, digest, e)
}

// lineFromEnd returns the offset of the n-th last line.
func lineFromEnd(r io.ReaderAt, size int64, n int) (int64, error) {
	b := make([]byte, 64<<10)
	for end := size; end > 0 && n > 0; {
		from := max(0, end-int64(len(b)))
		k := int(end - from)
		if _, err := r.ReadAt(b[:k], from); err != nil && !errors.Is(err, io.EOF) {
			return 0, err
		}
		if end == size && b[k-1] == '\n' {
			k-- // it ends the last line
		}
		for i := k; ; {
			if i = bytes.LastIndexByte(b[:i], '\n'); i < 0 {
				break
			}
			if n--; n == 0 {
				return from + int64(i) + 1, nil
			}
		}
		end = from
	}
	if n > 0 {
		return 0, nil
	}
	return size, nil
}
