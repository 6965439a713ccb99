// Package root finds the main module.
package root

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
)

// Enter makes the top of the main module the working directory, so that what a tool is
// given is relative to it, as in go -C tools run ./mutate ./wrap. It looks there and in the
// directories above.
func Enter() error {
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	for {
		text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		switch above := filepath.Dir(dir); {
		case bytes.HasPrefix(text, []byte("module github.com/envwrap/envwrap\n")):
			return os.Chdir(dir)
		case err != nil && !errors.Is(err, os.ErrNotExist):
			return err
		case above == dir:
			return errors.New("this is not a clone of envwrap: there is no go.mod of it in the working directory or above")
		default:
			dir = above
		}
	}
}
