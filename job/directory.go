package job

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/envwrap/envwrap/internal/platform/safefs"
)

// A job's files have one writer at a time: its submitter, then its supervisor, and after
// the supervisor's death whichever process holds the lock of the job's directory.

// A directory is the store's directory jobs.
type directory struct{ *safefs.Dir }

// put replaces a file of a job whole by v in JSON: a reader sees the old one or the new
// one, also after a power cut.
func (root directory) put(id, file string, v any) error { return root.replace(id+"/"+file, v, true) }

// replace replaces a file whole by v in JSON, and forces it to disk if sync is set.
func (root directory) replace(name string, v any, sync bool) error {
	data, err := encode(v)
	if err == nil {
		err = root.WriteFile(name, name+".new", data, sync)
	}
	return err
}

// write writes a new file and forces it to disk.
func (root directory) write(name string, data []byte) error { return root.WriteNew(name, data, true) }

// recordLimit is the largest record that is read, in bytes: argument lists are long, and
// so are payloads of envelopes that the command printed.
const recordLimit = 64 << 20

// read reads a file of at most recordLimit bytes. The error wraps [ErrDamaged] if the
// file is longer, or is not a regular file.
func (root directory) read(name string) ([]byte, error) {
	data, err := root.ReadFile(name, recordLimit)
	if errors.Is(err, safefs.ErrRefused) {
		err = fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return data, err
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}

// has reports whether a job has a file.
func (root directory) has(id, file string) bool {
	_, err := root.Lstat(id + "/" + file)
	return err == nil
}

// touch makes an empty file if none exists.
func (root directory) touch(name string) error {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o600)
	return errors.Join(err, closeOptional(f))
}

// openLock opens the file of a lock, to take the lock, and makes it if it is missing.
func (root directory) openLock(name string) (*os.File, error) {
	return root.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
}

// names lists a directory; one that is missing has no names.
func (root directory) names(dir string) ([]string, error) {
	names, err := root.Names(dir)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return names, err
}

// isDir reports whether a name inside the directory is a directory itself. Other files
// with the form of an id, such as links, are no jobs.
func (root directory) isDir(id string) bool {
	info, err := root.Lstat(id)
	return err == nil && info.IsDir()
}

func (root directory) removeFiles(id string, files ...string) {
	for _, name := range files {
		_ = root.Remove(id + "/" + name)
	}
}

// ids returns the ids of all jobs, in the order of their submit. Only directories are
// jobs: other files with the form of an id, such as links, are left out.
func (root directory) ids() ([]string, error) {
	d, err := root.OpenDir(".")
	if err != nil {
		return nil, err
	}
	defer d.Close()
	entries, err := d.ReadDir(-1)
	if err != nil {
		return nil, err
	}
	ids := make([]string, 0, len(entries))
	for _, e := range entries {
		if e.IsDir() && IsID(e.Name()) {
			ids = append(ids, e.Name())
		}
	}
	slices.Sort(ids)
	return ids, nil
}

// size returns the length of a file, 0 where it is missing.
func (root directory) size(name string) int64 {
	info, err := root.Lstat(name)
	if err != nil {
		return 0
	}
	return info.Size()
}

// closeOptional closes f, which may be nil.
func closeOptional(f *os.File) error {
	if f == nil {
		return nil
	}
	return f.Close()
}
