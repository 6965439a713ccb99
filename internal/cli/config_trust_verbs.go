package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/envwrap/envwrap/internal/session"
	"github.com/envwrap/envwrap/internal/term"
	"github.com/envwrap/envwrap/internal/trust"
	"github.com/envwrap/envwrap/redact"
)

func configTrustVerb(*World) *verb {
	return &verb{
		name:    "trust",
		args:    "[FILE]",
		takes:   aFile,
		summary: "let a project's file set everything, as it is now",
		text: `It prints what the file asks for, and keeps its path and one digest over it and
the files that it names. Once one of them changes the file has to be trusted again.
Without FILE it is the .envwrap.toml that holds here. Runners, remotes and trusted keys,
and a store in a work tree, are never taken from a project's file.`,
		example: "envwrap config trust\nenvwrap config trust ~/src/app/.envwrap.toml",
		run: func(_ context.Context, c *call) error {
			path, err := c.projectWord()
			if err != nil {
				return err
			}
			return c.trust(path)
		},
	}
}

func configUntrustVerb(*World) *verb {
	return &verb{
		name:    "untrust",
		args:    "[FILE]",
		takes:   aFile,
		summary: "take back that a project's file is trusted",
		text:    "Without FILE it is the .envwrap.toml that holds here. FILE need not be there any more.",
		example: "envwrap config untrust\nenvwrap config untrust ~/src/app/.envwrap.toml",
		run: func(_ context.Context, c *call) error {
			path, err := c.projectWord()
			if err != nil {
				return err
			}
			return c.untrust(path)
		},
	}
}

// projectWord is the project's file that the line names, else the one that
// holds here.
func (c *call) projectWord() (string, error) {
	words := c.args()
	switch {
	case len(words) > 1:
		return "", usagef("unexpected word %q", words[1])
	case len(words) == 1 && filepath.Base(words[0]) != projectFile:
		return "", &usageError{text: fmt.Sprintf("%q is no project's file", words[0]), hint: "A project's file is called " + projectFile + "."}
	case len(words) == 1:
		return c.path(words[0]), nil
	}
	if path := c.projectConfig(); path != "" {
		return path, nil
	}
	return "", fmt.Errorf("there is no %s between %q and the root of its repository: name the file", projectFile, c.directory())
}

// trust prints what a project's file asks for and adds it to the list. What was
// printed is what was hashed.
func (c *call) trust(path string) error {
	state := c.session().StateDir()
	if len(state) == 0 {
		return errNoState
	}
	f, err := readProjectConfig(path)
	if err == nil && f == nil {
		err = errors.New("there is no such file")
	}
	if err != nil {
		return fmt.Errorf("trust %q: %w", path, cause(err))
	}
	f.dir = session.ResolveLinks(f.dir)
	options := keyedOptions(c.World)
	parts, _, err := c.partsOf(f, options)
	if err != nil {
		return fmt.Errorf("trust %q: %w", path, err)
	}
	if err := c.takeTrusted(f, options); err != nil {
		return err
	}
	for _, text := range f.ignored {
		c.complain(errors.New(text))
	}
	entry := &trust.Entry{Path: f.key(), Digest: trust.Digest(parts), Trusted: c.Now().UTC()}
	if err := c.answer(false, nil, func(b *strings.Builder) { c.writeRequests(b, f, parts) }); err != nil {
		return err
	}
	if err := trust.Add(state[0], entry); err != nil {
		return fmt.Errorf("trust %q: %w", path, err)
	}
	return c.answer(false, nil, func(b *strings.Builder) {
		fmt.Fprintf(b, "trusted as it is now: %s\n", entry.Digest)
	})
}

// errNoState says that there is no place for the list of trusted files.
var errNoState = errors.New("nothing says where your state directory is: set HOME or XDG_STATE_HOME")

// writeRequests lists what a project's file asks for.
func (c *call) writeRequests(b *strings.Builder, f *configFile, parts []trust.Part) {
	masker := redact.New(redact.Options{Values: redact.EnvValues(c.Environ)})
	fmt.Fprintf(b, "%s asks for\n", visible(f.key()))
	for _, key := range f.keys {
		values, taken := f.values[key]
		if !taken {
			continue // the warning has it
		}
		shown, _ := masker.Args(values)
		fmt.Fprintf(b, "  %s = %s\n", visible(key), visible(strings.Join(shown, ", ")))
	}
	for _, p := range parts[1:] {
		_, path, _ := strings.Cut(p.Name, "=")
		if p.Missing {
			fmt.Fprintf(b, "  file %s: not there\n", visible(path))
			continue
		}
		fmt.Fprintf(b, "  file %s: %s\n", visible(path), term.Bytes(int64(len(p.Text))))
	}
}

// untrust removes a project's file from the list.
func (c *call) untrust(path string) error {
	state := c.session().StateDir()
	if len(state) == 0 {
		return errNoState
	}
	path = filepath.Join(session.ResolveLinks(filepath.Dir(path)), projectFile)
	switch err := trust.Remove(state[0], path); {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s is not trusted", visible(path))
	case err != nil:
		return fmt.Errorf("untrust %q: %w", path, err)
	}
	return c.answer(false, nil, func(b *strings.Builder) { fmt.Fprintf(b, "no longer trusted: %s\n", visible(path)) })
}
