package cli

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/envwrap/envwrap/internal/term"
	"github.com/envwrap/envwrap/redact"
)

func configVerb(*World) *verb {
	var asJSON bool
	return &verb{
		name:    "config",
		args:    "[VERB]",
		summary: "show every setting and where it comes from; trust a project's file",
		text: `A setting comes from its variable, from the nearest .envwrap.toml between the working
directory and the root of its repository, from the user's own file, or is the
default. Keys of the files are the long names of options: timeout = "5m".
A project's file may change how an envelope looks and make limits stricter. All else
in it is ignored until you trust the file, as it is now: envwrap config trust.`,
		example: "envwrap config\nenvwrap config --json\nenvwrap config trust\nenvwrap config untrust",
		options: []*option{jsonOption(&asJSON)},
		verbs:   []row{{"trust", configTrustVerb}, {"untrust", configUntrustVerb}},
		run: func(_ context.Context, c *call) error {
			if err := c.noWords(); err != nil {
				return err
			}
			return c.showConfig(asJSON)
		},
	}
}

// A setting is an option's value and where it comes from.
type setting struct {
	Name   string   `json:"name"`
	Value  []string `json:"value"` // as it was given; a default in words
	Source string   `json:"source"`
}

// A project is what the view says of the project's file.
type project struct {
	Path    string   `json:"path"`
	Trust   string   `json:"trust"` // trusted, untrusted or changed
	Ignored []string `json:"ignored_keys,omitempty"`
}

// A configView is the answer of config.
type configView struct {
	Files    []string  `json:"files"`
	Project  *project  `json:"project,omitempty"`
	Ignored  []string  `json:"ignored,omitempty"`
	Settings []setting `json:"settings"`
}

func (c *call) showConfig(asJSON bool) error {
	s, err := c.settings()
	if err != nil {
		return err
	}
	view := configView{Files: []string{}, Settings: []setting{}}
	for _, f := range s.files {
		view.Files = append(view.Files, f.path)
		view.Ignored = append(view.Ignored, f.ignored...)
		if f.state != "" {
			view.Project = &project{Path: f.path, Trust: f.state, Ignored: f.refused}
		}
	}
	s.tell(c.complain)
	masker := redact.New(redact.Options{Values: redact.EnvValues(c.Environ)})
	for _, o := range keyedOptions(c.World) {
		set, err := o.shown(s)
		if err != nil {
			return err
		}
		set.Value, _ = masker.Args(set.Value)
		view.Settings = append(view.Settings, set)
	}
	return c.answer(asJSON, view, func(b *strings.Builder) {
		view.table().Write(b, c.screen())
		view.Project.write(b)
	})
}

// write adds a line about the project's file.
func (p *project) write(b *strings.Builder) {
	if p == nil {
		return
	}
	fmt.Fprintf(b, "\nproject file %s: %s", visible(p.Path), p.Trust)
	if len(p.Ignored) > 0 {
		b.WriteString("; ignored: " + visible(strings.Join(p.Ignored, ", ")))
	}
	b.WriteByte('\n')
}

// shown is what holds for the option, and where that comes from; of one whose
// values add up that is several places.
func (o *option) shown(s *settings) (setting, error) {
	held := setting{Name: o.name}
	var places []string
	for i, f := range o.find(s) {
		if err := o.take(f); err != nil {
			return held, err
		}
		if i > 0 && !o.adds {
			continue // it holds beside the look of a project's file
		}
		held.Value, places = append(held.Value, f.given...), append(places, f.from.place)
	}
	held.Source = strings.Join(places, ", ")
	if len(places) == 0 {
		held.Value, held.Source = []string{cmp.Or(o.def, docDefaultOf(o))}, "default"
	}
	return held, nil
}

// docDefaultOf is the default of an option whose row names none.
func docDefaultOf(o *option) string {
	if o.value == "" {
		return "off"
	}
	return "none"
}

// table has a row a setting.
func (v *configView) table() *term.Table {
	t := &term.Table{Columns: []term.Column{
		{Name: "SETTING"},
		{Name: "VALUE", Fit: term.Folded, Least: 8},
		{Name: "FROM", Fit: term.Folded, Least: 10},
	}}
	for _, s := range v.Settings {
		t.Add(s.Name, visible(s.text()), visible(s.Source))
	}
	return t
}

func (s *setting) text() string { return strings.Join(s.Value, ", ") }
