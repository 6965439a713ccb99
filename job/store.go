package job

import (
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/envwrap/envwrap/internal/platform/safefs"
)

// Errors that a caller may branch on.
var (
	// ErrNotFound means that no job has the id.
	ErrNotFound = errors.New("no such job")
	// ErrTaken means that there is a job with the id that was chosen for a new one.
	ErrTaken = errors.New("is there already, and is not run a second time")
	// ErrRefused means that no job is submitted under the id any more; see [Store.Refuse].
	ErrRefused = errors.New("is refused: who asked for it before it came was told that it did not run")
	// ErrRunning means that the job is not over yet.
	ErrRunning = errors.New("the job is not over yet")
	// ErrDamaged means that a file of the job was changed by something other than this
	// package; a crash does not cause it.
	ErrDamaged = errors.New("it is damaged")
	// ErrUnsupported means that the store's file system has no locks that end with
	// their holder, without which a dead job cannot be distinguished from a living one.
	ErrUnsupported = errors.New("background jobs need a store on a local disk")
)

// Names inside the store's directory jobs.
const (
	jobsDir     = "jobs"
	queueDir    = ".queue" // one locked file a waiting job
	slotsDir    = ".slots" // one locked file a running job
	sameDir     = ".same"  // the last job of each identity
	submitLock  = ".submit"
	turnLock    = ".turn"
	saltFile    = ".salt"
	recordFile  = "record.json"
	resultFile  = "result.json"
	processFile = "process.json"
	lockFile    = "lock"
	entryFile   = "entry" // becomes the job's file in queueDir once it is locked
	cancelFile  = "cancel"
	spaceFile   = "space"
	stdoutFile  = "stdout"
	stderrFile  = "stderr"
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
	ended   *endedList
	names   *nameList
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
		ended: &endedList{root}, names: &nameList{root, o.Now}, outputs: &outputs{o.Dir, o.Now},
	}
}

// Dir returns the directory of the artifact store.
func (s *Store) Dir() string { return s.dir }

// Close releases the store. Jobs continue to run.
func (s *Store) Close() error { return s.root.Close() }
