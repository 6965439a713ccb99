package artifactcmd

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"strings"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/redactcmd"
	"github.com/envwrap/envwrap/internal/shared/term"
	"github.com/envwrap/envwrap/redact"
)

func artifactPutVerb(*cli.Env) *cli.Verb {
	var kind string
	var most int64
	o := &redactcmd.Redaction{}
	return &cli.Verb{
		Name:    "put",
		Args:    "[FILE]",
		Takes:   cli.AFile,
		Summary: "store a file, or standard input, with its secrets masked",
		Text: `The digest covers the masked bytes. The number of masked secrets is printed on
stderr. FILE may be - for standard input.`,
		Has:     cli.HasStore | cli.HasJSON,
		Example: "envwrap artifact put build.log\nmake 2>&1 | envwrap artifact put",
		Options: []*cli.Option{
			cli.StoreMaxOption(&most, ""),
			{Name: "kind", Value: "TYPE", NoEnv: true, Def: "what it looks like", Help: "MIME type, for artifact ls", Set: cli.Into(&kind, mimeType)},
			o.SecretOption(""),
			o.SecretFileOption(""),
			redactcmd.RedactConfigOption("", &o.Rules),
		},
		Run: func(_ context.Context, c *cli.Call) error {
			in, err := c.Input()
			if err != nil {
				return err
			}
			defer in.Close()
			masker, err := redactcmd.Redactor(c.Env, o, redact.All)
			if err != nil {
				return err
			}
			p, err := put(c, in, most, kind, masker)
			if err != nil {
				return err
			}
			return p.print(c)
		},
	}
}

// mimeType reads a MIME type, with parameters or without.
func mimeType(s string) (string, error) {
	odd := func(r rune) bool { return r < ' ' || r > '~' }
	kind, subkind, found := strings.Cut(s, "/")
	if !found || kind == "" || subkind == "" || len(s) > kindLimit || strings.ContainsFunc(s, odd) {
		return "", cli.BadValue(s, "MIME type", "Write it like text/plain or application/json.")
	}
	return s, nil
}

// kindLimit is the most bytes of a MIME type that put takes.
const kindLimit = 127

// A putView is the result of put, in JSON.
type putView struct {
	Digest     string         `json:"digest"`
	Size       int64          `json:"size_bytes"`
	Kind       string         `json:"kind"`
	Redactions map[string]int `json:"redactions"`
}

// put stores the content of in, masked.
func put(c *cli.Call, in io.Reader, most int64, kind string, r *redact.Redactor) (*putView, error) {
	s, warning, err := c.OpenFirst(artifact.Options{Now: c.Now, MaxSize: most}, c.Store())
	if err != nil {
		return nil, err
	}
	defer s.Close()
	if warning != "" {
		c.Complain(fmt.Errorf("%s", warning))
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

func (v *putView) print(c *cli.Call) error {
	total := 0
	for _, n := range v.Redactions {
		total += n
	}
	if total > 0 && !c.JSON() {
		c.Complain(fmt.Errorf("%s masked", term.Plural(total, "secret")))
	}
	return c.Answer(v, func(b *strings.Builder) { b.WriteString(v.Digest + "\n") })
}
