package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/envwrap/envwrap/internal/app/session"
	"github.com/envwrap/envwrap/internal/platform/safefs"
	"github.com/envwrap/envwrap/internal/shared/term"
	"github.com/envwrap/envwrap/internal/shared/tomltext"
)

// ProjectFile is the name of a project's configuration file.
const ProjectFile = ".envwrap.toml"

// ConfigLimit is the largest size of a configuration file in bytes.
const ConfigLimit = 1 << 20

// Settings are the sources of options' values beside the command line: the variables,
// then the files, the project's before the user's.
type Settings struct {
	variables []string // those of the environment that options may have
	Files     []*ConfigFile
}

// Variables returns the settings without files.
func (w *World) Variables() *Settings {
	s := &Settings{}
	for _, e := range w.Environ {
		if strings.HasPrefix(e, EnvPrefix) {
			s.variables = append(s.variables, e)
		}
	}
	return s
}

// variable returns the value of an option's variable. Mostly there is none at all,
// and then no name is made.
func (s *Settings) variable(o *Option) (string, bool) {
	if len(s.variables) == 0 {
		return "", false
	}
	return session.Lookup(s.variables, o.Env())
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

	untrusted bool     // it is a project's file that is not trusted, or the user's own and others can change it
	unusual   bool     // what was ignored concerns all verbs, not only those with an option in Refused
	State     string   // of a project's file: trusted, untrusted, changed or unusable
	Refused   []string // keys of an untrusted file that were refused
}

// Settings reads the configuration. If that fails it returns the settings without
// files, too, so that the error is reported in the format that the line asks for.
func (w *World) Settings() (*Settings, error) {
	s := w.Variables()
	user, err := w.readUserConfig()
	if err != nil {
		return s, err
	}
	project, err := w.readProject(user)
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

// UserConfig returns the path of the user's own configuration, or "" if it is not
// known.
func (w *World) UserConfig() string {
	dir := w.Session().UserDir(".config", "XDG_CONFIG_HOME", "APPDATA")
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "config.toml")
}

// ProjectConfig returns the path of the nearest .envwrap.toml, from the working
// directory up to the root of its repository, or "".
func (w *World) ProjectConfig() string {
	dir := w.Directory()
	for root := session.Workspace(dir); ; dir = filepath.Dir(dir) {
		path := filepath.Join(dir, ProjectFile)
		if info, err := os.Lstat(path); err == nil && !safefs.IsPlanted(info, dir) {
			return path
		}
		if dir == root || dir == filepath.Dir(dir) {
			return ""
		}
	}
}

// readUserConfig reads the user's own configuration; nil where there is none. Of one that
// others can change it takes what makes a run stricter.
func (w *World) readUserConfig() (*ConfigFile, error) {
	path := w.UserConfig()
	if path == "" {
		return nil, nil
	}
	var exposed *safefs.Exposed
	if _, err := os.Stat(path); err == nil && errors.As(safefs.StrictModes(path), &exposed) {
		return w.disbelieved(path, exposed), nil
	}
	f, err := readConfig(path, readRegular)
	if f == nil || err != nil {
		return nil, err
	}
	home, _ := w.Lookup("HOME")
	if err := f.spreadRemote(); err != nil {
		return f, err
	}
	f.Keys = slices.DeleteFunc(f.Keys, func(name string) bool { return name == runnerTable })
	return f, f.takeAll(KeyedOptions(w), home)
}

// disbelieved returns the user's own configuration where others can change it: with the
// keys that a project's file may have, and a warning.
func (w *World) disbelieved(path string, exposed *safefs.Exposed) *ConfigFile {
	f, err := readConfig(path, readRegular)
	taken := "only what makes a run stricter is taken from it"
	if f == nil || err != nil { // why is not said: the text may be of any file, which a link leads to
		f, taken = &ConfigFile{Path: path}, "it cannot be read as a configuration, either"
	}
	f.untrusted, f.unusual = true, true
	w.takeHarmless(f, nil, KeyedOptions(w))
	f.doc = nil // runners are in it
	f.Ignored = []string{fmt.Sprintf("%s is not believed, and %s. %v", term.Visible(path), taken, exposed)}
	return f
}

// ReadProjectConfig reads a project's configuration file. It does not follow a symbolic
// link, which could lead to a file of the user's, of which an error would show a part,
// or to a device that acts when it is opened.
func ReadProjectConfig(path string) (*ConfigFile, error) { return readConfig(path, readUnlinked) }

// readConfig reads a configuration's keys; nil where there is none.
func readConfig(path string, read func(path string, limit int64) ([]byte, error)) (*ConfigFile, error) {
	if path == "" {
		return nil, nil
	}
	text, err := read(path, ConfigLimit)
	switch {
	case err == nil:
		return parseConfig(path, text)
	case os.IsNotExist(err), outOfSight(path):
		return nil, nil
	}
	return nil, Usagef("read configuration %q: %v", path, safefs.Cause(err))
}

// outOfSight reports whether path is below something that is no directory or that we may
// not search: HOME is often /dev/null, and in containers the home of another user.
func outOfSight(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, syscall.ENOTDIR) || errors.Is(err, fs.ErrPermission)
}

// KeyedOptions returns the options of all verbs that may be in a configuration: those
// that have a variable.
func KeyedOptions(w *World) []*Option {
	var list []*Option
	for _, n := range Nodes(w) {
		for _, o := range n.Options {
			if o.Env() != "" && optionNamed(list, o.Name) == nil {
				list = append(list, o)
			}
		}
	}
	return list
}

// parseConfig reads TOML; keys and values are judged where they are taken.
func parseConfig(path string, text []byte) (*ConfigFile, error) {
	f := &ConfigFile{Path: path, Dir: filepath.Dir(path), text: text, Values: map[string][]string{}}
	toml, err := tomltext.Decode(text, &f.doc)
	if err != nil {
		return nil, configFault(path, err)
	}
	f.line = toml.Line
	seen := make(map[string]bool, len(f.doc))
	for _, key := range toml.Keys() {
		if !seen[key[0]] { // else it is a key below it, a.b
			seen[key[0]] = true
			f.Keys = append(f.Keys, key[0])
		}
	}
	return f, nil
}

// configFault returns the error of a configuration that is no TOML, or above a limit.
func configFault(path string, err error) error {
	text := fmt.Sprintf("%s: %v", path, err)
	if fault, ok := errors.AsType[*tomltext.Error](err); ok && fault.Line > 0 {
		text = fmt.Sprintf("%s:%d: %s", path, fault.Line, fault.Reason)
	}
	return &UsageError{Text: text, Hint: "Mend the line: the file is TOML, as in timeout = \"30s\"."}
}

// takeAll takes all keys, and refuses a file with one that is unknown or has no
// value of an option.
func (f *ConfigFile) takeAll(options []*Option, home string) error {
	for _, name := range f.Keys {
		o := optionNamed(options, name)
		if o == nil {
			return f.unknown(name, options)
		}
		if err := f.take(o, home); err != nil {
			return err
		}
	}
	return nil
}

// take takes the key of an option.
func (f *ConfigFile) take(o *Option, home string) error {
	given, err := configValues(f.doc[o.Name], o.Many)
	if err != nil {
		return Usagef("%s: key %q: %v", f.at(o.Name), o.Name, err)
	}
	f.Values[o.Name] = f.placed(o, given, home)
	return nil
}

// optionNamed returns the option of a name; nil where there is none.
func optionNamed(options []*Option, name string) *Option {
	if i := slices.IndexFunc(options, func(o *Option) bool { return o.Name == name }); i >= 0 {
		return options[i]
	}
	return nil
}

func optionNames(options []*Option) []string {
	return mapped(options, func(o *Option) string { return o.Name })
}

func (f *ConfigFile) unknown(name string, options []*Option) error {
	hint := "Keys are the long names of options, which `envwrap help run` lists."
	if n := Nearest(name, optionNames(options)); n != "" {
		hint = "Did you mean " + n + "?"
	}
	return &UsageError{Text: fmt.Sprintf("%s: unknown key %q", f.at(name), name), Hint: hint}
}

// at returns the place of a key or of a table: file:line, or the file where the line is
// not known.
func (f *ConfigFile) at(name string) string {
	if n := f.line(name); n > 0 { // a file with a key is TOML
		return f.Path + ":" + strconv.Itoa(n)
	}
	return f.Path
}

// configValues spells a TOML value as the command line would.
func configValues(v any, many bool) ([]string, error) {
	switch v := v.(type) {
	case string:
		return []string{v}, nil
	case int64:
		return []string{strconv.FormatInt(v, 10)}, nil
	case float64:
		return []string{strconv.FormatFloat(v, 'f', -1, 64)}, nil
	case bool:
		return []string{strconv.FormatBool(v)}, nil
	case []any:
		if !many {
			return nil, errors.New("it takes one value and no list")
		}
		var all []string
		for _, e := range v {
			one, err := configValues(e, false)
			if err != nil {
				return nil, err
			}
			all = append(all, one...)
		}
		return all, nil
	}
	return nil, errors.New("its value is not a string, number, boolean or list")
}

// placed makes the names of files absolute. A relative name in a configuration is
// relative to the configuration's directory, and ~/ is the home directory, since no
// shell expands it.
func (f *ConfigFile) placed(o *Option, given []string, home string) []string {
	if o.Takes != AFile && o.Takes != ADir {
		return given
	}
	for i, name := range given {
		below, atHome := strings.CutPrefix(name, "~/")
		switch {
		case atHome && filepath.IsAbs(home):
			given[i] = filepath.Join(home, below)
		case name != "" && name != "-" && !filepath.IsAbs(name) && !slices.Contains(o.Words(), name):
			given[i] = filepath.Join(f.Dir, name)
		}
	}
	return given
}
