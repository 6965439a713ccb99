// Package trust keeps the list of project configuration files that this user trusts.
//
// An entry of the list is a path and one SHA-256 digest over the file and every
// file that it names. The list is a directory, 0700, that has one file for each
// entry: NAME.json, where NAME is the SHA-256 of the path in hexadecimal.
package trust

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/envwrap/envwrap/internal/platform/safefs"
)

// listDir is the directory of the list, in the user's state directory.
const listDir = "trust"

// entryLimit is the most bytes that are read of an entry.
const entryLimit = 64 << 10

// An Entry records that a project file was trusted with the content that it had then.
type Entry struct {
	Path    string    `json:"path"` // of the project file, absolute and without symbolic links
	Digest  string    `json:"digest"`
	Trusted time.Time `json:"trusted"`
}

// A Part is a file that a digest covers: its name as in the project file, and its
// bytes. Missing means that the file does not exist, which differs from an empty one.
type Part struct {
	Name    string
	Text    []byte
	Missing bool
}

// Digest returns the digest, sha256:<64 hex>, over all parts in their order.
func Digest(parts []Part) string {
	h := sha256.New()
	for _, p := range parts {
		missing := byte(0)
		if p.Missing {
			missing = 1
		}
		for _, b := range [][]byte{[]byte(p.Name), {missing}, p.Text} {
			var size [8]byte
			binary.BigEndian.PutUint64(size[:], uint64(len(b)))
			h.Write(size[:])
			h.Write(b)
		}
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// Lookup returns the entry of a path in the list of a state directory. The error is
// fs.ErrNotExist if none exists; any other means that the list cannot be used, as one
// that others could have replaced ([safefs.StrictModes]).
func Lookup(state, path string) (*Entry, error) {
	d, err := safefs.OpenShared(state)
	if err != nil {
		return nil, safefs.Cause(err)
	}
	defer d.Close()
	if err := safefs.StrictModes(state); err != nil {
		return nil, err
	}
	text, err := d.ReadFile(listDir+"/"+entryName(path), entryLimit)
	if err != nil {
		return nil, safefs.Cause(err)
	}
	var e Entry
	if err := json.Unmarshal(text, &e); err != nil || e.Path != path {
		return nil, errors.New("the entry in the list of trusted files is damaged: trust the file again")
	}
	return &e, nil
}

// Add adds an entry, or replaces that of the same path.
func Add(state string, e *Entry) error {
	d, err := open(state)
	if err != nil {
		return err
	}
	defer d.Close()
	text, err := json.Marshal(e)
	if err != nil {
		return err
	}
	f, temp, err := d.CreateTemp(".", "new-")
	if err != nil {
		return err
	}
	_ = f.Close() // nothing was written
	return d.WriteFile(entryName(e.Path), temp, append(text, '\n'), true)
}

// Remove removes the entry of a path. The error is fs.ErrNotExist if none exists.
func Remove(state, path string) error {
	d, err := safefs.OpenShared(state)
	if err != nil {
		return safefs.Cause(err)
	}
	defer d.Close()
	return safefs.Cause(d.Remove(listDir + "/" + entryName(path)))
}

// open opens the list for writing, and makes it where it is missing.
func open(state string) (*safefs.Dir, error) {
	base, err := safefs.Create(state)
	if err != nil {
		return nil, fmt.Errorf("open %q: %w", state, safefs.Cause(err))
	}
	defer base.Close()
	if err := safefs.StrictModes(state); err != nil {
		return nil, err
	}
	if err := base.Mkdir(listDir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("make %q: %w", filepath.Join(state, listDir), safefs.Cause(err))
	}
	list, err := base.Dir(listDir)
	if err != nil {
		return nil, fmt.Errorf("open %q: %w", filepath.Join(state, listDir), safefs.Cause(err))
	}
	return list, nil
}

func entryName(path string) string {
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:]) + ".json"
}
