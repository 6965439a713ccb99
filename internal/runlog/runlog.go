// Package runlog remembers runs whose envelope was not printed.
//
// A log is two files in the directory runs of a store, NDJSON both: a line is
// an envelope. Lines are added whole, in one write, by any number of processes
// at once; when the file that is written has 4 MiB it takes the place of the
// older one. Nothing is forced to disk: a power cut may lose the last lines.
package runlog

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// most is the size at which the newer file becomes the older one.
const most = 4 << 20

const (
	dirName = "runs"
	newer   = "newer.jsonl"
	older   = "older.jsonl"
)

// Append adds an envelope, one line of JSON with or without its newline, to
// the log in a store's directory. The directory must be its owner's alone.
func Append(store string, envelope []byte) error {
	line := append(bytes.TrimRight(envelope, "\n"), '\n')
	if bytes.IndexByte(line, '\n') != len(line)-1 {
		return errors.New("record the run: its envelope has more than one line")
	}
	dir := filepath.Join(store, dirName)
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("record the run: %w", err)
	}
	name := filepath.Join(dir, newer)
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("record the run: %w", err)
	}
	_, err = f.Write(line)
	info, statErr := f.Stat()
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return fmt.Errorf("record the run: %w", err)
	}
	if statErr == nil && info.Size() >= most {
		retire(name, info)
	}
	return nil
}

// retire makes the newer file the older one, unless another process has done
// so since.
func retire(name string, written fs.FileInfo) {
	if now, err := os.Lstat(name); err == nil && os.SameFile(now, written) {
		_ = os.Rename(name, filepath.Join(filepath.Dir(name), older))
	}
}

// Read returns the lines of the log in a store's directory, the newest first;
// none where there is no log. A last line that is not ended, from a writer that
// was killed, is left out.
func Read(store string) ([][]byte, error) {
	var lines [][]byte
	for _, name := range []string{older, newer} {
		text, err := os.ReadFile(filepath.Join(store, dirName, name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("read the record of runs: %w", err)
		}
		for line := range bytes.Lines(text) {
			if line, ended := bytes.CutSuffix(line, []byte{'\n'}); ended && len(line) > 0 {
				lines = append(lines, line)
			}
		}
	}
	slices.Reverse(lines)
	return lines, nil
}
