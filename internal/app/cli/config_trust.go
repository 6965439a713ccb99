package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/envwrap/envwrap/internal/app/session"
	"github.com/envwrap/envwrap/internal/app/trust"
	"github.com/envwrap/envwrap/internal/platform/safefs"
	"github.com/envwrap/envwrap/internal/shared/hints"
	"github.com/envwrap/envwrap/internal/shared/term"
)

// vouchedLimit is the most bytes of a file that a trusted project's file names.
const vouchedLimit = 16 << 20

// States of a project's file.
const (
	stateTrusted   = "trusted"
	stateUntrusted = "untrusted"
	stateChanged   = "changed"  // since it was trusted
	stateUnusable  = "unusable" // it cannot be read, or is no TOML
)

// readProject reads the project's file and takes from it the keys on the closed list, or
// all if the user trusts it. It returns nil if there is no file. A file that cannot be
// read as a configuration causes only a warning: it may come from anybody, and must not
// stop a run.
func (env *Env) readProject(user *ConfigFile) (*ConfigFile, error) {
	path := env.ProjectConfig()
	f, err := ReadProjectConfig(path)
	if err != nil {
		text, _, _ := strings.Cut(err.Error(), "\n") // without the hint
		return &ConfigFile{Path: path, State: stateUnusable, unusual: true, Ignored: []string{text + "; nothing of this file is used"}}, nil
	}
	if f == nil {
		return nil, nil
	}
	f.Dir = session.ResolveLinks(f.Dir)
	options := env.optionsOf(f.Keys)
	f.State, f.untrusted = stateUntrusted, true
	reasons := env.takeUntrusted(f, user, options)
	if len(f.Refused) == 0 {
		return f, nil
	}
	files, why := env.trusts(f, options)
	if why != nil {
		f.warn(reasons, why)
		return f, nil
	}
	env.Vouched = files
	return f, env.TakeTrusted(f, options)
}

// takeUntrusted takes the keys that need no trust. The others are refused, some
// for a reason of their own. user has the values that hold without the file; nil is the
// defaults.
func (env *Env) takeUntrusted(f, user *ConfigFile, options []*Option) (reasons map[string]refusal) {
	home, _ := env.Lookup("HOME")
	reasons = map[string]refusal{}
	for _, name := range f.Keys {
		o := optionNamed(options, name)
		if o == nil || o.Project == nil {
			f.Refused = append(f.Refused, name)
			if o == nil && !usersOwn(name) {
				reasons[name] = refusal{"unknown", true}
			}
			continue
		}
		before := []string{o.Def}
		if user != nil && user.Values[name] != nil {
			before = user.Values[name]
		}
		if no := env.takeStricter(f, o, before, home); no.why != "" {
			f.Refused, reasons[name] = append(f.Refused, name), no
		}
	}
	return reasons
}

// A refusal is why the key of a project's file is not taken.
type refusal struct {
	why     string // "" if a key needs no reason of its own
	invalid bool   // trust does not help: there is no such option, or it has no such value
}

// takeStricter takes the key of an option if an untrusted file may have its value. The
// option is not the one that the run obeys: it is set to find values that are invalid.
func (env *Env) takeStricter(f *ConfigFile, o *Option, before []string, home string) refusal {
	given, err := configValues(f.doc[o.Name], o.Many)
	if err != nil {
		return refusal{err.Error(), true}
	}
	given = f.placed(o, given, home)
	if why := o.Project(env, f, given, before); why != "" {
		return refusal{why, false}
	}
	if err := o.setter(valueSource{key: o.Name, untrusted: true})(given); err != nil {
		why, _, _ := strings.Cut(err.Error(), "\n") // without the hint
		return refusal{why, true}
	}
	f.Values[o.Name] = given
	return refusal{}
}

// TakeTrusted adds the keys of a trusted project's file, except those that only the
// user's own file may have.
func (env *Env) TakeTrusted(f *ConfigFile, options []*Option) error {
	home, _ := env.Lookup("HOME")
	f.State, f.untrusted, f.Refused = stateTrusted, false, nil
	reasons := map[string]refusal{}
	for _, name := range f.Keys {
		o := optionNamed(options, name)
		why := ""
		switch {
		case usersOwn(name):
			why = "only your own configuration may have it"
		case o == nil:
			f.addUnknown(name, options)
			continue
		default:
			if err := f.take(o, home); err != nil {
				return err
			}
			if o.Trusted != nil {
				why = o.Trusted(env, f, f.Values[name], nil)
			}
		}
		if why != "" {
			delete(f.Values, name)
			f.Refused, reasons[name] = append(f.Refused, name), refusal{why: why}
		}
	}
	f.warn(reasons, nil)
	return nil
}

// errUntrusted and errChanged are why a project's file is not trusted.
var (
	errUntrusted = errors.New("is not trusted")
	errChanged   = errors.New("has changed since it was trusted, or a file that it names has")
)

// trusts looks whether the user trusts the file as it is, and returns the files
// that it names, by their path. Nothing that the file names is read before an
// entry of the list has its path.
func (env *Env) trusts(f *ConfigFile, options []*Option) (map[string][]byte, error) {
	var entry *trust.Entry
	err := error(fs.ErrNotExist)
	if state := env.Session().StateDir(); len(state) > 0 {
		entry, err = trust.Lookup(state[0], f.Key())
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, errUntrusted
	case err != nil:
		return nil, fmt.Errorf("is not trusted (the list of trusted files cannot be read: %w)", err)
	}
	parts, files, err := env.PartsOf(f, options)
	if err != nil || trust.Digest(parts) != entry.Digest {
		f.State = stateChanged
		return nil, errChanged
	}
	return files, nil
}

// Key returns the path under which a project's file is trusted.
func (f *ConfigFile) Key() string { return filepath.Join(f.Dir, filepath.Base(f.Path)) }

// PartsOf reads the files that a project's file names. It returns everything that the
// digest covers, and the files' contents by path.
func (env *Env) PartsOf(f *ConfigFile, options []*Option) ([]trust.Part, map[string][]byte, error) {
	home, _ := env.Lookup("HOME")
	parts := []trust.Part{{Text: f.text}}
	files := map[string][]byte{}
	for _, name := range f.Keys {
		o := optionNamed(options, name)
		if o == nil || !o.Reads {
			continue
		}
		given, err := configValues(f.doc[name], o.Many)
		if err != nil {
			return nil, nil, Usagef("%s: key %q: %v", f.at(name), name, err)
		}
		for _, path := range f.placed(o, slices.Clone(given), home) {
			if path == "" || path == "-" || slices.Contains(o.Words(), path) {
				continue
			}
			text, err := readRegular(path, vouchedLimit)
			missing := errors.Is(err, fs.ErrNotExist)
			switch {
			case missing:
				text = nil
			case err != nil:
				return nil, nil, fmt.Errorf("read %q, which key %q of %s names: %w", path, name, f.Path, safefs.Cause(err))
			}
			parts = append(parts, trust.Part{Name: name + "=" + path, Text: text, Missing: missing})
			files[path] = text
		}
	}
	return parts, files, nil
}

// warn makes the one warning about keys that were not taken. untrusted is why
// the file is not trusted, nil where it is.
func (f *ConfigFile) warn(reasons map[string]refusal, untrusted error) {
	if len(f.Refused) == 0 {
		return
	}
	const most = 20
	var list []string
	trustHelps := false
	for i, key := range f.Refused {
		no := reasons[key]
		trustHelps = trustHelps || !no.invalid
		if i >= most {
			continue
		}
		key = named(key)
		if no.why != "" {
			key += " (" + no.why + ")"
		}
		list = append(list, key)
	}
	if more := len(f.Refused) - most; more > 0 {
		list = append(list, fmt.Sprintf("and %d more", more))
	}
	text, keys := term.Visible(f.Path), strings.Join(list, ", ")
	if untrusted == nil {
		f.Ignored = append(f.Ignored, text+": ignored of this trusted file: "+keys)
		return
	}
	text = fmt.Sprintf("%s %v; ignored: %s", text, untrusted, keys)
	if trustHelps && !errors.Is(untrusted, safefs.ErrRefused) {
		text += ". To allow them, read the file and run: envwrap config trust " + term.Visible(hints.Quote(f.Path))
	}
	f.Ignored = append(f.Ignored, text)
}

// named returns a key as a warning names it: in quotes unless it has the form of an option.
func named(key string) string {
	if key != "" && strings.Trim(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") == "" {
		return key
	}
	return strconv.Quote(key)
}

// userTables are the tables and keys that are never read from a project's file, trusted
// or not: they decide where commands and data go, whose signatures are accepted, and what
// is recorded.
var userTables = []string{"remote", "runner", "trusted-keys", "cache-key", recordKey}

// usersOwn reports whether only the user's own configuration may have a key: one of
// userTables, or one that begins with it and a dash.
func usersOwn(key string) bool {
	for _, table := range userTables {
		if key == table || strings.HasPrefix(key, table+"-") {
			return true
		}
	}
	return false
}

// Within reports whether path is dir or below it.
func Within(path, dir string) bool {
	below, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(below)
}
