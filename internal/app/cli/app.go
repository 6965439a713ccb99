package cli

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"
)

// Main runs envwrap in w and returns its exit status.
func Main(env *Env) int {
	keepSecondProcessor()
	if err := checkOpenFiles(filesToSpeak); err != nil {
		env.Complain(err)
		return StatusFailed
	}
	if len(env.Args) > 0 {
		called, status, over := env.shimmed().belowClient()
		if over {
			return status
		}
		env = called
	}
	err := dispatch(context.Background(), env)
	var st Status
	var us *UsageError
	switch {
	case err == nil:
		return StatusOK
	case errors.As(err, &st):
		return int(st)
	case errors.As(err, &us):
		env.Complain(us)
		return StatusUsage
	}
	env.Complain(err)
	return StatusFound
}

// keepSecondProcessor lets Go code run on two threads at least. A process that is started
// from a file system that does not answer keeps the thread that starts it, and what runs
// Go code on it (vfork, clone(2)): on one processor no signal and no time limit would be
// seen until then.
func keepSecondProcessor() {
	if runtime.GOMAXPROCS(0) == 1 {
		runtime.GOMAXPROCS(2)
	}
}

// A line is a command line cut at its first --.
type line struct {
	before []string // options and verbs
	after  []string // the command, byte for byte
	dashed bool     // there is a --
}

// cutLine cuts the arguments at the first --, before package flag sees them: that would
// drop the --, and `envwrap -- validate x` would run envwrap's own verb.
func cutLine(args []string) line {
	if i := slices.Index(args, "--"); i >= 0 {
		return line{args[:i:i], args[i+1:], true}
	}
	return line{before: args}
}

// A dispatcher leads from a command line to a verb.
type dispatcher struct {
	*Env
	line
	root  *Verb     // run, which is also the verb of a line without one
	known []*Option // of all verbs that are on the line
}

// dispatch finds the verb that the command line names and runs it.
func dispatch(ctx context.Context, env *Env) error {
	d := &dispatcher{Env: env, line: cutLine(env.Args[min(1, len(env.Args)):])}
	d.root = env.Table.Root(env)
	d.root.Path = []string{}
	d.root.Options = append(d.root.Options, rootOptions()...)
	if len(d.before) == 0 { // `envwrap -- command`: nothing that the library would have to read
		return d.runRoot(ctx, &Call{Env: env, Verb: d.root, Rest: d.after, dashed: d.dashed}, false)
	}
	d.known = slices.Clip(d.root.Options)
	commands := d.commands(env.Table.Verbs, nil)
	d.before = spread(d.before, d.known, strayWord(env.Table.Verbs))
	root := &urfave.Command{
		Flags:        d.flags(d.root.Options),
		Subcommands:  commands,
		Action:       d.action(d.root),
		OnUsageError: d.onUsageError(d.root),
	}
	return follow(root, &urfave.Context{Context: ctx}, d.before)
}

// follow reads the options of cmd, then runs the subcommand that the next word names,
// or cmd itself. The library's App.Run does no more for us, but it links text/template
// for a help that is not ours, and with it every exported method of the program.
func follow(cmd *urfave.Command, parent *urfave.Context, args []string) error {
	set := flagSet(cmd.Flags)
	fault := set.Parse(args)
	c := urfave.NewContext(nil, set, parent)
	c.Command = cmd
	if fault != nil {
		return cmd.OnUsageError(c, fault, true)
	}
	if sub := cmd.Command(c.Args().First()); sub != nil {
		return follow(sub, c, c.Args().Tail())
	}
	return cmd.Action(c)
}

// flags returns options as the library takes them, or none if the line has no option at
// all, which saves the plain `envwrap -- command` some time.
func (d *dispatcher) flags(options []*Option) []urfave.Flag {
	if !slices.ContainsFunc(d.before, func(arg string) bool { return strings.HasPrefix(arg, "-") }) {
		return nil
	}
	return flags(options)
}

// commands returns the verbs whose names are somewhere on the line. That may be more
// than are meant, for instance if a file is named like a verb; follow takes the right
// one.
func (d *dispatcher) commands(rows []Row, parents []string) []*urfave.Command {
	var cmds []*urfave.Command
	for _, r := range rows {
		if slices.Contains(d.before, r.Name) {
			cmds = append(cmds, d.command(r, parents))
		}
	}
	return cmds
}

func (d *dispatcher) command(r Row, parents []string) *urfave.Command {
	v := d.root
	if len(parents) > 0 || r.Name != v.Name {
		v = r.Verb(d.Env)
		v.Options = append(v.Options, helpOption())
		v.Path = append(slices.Clone(parents), r.Name)
		d.known = append(d.known, v.Options...)
	}
	return &urfave.Command{
		Name:         r.Name,
		Flags:        d.flags(v.Options),
		Subcommands:  d.commands(slices.Concat(v.Verbs, v.Hidden), v.Path),
		Action:       d.action(v),
		OnUsageError: d.onUsageError(v),
	}
}

// action returns the function that runs v with what the line says.
func (d *dispatcher) action(v *Verb) urfave.ActionFunc {
	return func(u *urfave.Context) error {
		c := &Call{Env: d.Env, Verb: v, Words: u.Args().Slice(), Rest: d.after, dashed: d.dashed}
		if v == d.root {
			return d.runRoot(u.Context, c, u.Command.Name == v.Name)
		}
		if err := d.runOther(u.Context, c); err != nil {
			return d.refused(c, err)
		}
		return nil
	}
}

// refused returns err, the failure of the call's verb. If the line is wrong it prints help
// where the line asks for that, or returns what the verb does if it reports errors in the
// line itself, in an envelope.
func (d *dispatcher) refused(c *Call, err error) error {
	err = inVerb(c.Verb, err)
	if _, usage := errors.AsType[*UsageError](err); !usage {
		return err
	}
	collect(c.Verb.Options, d.before)
	switch {
	case asked(c.Verb.Options, "help"): // as in --help --all
		return PrintHelp(c.Env, c.Verb)
	case c.Verb.Refuse == nil:
		return err
	}
	return c.Verb.Refuse(c, err)
}

// runRoot runs a line without a verb, or with run if named is set. It prints help or the
// version if the line asks for them.
func (d *dispatcher) runRoot(ctx context.Context, c *Call, named bool) error {
	switch {
	case asked(c.Verb.Options, "help") && named:
		v, err := Find(c.Env, []string{c.Verb.Name})
		if err != nil {
			return err
		}
		return PrintHelp(c.Env, v)
	case asked(c.Verb.Options, "help"):
		return PrintHelp(c.Env, c.Verb)
	case asked(c.Verb.Options, "version"):
		return printVersion(c.Env)
	}
	return c.Verb.Run(ctx, c)
}

// runOther runs any verb but run. Its options may also follow words.
func (d *dispatcher) runOther(ctx context.Context, c *Call) error {
	v := c.Verb
	if err := CheckOpenFiles(); err != nil {
		d.Complain(err)
		return Status(StatusFailed)
	}
	if len(v.Verbs) > 0 && len(c.Words) > 0 && c.Words[0] == "help" { // of a verb below, as in job help ls
		below, err := Find(c.Env, slices.Concat(v.Path, c.Words[1:]))
		if err != nil {
			return err
		}
		return PrintHelp(c.Env, below)
	}
	if err := inherit(v, d.root.Options); err != nil {
		return err
	}
	words, err := permute(v, c.Words)
	if err != nil {
		return err
	}
	c.Words = words
	switch {
	case asked(v.Options, "help"):
		return PrintHelp(c.Env, v)
	case v.Run == nil:
		return missingVerb(v, c.Operands())
	}
	if v.Begin != nil {
		v.Begin(c)
	}
	s, err := d.settingsFor(v)
	if err != nil {
		return err
	}
	c.Applied = s
	if err := resolve(v.Options, s); err != nil {
		return err
	}
	if err := c.checkWords(); err != nil {
		return err
	}
	if v.Takes == AnArtifact {
		if err := c.resolveLast(); err != nil {
			return err
		}
	}
	err = v.Run(ctx, c)
	if v.Prints {
		c.recordRead()
	}
	return err
}

// settingsFor reads the configuration for a verb that has settings.
func (d *dispatcher) settingsFor(v *Verb) (*Settings, error) {
	if !slices.ContainsFunc(v.Options, func(o *Option) bool { return o.Env() != "" }) {
		return d.Variables(), nil
	}
	s, err := d.Settings()
	s.WarnMisspelled(d.Env, v.Options, d.Complain)
	s.Warn(d.Complain, v.Options...)
	if v.Strict {
		return s, cmp.Or(err, s.Unknown())
	}
	s.WarnUnknown(d.Complain)
	return s, err
}

// onUsageError returns the function that reports a line which the library could not
// read.
func (d *dispatcher) onUsageError(v *Verb) urfave.OnUsageErrorFunc {
	return func(u *urfave.Context, err error, _ bool) error {
		c := &Call{Env: d.Env, Verb: v, Rest: d.after, dashed: d.dashed}
		if v != d.root {
			return d.refused(c, flagError(v, d.before, err))
		}
		collect(v.Options, d.before)
		if asked(v.Options, "help") {
			return PrintHelp(c.Env, v)
		}
		c.Fault = flagError(v, d.before, err)
		return v.Run(u.Context, c)
	}
}

// How many files have to be free to be opened: to read the configuration and to write
// an envelope, and for all that envwrap does. A run that stores both streams has up to 17.
const (
	filesToSpeak = 6
	filesToAct   = 18
)

// CheckOpenFiles returns a [UsageError] where fewer files can be opened than a run or
// another verb may need.
func CheckOpenFiles() error { return checkOpenFiles(filesToAct) }
