// Package configcmd has the verbs that configure envwrap: config, and hook, shim and
// mcp, which make other programs call it.
package configcmd

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/shared/errtext"
	"github.com/envwrap/envwrap/internal/shared/term"
	"github.com/envwrap/envwrap/redact"
)

// ConfigVerb returns the verb config.
func ConfigVerb(*cli.Env) *cli.Verb {
	return &cli.Verb{
		Name:    "config",
		Args:    "[VERB]",
		Summary: "show settings and their source; trust a project's file",
		Text: `A setting comes from its variable, from the nearest .envwrap.toml between the working
directory and the root of its repository, from the user's own file, or is the
default. Keys of the files are the long names of options: timeout = "5m".
A project's file may change how an envelope looks and make limits stricter. All else
in it is ignored until you trust the file, as it is now: envwrap config trust.`,
		Has:     cli.HasJSON,
		Example: "envwrap config\nenvwrap config --json\nenvwrap config trust\nenvwrap config untrust",
		Verbs:   []cli.Row{{Name: "trust", Make: configTrustVerb}, {Name: "untrust", Make: configUntrustVerb}},
		Run:     func(_ context.Context, c *cli.Call) error { return showConfig(c) },
	}
}

// A setting is an option's value and where it comes from.
type setting struct {
	Name   string   `json:"name"`
	Value  []string `json:"value"` // as it was given; a default in words
	Source string   `json:"source"`
}

// A projectView is the part of the answer about the project's file.
type projectView struct {
	Path    string   `json:"path"`
	Trust   string   `json:"trust"` // trusted, untrusted or changed
	Ignored []string `json:"ignored_keys,omitempty"`
}

// A configView is the answer of config.
type configView struct {
	Files    []string     `json:"files"`
	Project  *projectView `json:"project,omitempty"`
	Ignored  []string     `json:"ignored,omitempty"`
	Settings []setting    `json:"settings"`
}

func showConfig(c *cli.Call) error {
	s, err := c.Settings()
	if err != nil {
		return err
	}
	view := configView{Files: []string{}, Settings: []setting{}}
	for _, f := range s.Files {
		view.Files = append(view.Files, f.Path)
		view.Ignored = append(view.Ignored, f.Ignored...)
		if f.State != "" {
			view.Project = &projectView{Path: f.Path, Trust: f.State, Ignored: f.Refused}
		}
	}
	s.Warn(c.Complain)
	s.WarnUnknown(c.Complain)
	masker := redact.New(redact.Options{Values: redact.EnvValues(c.Environ)})
	view.Ignored = masked(masker, view.Ignored)
	if view.Project != nil {
		view.Project.Ignored = masked(masker, view.Project.Ignored)
	}
	for _, o := range cli.KeyedOptions(c.Env) {
		set, err := settingOf(o, s)
		if err != nil {
			return err
		}
		set.Value, _ = masker.Args(set.Value)
		view.Settings = append(view.Settings, set)
	}
	return c.Answer(view, func(b *strings.Builder) {
		view.table().Write(b, c.Screen())
		view.Project.write(b)
	})
}

// masked returns texts with their secrets masked.
func masked(masker *redact.Redactor, texts []string) []string {
	out := slices.Clone(texts)
	for i, text := range texts {
		text, _ = masker.String(text)
		out[i] = errtext.Bound(text)
	}
	return out
}

// write adds a line about the project's file.
func (p *projectView) write(b *strings.Builder) {
	if p == nil {
		return
	}
	fmt.Fprintf(b, "\nproject file %s: %s", term.Visible(p.Path), p.Trust)
	if len(p.Ignored) > 0 {
		b.WriteString("; ignored: " + term.Visible(strings.Join(p.Ignored, ", ")))
	}
	b.WriteByte('\n')
}

// settingOf returns what holds for the option, and where that comes from; of one whose
// values add up that is several places.
func settingOf(o *cli.Option, s *cli.Settings) (setting, error) {
	held := setting{Name: o.Name}
	var places []string
	for i, f := range o.Find(s) {
		if err := o.Take(f); err != nil {
			return held, err
		}
		if i > 0 && !o.Adds {
			continue // it holds beside the look of a project's file
		}
		held.Value, places = append(held.Value, f.Given...), append(places, f.From.Place)
	}
	held.Source = strings.Join(places, ", ")
	if len(places) == 0 {
		held.Value, held.Source = []string{cmp.Or(o.Def, docDefaultOf(o))}, "default"
	}
	return held, nil
}

// docDefaultOf returns the default of an option whose row names none.
func docDefaultOf(o *cli.Option) string {
	if o.Value == "" {
		return "off"
	}
	return "none"
}

// table returns a table with a row for each setting.
func (v *configView) table() *term.Table {
	t := &term.Table{Columns: []term.Column{
		{Name: "SETTING"},
		{Name: "VALUE", Fit: term.Folded, Least: 8},
		{Name: "FROM", Fit: term.Folded, Least: 10},
	}}
	for _, s := range v.Settings {
		t.Add(s.Name, term.Visible(strings.Join(s.Value, ", ")), term.Visible(s.Source))
	}
	return t
}
