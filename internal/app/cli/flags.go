package cli

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"
)

// An optionFlag shows a row to urfave/cli. It only collects what was given:
// values are judged once all of the line is known, since a wrong one is reported
// in the format that the line asks for.
type optionFlag struct{ *Option }

func (f optionFlag) String() string   { return "--" + f.Name }
func (f optionFlag) Names() []string  { return []string{f.Name} }
func (f optionFlag) IsSet() bool      { return len(f.Given) > 0 }
func (f optionFlag) IsBoolFlag() bool { return f.Value == "" }

// Set takes one value from the command line.
func (f optionFlag) Set(v string) error {
	f.Given = append(f.Given, v)
	return nil
}

// Apply registers both names, which add to the same values.
func (f optionFlag) Apply(set *flag.FlagSet) error {
	set.Var(f, f.Name, "")
	if f.Short != "" {
		set.Var(f, f.Short, "")
	}
	return nil
}

func flags(options []*Option) []urfave.Flag {
	return mapped(options, func(o *Option) urfave.Flag { return optionFlag{o} })
}

func flagSet(fs []urfave.Flag) *flag.FlagSet {
	set := flag.NewFlagSet("", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	for _, f := range fs {
		_ = f.Apply(set) // never fails
	}
	return set
}

// permute reads options that follow words and returns the words alone.
func permute(v *Verb, args []string) (words []string, err error) {
	for len(args) > 0 {
		words = append(words, args[0])
		set := flagSet(flags(v.Options))
		if err := set.Parse(args[1:]); err != nil {
			return nil, flagError(v, args, err)
		}
		args = set.Args()
	}
	return words, nil
}

// collect reads all options of a faulty line that can be read, so that its
// fault is reported in the format, and to the file, that the line asks for.
func collect(options []*Option, args []string) {
	for _, o := range options {
		o.Given = nil
	}
	set := flagSet(flags(options))
	for len(args) > 0 {
		err := set.Parse(args)
		rest := set.Args()
		if len(rest) > 0 && (err == nil || len(rest) == len(args)) {
			rest = rest[1:] // a word, or what the parser stops at, as at ---
		}
		args = rest
	}
}

// flagError returns the usage error for what package flag found wrong in args.
func flagError(v *Verb, args []string, err error) error {
	text := err.Error()
	if name, ok := strings.CutPrefix(text, "flag provided but not defined: -"); ok {
		return &UsageError{
			Text: fmt.Sprintf("unknown option %q", asTyped(name, args)),
			Hint: v.nearOption(name),
		}
	}
	if name, ok := strings.CutPrefix(text, "flag needs an argument: -"); ok {
		return Usagef("option %s needs a value", asTyped(name, args))
	}
	if word, ok := strings.CutPrefix(text, "bad flag syntax: "); ok {
		return Usagef("%q is not an option", word)
	}
	return &UsageError{Text: text}
}

// asTyped returns an option's name with the dashes that it has in args.
func asTyped(name string, args []string) string {
	for _, arg := range args {
		word, _, _ := strings.Cut(arg, "=")
		if word == "-"+name || word == "--"+name {
			return word
		}
	}
	return "--" + name
}

// otherWord returns the option for which other programs have the word name, or "".
func otherWord(name string) string {
	switch name {
	case "dialect", "protocol", "envelope":
		return "format"
	case "brief":
		return "format brief/v1"
	case "chdir", "directory", "dir", "workdir":
		return "cwd"
	case "retry", "attempts", "max-retries":
		return "retries"
	case "host", "runner", "remote-host":
		return "on"
	case "mask", "no-redact":
		return "redact"
	}
	return ""
}

// nearOption returns the hint for an option that the verb does not have: the option that
// may have been meant, or where the options are listed.
func (v *Verb) nearOption(name string) string {
	names := optionNames(v.Options)
	n := otherWord(name)
	if option, _, _ := strings.Cut(n, " "); !slices.Contains(names, option) {
		n = Nearest(name, names)
	}
	if n != "" {
		return "Did you mean --" + n + "?"
	}
	hint := "`envwrap help " + cmp.Or(strings.Join(v.Path, " "), v.Name) + "` lists the options"
	switch {
	case v.Takes == ACommand:
		hint += "; those of the command belong after --"
	case v.Args != "":
		hint += "; a word that begins with - belongs after --"
	}
	return hint + "."
}

// inherit gives v the options that precede it on the line, as in `envwrap --store DIR
// artifact ls`.
func inherit(v *Verb, root []*Option) error {
	for _, r := range root {
		if len(r.Given) == 0 {
			continue
		}
		o := optionNamed(v.Options, r.Name)
		if o == nil {
			return Usagef("option --%s is not one of this verb", r.Name)
		}
		o.Given = append(slices.Clone(r.Given), o.Given...)
	}
	return nil
}

// asked reports whether a switch was given on the line.
func asked(options []*Option, name string) bool {
	o := optionNamed(options, name)
	return o != nil && len(o.Given) > 0 && o.Given[0] != "false"
}

// resolve sets all options and stops at the first that is wrong.
func resolve(options []*Option, s *Settings) error {
	for _, o := range options {
		if err := o.Resolve(s); err != nil {
			return err
		}
	}
	return nil
}

// inVerb adds the name of the verb to a usage error.
func inVerb(v *Verb, err error) error {
	var u *UsageError
	if !errors.As(err, &u) || len(v.Path) == 0 {
		return err
	}
	named := *u
	named.Text = strings.Join(v.Path, " ") + ": " + u.Text
	if named.Hint == "" {
		named.Hint = "See `envwrap help " + strings.Join(v.Path, " ") + "`."
	}
	return &named
}

// spread splits short options that are written together: -fhelper is -f helper, -in is
// -i -n, which package flag does not know. It does not change the values of options, nor
// anything from a word on that stray reports to be a command without its --.
func spread(args []string, options []*Option, stray func(word string) bool) []string {
	known := map[string]*Option{}
	for _, o := range options {
		known[o.Name] = o
		if o.Short != "" {
			known[o.Short] = o
		}
	}
	var out []string
	for awaited := false; len(args) > 0; args = args[1:] {
		isOption := strings.HasPrefix(args[0], "-") && args[0] != "-"
		switch {
		case awaited:
			out, awaited = append(out, args[0]), false
		case isOption:
			var parts []string
			parts, awaited = apart(args[0], known)
			out = append(out, parts...)
		case stray(args[0]):
			return append(out, args...)
		default:
			out = append(out, args[0])
		}
	}
	return out
}

// apart splits one option, unless it is no group of short ones. awaits reports whether
// its value is the next argument.
func apart(arg string, known map[string]*Option) (parts []string, awaits bool) {
	name, _, hasValue := strings.Cut(strings.TrimPrefix(arg[1:], "-"), "=")
	if o := known[name]; o != nil {
		return []string{arg}, o.Value != "" && !hasValue
	}
	for letters := arg[1:]; letters != ""; letters = letters[1:] {
		o := known[letters[:1]]
		switch {
		case o == nil:
			return []string{arg}, false
		case o.Value == "":
			parts = append(parts, "-"+o.Short)
		case len(letters) == 1:
			return append(parts, "-"+o.Short), true
		default:
			return append(parts, "-"+o.Short, strings.TrimPrefix(letters[1:], "=")), false
		}
	}
	return parts, false
}
