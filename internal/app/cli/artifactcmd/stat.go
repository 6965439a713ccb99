package artifactcmd

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/shared/term"
)

func artifactStatVerb(*cli.Env) *cli.Verb {
	return &cli.Verb{
		Name:    "stat",
		Args:    "ID...",
		Takes:   cli.AnArtifact,
		Summary: "print the size, command, age and pins of an artifact",
		Has:     cli.HasStore | cli.HasJSON,
		Example: "envwrap artifact stat sha256:2cf24dba\nenvwrap artifact stat --json 2cf24dba",
		Run: eachArtifact(func(c *cli.Call, a *cli.Archive, id string) error {
			d, err := a.Stat(id)
			if err != nil {
				return err
			}
			v := viewDetail(d, c.Sources(c.Store()))
			return c.Answer(v, func(b *strings.Builder) { v.write(b, d, c.Now()) })
		}),
	}
}

// A detailView is the Detail of an artifact, in JSON.
type detailView struct {
	entryView
	Store    string    `json:"store"`
	Modified string    `json:"modified"`
	Disk     int64     `json:"disk_bytes"`
	Packed   bool      `json:"packed"`
	Pins     []pinView `json:"pins"`
}

type pinView struct {
	Owner string `json:"owner"`
	Until string `json:"until,omitempty"`
}

func viewDetail(d *artifact.Detail, sources map[string]*cli.Source) detailView {
	v := detailView{
		entryView: viewEntry(&d.Entry, sources), Store: d.Store, Modified: cli.Stamp(d.Modified),
		Disk: d.Disk, Packed: d.Packed, Pins: []pinView{},
	}
	for _, p := range d.Pins {
		v.Pins = append(v.Pins, pinView{p.Owner, endOf(p.Until)})
	}
	return v
}

func (v *detailView) write(b *strings.Builder, d *artifact.Detail, now time.Time) {
	line := func(name, value string) { fmt.Fprintf(b, "%-10s %s\n", name+":", term.Visible(value)) }
	line("digest", v.Digest)
	line("size", fmt.Sprintf("%d (%s)", d.Size, term.Bytes(d.Size)))
	if v.Packed {
		line("packed", fmt.Sprintf("%d (%s)", d.Disk, term.Bytes(d.Disk)))
	}
	line("stored", v.Modified)
	line("age", term.Age(now.Sub(d.Modified)))
	line("kind", cmp.Or(v.Kind, "-"))
	line("command", commandOf(&d.Entry, v.Source))
	line("stream", cmp.Or(v.Stream, "-"))
	line("status", v.Status())
	line("directory", directoryOf(v.Source))
	line("run", cmp.Or(v.Run, "-"))
	line("store", v.Store)
	for _, p := range v.Pins {
		line("pinned", p.Owner+", "+cmp.Or(p.Until, "for ever"))
	}
}

func artifactPathVerb(*cli.Env) *cli.Verb {
	return &cli.Verb{
		Name:    "path",
		Args:    "ID...",
		Takes:   cli.AnArtifact,
		Summary: "print the path of an artifact's file",
		Text: `The file is read-only, and is removed together with the artifact. A packed artifact
has no plain file: use artifact cat.`,
		Has:     cli.HasStore | cli.HasJSON,
		Example: "less \"$(envwrap artifact path sha256:2cf24dba)\"",
		Run: eachArtifact(func(c *cli.Call, a *cli.Archive, id string) error {
			path, err := a.Path(id)
			if err != nil {
				return err
			}
			digest, err := a.Resolve(id)
			if err != nil {
				return err
			}
			v := struct {
				Digest string `json:"digest"`
				Path   string `json:"path"`
			}{digest, path}
			return c.Answer(v, func(b *strings.Builder) { b.WriteString(path + "\n") })
		}),
	}
}
