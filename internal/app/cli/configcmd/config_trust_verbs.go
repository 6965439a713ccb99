package configcmd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/session"
	"github.com/envwrap/envwrap/internal/app/trust"
	"github.com/envwrap/envwrap/internal/platform/safefs"
	"github.com/envwrap/envwrap/internal/shared/term"
	"github.com/envwrap/envwrap/redact"
)

func configTrustVerb(*cli.Env) *cli.Verb {
	return &cli.Verb{
		Name:    "trust",
		Args:    "[FILE]",
		Takes:   cli.AFile,
		Summary: "trust a project's file as it is now",
		Text: `It prints what the file asks for, and keeps its path and one digest over it and
the files that it names. Once one of them changes the file has to be trusted again.
The default FILE is the nearest .envwrap.toml. Runners, remotes and trusted keys,
and a store in a work tree, are never taken from a project's file.`,
		Example: "envwrap config trust\nenvwrap config trust ~/src/app/.envwrap.toml",
		Run:     onProjectFile(trustFile),
	}
}

func configUntrustVerb(*cli.Env) *cli.Verb {
	return &cli.Verb{
		Name:    "untrust",
		Args:    "[FILE]",
		Takes:   cli.AFile,
		Summary: "no longer trust a project's file",
		Text:    "The default FILE is the nearest .envwrap.toml. FILE may have been removed.",
		Example: "envwrap config untrust\nenvwrap config untrust ~/src/app/.envwrap.toml",
		Run:     onProjectFile(untrustFile),
	}
}

// onProjectFile makes a verb's action from what it does with a project's file.
func onProjectFile(do func(c *cli.Call, state, path string) error) func(context.Context, *cli.Call) error {
	return func(_ context.Context, c *cli.Call) error {
		path, err := projectWord(c)
		if err != nil {
			return err
		}
		state := c.Session().StateDir()
		if len(state) == 0 {
			return errNoState
		}
		return do(c, state[0], path)
	}
}

// projectWord returns the project's file that the line names, else the one that
// holds here.
func projectWord(c *cli.Call) (string, error) {
	words := c.Operands()
	switch {
	case len(words) == 1 && filepath.Base(words[0]) != cli.ProjectFile:
		return "", &cli.UsageError{Text: fmt.Sprintf("%q is not a project's file", words[0]), Hint: "A project's file is called " + cli.ProjectFile + "."}
	case len(words) == 1:
		return c.Path(words[0]), nil
	}
	if path := c.ProjectConfig(); path != "" {
		return path, nil
	}
	return "", fmt.Errorf("there is no %s between %q and the root of its repository: name the file", cli.ProjectFile, c.Directory())
}

// trustFile prints what a project's file asks for and adds it to the list. The
// text that it prints is the text that it hashes.
func trustFile(c *cli.Call, state, path string) error {
	f, err := cli.ReadProjectConfig(path)
	if err == nil && f == nil {
		err = errors.New("there is no such file")
	}
	if err != nil {
		return fmt.Errorf("trust %q: %w", path, safefs.Cause(err))
	}
	f.Dir = session.ResolveLinks(f.Dir)
	options := cli.KeyedOptions(c.Env)
	parts, _, err := c.PartsOf(f, options)
	if err != nil {
		return fmt.Errorf("trust %q: %w", path, err)
	}
	if err := c.TakeTrusted(f, options); err != nil {
		return err
	}
	if err := f.Unknown(); err != nil {
		return err
	}
	for _, text := range f.Ignored {
		c.Complain(errors.New(text))
	}
	entry := &trust.Entry{Path: f.Key(), Digest: trust.Digest(parts), Trusted: c.Now().UTC()}
	if err := c.Show(func(b *strings.Builder) { writeRequests(c, b, f, parts) }); err != nil {
		return err
	}
	if err := trust.Add(state, entry); err != nil {
		return fmt.Errorf("trust %q: %w", path, err)
	}
	return c.Show(func(b *strings.Builder) {
		fmt.Fprintf(b, "trusted as it is now: %s\n", entry.Digest)
	})
}

// errNoState says that there is no place for the list of trusted files.
var errNoState = errors.New("nothing says where your state directory is: set HOME or XDG_STATE_HOME")

// writeRequests lists what a project's file asks for.
func writeRequests(c *cli.Call, b *strings.Builder, f *cli.ConfigFile, parts []trust.Part) {
	masker := redact.New(redact.Options{Values: redact.EnvValues(c.Environ)})
	fmt.Fprintf(b, "%s asks for\n", term.Visible(f.Key()))
	for _, key := range f.Keys {
		values, taken := f.Values[key]
		if !taken {
			continue // the warning has it
		}
		shown, _ := masker.Args(values)
		fmt.Fprintf(b, "  %s = %s\n", term.Visible(key), term.Visible(strings.Join(shown, ", ")))
	}
	for _, p := range parts[1:] {
		_, path, _ := strings.Cut(p.Name, "=")
		if p.Missing {
			fmt.Fprintf(b, "  file %s: not there\n", term.Visible(path))
			continue
		}
		fmt.Fprintf(b, "  file %s: %s\n", term.Visible(path), term.Bytes(int64(len(p.Text))))
	}
}

// untrustFile removes a project's file from the list.
func untrustFile(c *cli.Call, state, path string) error {
	path = filepath.Join(session.ResolveLinks(filepath.Dir(path)), cli.ProjectFile)
	switch err := trust.Remove(state, path); {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s is not trusted", term.Visible(path))
	case err != nil:
		return fmt.Errorf("untrust %q: %w", path, err)
	}
	return c.Show(func(b *strings.Builder) { fmt.Fprintf(b, "no longer trusted: %s\n", term.Visible(path)) })
}
