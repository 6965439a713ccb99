package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/envwrap/envwrap/internal/term"
)

func artifactRecoverVerb(*World) *verb {
	var store string
	var asJSON bool
	return &verb{
		name:    "recover",
		summary: "make artifacts of output whose writer was killed",
		text:    "Output that is being written is left alone.",
		example: "envwrap artifact recover",
		options: []*option{archiveOption(&store), jsonOption(&asJSON)},
		run: func(_ context.Context, c *call) error {
			if err := c.noWords(); err != nil {
				return err
			}
			return c.recover(store, asJSON)
		},
	}
}

// A salvageView is what became of one part, in JSON.
type salvageView struct {
	Part   string `json:"part"`
	Digest string `json:"digest,omitempty"`
	Size   int64  `json:"size_bytes"`
}

func (c *call) recover(store string, asJSON bool) error {
	a, err := c.openArchive(store)
	if err != nil {
		return err
	}
	defer a.Close()
	views := []salvageView{}
	var failed error
	for _, s := range a.Stores {
		saved, err := s.Recover()
		failed = errors.Join(failed, err)
		for _, one := range saved {
			views = append(views, salvageView(one))
		}
	}
	doc := struct {
		Recovered []salvageView `json:"recovered"`
	}{views}
	return errors.Join(failed, c.answer(asJSON, doc, func(b *strings.Builder) {
		for _, v := range views {
			fmt.Fprintf(b, "%s %10s  %s\n", cmp.Or(v.Digest, "(empty)"), term.Bytes(v.Size), v.Part)
		}
		fmt.Fprintf(b, "%s recovered\n", term.Plural(len(views), "part"))
	}))
}

func artifactReindexVerb(*World) *verb {
	var store string
	var asJSON bool
	return &verb{
		name:    "reindex",
		summary: "rebuild the list of artifacts from the artifacts",
		text: `Adds what the index does not know and drops lines that are damaged. Type and
command of an artifact are known from its line only.`,
		example: "envwrap artifact reindex",
		options: []*option{archiveOption(&store), jsonOption(&asJSON)},
		run: func(_ context.Context, c *call) error {
			if err := c.noWords(); err != nil {
				return err
			}
			return c.reindex(store, asJSON)
		},
	}
}

func (c *call) reindex(store string, asJSON bool) error {
	a, err := c.openArchive(store)
	if err != nil {
		return err
	}
	defer a.Close()
	var doc struct {
		Added   int `json:"added"`
		Dropped int `json:"dropped"`
	}
	for _, s := range a.Stores {
		added, dropped, err := s.Reindex()
		if err != nil {
			return err
		}
		doc.Added += added
		doc.Dropped += dropped
	}
	return c.answer(asJSON, doc, func(b *strings.Builder) {
		fmt.Fprintf(b, "%s added, %d damaged dropped\n", term.Plural(doc.Added, "line"), doc.Dropped)
	})
}
