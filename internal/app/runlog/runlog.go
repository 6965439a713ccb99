// Package runlog keeps facts about runs: the record that "envwrap history", "envwrap
// stats" and "envwrap report" read, and the envelopes that "envwrap last" prints.
//
// The record has a line of at most 4 KB for each run ([Run]), in the directory record of a
// store, a file a day. The envelopes of runs that stored output, or whose envelope was not
// printed in full, are lines of two NDJSON files in the directory runs: a file that has
// reached 4 MiB replaces the older one.
//
// Any number of processes may append lines at the same time, each in one write. Nothing is
// forced to disk: a power cut may lose the last lines.
package runlog

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/envwrap/envwrap/internal/platform/safefs"
)

// most is the size at which the newer file becomes the older one.
const most = 4 << 20

const (
	dirName = "runs"
	newer   = dirName + "/newer.jsonl"
	older   = dirName + "/older.jsonl"
)

// lineMost is the size in bytes of the longest envelope that is recorded, and
// how many bytes of each file are read at most. No file is longer than most and the lines
// that several processes added at once.
const lineMost = 64 << 20

// ErrTooLarge means that an envelope is too large to be recorded.
var ErrTooLarge = errors.New("its envelope has more than 64 MiB")

// An Envelope is one that is kept: the id of its run, and the document in protocol/v1.
type Envelope struct {
	ID  string // "" if an envwrap before the record wrote it
	Doc []byte
}

// Append adds an envelope, one line of JSON with or without its newline, to the log in
// a store's directory. Only its owner may have access to the directory.
func Append(store, id string, envelope []byte) error {
	if err := appendEnvelope(store, id, envelope); err != nil {
		return fmt.Errorf("record the run: %w", err)
	}
	return nil
}

func appendEnvelope(store, id string, envelope []byte) error {
	envelope = bytes.TrimRight(envelope, "\n")
	switch {
	case bytes.IndexByte(envelope, '\n') >= 0:
		return errors.New("its envelope has more than one line")
	case len(id)+len(" ")+len(envelope)+len("\n") > lineMost:
		return ErrTooLarge
	}
	line := append([]byte(id+" "), envelope...)
	line = append(line, '\n')
	dir, err := safefs.Open(store)
	if err != nil {
		return err
	}
	defer dir.Close()
	if err := dir.Mkdir(dirName, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	f, err := dir.OpenFile(newer, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(line); err != nil {
		return err
	}
	if info, err := f.Stat(); err == nil && info.Size() >= most && dir.Same(f, newer) {
		_ = dir.Rename(newer, older) // unless another process has done so since
	}
	return nil
}

// Read returns the envelopes of the log in a store's directory, the newest first; none if
// there is no log. It skips an unfinished line, which a killed writer left, and what a
// file has before its last 64 MiB. The error wraps [safefs.ErrRefused] if others have
// access to the directory, or if something that is no record has a file's name.
func Read(store string) ([]Envelope, error) {
	lines, err := newestFirst(store)
	if err != nil {
		return nil, fmt.Errorf("read the record of runs in %q: %w", store, err)
	}
	return lines, nil
}

func newestFirst(store string) ([]Envelope, error) {
	dir, err := safefs.Open(store)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	var lines []Envelope
	for _, name := range []string{older, newer} {
		text, err := end(dir, name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for line := range bytes.Lines(text) {
			if line, ended := bytes.CutSuffix(line, []byte{'\n'}); ended && len(line) > 0 {
				lines = append(lines, parseEnvelope(line))
			}
		}
	}
	slices.Reverse(lines)
	return lines, nil
}

// parseEnvelope reads a line of the log: an id, a space, and a document.
func parseEnvelope(line []byte) Envelope {
	if at := bytes.IndexByte(line, ' '); at >= 0 && line[0] != '{' {
		return Envelope{string(line[:at]), line[at+1:]}
	}
	return Envelope{Doc: line}
}

// end reads the whole lines in the last lineMost bytes of a file.
func end(dir *safefs.Dir, name string) ([]byte, error) {
	f, err := dir.OpenFile(name, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	from := max(info.Size()-lineMost-1, 0) // with the newline that ends the line before
	text := make([]byte, info.Size()-from)
	n, err := f.ReadAt(text, from)
	text = text[:n]
	if errors.Is(err, io.EOF) {
		err = nil
	}
	if from > 0 {
		_, text, _ = bytes.Cut(text, []byte{'\n'})
	}
	return text, err
}
