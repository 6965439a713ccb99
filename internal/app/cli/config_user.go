package cli

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/internal/platform/safefs"
	"github.com/envwrap/envwrap/internal/shared/hints"
	"github.com/envwrap/envwrap/internal/shared/term"
)

// Settings reads the configuration. If that fails it returns the settings without
// files, too, so that the error is reported in the format that the line asks for.
func (env *Env) Settings() (*Settings, error) {
	s := env.Variables()
	user, err := env.readUserConfig()
	if err != nil {
		return s, err
	}
	if user != nil && user.record != nil {
		s.Record = *user.record
	}
	project, err := env.readProject(user)
	if err != nil {
		return s, err
	}
	for _, f := range []*ConfigFile{project, user} {
		if f != nil {
			s.Files = append(s.Files, f)
		}
	}
	return s, nil
}

// Warn calls warn for what was ignored of each file: if options are given, only of a
// file of which one of these was ignored, or that cannot be used at all.
func (s *Settings) Warn(warn func(error), options ...*Option) {
	for _, f := range s.Files {
		if len(options) > 0 && !f.unusual && !slices.ContainsFunc(f.Refused, func(key string) bool { return optionNamed(options, key) != nil }) {
			continue
		}
		for _, text := range f.Ignored {
			warn(errors.New(text))
		}
	}
}

// Unknown returns the error of the first key that is no option's, or nil. A run with such
// a key is refused, since the key may have been meant for its limits or secrets; other
// verbs warn of it.
func (s *Settings) Unknown() error {
	for _, f := range s.Files {
		if err := f.Unknown(); err != nil {
			return err
		}
	}
	return nil
}

// Unknown returns the error of the file's first key that is no option's, or nil.
func (f *ConfigFile) Unknown() error {
	if len(f.unknown) > 0 {
		return f.unknown[0]
	}
	return nil
}

// WarnUnknown calls warn for each key that is no option's.
func (s *Settings) WarnUnknown(warn func(error)) {
	for _, f := range s.Files {
		for _, u := range f.unknown {
			warn(&UsageError{Text: u.Text + ", which is ignored", Hint: u.Hint})
		}
	}
}

// UserConfig returns the path of the user's own configuration, or "" if it is not
// known.
func (env *Env) UserConfig() string {
	dir := env.Session().UserDir(".config", "XDG_CONFIG_HOME", "APPDATA")
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "config.toml")
}

// readUserConfig reads the user's own configuration; nil if none exists. Of one that
// others can change it takes what makes a run stricter.
func (env *Env) readUserConfig() (*ConfigFile, error) {
	path := env.UserConfig()
	if path == "" {
		return env.relativeConfig(), nil
	}
	var exposed *safefs.Exposed
	if _, err := os.Stat(path); err == nil && errors.As(safefs.StrictModes(path), &exposed) {
		return env.disbelieved(path, exposed), nil
	}
	f, err := readConfig(path, readRegular)
	if f == nil || err != nil {
		return nil, err
	}
	home, _ := env.Lookup("HOME")
	if err := f.spreadRemote(); err != nil {
		return f, err
	}
	f.Keys = slices.DeleteFunc(f.Keys, func(name string) bool { return name == runnerTable })
	f.takeRecord()
	return f, f.takeAll(env.optionsOf(f.Keys), home)
}

// relativeConfig returns what a HOME leads to that is no absolute path, with a warning: it
// is another file in each directory, and a clone may bring one. It returns nil if there is
// none.
func (env *Env) relativeConfig() *ConfigFile {
	home, _ := env.Lookup("HOME")
	path := env.Path(filepath.Join(home, ".config", "envwrap", "config.toml"))
	if _, err := os.Stat(path); home == "" || filepath.IsAbs(home) || err != nil {
		return nil
	}
	why := fmt.Sprintf("%s is not read: HOME=%s is no absolute path. If the file is yours, run: export HOME=%s", term.Visible(path), term.Visible(home), hints.Quote(env.Path(home)))
	return &ConfigFile{Path: path, untrusted: true, unusual: true, Ignored: []string{why}}
}

// disbelieved returns the user's own configuration where others can change it: with the
// keys that a project's file may have, and a warning.
func (env *Env) disbelieved(path string, exposed *safefs.Exposed) *ConfigFile {
	f, err := readConfig(path, readRegular)
	taken := "only what makes a run stricter is taken from it"
	if f == nil || err != nil { // why is not said: the text may be of any file, which a link leads to
		f, taken = &ConfigFile{Path: path}, "it cannot be read as a configuration, either"
	}
	f.untrusted, f.unusual = true, true
	env.takeUntrusted(f, nil, env.optionsOf(f.Keys))
	f.doc = nil // runners are in it
	f.Ignored = []string{fmt.Sprintf("%s is not believed, and %s. %v", term.Visible(path), taken, exposed)}
	return f
}

// otherVariables are variables with the prefix of the options' that belong to no option:
// those that envwrap passes on to a command and to itself, its tokens, and those of its
// own tests.
var otherVariables = [...]string{
	"AGENT", "CTX", "FAR_JOB", "TRACE_ID", "CACHE_REFRESH", "CACHE_HELD", "MCP_TOKEN", "REMOTE_TOKEN", "SOAK", "TEST_ALL", "TEST_BIN", "TEST_SEED",
}

// WarnMisspelled calls warn for each variable that envwrap does not know and whose name is
// nearly that of an option, and for each that would be one of [recordKeys]. own are the options of the verb; those of others are
// looked at only if no variable has the name.
func (s *Settings) WarnMisspelled(env *Env, own []*Option, warn func(error)) {
	var all []string
	for _, e := range s.variables {
		name, value, _ := strings.Cut(strings.TrimPrefix(e, EnvPrefix), "=")
		if value == "" {
			continue
		}
		option := strings.ToLower(strings.ReplaceAll(name, "_", "-"))
		if o := optionNamed(own, option); o != nil || slices.Contains(otherVariables[:], name) {
			continue
		}
		if slices.Contains(recordKeys(), option) {
			warn(&UsageError{Text: "variable " + EnvPrefix + name + " changes nothing", Hint: "Set " + option + " in your own configuration: " + cmp.Or(env.UserConfig(), "config.toml")})
			continue
		}
		if all == nil {
			all = optionNames(KeyedOptions(env))
		}
		if n := Nearest(option, all); n != "" && n != option {
			warn(&UsageError{Text: "variable " + EnvPrefix + name + " is not one of envwrap's", Hint: "Did you mean " + envName(n) + "?"})
		}
	}
}
