package artifactcmd

import (
	"fmt"
	"strings"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/shared/term"
)

func artifactDuVerb(*cli.Env) *cli.Verb {
	return &cli.Verb{
		Name:    "du",
		Summary: "print how much disk the store uses",
		Has:     cli.HasStore | cli.HasJSON,
		Example: "envwrap artifact du\nenvwrap artifact du --json",
		Run:     onArchive(usage),
	}
}

// A usageView is the disk space that one store takes, in JSON.
type usageView struct {
	Store string `json:"store"`
	*artifact.Usage
}

func usage(c *cli.Call, a *cli.Archive) error {
	views := []usageView{}
	for _, s := range a.Stores {
		u, err := s.Usage()
		if err != nil {
			return err
		}
		views = append(views, usageView{s.Dir(), u})
	}
	doc := struct {
		Stores []usageView `json:"stores"`
	}{views}
	return c.Answer(doc, func(b *strings.Builder) {
		for _, v := range views {
			v.write(b, c.Screen())
		}
	})
}

func (v *usageView) write(b *strings.Builder, on term.Screen) {
	t := &term.Table{Columns: []term.Column{{}, {Right: true}, {Fit: term.Folded, Least: 10}}}
	line := func(name string, size int64, note string) {
		t.Add("  "+name, term.Bytes(size), note)
	}
	line("objects", v.Bytes, fmt.Sprintf("%d, of which %d pinned", v.Objects, v.Pinned))
	if v.Packed > 0 {
		line("packed", v.PackedBytes, fmt.Sprintf("%d of the objects", v.Packed))
	}
	line("parts", v.PartBytes, fmt.Sprintf("%d, being written or left", v.Parts))
	line("index", v.Index, "what artifact ls shows")
	line("quarantine", v.Quarantine, "found corrupt")
	if v.Free >= 0 {
		line("free", v.Free, "on this disk")
	}
	b.WriteString(v.Store + "\n")
	t.Write(b, on)
}
