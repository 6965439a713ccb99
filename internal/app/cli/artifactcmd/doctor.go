package artifactcmd

import (
	"context"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/shared/term"
)

func artifactDoctorVerb(*cli.Env) *cli.Verb {
	return &cli.Verb{
		Name:    "doctor",
		Summary: "check the place of the store, with advice",
		Text: `Checks permissions, file system, locks, links, the cost of a sync and free space,
and lists what does not belong in the store. The status is 1 if the store does not
work as it should.`,
		Has:     cli.HasStore | cli.HasJSON,
		Example: "envwrap artifact doctor",
		Run:     doctor,
	}
}

// A storeView has the findings of doctor about one directory.
type storeView struct {
	Store    string             `json:"store"`
	Findings []artifact.Finding `json:"findings"`
	bad      bool
}

// doctor checks the store in use: the first that works.
func doctor(_ context.Context, c *cli.Call) error {
	var places []storeView
	for _, dir := range c.StoreDirs(c.Store()) {
		p := storeView{Store: dir, Findings: artifact.Doctor(artifact.Options{Dir: dir, Now: c.Now})}
		p.bad = slices.ContainsFunc(p.Findings, func(f artifact.Finding) bool { return f.Level == artifact.Bad })
		places = append(places, p)
		if p.Findings[0].Level != artifact.Bad {
			break
		}
	}
	doc := struct {
		Places []storeView `json:"places"`
	}{places}
	err := c.Answer(doc, func(b *strings.Builder) {
		for _, p := range places {
			p.write(b, c.Screen())
		}
	})
	if err == nil && places[0].bad {
		err = cli.Status(cli.StatusFound)
	}
	return err
}

func (p *storeView) write(b *strings.Builder, on term.Screen) {
	t := &term.Table{Columns: []term.Column{{}, {}, {Fit: term.Folded, Least: 20}}}
	for _, f := range p.Findings {
		t.Add("  "+f.Level.String(), f.Name, f.Text)
		if f.Advice != "" {
			t.Add("", "", "-> "+f.Advice)
		}
	}
	b.WriteString(p.Store + "\n")
	t.Write(b, on)
}
