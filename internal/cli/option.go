package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/envwrap/envwrap/internal/session"
)

// An option is one row of a verb's table: all that parsing, help, completion
// and the environment need to know about it.
type option struct {
	name  string // long name, without dashes
	short string // one letter, or ""
	value string // what help calls its value; "" is a switch
	def   string // the default, in words; "" is none, or off
	help  string // a phrase
	group string // heading in help
	noEnv bool   // it has no environment variable
	many  bool   // it may be given more than once
	// choices are the words that it takes; nil where it takes others.
	choices func() []string
	takes   kind // what else it takes, for completion
	// separator cuts several values in a variable; "" takes it as one value.
	separator string
	// quotes says that a value in a variable may be a Go string in double quotes,
	// in which a line break is no separator.
	quotes bool
	// adds says that the values of all sources hold together; else those of the
	// first source that has any do.
	adds bool
	// set takes every value that was given, in their order; one where it comes
	// from a variable.
	set func(given []string) error
	// standing takes the values of a file where they mean another thing than on
	// the line; nil where set does.
	standing func(given []string) error
	// project says which values a project's file may have before it is trusted;
	// nil is none. What is refused is ignored.
	project restraint
	// untrusted takes the values of such a file where they mean less than those
	// of other sources, which are looked at as well; nil where set does.
	untrusted func(given []string) error
	// trusted says which values a project's file may have once it is trusted; nil
	// is all.
	trusted restraint
	// reads says that its values name files that are read: they are trusted
	// together with the project's file that names them.
	reads bool
	// inJob says what becomes of it where the run is a job.
	inJob jobPart

	given []string // what the command line said
	isSet bool     // somebody gave it a value; resolve says it
	from  reach    // where its value comes from; resolve says it
}

// A reach is how far from the command line the nearest source of a value is.
type reach int

const (
	onTheLine reach = iota
	inVariable
	inAFile // the nearest of them; the next one is one further
)

// A kind is what an option's value names.
type kind int

const (
	anything kind = iota
	aFile
	aDir
	aVariable  // the name of an environment variable
	aCommand   // behind --
	aProgram   // on PATH
	aShim      // the name of one that is installed
	anArtifact // its digest
	aJob       // its id
	aRun       // the key of one that is remembered
)

// env is the name of the option's environment variable, "" where it has none.
func (o *option) env() string {
	if o.noEnv {
		return ""
	}
	return envName(o.name)
}

// envPrefix begins the variables of all options.
const envPrefix = "ENVWRAP_"

// envName is the variable of an option.
func envName(option string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(option, "-", "_"))
}

// resolve sets the option from the command line, else from what the settings
// say, or from all of them where they add up. What is overridden is not looked at.
func (o *option) resolve(s *settings) error {
	if len(o.given) > 0 {
		if err := o.apply("option --"+o.name, o.given, o.set); err != nil || !o.adds {
			return err
		}
	}
	for i, f := range o.find(s) {
		if i == 0 && len(o.given) == 0 {
			o.from = f.from.reach
		}
		if err := o.take(f); err != nil {
			return err
		}
	}
	return nil
}

// A source is where a value comes from beside the command line.
type source struct {
	place     string // a variable, or file:line
	key       string // in a file
	reach     reach
	untrusted bool // it is a project's file that is not trusted
}

func (s source) String() string {
	if s.key == "" {
		return "variable " + s.place
	}
	return s.place + ": key \"" + s.key + "\""
}

// A finding is what one source says about an option.
type finding struct {
	given []string
	from  source
}

// find looks for the option in its variable, then in the files, and stops at
// the first that has it unless they add up, or mean less there.
func (o *option) find(s *settings) []finding {
	if o.noEnv {
		return nil
	}
	var found []finding
	if v, ok := s.variable(o); ok {
		found = append(found, finding{o.fromVariable(v), source{place: o.env(), reach: inVariable}})
	}
	for i, f := range s.files {
		if given := f.values[o.name]; len(given) > 0 {
			found = append(found, finding{given, source{f.at(o.name), o.name, inAFile + reach(i), f.untrusted}})
		}
	}
	if o.adds {
		return found
	}
	n := 0
	for n < len(found) && found[n].from.untrusted && o.untrusted != nil {
		n++
	}
	return found[:min(n+1, len(found))]
}

// take sets the option to what a source says.
func (o *option) take(f finding) error {
	set := o.set
	switch {
	case f.from.untrusted && o.untrusted != nil:
		set = o.untrusted
	case f.from.key != "" && o.standing != nil:
		set = o.standing
	}
	return o.apply(f.from.String(), f.given, set)
}

// fromVariable cuts a variable's value where it may hold several.
func (o *option) fromVariable(v string) []string {
	if o.separator == "" {
		return []string{v}
	}
	values := strings.Split(strings.TrimSuffix(v, o.separator), o.separator)
	for i, value := range values {
		if text, err := strconv.Unquote(value); err == nil && o.quotes && value[0] == '"' {
			values[i] = text
		}
	}
	return values
}

// inVariable sets the option's variable in an environment to the values of the
// command line, for another envwrap that is to have them: who may look at the
// processes of others sees what stands on their lines, and not this.
func (o *option) inVariable(environ []string) []string {
	if len(o.given) == 0 {
		return environ
	}
	quoted := make([]string, len(o.given))
	for i, value := range o.given {
		quoted[i] = strconv.Quote(value)
	}
	return session.SetAll(slices.Clone(environ), o.env()+"="+strings.Join(quoted, o.separator))
}

// apply sets the option; an error names where the value came from.
func (o *option) apply(source string, given []string, set func([]string) error) error {
	err := set(given)
	if err == nil {
		o.isSet = true
		return nil
	}
	named := usageError{text: err.Error()}
	if u, ok := errors.AsType[*usageError](err); ok {
		named = *u
	}
	named.text = fmt.Sprintf("%s: %s", source, named.text)
	return &named
}

// helpOption is the -h of every verb.
func helpOption() *option {
	return &option{
		name: "help", short: "h", help: "show this help", group: "Help",
		noEnv: true, set: func([]string) error { return nil }, inJob: submitOnly,
	}
}

// versionOption is --version, which stands where a verb would.
func versionOption() *option {
	return &option{
		name: "version", help: "show envwrap's version", group: "Help",
		noEnv: true, set: func([]string) error { return nil }, inJob: submitOnly,
	}
}
