package runlog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/envwrap/envwrap/internal/platform/safefs"
)

// The record of runs is the directory record of a store. Each UTC day has a file,
// 2026-11-26.jsonl; one that reached partMost bytes before the day was over is renamed to
// 2026-11-26-101112.jsonl, by the time of its last line.
const (
	recordName = "record"
	suffix     = ".jsonl"
	dayLayout  = "2006-01-02"
	partLayout = dayLayout + "-150405"
	partMost   = 32 << 20
)

// Limits say how much of the record is kept. The zero value keeps all of it.
type Limits struct {
	Off  bool // nothing is recorded
	Days int  // how many days a file is kept; 0 is for ever
	Max  int  // how many runs are kept; only whole files are removed; 0 means all
}

// DefaultLimits are the limits that hold if nothing else is configured.
func DefaultLimits() Limits { return Limits{Days: 90, Max: 100_000} }

// Record adds a line to the record in a store's directory, in one write that is not
// synced. Any number of processes may do so at the same time. The error wraps
// fs.ErrNotExist if this is the first line of a day, which RecordFirst adds.
func Record(store string, run *Run, limits Limits) error {
	return add(store, run, limits, func(dir *safefs.Dir, day string) (*os.File, error) {
		return dir.OpenFile(day, os.O_WRONLY|os.O_APPEND, 0)
	})
}

// RecordFirst does what Record does, after it has created the day's file if there is
// none, and has removed files that are beyond the limits. The store's directory has to
// exist.
func RecordFirst(store string, run *Run, limits Limits) error {
	return add(store, run, limits, func(dir *safefs.Dir, day string) (*os.File, error) {
		if err := dir.Mkdir(recordName, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		f, err := dir.OpenFile(day, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
		if err == nil {
			prune(dir, limits, run.Time)
		}
		return f, err
	})
}

func add(store string, run *Run, limits Limits, open func(dir *safefs.Dir, day string) (*os.File, error)) error {
	if limits.Off {
		return nil
	}
	if err := record(store, run, limits, open); err != nil {
		return fmt.Errorf("record the run: %w", err)
	}
	return nil
}

func record(store string, run *Run, limits Limits, open func(dir *safefs.Dir, day string) (*os.File, error)) error {
	dir, err := safefs.Open(store)
	if err != nil {
		return err
	}
	defer dir.Close()
	day := recordName + "/" + run.Time.UTC().Format(dayLayout) + suffix
	f, err := open(dir, day)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(run.AppendLine(make([]byte, 0, LineMost))); err != nil {
		return err
	}
	if info, err := f.Stat(); err == nil && info.Size() >= partMost && dir.Same(f, day) {
		// unless another process has done so since
		_ = dir.Rename(day, recordName+"/"+run.Time.UTC().Format(partLayout)+suffix)
		prune(dir, limits, run.Time)
	}
	return nil
}

// recordFiles returns the files of the record, the newest first.
func recordFiles(dir *safefs.Dir) ([]string, error) {
	names, err := dir.Names(recordName)
	if err != nil {
		return nil, err
	}
	names = slices.DeleteFunc(names, func(name string) bool {
		base, ok := strings.CutSuffix(name, suffix)
		_, dayErr := time.Parse(dayLayout, base)
		_, partErr := time.Parse(partLayout, base)
		return !ok || dayErr != nil && partErr != nil
	})
	slices.Sort(names) // '-' sorts before '.': the parts of a day before its newest file
	slices.Reverse(names)
	return names, nil
}

// dayOf returns the day of a file, as in its name.
func dayOf(name string) string { return name[:len(dayLayout)] }

// endedLine is how the line of a run that is over begins.
var endedLine = []byte("\n{\"kind\":\"run\",")

// prune removes the files that are older than the limits allow, and those before which
// later files have as many runs as are kept. Errors are ignored: tomorrow is another day.
func prune(dir *safefs.Dir, limits Limits, now time.Time) {
	names, err := recordFiles(dir)
	if err != nil {
		return
	}
	first := now.UTC().AddDate(0, 0, 1-limits.Days).Format(dayLayout)
	runs := 0
	for i, name := range names {
		path := recordName + "/" + name
		if i > 0 && (limits.Days > 0 && dayOf(name) < first || limits.Max > 0 && runs >= limits.Max) {
			_ = dir.Remove(path)
			continue
		}
		if limits.Max == 0 || i == len(names)-1 {
			continue
		}
		if text, err := readAll(dir, path); err == nil {
			runs += bytes.Count(text, endedLine)
		}
	}
}

// readAll reads a file of the record.
func readAll(dir *safefs.Dir, path string) ([]byte, error) {
	f, err := dir.OpenFile(path, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, 2*partMost))
}

// Clear removes the whole record of a store, and the envelopes of its runs.
func Clear(store string) error {
	dir, err := safefs.Open(store)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		defer dir.Close()
		err = errors.Join(dir.RemoveAll(recordName), dir.RemoveAll(dirName))
	}
	if err != nil {
		return fmt.Errorf("clear the record of runs in %q: %w", store, err)
	}
	return nil
}

// Walk calls yield for the lines of the record in a store's directory, the last one
// first, until it returns false. Files of days before since are not read; the zero time
// reads all. Lines that are not whole are skipped, and counts that no run can have are
// replaced by the nearest that one can. The error wraps [safefs.ErrRefused] if
// others have access to the directory, or if something that is no record has a file's name.
func Walk(store string, since time.Time, yield func(*Run) bool) error {
	if err := walk(store, since, yield); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read the record of runs in %q: %w", store, err)
	}
	return nil
}

func walk(store string, since time.Time, yield func(*Run) bool) error {
	dir, err := safefs.Open(store)
	if err != nil {
		return err
	}
	defer dir.Close()
	names, err := recordFiles(dir)
	if err != nil {
		return err
	}
	first := since.UTC().Format(dayLayout)
	for _, name := range names {
		if !since.IsZero() && dayOf(name) < first {
			return nil
		}
		text, err := readAll(dir, recordName+"/"+name)
		if err != nil {
			return err
		}
		for len(text) > 0 {
			at := bytes.LastIndexByte(text, '\n')
			var run Run
			if line := text[at+1:]; len(line) > 0 && json.Unmarshal(line, &run) == nil && run.whole() {
				run.boundCounts()
				if !yield(&run) {
					return nil
				}
			}
			text = text[:max(at, 0)]
		}
	}
	return nil
}
