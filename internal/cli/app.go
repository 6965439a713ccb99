package cli

import (
	"context"
	"errors"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"
)

// A line is a command line cut at its first --.
type line struct {
	before []string // options and verbs
	after  []string // the command, byte for byte
	dashed bool     // there is a --
}

// cutLine cuts the arguments before any library sees them: the library drops
// the --, and would take `envwrap -- validate x` for a verb of ours.
func cutLine(args []string) line {
	if i := slices.Index(args, "--"); i >= 0 {
		return line{args[:i:i], args[i+1:], true}
	}
	return line{before: args}
}

// A dispatcher leads from a command line to a verb.
type dispatcher struct {
	*World
	line
	root  *verb     // run, which is also what happens without a verb
	known []*option // of all verbs that are on the line
}

// dispatch finds the verb that the command line names and runs it.
func dispatch(ctx context.Context, w *World) error {
	d := &dispatcher{World: w, line: cutLine(w.Args[min(1, len(w.Args)):])}
	d.root = runVerb(w)
	d.root.path = []string{}
	d.root.options = append(d.root.options, helpOption(), versionOption())
	if len(d.before) == 0 { // `envwrap -- command`: nothing that the library would have to read
		return d.runRoot(ctx, &call{World: w, verb: d.root, rest: d.after, dashed: d.dashed}, false)
	}
	d.known = slices.Clip(d.root.options)
	commands := d.commands(verbs(), nil)
	d.before = spread(d.before, d.known, strayWord())
	app := &urfave.App{
		Name:            "envwrap",
		HideHelp:        true,    // help is our own, and on stdout only when asked for
		HideHelpCommand: true,    // else `run -- help` would print it
		Compiled:        w.Now(), // else the library looks at the program's file
		Reader:          w.Stdin,
		Writer:          w.Stderr,
		ErrWriter:       w.Stderr,
		ExitErrHandler:  func(*urfave.Context, error) {}, // only main ends the program
		Flags:           d.flags(d.root.options),
		Commands:        commands,
		Action:          d.action(d.root),
		OnUsageError:    d.onUsageError(d.root),

		DisableSliceFlagSeparator: true,
	}
	return app.RunContext(ctx, append([]string{app.Name}, d.before...))
}

// flags shows options to the library, or none where the line has none: that
// saves the plain `envwrap -- command` some time.
func (d *dispatcher) flags(options []*option) []urfave.Flag {
	if !slices.ContainsFunc(d.before, func(arg string) bool { return strings.HasPrefix(arg, "-") }) {
		return nil
	}
	return flags(options)
}

// commands makes the verbs whose names stand somewhere on the line. That may
// be more than are meant, for instance where a file is named like a verb; the
// library takes the right one.
func (d *dispatcher) commands(rows []row, parents []string) []*urfave.Command {
	var cmds []*urfave.Command
	for _, r := range rows {
		if slices.Contains(d.before, r.name) {
			cmds = append(cmds, d.command(r, parents))
		}
	}
	return cmds
}

func (d *dispatcher) command(r row, parents []string) *urfave.Command {
	v := d.root
	if len(parents) > 0 || r.name != v.name {
		v = r.make(d.World)
		v.options = append(v.options, helpOption())
		v.path = append(slices.Clone(parents), r.name)
		d.known = append(d.known, v.options...)
	}
	return &urfave.Command{
		Name:            r.name,
		HideHelp:        true,
		HideHelpCommand: true,
		Flags:           d.flags(v.options),
		Subcommands:     d.commands(slices.Concat(v.verbs, v.hidden), v.path),
		Action:          d.action(v),
		OnUsageError:    d.onUsageError(v),
	}
}

// action gathers what the line says to v and runs it.
func (d *dispatcher) action(v *verb) urfave.ActionFunc {
	return func(u *urfave.Context) error {
		c := &call{World: d.World, verb: v, words: u.Args().Slice(), rest: d.after, dashed: d.dashed}
		if v == d.root {
			return d.runRoot(u.Context, c, u.Command.Name == v.name)
		}
		if err := d.runOther(u.Context, c); err != nil {
			return d.refused(c, err)
		}
		return nil
	}
}

// refused is the end of a verb that has failed. A wrong line is reported by the verb
// itself where that prints envelopes about it.
func (d *dispatcher) refused(c *call, err error) error {
	err = inVerb(c.verb, err)
	if _, usage := errors.AsType[*usageError](err); !usage || c.verb.refuse == nil {
		return err
	}
	collect(c.verb.options, d.before)
	return c.verb.refuse(c, err)
}

// runRoot is what happens without a verb, or with run where that is named.
func (d *dispatcher) runRoot(ctx context.Context, c *call, named bool) error {
	switch {
	case asked(c.verb.options, "help") && named:
		v, err := find(c.World, []string{c.verb.name})
		if err != nil {
			return err
		}
		return printHelp(c.World, v)
	case asked(c.verb.options, "help"):
		return printHelp(c.World, c.verb)
	case asked(c.verb.options, "version"):
		return printVersion(c.World)
	}
	return c.verb.run(ctx, c)
}

// runOther runs any other verb: there, options may also follow words.
func (d *dispatcher) runOther(ctx context.Context, c *call) error {
	v := c.verb
	if err := inherit(v, d.root.options); err != nil {
		return err
	}
	words, err := permute(v, c.words)
	if err != nil {
		return err
	}
	c.words = words
	switch {
	case asked(v.options, "help"):
		return printHelp(c.World, v)
	case v.run == nil:
		return missingVerb(v, c.args())
	}
	s, err := d.settingsFor(v)
	if err != nil {
		return err
	}
	if err := resolve(v.options, s); err != nil {
		return err
	}
	return v.run(ctx, c)
}

// settingsFor reads the configuration for a verb that has settings.
func (d *dispatcher) settingsFor(v *verb) (*settings, error) {
	if !slices.ContainsFunc(v.options, func(o *option) bool { return o.env() != "" }) {
		return d.variables(), nil
	}
	s, err := d.settings()
	s.tell(d.complain)
	return s, err
}

// onUsageError judges a line that the library could not read.
func (d *dispatcher) onUsageError(v *verb) urfave.OnUsageErrorFunc {
	return func(u *urfave.Context, err error, _ bool) error {
		c := &call{World: d.World, verb: v, rest: d.after, dashed: d.dashed}
		if v != d.root {
			return d.refused(c, flagError(v, d.before, err))
		}
		collect(v.options, d.before)
		if asked(v.options, "help") {
			return printHelp(c.World, v)
		}
		c.fault = flagError(v, d.before, err)
		return v.run(u.Context, c)
	}
}
