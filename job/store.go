package job

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/envwrap/envwrap/internal/platform/safefs"
)

// Options configure a [Store]. Both are required.
type Options struct {
	Dir string           // absolute path of the artifact store, which must be there
	Now func() time.Time // required
}

// A Store is the jobs of one artifact store. It is safe for concurrent use by any
// number of goroutines and processes.
//
// The methods take as an id a job's ULID, with or without the prefix "T-local-", or a
// unique prefix of it. Every method records the end of lost jobs that it finds.
type Store struct {
	dir  string // of the artifact store
	now  func() time.Time
	root directory // its directory jobs

	records *records
	queue   *queue
	ended   *endIndex
	names   *nameCache
	outputs *outputs
}

// Open opens the jobs of an artifact store, and creates their directory if necessary.
// The error wraps ErrUnsupported if the store cannot have jobs.
func Open(o Options) (*Store, error) {
	s, err := open(o, true)
	if err != nil {
		return nil, fmt.Errorf("open the jobs of %q: %w", o.Dir, err)
	}
	return s, nil
}

// OpenRead is like Open, but creates nothing: the error wraps fs.ErrNotExist if no job
// was ever submitted.
func OpenRead(o Options) (*Store, error) {
	s, err := open(o, false)
	if err != nil {
		return nil, fmt.Errorf("open the jobs of %q: %w", o.Dir, err)
	}
	return s, nil
}

func open(o Options, create bool) (*Store, error) {
	base, err := safefs.Open(o.Dir)
	if err != nil {
		return nil, err
	}
	defer base.Close()
	if !hasLocks(o.Dir) {
		return nil, ErrUnsupported
	}
	if create {
		err := base.Mkdir(jobsDir, 0o700)
		if err == nil {
			err = base.Sync(".") // its name outlives a power cut
		}
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
	}
	root, err := base.Dir(jobsDir)
	if err != nil {
		return nil, err
	}
	s := storeOf(o, directory{root})
	if !create {
		return s, nil
	}
	for _, sub := range []string{queueDir, slotsDir, sameDir} {
		if err := root.Mkdir(sub, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			_ = root.Close()
			return nil, err
		}
	}
	_ = s.root.touch(namesFile)
	return s, nil
}

func storeOf(o Options, root directory) *Store {
	rs := &records{root}
	return &Store{
		dir: o.Dir, now: o.Now, root: root, records: rs, queue: &queue{root, rs},
		ended: &endIndex{root}, names: &nameCache{root, o.Now}, outputs: &outputs{o.Dir, o.Now},
	}
}

// Dir returns the directory of the artifact store.
func (s *Store) Dir() string { return s.dir }

// Close releases the store. Jobs continue to run.
func (s *Store) Close() error { return s.root.Close() }

// TaskPrefix is the prefix that ids have in delegator/v3.6.
const TaskPrefix = "T-local-"

// candidatesLimit is how many ids an AmbiguousError names.
const candidatesLimit = 10

// An AmbiguousError means that an id is a prefix of several jobs' ids.
type AmbiguousError struct {
	Prefix string
	IDs    []string // at most ten, in order
	More   int      // how many further ids there are
}

func (e *AmbiguousError) Error() string {
	text := fmt.Sprintf("job %q is ambiguous: %s", e.Prefix, strings.Join(e.IDs, ", "))
	if e.More > 0 {
		text += fmt.Sprintf(" and %d more", e.More)
	}
	return text
}

// Resolve returns the ULID of the job that id names. The error wraps ErrNotFound, or is
// an *AmbiguousError.
func (s *Store) Resolve(id string) (string, error) {
	prefix := strings.ToUpper(id)
	prefix = strings.TrimPrefix(prefix, strings.ToUpper(TaskPrefix))
	if prefix == "" || strings.Trim(prefix, ulid.Encoding) != "" || len(prefix) > ulid.EncodedSize {
		return "", fmt.Errorf("job %q: %w", id, ErrNotFound)
	}
	if len(prefix) == ulid.EncodedSize {
		if s.root.has(prefix, recordFile) {
			return prefix, nil
		}
		return "", fmt.Errorf("job %q: %w", id, ErrNotFound)
	}
	ids, err := s.root.ids()
	if err != nil {
		return "", fmt.Errorf("find job %q: %w", id, err)
	}
	ids = slices.DeleteFunc(ids, func(known string) bool { return !strings.HasPrefix(known, prefix) })
	if len(ids) > 1 { // a killed submit leaves a directory without a record
		ids = slices.DeleteFunc(ids, func(known string) bool { return !s.root.has(known, recordFile) })
	}
	switch n := len(ids); {
	case n == 0:
		return "", fmt.Errorf("job %q: %w", id, ErrNotFound)
	case n > 1:
		return "", &AmbiguousError{Prefix: id, IDs: ids[:min(n, candidatesLimit)], More: max(n-candidatesLimit, 0)}
	}
	return ids[0], nil
}

// mkdir makes one of the store's directories unless it exists.
func (s *Store) mkdir(name string) error {
	err := s.root.Mkdir(name, 0o700)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return errors.Join(err, s.root.Sync("."))
}

// expire removes the files of a directory that are at least limit old. The directory may
// be missing.
func (s *Store) expire(dir string, limit time.Duration) error {
	list, err := s.root.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, info := range list {
		if s.now().Sub(info.ModTime()) >= limit {
			err = errors.Join(err, s.root.Remove(dir+"/"+info.Name()))
		}
	}
	return err
}
