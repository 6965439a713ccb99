package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/envwrap/envwrap/internal/session"
)

// An Option is one row of a verb's table: all that parsing, help, completion
// and the environment need to know about it.
type Option struct {
	Name  string // long name, without dashes
	Short string // one letter, or ""
	Value string // what help calls its value; "" is a switch
	Def   string // the default, in words; "" is none, or off
	Help  string // a phrase
	Group string // heading in help
	NoEnv bool   // it has no environment variable
	Many  bool   // it may be given more than once
	// Choices are the words that it takes; nil where it takes others.
	Choices func() []string
	Takes   Kind // what else it takes, for completion
	// Separator cuts several values in a variable; "" takes it as one value.
	Separator string
	// Quotes says that a value in a variable may be a Go string in double quotes,
	// in which a line break is no separator.
	Quotes bool
	// Adds says that the values of all sources hold together; else those of the
	// first source that has any do.
	Adds bool
	// Set takes every value that was given, in their order; one where it comes
	// from a variable.
	Set func(given []string) error
	// Standing takes the values of a file where they mean another thing than on
	// the line; nil where set does.
	Standing func(given []string) error
	// Project says which values a project's file may have before it is trusted;
	// nil is none. What is refused is ignored.
	Project Restraint
	// Untrusted takes the values of such a file where they mean less than those
	// of other sources, which are looked at as well; nil where set does.
	Untrusted func(given []string) error
	// Trusted says which values a project's file may have once it is trusted; nil
	// is all.
	Trusted Restraint
	// Reads says that its values name files that are read: they are trusted
	// together with the project's file that names them.
	Reads bool
	// InJob says what becomes of it where the run is a job.
	InJob JobPart

	Given []string // what the command line said
	IsSet bool     // somebody gave it a value; resolve says it
	From  reach    // where its value comes from; resolve says it
}

// A reach is how far from the command line the nearest source of a value is.
type reach int

const (
	onTheLine reach = iota
	inVariable
	InAFile // the nearest of them; the next one is one further
)

// A Kind is what an option's value names.
type Kind int

const (
	anything Kind = iota
	AFile
	ADir
	AVariable  // the name of an environment variable
	ACommand   // after --
	AProgram   // on PATH
	AShim      // the name of one that is installed
	AnArtifact // its digest
	AJob       // its id
	ARun       // the key of one that is remembered
)

// Env returns the name of the option's environment variable, "" where it has none.
func (o *Option) Env() string {
	if o.NoEnv {
		return ""
	}
	return envName(o.Name)
}

// EnvPrefix begins the variables of all options.
const EnvPrefix = "ENVWRAP_"

// envName returns the variable of an option.
func envName(option string) string {
	return EnvPrefix + strings.ToUpper(strings.ReplaceAll(option, "-", "_"))
}

// Resolve sets the option from the command line, else from what the settings
// say, or from all of them where they add up. What is overridden is not looked at.
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

// A source is where a value comes from beside the command line.
type source struct {
	Place     string // a variable, or file:line
	key       string // in a file
	reach     reach
	untrusted bool // it is a project's file that is not trusted
}

func (s source) String() string {
	if s.key == "" {
		return "variable " + s.Place
	}
	return s.Place + ": key \"" + s.key + "\""
}

// A Finding is what one source says about an option.
type Finding struct {
	Given []string
	From  source
}

// Find looks for the option in its variable, then in the files, and stops at
// the first that has it unless they add up, or mean less there.
func (o *Option) Find(s *Settings) []Finding {
	if o.NoEnv {
		return nil
	}
	var found []Finding
	if v, ok := s.variable(o); ok {
		found = append(found, Finding{o.fromVariable(v), source{Place: o.Env(), reach: inVariable}})
	}
	for i, f := range s.Files {
		if given := f.Values[o.Name]; len(given) > 0 {
			found = append(found, Finding{given, source{f.at(o.Name), o.Name, InAFile + reach(i), f.untrusted}})
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

// Take sets the option to what a source says.
func (o *Option) Take(f Finding) error {
	set := o.Set
	switch {
	case f.From.untrusted && o.Untrusted != nil:
		set = o.Untrusted
	case f.From.key != "" && o.Standing != nil:
		set = o.Standing
	}
	return o.apply(f.From.String(), f.Given, set)
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

// InVariable sets the option's variable in an environment to the values of the
// command line, for another envwrap that is to have them: who may look at the
// processes of others sees their command lines, and not this.
func (o *Option) InVariable(environ []string) []string {
	if len(o.Given) == 0 {
		return environ
	}
	quoted := make([]string, len(o.Given))
	for i, value := range o.Given {
		quoted[i] = strconv.Quote(value)
	}
	return session.SetAll(slices.Clone(environ), o.Env()+"="+strings.Join(quoted, o.Separator))
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

// versionOption returns --version, in place of a verb.
func versionOption() *Option {
	return &Option{
		Name: "version", Help: "show envwrap's version", Group: "Help",
		NoEnv: true, Set: func([]string) error { return nil }, InJob: SubmitOnly,
	}
}

// A JobPart says what becomes of a run's option where the run is a job.
type JobPart int

const (
	// jobOption is given to the job's supervisor on its command line, and makes
	// two jobs different.
	jobOption JobPart = iota
	// LooksOnly is given to the supervisor. It says how a job is shown or where
	// it is kept, and makes no difference between two jobs.
	LooksOnly
	// HandedOver makes two jobs different. It reaches the supervisor in another
	// way than on its command line: in a variable, a descriptor or the record.
	HandedOver
	// SubmitOnly says how a job is submitted.
	SubmitOnly
	// ForegroundOnly has no meaning where nobody looks on: job submit does not
	// have it.
	ForegroundOnly
)

// OnSupervisorLine reports whether the option is repeated on the command line
// of the job's supervisor.
func (p JobPart) OnSupervisorLine() bool { return p == jobOption || p == LooksOnly }

// PartOfIdentity reports whether two jobs differ where the option does.
func (p JobPart) PartOfIdentity() bool { return p == jobOption || p == HandedOver }

// ArchiveOption returns the --store of the artifact verbs.
func ArchiveOption(dir *string) *Option {
	return &Option{
		Name: "store", Value: "DIR", Def: "$XDG_STATE_HOME/envwrap",
		Help: "the store to look in", Takes: ADir, Set: Into(dir, Text),
	}
}
