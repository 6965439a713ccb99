package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/envwrap/envwrap/internal/app/session"
	"github.com/envwrap/envwrap/internal/platform/safefs"
	"github.com/envwrap/envwrap/internal/shared/tomltext"
)

// ProjectFile is the name of a project's configuration file.
const ProjectFile = ".envwrap.toml"

// ConfigLimit is the largest size of a configuration file in bytes.
const ConfigLimit = 1 << 20

// ProjectConfig returns the path of the nearest .envwrap.toml, from the working
// directory up to the root of its repository, or "".
func (env *Env) ProjectConfig() string {
	dir := env.Directory()
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

// ReadProjectConfig reads a project's configuration file. It does not follow a symbolic
// link, which could lead to a file of the user's, of which an error would show a part,
// or to a device that acts when it is opened.
func ReadProjectConfig(path string) (*ConfigFile, error) { return readConfig(path, readUnlinked) }

// readConfig reads a configuration's keys; nil if none exists.
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
	return &UsageError{Text: text, Hint: "Mend the line: the file is TOML, in which text has quotes: timeout = \"30s\"."}
}

// takeAll takes all keys, and refuses a file with one that has no value of an option.
func (f *ConfigFile) takeAll(options []*Option, home string) error {
	for _, name := range f.Keys {
		o := optionNamed(options, name)
		if o == nil {
			f.addUnknown(name, options)
			continue
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

// addUnknown notes a key that is no option's.
func (f *ConfigFile) addUnknown(name string, options []*Option) {
	hint := "Keys are the long names of options, which `envwrap help run` lists."
	if n := Nearest(name, append(optionNames(options), recordKeys()...)); n != "" {
		hint = "Did you mean " + n + "?"
	}
	f.unknown = append(f.unknown, &UsageError{Text: fmt.Sprintf("%s: unknown key %q", f.at(name), name), Hint: hint})
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

// remoteTable is the table of a configuration that has the options of a remote.
const remoteTable = "remote"

// runnerTable is the table of a configuration that has runners, by name.
const runnerTable = "runner"

// spreadRemote makes options of the table [remote]: url is --remote, and every other
// key --remote-KEY.
func (f *ConfigFile) spreadRemote() error {
	table, ok := f.doc[remoteTable].(map[string]any)
	if !ok {
		return nil
	}
	delete(f.doc, remoteTable)
	f.Keys = slices.DeleteFunc(f.Keys, func(name string) bool { return name == remoteTable })
	for _, key := range slices.Sorted(maps.Keys(table)) {
		name := remoteTable + "-" + key
		if key == "url" {
			name = remoteTable
		}
		if _, twice := f.doc[name]; twice {
			return Usagef("%s: %q is set in [%s] and beside it", f.at(remoteTable), key, remoteTable)
		}
		f.doc[name], f.Keys = table[key], append(f.Keys, name)
	}
	return nil
}
