package cli

import (
	"errors"
	"fmt"
	"strings"
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
	// set takes every value that was given, in their order; one where it comes
	// from a variable.
	set func(given []string) error

	given []string // what the command line said
}

// A kind is what an option's value names.
type kind int

const (
	anything kind = iota
	aFile
	aDir
	aVariable // the name of an environment variable
)

// env is the name of the option's environment variable, "" where it has none.
func (o *option) env() string {
	if o.noEnv {
		return ""
	}
	return envName(o.name)
}

// envName is the variable of an option.
func envName(option string) string {
	return "ENVWRAP_" + strings.ToUpper(strings.ReplaceAll(option, "-", "_"))
}

// resolve sets the option from the command line, else from what the settings
// say. What is overridden is not looked at.
func (o *option) resolve(s *settings) error {
	if len(o.given) > 0 {
		return o.apply("option --"+o.name, o.given)
	}
	if given, from, ok := o.find(s); ok {
		return o.apply(from.String(), given)
	}
	return nil
}

// A source is where a value comes from beside the command line.
type source struct {
	place string // a variable, or file:line
	key   string // in a file
}

func (s source) String() string {
	if s.key == "" {
		return "variable " + s.place
	}
	return s.place + ": key \"" + s.key + "\""
}

// find looks for the option in its variable, then in the files.
func (o *option) find(s *settings) (given []string, from source, ok bool) {
	name := o.env()
	if name == "" {
		return nil, source{}, false
	}
	if v, ok := s.lookup(name); ok {
		return o.fromVariable(v), source{place: name}, true
	}
	for _, f := range s.files {
		if given := f.values[o.name]; len(given) > 0 {
			return given, source{f.at(o.name), o.name}, true
		}
	}
	return nil, source{}, false
}

// fromVariable cuts a variable's value where it may hold several.
func (o *option) fromVariable(v string) []string {
	if o.separator == "" {
		return []string{v}
	}
	return strings.Split(strings.TrimSuffix(v, o.separator), o.separator)
}

// apply sets the option; an error names where the value came from.
func (o *option) apply(source string, given []string) error {
	err := o.set(given)
	if err == nil {
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
		noEnv: true, set: func([]string) error { return nil },
	}
}

// versionOption is --version, which stands where a verb would.
func versionOption() *option {
	return &option{
		name: "version", help: "show envwrap's version", group: "Help",
		noEnv: true, set: func([]string) error { return nil },
	}
}
