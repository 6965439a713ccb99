package artifact

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/envwrap/envwrap/artifact/internal/filesys"
	"github.com/envwrap/envwrap/artifact/internal/partial"
	"github.com/envwrap/envwrap/internal/platform/safefs"
)

// Open opens a store for writing, and creates it if it does not exist. An error means
// that nothing can be written there: the directory cannot be created, belongs to
// another user, is writable by others, has a layout of another version, or is on a
// read-only file system.
func Open(o Options) (*Store, error) {
	s, err := openWrite(o)
	if err != nil {
		return nil, fmt.Errorf("open artifact store %q: %w", o.Dir, err)
	}
	return s, nil
}

func openWrite(o Options) (*Store, error) {
	dir, err := safefs.Create(o.Dir)
	if err != nil {
		return nil, err
	}
	s, err := attach(o, dir)
	if err != nil {
		return nil, err
	}
	if err := s.writable(); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// OpenRead opens an existing store. Methods that change it (Pin, Remove, Collect and so
// on) work if its layout has this package's [Version]. The error wraps fs.ErrNotExist
// if the directory is no store.
func OpenRead(o Options) (*Store, error) {
	s, err := openRead(o)
	if err != nil {
		return nil, fmt.Errorf("open artifact store %q: %w", o.Dir, err)
	}
	if s.version == "" && s.fs.ReadOnly == nil {
		s.Close()
		return nil, fmt.Errorf("open artifact store %q: %w", o.Dir, fs.ErrNotExist)
	}
	return s, nil
}

// OpenFirst opens for writing the first of dirs that can be written. The string is a
// warning if an earlier one was skipped, else "". If none can be written, the error has
// the reason of each.
func OpenFirst(o Options, dirs ...string) (*Store, string, error) {
	var failed error
	for _, dir := range dirs {
		o.Dir = dir
		s, err := Open(o)
		switch {
		case err == nil && failed != nil:
			return s, fmt.Sprintf("%v; %q is used in its place", failed, dir), nil
		case err == nil:
			return s, "", nil
		case failed != nil:
			failed = fmt.Errorf("%w; %w", failed, err)
		default:
			failed = err
		}
	}
	if failed == nil {
		failed = errors.New("open artifact store: no directory was named")
	}
	return nil, "", failed
}

// FallbackDir returns the directory of the store to use if the usual one cannot be
// written: envwrap-<uid> in tmp, the directory for temporary files.
func FallbackDir(tmp string) string {
	user := "user" // where there are no user ids, tmp is the user's own
	if uid := os.Geteuid(); uid >= 0 {
		user = strconv.Itoa(uid)
	}
	return filepath.Join(tmp, "envwrap-"+user)
}

// HasLocks reports whether files in a directory can be locked without the risk of
// hanging. It returns false on network file systems and on Windows.
func HasLocks(dir string) bool { return filesys.HasLocks(dir) }

func openRead(o Options) (*Store, error) {
	dir, err := safefs.Open(o.Dir)
	if err != nil {
		return nil, err
	}
	return attach(o, dir)
}

// attach opens the store in a directory, and changes nothing there.
func attach(o Options, dir *safefs.Dir) (*Store, error) {
	f, capabilities := filesys.New(dir)
	s := newStore(o, &filesys.Volume{FS: f, Capabilities: capabilities})
	s.objects.workers = runtime.GOMAXPROCS(0)
	if err := s.readVersion(); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func newStore(o Options, v *filesys.Volume) *Store {
	v.SyncFiles, v.SyncNames = o.Sync != SyncOff, o.Sync == SyncFull
	now, run := o.Now, o.Run
	if now == nil {
		now = time.Now
	}
	if run == "" {
		run = strconv.Itoa(os.Getpid()) + "-" + strconv.FormatInt(now().UnixNano(), 36)
	}
	s := &Store{
		dir: o.Dir, now: now, fs: v, fetcher: o.Fetch, sender: o.Send,
		maintenance: maintenance{off: o.NoMaintenance, done: make(chan struct{})},
		parts:       &partial.Files{Volume: v, Run: run, Now: now},
		objects:     &objects{fs: v, now: now, workers: 1},
	}
	s.pins = &pins{fs: v, parts: s.parts, now: now}
	s.index = &index{fs: v, parts: s.parts, objects: s.objects, now: now}
	s.sizes = &sizes{fs: v, objects: s.objects, now: now}
	s.quota = &quota{limit: o.MaxSize, fs: v, parts: s.parts, sizes: s.sizes, now: now, remove: s.Collect}
	return s
}

func (s *Store) readVersion() error {
	b, err := s.fs.ReadFile(versionFile, 64)
	if err != nil {
		return filesys.IgnoreNotExist(err)
	}
	s.version = strings.TrimSpace(string(b))
	if s.version != Version {
		s.fs.ReadOnly = &VersionError{s.version}
	}
	return nil
}

// writable tries to write to the store, and returns why it cannot.
func (s *Store) writable() error {
	if s.fs.ReadOnly != nil {
		return s.fs.ReadOnly
	}
	if s.version == "" {
		if err := s.initialize(); err != nil {
			return err
		}
	}
	p, err := s.parts.Create(partial.Captured)
	if err != nil {
		return err
	}
	s.prepared.Store(p)
	return nil
}

// initialize makes an empty directory a store. The version file appears atomically, and
// never replaces another process's.
func (s *Store) initialize() error {
	p, err := s.parts.Write([]byte(Version + "\n"))
	if err != nil {
		return err
	}
	defer p.Drop()
	if err := s.fs.LinkNew(p.Name, versionFile); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	s.version = Version
	return s.fs.SyncDir(".")
}
