package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/internal/session"
	"github.com/envwrap/envwrap/internal/trust"
)

// vouchedLimit is the most bytes of a file that a trusted project's file names.
const vouchedLimit = 16 << 20

// States of a project's file.
const (
	stateTrusted   = "trusted"
	stateUntrusted = "untrusted"
	stateChanged   = "changed" // since it was trusted
)

// readProject reads the project's file, and takes of it what it may say: what
// is on the closed list, or all of it where the user trusts it. nil is none.
func (w *World) readProject(user *configFile) (*configFile, error) {
	f, err := readProjectConfig(w.projectConfig())
	if f == nil || err != nil {
		return nil, err
	}
	f.dir = session.ResolveLinks(f.dir)
	options := keyedOptions(w)
	f.state, f.untrusted = stateUntrusted, true
	reasons, err := w.takeHarmless(f, user, options)
	if err != nil || len(f.refused) == 0 {
		return f, err
	}
	files, why := w.trusts(f, options)
	if why != nil {
		f.warn(reasons, why)
		return f, nil
	}
	w.vouched = files
	return f, w.takeTrusted(f, options)
}

// takeHarmless takes the keys that need no trust. The others are refused, some
// for a reason of their own.
func (w *World) takeHarmless(f, user *configFile, options []*option) (reasons map[string]string, err error) {
	home, _ := w.lookup("HOME")
	reasons = map[string]string{}
	for _, name := range f.keys {
		o := optionNamed(options, name)
		if o == nil || o.project == nil {
			f.refused = append(f.refused, name)
			continue
		}
		if err := f.take(o, home); err != nil {
			return nil, err
		}
		before := []string{o.def}
		if user != nil && user.values[name] != nil {
			before = user.values[name]
		}
		if why := o.project(w, f, f.values[name], before); why != "" {
			delete(f.values, name)
			f.refused, reasons[name] = append(f.refused, name), why
		}
	}
	return reasons, nil
}

// takeTrusted takes all keys but those that only the user's own file may have.
func (w *World) takeTrusted(f *configFile, options []*option) error {
	home, _ := w.lookup("HOME")
	f.state, f.untrusted, f.refused = stateTrusted, false, nil
	reasons := map[string]string{}
	for _, name := range f.keys {
		o := optionNamed(options, name)
		why := ""
		switch {
		case usersOwn(name):
			why = "only your own configuration may have it"
		case o == nil:
			return f.unknown(name, options)
		default:
			if err := f.take(o, home); err != nil {
				return err
			}
			if o.trusted != nil {
				why = o.trusted(w, f, f.values[name], nil)
			}
		}
		if why != "" {
			delete(f.values, name)
			f.refused, reasons[name] = append(f.refused, name), why
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
func (w *World) trusts(f *configFile, options []*option) (map[string][]byte, error) {
	var entry *trust.Entry
	err := error(fs.ErrNotExist)
	if state := w.session().StateDir(); len(state) > 0 {
		entry, err = trust.Lookup(state[0], f.key())
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, errUntrusted
	case err != nil:
		return nil, fmt.Errorf("is not trusted (the list of trusted files cannot be read: %w)", err)
	}
	parts, files, err := w.partsOf(f, options)
	if err != nil || trust.Digest(parts) != entry.Digest {
		f.state = stateChanged
		return nil, errChanged
	}
	return files, nil
}

// key is the path by which a project's file is trusted.
func (f *configFile) key() string { return filepath.Join(f.dir, filepath.Base(f.path)) }

// partsOf reads the files that a project's file names and returns all that a
// digest covers, and the files by their path.
func (w *World) partsOf(f *configFile, options []*option) ([]trust.Part, map[string][]byte, error) {
	home, _ := w.lookup("HOME")
	parts := []trust.Part{{Text: f.text}}
	files := map[string][]byte{}
	for _, name := range f.keys {
		o := optionNamed(options, name)
		if o == nil || !o.reads {
			continue
		}
		given, err := configValues(f.doc[name], o.many)
		if err != nil {
			return nil, nil, usagef("%s: key %q: %v", f.at(name), name, err)
		}
		for _, path := range f.placed(o, slices.Clone(given), home) {
			if path == "" || path == "-" || slices.Contains(o.words(), path) {
				continue
			}
			text, err := readRegular(path, vouchedLimit)
			missing := errors.Is(err, fs.ErrNotExist)
			switch {
			case missing:
				text = nil
			case err != nil:
				return nil, nil, fmt.Errorf("read %q, which key %q of %s names: %w", path, name, f.path, cause(err))
			}
			parts = append(parts, trust.Part{Name: name + "=" + path, Text: text, Missing: missing})
			files[path] = text
		}
	}
	return parts, files, nil
}

// warn makes the one warning about keys that were not taken. untrusted is why
// the file is not trusted, nil where it is.
func (f *configFile) warn(reasons map[string]string, untrusted error) {
	if len(f.refused) == 0 {
		return
	}
	const most = 20
	var list []string
	for i, key := range f.refused {
		if i == most {
			list = append(list, fmt.Sprintf("and %d more", len(f.refused)-most))
			break
		}
		if why := reasons[key]; why != "" {
			key += " (" + why + ")"
		}
		list = append(list, shortened(visible(key)))
	}
	text, keys := visible(f.path), strings.Join(list, ", ")
	if untrusted == nil {
		f.ignored = append(f.ignored, text+": ignored of this trusted file: "+keys)
		return
	}
	f.ignored = append(f.ignored, fmt.Sprintf("%s %v; ignored: %s. To allow them, read the file and run: envwrap config trust %s",
		text, untrusted, keys, visible(shellQuote(f.path))))
}

// shortened is the beginning of a text that is too long to be a key of ours.
func shortened(s string) string {
	const most = 120
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most]) + "..."
	}
	return s
}
