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
	return "ENVWRAP_" + strings.ToUpper(strings.ReplaceAll(o.name, "-", "_"))
}

// resolve sets the option from the command line, else from its variable. A
// variable that the command line overrides is not looked at.
func (o *option) resolve(lookup func(string) (string, bool)) error {
	if len(o.given) > 0 {
		return o.apply("option --"+o.name, o.given)
	}
	if name := o.env(); name != "" {
		if v, ok := lookup(name); ok {
			return o.apply("variable "+name, o.fromVariable(v))
		}
	}
	return nil
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
