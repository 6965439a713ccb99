package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/envwrap/envwrap/internal/app/session"
)

// An Option is a row of a verb's table: everything that parsing, help, completion and
// the environment need to know about an option.
//
// A new option of run decides about Key (does another value need another run?), InJob (does
// the supervisor of a job get it, and does it make two jobs different?), Project (which of
// its values may a cloned project set?) and, if it changes how a job is shown, View.
type Option struct {
	Name  string // long name, without dashes
	Short string // one letter, or ""
	Value string // name of its value in help; "" is a switch
	Def   string // the default, in words; "" if it has none, or is off
	Help  string // a phrase
	Group string // heading in help
	NoEnv bool   // it has no environment variable
	Many  bool   // it may be given more than once
	// Choices returns the words that it accepts; nil if it accepts others.
	Choices func() []string
	Takes   ValueKind // what else it accepts, for completion
	// Separator separates several values in a variable; with "" it has one value.
	Separator string
	// Quotes means that a value in a variable may be a Go string in double quotes, in
	// which a line break is no separator.
	Quotes bool
	// Adds means that the values of all sources are combined; otherwise the first
	// source that has any wins.
	Adds bool
	// Set stores the values that were given, in order.
	Set func(given []string) error
	// Standing stores the values of a file if they mean something else there than on
	// the line; nil if Set does.
	Standing func(given []string) error
	// Project restricts the values that a project's file may have before it is trusted;
	// nil allows none. A refused value is ignored.
	Project Restraint
	// Untrusted stores the values of such a file if they mean less than those of other
	// sources, which are read, too; nil if Set does.
	Untrusted func(given []string) error
	// Trusted restricts the values that a project's file may have once it is trusted;
	// nil allows all.
	Trusted Restraint
	// Reads means that its values name files that are read, which are trusted together
	// with the project's file that names them.
	Reads bool
	// InJob says what happens to it when the run is a job.
	InJob JobPart
	// View says which verbs that show jobs have the option, and ViewDef is its default
	// there.
	View    ViewPart
	ViewDef string
	// Key says whether the key of a remembered run has the value.
	Key KeyPart
	// KeyValue returns the value as the key has it, and "" for the default; only for
	// InKey.
	KeyValue func() string

	Given []string    // its values on the command line
	IsSet bool        // it has a value; set by Resolve
	From  sourceLevel // where its value comes from; set by Resolve
}

// A sourceLevel says which source a value comes from, the command line first.
type sourceLevel int

const (
	onLine sourceLevel = iota
	inVariable
	InAFile // the nearest of them; the next one is one further
)

// A ValueKind is the kind of thing that an option's value names, for completion.
type ValueKind int

const (
	anything ValueKind = iota
	AFile
	ADir
	AVariable  // the name of an environment variable
	ACommand   // after --
	AProgram   // on PATH
	AShim      // the name of an installed shim
	AnArtifact // its digest
	AJob       // its id
	ARun       // the key of a remembered run
)

// Env returns the name of the option's environment variable, or "".
func (o *Option) Env() string {
	if o.NoEnv {
		return ""
	}
	return envName(o.Name)
}

// optionNamed returns the option with a name, or nil.
func optionNamed(options []*Option, name string) *Option {
	if i := slices.IndexFunc(options, func(o *Option) bool { return o.Name == name }); i >= 0 {
		return options[i]
	}
	return nil
}

func optionNames(options []*Option) []string {
	return mapped(options, func(o *Option) string { return o.Name })
}

// envName returns the variable of an option.
func envName(option string) string {
	return EnvPrefix + strings.ToUpper(strings.ReplaceAll(option, "-", "_"))
}

// Resolve sets the option from the command line, else from the settings, or from all
// sources if it has Adds. Overridden values are not read.
func (o *Option) Resolve(s *Settings) error {
	if len(o.Given) > 0 {
		if err := o.apply("option --"+o.Name, o.Given, o.Set); err != nil || !o.Adds {
			return err
		}
	}
	for i, f := range o.Find(s) {
		if i == 0 && len(o.Given) == 0 {
			o.From = f.From.reach
		}
		if err := o.Take(f); err != nil {
			return err
		}
	}
	return nil
}

// A valueSource is where a value comes from beside the command line.
type valueSource struct {
	Place     string // a variable, or file:line
	key       string // in a file
	reach     sourceLevel
	untrusted bool // it is a project's file that is not trusted
}

func (s valueSource) String() string {
	if s.key == "" {
		return "variable " + s.Place
	}
	return s.Place + ": key \"" + s.key + "\""
}

// A Finding is the value of an option in one source.
type Finding struct {
	Given []string
	From  valueSource
}

// Find looks for the option in its variable, then in the files. It stops at the first
// that has it unless the option has Adds or Untrusted.
func (o *Option) Find(s *Settings) []Finding {
	if o.NoEnv {
		return nil
	}
	var found []Finding
	if v, ok := s.variable(o.Env); ok {
		found = append(found, Finding{o.fromVariable(v), valueSource{Place: o.Env(), reach: inVariable}})
	}
	for i, f := range s.Files {
		if given := f.Values[o.Name]; len(given) > 0 {
			found = append(found, Finding{given, valueSource{f.at(o.Name), o.Name, InAFile + sourceLevel(i), f.untrusted}})
		}
	}
	if o.Adds {
		return found
	}
	n := 0
	for n < len(found) && found[n].From.untrusted && o.Untrusted != nil {
		n++
	}
	return found[:min(n+1, len(found))]
}

// Take sets the option to the value of a source.
func (o *Option) Take(f Finding) error { return o.apply(f.From.String(), f.Given, o.setter(f.From)) }

// setter returns the function that stores the values of a source.
func (o *Option) setter(from valueSource) func(given []string) error {
	switch {
	case from.untrusted && o.Untrusted != nil:
		return o.Untrusted
	case from.key != "" && o.Standing != nil:
		return o.Standing
	}
	return o.Set
}

// fromVariable cuts a variable's value where it may hold several.
func (o *Option) fromVariable(v string) []string {
	if o.Separator == "" {
		return []string{v}
	}
	values := strings.Split(strings.TrimSuffix(v, o.Separator), o.Separator)
	for i, value := range values {
		if text, err := strconv.Unquote(value); err == nil && o.Quotes && value[0] == '"' {
			values[i] = text
		}
	}
	return values
}

// InVariable returns environ with the option's variable set to the values of the
// command line, to pass them to another envwrap without showing them in lists of
// processes.
func (o *Option) InVariable(environ []string) []string {
	if len(o.Given) == 0 {
		return environ
	}
	return session.SetAll(slices.Clone(environ), o.Env()+"="+strings.Join(mapped(o.Given, strconv.Quote), o.Separator))
}

// apply sets the option; an error names where the value came from.
func (o *Option) apply(source string, given []string, set func([]string) error) error {
	err := set(given)
	if err == nil {
		o.IsSet = true
		return nil
	}
	named := UsageError{Text: err.Error()}
	if u, ok := errors.AsType[*UsageError](err); ok {
		named = *u
	}
	named.Text = fmt.Sprintf("%s: %s", source, named.Text)
	return &named
}

// helpOption returns the -h of every verb.
func helpOption() *Option {
	return &Option{
		Name: "help", Short: "h", Help: "show this help", Group: "Help",
		NoEnv: true, Set: func([]string) error { return nil }, InJob: SubmitOnly,
	}
}

// allOption returns --all, which belongs to --help.
func allOption() *Option {
	return &Option{
		Name: "all", Help: "with --help, show all options", Group: "Help",
		NoEnv: true, InJob: SubmitOnly,
		Set: func([]string) error {
			return &UsageError{Text: "--all belongs to --help", Hint: "`envwrap --help --all` shows all options."}
		},
	}
}

// rootOptions returns the options that envwrap has in the place of verbs.
func rootOptions() []*Option { return []*Option{helpOption(), allOption(), versionOption()} }

// versionOption returns --version, in place of a verb.
func versionOption() *Option {
	return &Option{
		Name: "version", Help: "show envwrap's version", Group: "Help",
		NoEnv: true, Set: func([]string) error { return nil }, InJob: SubmitOnly,
	}
}

// A JobPart says what happens to an option of run when the run is a job.
type JobPart int

const (
	// onSupervisor is given to the job's supervisor on its command line, and makes
	// two jobs different.
	onSupervisor JobPart = iota
	// ViewOnly is passed to the supervisor. The option says how a job is shown or
	// where it is stored, and makes no difference between two jobs.
	ViewOnly
	// PassedIndirectly makes two jobs different. The option reaches the supervisor not on its
	// command line, but in a variable, a descriptor or the record.
	PassedIndirectly
	// SubmitOnly is used by job submit itself only.
	SubmitOnly
	// ForegroundOnly has no meaning in the background: job submit does not have the
	// option.
	ForegroundOnly
)

// OnSupervisorLine reports whether the option is repeated on the command line
// of the job's supervisor.
func (p JobPart) OnSupervisorLine() bool { return p == onSupervisor || p == ViewOnly }

// PartOfIdentity reports whether jobs that differ in the option are different.
func (p JobPart) PartOfIdentity() bool { return p == onSupervisor || p == PassedIndirectly }

// A ViewPart says which of the verbs that show jobs have an option of run, whose default
// there is the job's own value.
type ViewPart int

const (
	_         ViewPart = iota // none
	InView                    // all of them
	InRunView                 // those that show the envelope of a job that is over
)

// A KeyPart says whether the key of a remembered run has the value of an option of run,
// so that another value never gets that run's answer.
type KeyPart int

const (
	_ KeyPart = iota // the zero value, of options that a run does not have
	// NotInKey is an option that changes only how a result is shown, or where it is kept.
	NotInKey
	// InKey is an option that changes the command or the stored output. Its name and KeyValue are in
	// the key.
	InKey
	// InCall is an option whose meaning is in the key in another form: the directory, the
	// variables, the files or the stdin of the command.
	InCall
)

// KeyValues returns the values of the options that are in a remembered run's key.
func KeyValues(options []*Option) map[string]string {
	values := map[string]string{}
	for _, o := range options {
		if o.Key != InKey {
			continue
		}
		if v := o.KeyValue(); v != "" {
			values[o.Name] = v
		}
	}
	return values
}

// KeySwitch returns the KeyValue of a switch.
func KeySwitch(on *bool) func() string {
	return func() string {
		if *on {
			return "true"
		}
		return ""
	}
}

// KeyWord returns the KeyValue of a choice, of which the zero value is the default.
func KeyWord[T comparable](value *T, words func() []Word[T]) func() string {
	return func() string {
		var zero T
		for _, w := range words() {
			if w.Value == *value && *value != zero {
				return w.Name
			}
		}
		return ""
	}
}

// ArchiveOption returns the option --store of the artifact verbs.
func ArchiveOption(dir *string) *Option {
	return &Option{
		Name: "store", Value: "DIR", Def: "$XDG_STATE_HOME/envwrap",
		Help: "the store to look in", Takes: ADir, Set: Into(dir, Text),
	}
}

// A Restraint returns why a project's file may not have a value, or "" if it may.
// before is the value without the project's file, from the user's own file, else the
// default in words; the command line and the variable, which override both, do not
// count.
//
// A project's file may come with a cloned repository, from anybody. Until it is trusted
// it may only change how envelopes look, and make limits stricter, as the options'
// Project says.
type Restraint func(env *Env, f *ConfigFile, given, before []string) string

// AnyValue is the [Restraint] of an option that can do no harm: it allows every value.
func AnyValue(*Env, *ConfigFile, []string, []string) string { return "" }

// A Rank returns how much a value of an option allows, for comparison, or false if the
// value is invalid.
type Rank func(env *Env, value string) (int64, bool)

// AtMost returns a Restraint that accepts a value that allows no more than the one
// without the project's file. An invalid value is reported when it is used.
func AtMost(allows Rank) Restraint {
	return func(env *Env, _ *ConfigFile, given, before []string) string {
		now, ok := allows(env, Last(given))
		if !ok {
			return ""
		}
		if was, ok := allows(env, Last(before)); !ok || now > was {
			return "more than " + Last(before)
		}
		return ""
	}
}
