package cli

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Program returns a path by which this program can be started again. On Linux it works
// even if the file was replaced or removed.
func (w *World) Program() (string, error) {
	if w.Executable == nil {
		return "", errors.New("find this program: the system does not say where it is")
	}
	path, err := w.Executable()
	if err != nil { // where /proc is not mounted: as a shell found it
		if path, err = w.calledAs(); err != nil {
			return "", fmt.Errorf("find this program without /proc: %w", err)
		}
		return path, nil
	}
	if _, err := os.Stat(path); err != nil {
		path = "/proc/self/exe"
	}
	return path, nil
}

// calledAs returns the file that the name names by which this program was called.
func (w *World) calledAs() (string, error) {
	name := "envwrap"
	if len(w.Args) > 0 {
		name = w.Args[0]
	}
	path, err := exec.LookPath(name)
	if err == nil && filepath.Base(path) != "envwrap" {
		err = fmt.Errorf("%q is not called envwrap", path)
	}
	if err != nil {
		return "", err
	}
	return w.Path(path), nil
}
