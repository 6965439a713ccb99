package artifactcmd

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/shared/term"
)

func artifactRecoverVerb(*cli.Env) *cli.Verb {
	return &cli.Verb{
		Name:    "recover",
		Summary: "make artifacts of output whose writer was killed",
		Text:    "Output that is being written is left alone.",
		Has:     cli.HasStore | cli.HasJSON,
		Example: "envwrap artifact recover",
		Run:     onArchive(recoverParts),
	}
}

func recoverParts(c *cli.Call, a *cli.Archive) error {
	views := []artifact.Salvage{}
	var failed error
	for _, s := range a.Stores {
		saved, err := s.Recover()
		failed = errors.Join(failed, err)
		views = append(views, saved...)
	}
	doc := struct {
		Recovered []artifact.Salvage `json:"recovered"`
	}{views}
	return errors.Join(failed, c.Answer(doc, func(b *strings.Builder) {
		for _, v := range views {
			fmt.Fprintf(b, "%s %10s  %s\n", cmp.Or(v.Digest, "(empty)"), term.Bytes(v.Size), v.Part)
		}
		fmt.Fprintf(b, "%s recovered\n", term.Plural(len(views), "part"))
	}))
}

func artifactReindexVerb(*cli.Env) *cli.Verb {
	return &cli.Verb{
		Name:    "reindex",
		Summary: "rebuild the list of artifacts from the artifacts",
		Text: `Adds artifacts that the list lacks and drops damaged lines. Type and command of an
artifact are only in its line, and lost with it.`,
		Has:     cli.HasStore | cli.HasJSON,
		Example: "envwrap artifact reindex",
		Run:     onArchive(reindex),
	}
}

func reindex(c *cli.Call, a *cli.Archive) error {
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
	return c.Answer(doc, func(b *strings.Builder) {
		fmt.Fprintf(b, "%s added, %d damaged dropped\n", term.Plural(doc.Added, "line"), doc.Dropped)
	})
}
