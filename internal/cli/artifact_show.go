package cli

import (
	"context"
	"io"

	"github.com/envwrap/envwrap/excerpt"
)

// defaultExcerpt is how many bytes of excerpt artifact show prints.
const defaultExcerpt = 8 << 10

func artifactShowVerb(*World) *verb {
	var store string
	var lines lineSpan
	budget := defaultExcerpt
	return &verb{
		name:    "show",
		args:    "ID...",
		takes:   anArtifact,
		summary: "print what a diagnosis needs of an artifact: failures, summaries, the end",
		text: `Each run of lines that is left out is a line of its own, with their numbers:
... 412 lines (118-529) ... Print them with artifact cat --lines 118:529.
Colours are taken out, and lines that were redrawn are shown as they were last.`,
		example: "envwrap artifact show 2cf24dba\nenvwrap artifact show --excerpt 32KiB 2cf24dba\nenvwrap artifact show --lines 118:529 2cf24dba",
		options: []*option{
			archiveOption(&store),
			{
				name: "excerpt", value: "SIZE", def: "8KiB", noEnv: true,
				help: "the most bytes to print", set: into(&budget, characters),
			},
			linesOption(&lines),
		},
		run: eachArtifact(&store, func(_ context.Context, c *call, a *archive, id string) error {
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
				w.FirstLine, w.FirstByte = int64(lines.first), from
				r = io.NewSectionReader(o, from, to-from)
			}
			if err := copyTo(&w, r); err != nil {
				return err
			}
			_, err = io.WriteString(c.Stdout, endLine(w.Excerpt(budget).Text))
			if err != nil {
				return printError(err)
			}
			return nil
		}),
	}
}

// endLine returns text with a newline at its end, unless it is empty.
func endLine(text string) string {
	if text == "" || text[len(text)-1] == '\n' {
		return text
	}
	return text + "\n"
}
