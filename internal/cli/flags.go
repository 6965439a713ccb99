package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"
)

// An optionFlag shows a row to urfave/cli. It only collects what was given:
// values are judged once all of the line is known, since a wrong one is told
// in the format that the line asks for.
type optionFlag struct{ *option }

func (f optionFlag) String() string   { return "--" + f.name }
func (f optionFlag) Names() []string  { return []string{f.name} }
func (f optionFlag) IsSet() bool      { return len(f.given) > 0 }
func (f optionFlag) IsBoolFlag() bool { return f.value == "" }

// Set takes one value from the command line.
func (f optionFlag) Set(v string) error {
	f.given = append(f.given, v)
	return nil
}

// Apply registers both names. The library knows only the long one, or it would
// copy values from one to the other.
func (f optionFlag) Apply(set *flag.FlagSet) error {
	set.Var(f, f.name, "")
	if f.short != "" {
		set.Var(f, f.short, "")
	}
	return nil
}

func flags(options []*option) []urfave.Flag {
	fs := make([]urfave.Flag, len(options))
	for i, o := range options {
		fs[i] = optionFlag{o}
	}
	return fs
}

func flagSet(options []*option) *flag.FlagSet {
	set := flag.NewFlagSet("", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	for _, o := range options {
		_ = optionFlag{o}.Apply(set)
	}
	return set
}

// permute reads options that follow words and returns the words alone.
func permute(v *verb, args []string) (words []string, err error) {
	for len(args) > 0 {
		words = append(words, args[0])
		set := flagSet(v.options)
		if err := set.Parse(args[1:]); err != nil {
			return nil, flagError(v, args, err)
		}
		args = set.Args()
	}
	return words, nil
}

// collect reads all options of a faulty line that can be read, so that its
// fault is told in the format, and to the file, that the line asks for.
func collect(options []*option, args []string) {
	for _, o := range options {
		o.given = nil
	}
	set := flagSet(options)
	for len(args) > 0 {
		err := set.Parse(args)
		rest := set.Args()
		if len(rest) > 0 && (err == nil || len(rest) == len(args)) {
			rest = rest[1:] // a word, or what the parser stops at, as at ---
		}
		args = rest
	}
}

// flagError says in our words what package flag found in args.
func flagError(v *verb, args []string, err error) error {
	text := err.Error()
	if name, ok := strings.CutPrefix(text, "flag provided but not defined: -"); ok {
		return &usageError{
			text: fmt.Sprintf("unknown option %q", asTyped(name, args)),
			hint: v.nearOption(name),
		}
	}
	if name, ok := strings.CutPrefix(text, "flag needs an argument: -"); ok {
		return usagef("option %s needs a value", asTyped(name, args))
	}
	if word, ok := strings.CutPrefix(text, "bad flag syntax: "); ok {
		return usagef("%q is no option", word)
	}
	return &usageError{text: text}
}

// asTyped is an option's name with the dashes that stand before it in args.
func asTyped(name string, args []string) string {
	for _, arg := range args {
		typed, _, _ := strings.Cut(arg, "=")
		if typed == "-"+name || typed == "--"+name {
			return typed
		}
	}
	return "--" + name
}

// nearOption says what may have been meant by an option that the verb has not.
func (v *verb) nearOption(name string) string {
	var names []string
	for _, o := range v.options {
		names = append(names, o.name)
	}
	if n := nearest(name, names); n != "" {
		return "Did you mean --" + n + "?"
	}
	if len(v.path) == 0 || v.takes == aCommand {
		return "`envwrap help` lists the options; those of the command belong behind --."
	}
	return "`envwrap help " + strings.Join(v.path, " ") + "` lists the options; a word that begins with - belongs behind --."
}

// inherit hands options that stand before the verb on to it, as in
// `envwrap --store DIR artifact ls`.
func inherit(v *verb, root []*option) error {
	for _, r := range root {
		if len(r.given) == 0 {
			continue
		}
		i := slices.IndexFunc(v.options, func(o *option) bool { return o.name == r.name })
		if i < 0 {
			return usagef("option --%s is not one of this verb", r.name)
		}
		v.options[i].given = append(slices.Clone(r.given), v.options[i].given...)
	}
	return nil
}

// asked reports whether a switch was given on the line.
func asked(options []*option, name string) bool {
	i := slices.IndexFunc(options, func(o *option) bool { return o.name == name })
	return i >= 0 && len(options[i].given) > 0 && options[i].given[0] != "false"
}

// resolve sets all options and stops at the first that is wrong.
func resolve(options []*option, s *settings) error {
	for _, o := range options {
		if err := o.resolve(s); err != nil {
			return err
		}
	}
	return nil
}

// inVerb names the verb whose usage is wrong.
func inVerb(v *verb, err error) error {
	var u *usageError
	if !errors.As(err, &u) || len(v.path) == 0 {
		return err
	}
	named := *u
	named.text = strings.Join(v.path, " ") + ": " + u.text
	if named.hint == "" {
		named.hint = "See `envwrap help " + strings.Join(v.path, " ") + "`."
	}
	return &named
}
