package hookclient

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// maxSettings bounds a file of settings, in bytes.
const maxSettings = 4 << 20

// readFile reads a file of settings. It is nil where there is none. A link is
// followed, as the agents do; what is no regular file is an error, and so is one
// that cannot be read.
func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case missing(err):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("read %q: not a regular file", path)
	case info.Size() > maxSettings:
		return nil, fmt.Errorf("read %q: larger than %d bytes", path, maxSettings)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxSettings))
	if text == nil {
		text = []byte{}
	}
	return text, err
}

// missing reports whether an error says that there is no such file, or no directory
// that it could be in.
func missing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// An object is a JSON object; its members have exactly their names.
type object map[string]json.RawMessage

// readObject reads a file with one JSON object. It is nil where there is no
// file, or an empty one.
func readObject(path string) (object, error) {
	text, err := readFile(path)
	if err != nil || len(text) == 0 {
		return nil, err
	}
	var o object
	if err := json.Unmarshal(text, &o); err != nil {
		return nil, fmt.Errorf("read %q: it is no JSON object: %w", path, err)
	}
	return o, nil
}

// object returns a member that is an object; nil where there is none.
func (o object) object(name string) (object, error) {
	if o[name] == nil {
		return nil, nil
	}
	var member object
	if err := json.Unmarshal(o[name], &member); err != nil {
		return nil, fmt.Errorf("%q is no object", name)
	}
	return member, nil
}

// list returns a member that is an array of strings.
func (o object) list(name string) ([]string, error) {
	if o[name] == nil {
		return nil, nil
	}
	var member []string
	if err := json.Unmarshal(o[name], &member); err != nil {
		return nil, fmt.Errorf("%q is no array of strings", name)
	}
	return member, nil
}

// names returns the files of a directory that match a pattern; none where there
// is no such directory.
func names(dir, pattern string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if missing(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var list []string
	for _, e := range entries {
		if ok, _ := filepath.Match(pattern, e.Name()); ok {
			list = append(list, filepath.Join(dir, e.Name()))
		}
	}
	return list, nil
}

// exists reports whether there is something at a path, or it is not known.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return !missing(err)
}
