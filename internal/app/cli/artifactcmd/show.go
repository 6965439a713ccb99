package artifactcmd

import (
	"io"

	"github.com/envwrap/envwrap/excerpt"
	"github.com/envwrap/envwrap/internal/app/cli"
)

// defaultExcerpt is how many bytes of excerpt artifact show prints.
const defaultExcerpt = 8 << 10

func artifactShowVerb(*cli.Env) *cli.Verb {
	var lines lineSpan
	budget := defaultExcerpt
	return &cli.Verb{
		Name:    "show",
		Args:    "ID...",
		Takes:   cli.AnArtifact,
		Prints:  true,
		Summary: "print an excerpt of an artifact: failures, summaries, the end",
		Text: `Each run of lines that is left out is a line of its own, with their numbers:
... 412 lines (118-529) ... Print them with artifact cat --lines 118:529.
Colours are taken out, and lines that were redrawn are shown as they were last.`,
		Has:     cli.HasStore | cli.HasJSON,
		Example: "envwrap artifact show 2cf24dba\nenvwrap artifact show --excerpt 32KiB 2cf24dba\nenvwrap artifact show --lines 118:529 2cf24dba",
		Options: []*cli.Option{
			{
				Name: "excerpt", Value: "SIZE", Def: "8KiB", NoEnv: true,
				Help: "the most bytes to print", Set: cli.Into(&budget, cli.Characters),
			},
			linesOption(&lines),
		},
		Run: eachArtifact(func(c *cli.Call, a *cli.Archive, id string) error {
			o, err := a.Get(id)
			if err != nil {
				return err
			}
			defer o.Close()
			w := excerpt.Writer{Max: budget}
			var r io.Reader = o
			if lines.isSet() {
				from, to, err := lines.within(o)
				if err != nil {
					return err
				}
				lines.warnBeyond(c, o, from)
				w.FirstLine, w.FirstByte = int64(lines.first), from
				r = io.NewSectionReader(o, from, to-from)
			}
			if err := copyTo(&w, r); err != nil {
				return err
			}
			x := w.Excerpt(budget)
			if c.JSON() {
				return c.AnswerJSON(viewExcerpt(c, o.Digest(), o.Size(), x))
			}
			if _, err = io.WriteString(c.Out(), endLine(x.Marked())); err != nil {
				return printError(err)
			}
			return nil
		}),
	}
}

// An excerptView is the excerpt of an artifact in JSON.
type excerptView struct {
	Digest       string `json:"digest"`
	Size         int64  `json:"size_bytes"` // of the artifact
	Text         string `json:"text"`
	OmittedBytes int64  `json:"omitted_bytes"`
	OmittedLines int64  `json:"omitted_lines"`
	Read         string `json:"read,omitempty"` // the command that prints the gap at the best line that is not shown
}

func viewExcerpt(c *cli.Call, digest string, size int64, x excerpt.Excerpt) excerptView {
	v := excerptView{Digest: digest, Size: size, Text: x.Marked(), OmittedBytes: x.OmittedBytes, OmittedLines: x.OmittedLines}
	if g, ok := x.Next(); ok {
		v.Read = c.ReadCommand(c.Store())(digest) + " " + g.Option()
	}
	return v
}

// endLine returns text with a newline at its end, unless it is empty.
func endLine(text string) string {
	if text == "" || text[len(text)-1] == '\n' {
		return text
	}
	return text + "\n"
}
