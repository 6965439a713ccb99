package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"strings"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/term"
	"github.com/envwrap/envwrap/redact"
)

func artifactPutVerb(*World) *verb {
	var asJSON bool
	var kind string
	o := &runOptions{}
	return &verb{
		name:    "put",
		args:    "[FILE]",
		takes:   aFile,
		summary: "store a file, or standard input, with its secrets masked",
		text: `The digest is that of the masked bytes. What was masked is told on stderr.
FILE may be - for standard input.`,
		example: "envwrap artifact put build.log\nmake 2>&1 | envwrap artifact put",
		options: []*option{
			archiveOption(&o.store),
			jsonOption(&asJSON),
			{name: "kind", value: "TYPE", noEnv: true, def: "what it looks like", help: "its MIME type, for artifact ls", set: into(&kind, mimeType)},
			o.secretOption(""),
			o.secretFileOption(""),
			redactConfigOption("", &o.redactConfig),
		},
		run: func(_ context.Context, c *call) error {
			in, err := c.input()
			if err != nil {
				return err
			}
			defer in.Close()
			masker, err := c.redactor(o)
			if err != nil {
				return err
			}
			p, err := c.put(in, o.store, kind, masker)
			if err != nil {
				return err
			}
			return p.print(c, asJSON)
		},
	}
}

// mimeType reads a MIME type, with parameters or without.
func mimeType(s string) (string, error) {
	odd := func(r rune) bool { return r < ' ' || r > '~' }
	kind, subkind, found := strings.Cut(s, "/")
	if !found || kind == "" || subkind == "" || len(s) > kindMost || strings.ContainsFunc(s, odd) {
		return "", badValue(s, "MIME type", "Write it like text/plain or application/json.")
	}
	return s, nil
}

// kindMost is the most bytes of a MIME type that put takes.
const kindMost = 127

// input opens the file that the verb names, or standard input.
func (c *call) input() (*os.File, error) {
	words := c.args()
	switch {
	case len(words) > 1:
		return nil, usagef("unexpected word %q", words[1])
	case len(words) == 1 && words[0] == "":
		return nil, usagef("the name of the FILE is empty")
	case len(words) == 1 && words[0] != "-":
		return os.Open(c.path(words[0]))
	case c.Stdin == nil:
		return nil, usagef("standard input is closed: name a FILE")
	}
	return c.Stdin, nil
}

// A putView is what put did, in JSON.
type putView struct {
	Digest     string         `json:"digest"`
	Size       int64          `json:"size_bytes"`
	Kind       string         `json:"kind"`
	Redactions map[string]int `json:"redactions"`
}

// put stores what in holds, masked.
func (c *call) put(in io.Reader, store, kind string, r *redact.Redactor) (*putView, error) {
	s, warning, err := c.openFirst(artifact.Options{Now: c.Now}, store)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	if warning != "" {
		c.complain(fmt.Errorf("%s", warning))
	}
	p, err := s.Create()
	if err != nil {
		return nil, err
	}
	defer p.Discard()
	var sum envelope.Summarizer
	masked := r.Writer(io.MultiWriter(p, &sum))
	if _, err := io.Copy(masked, in); err != nil {
		return nil, err
	}
	if err := masked.Close(); err != nil {
		return nil, err
	}
	v := &putView{Size: p.Size(), Redactions: map[string]int{}}
	maps.Copy(v.Redactions, masked.Counts())
	p.Finish()
	v.Kind = cmp.Or(kind, sum.Summary().Kind)
	v.Digest, err = p.Commit(artifact.Info{Kind: v.Kind, Stream: "put"})
	return v, err
}

func (v *putView) print(c *call, asJSON bool) error {
	total := 0
	for _, n := range v.Redactions {
		total += n
	}
	if total > 0 && !asJSON {
		c.complain(fmt.Errorf("%s masked", term.Plural(total, "secret")))
	}
	return c.answer(asJSON, v, func(b *strings.Builder) { b.WriteString(v.Digest + "\n") })
}
