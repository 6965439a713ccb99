package cli

import (
	"strconv"
	"strings"

	"github.com/envwrap/envwrap/internal/app/runlog"
	"github.com/envwrap/envwrap/internal/app/session"
)

// Settings are the sources of options' values beside the command line: the variables,
// then the files, the project's before the user's.
type Settings struct {
	variables []string // those of the environment that options may have
	Files     []*ConfigFile
	Record    runlog.Limits // of the record of runs
}

// EnvPrefix is the prefix of all options' environment variables.
const EnvPrefix = "ENVWRAP_"

// Variables returns the settings without files.
func (env *Env) Variables() *Settings {
	s := &Settings{Record: runlog.DefaultLimits()}
	for _, e := range env.Environ {
		if strings.HasPrefix(e, EnvPrefix) {
			s.variables = append(s.variables, e)
		}
	}
	return s
}

// variable returns the value of the variable that name names. Mostly the environment has
// no variable of envwrap's, and then name is not called.
func (s *Settings) variable(name func() string) (string, bool) {
	if len(s.variables) == 0 {
		return "", false
	}
	return session.Lookup(s.variables, name())
}

// A ConfigFile is a configuration file. Its keys are the long names of options.
type ConfigFile struct {
	Path    string
	Dir     string // its directory, to which names of files are relative
	text    []byte
	doc     map[string]any
	line    func(key string) int // see [tomltext.Document.Line]; nil if it is no TOML
	Keys    []string             // in the order of the file
	Values  map[string][]string
	Ignored []string // what was ignored, and why

	untrusted bool           // it is a project's file that is not trusted, or the user's own and others can change it
	unusual   bool           // what was ignored concerns all verbs, not only those with an option in Refused
	State     string         // of a project's file: trusted, untrusted, changed or unusable
	Refused   []string       // keys of an untrusted file that were refused
	unknown   []*UsageError  // keys of a file that is believed, which are no options, or wrong values of the record's keys
	record    *runlog.Limits // nil in a file that does not limit the record
}

// at returns the place of a key or of a table: file:line, or the file where the line is
// not known. A key of [remote] is where that begins.
func (f *ConfigFile) at(name string) string {
	n := f.line(name) // a file with a key is TOML
	if n == 0 && strings.HasPrefix(name, remoteTable+"-") {
		n = f.line(remoteTable)
	}
	if n > 0 {
		return f.Path + ":" + strconv.Itoa(n)
	}
	return f.Path
}
