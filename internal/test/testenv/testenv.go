// Package testenv runs the tests of a package with HOME and TMPDIR of their own, and
// fails if a test leaves files of envwrap in either.
package testenv

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// M is the interface of [testing.M].
type M interface{ Run() int }

// Run runs tests and returns the exit status for the test binary. Meanwhile HOME and
// TMPDIR are new directories, in memory where that is possible, and variables that configure envwrap or choose a locale,
// which may not be installed, are unset. The status is 1 if a test left files of envwrap in HOME, or in the store's fallback
// directory below TMPDIR, or left a store open. Four parallel tests run for each core.
func Run(m M) int { return run(m, 4) }

// RunWaiting is [Run] for tests that mostly wait: eight parallel ones run for each
// core.
func RunWaiting(m M) int { return run(m, 8) }

func run(m M, forEachCore int) int {
	dir, err := os.MkdirTemp(memoryDir(), "testenv")
	if err != nil {
		return failed(err)
	}
	defer os.RemoveAll(dir)
	if dir, err = filepath.EvalSymlinks(dir); err != nil { // as /proc names it
		return failed(err)
	}
	w := world{home: filepath.Join(dir, "home"), temp: filepath.Join(dir, "tmp")}
	if err := w.enter(); err != nil {
		return failed(err)
	}
	flag.Parse()
	if err := moreAtOnce(forEachCore); err != nil {
		return failed(err)
	}
	if flag.Lookup("test.bench").Value.String() == "" {
		// The garbage collector closes stores, too, and would hide one that was forgotten.
		debug.SetGCPercent(-1)
		debug.SetMemoryLimit(512 << 20)
	}
	// A program's first use of a process starts another for a moment, also while a test has
	// a lock that this one would share: the use is here, before the tests.
	if _, err := os.FindProcess(os.Getpid()); err != nil {
		return failed(err)
	}
	// Children would ignore these as this process does below nohup(1), and tests send them.
	for _, sig := range [...]os.Signal{os.Interrupt, syscall.SIGHUP} {
		if signal.Ignored(sig) {
			signal.Notify(make(chan os.Signal, 1), sig)
		}
	}
	status := m.Run()
	for _, fault := range append(w.faults(), BackgroundEnds(dir)) {
		if fault == nil {
			continue
		}
		status = max(status, failed(fault))
	}
	return status
}

// LeaveStore starts this program again without ENVWRAP_STORE. Programs that a script
// starts are below an envwrap which is this process, and take its store from what /proc
// shows: the variables that it was started with.
func LeaveStore() error {
	const name = "ENVWRAP_STORE"
	if _, set := os.LookupEnv(name); !set || runtime.GOOS != "linux" {
		return nil
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if err := os.Unsetenv(name); err != nil {
		return err
	}
	return syscall.Exec(self, os.Args, os.Environ())
}

// moreAtOnce lets more parallel tests run than there are cores, unless -parallel
// says how many: most of them wait for a process or for a time.
func moreAtOnce(forEachCore int) error {
	const name = "test.parallel"
	chosen := false
	flag.Visit(func(f *flag.Flag) { chosen = chosen || f.Name == name })
	if chosen {
		return nil
	}
	return flag.Set(name, strconv.Itoa(forEachCore*runtime.GOMAXPROCS(0)))
}

func failed(err error) int {
	fmt.Fprintln(os.Stderr, "FAIL:", err)
	return 1
}

// A world is the two directories.
type world struct{ home, temp string }

// unset are the prefixes of the variables that no test inherits.
var unset = []string{"XDG_", "ENVWRAP_", "LANG", "LC_"}

// enter makes the directories and sets the variables that name them.
func (w *world) enter() error {
	if err := keepGo(); err != nil {
		return err
	}
	for _, pair := range os.Environ() {
		name, _, _ := strings.Cut(pair, "=")
		if slices.ContainsFunc(unset, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) && !ours(name) {
			if err := os.Unsetenv(name); err != nil {
				return err
			}
		}
	}
	for name, dir := range map[string]string{"HOME": w.home, "TMPDIR": w.temp} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			return err
		}
		if err := os.Setenv(name, dir); err != nil {
			return err
		}
	}
	return nil
}

// ours reports whether a variable is for the tests themselves.
func ours(name string) bool {
	return name == "ENVWRAP_SOAK" || strings.HasPrefix(name, "ENVWRAP_TEST_")
}

// keepGo lets tests that call the go command use the user's caches, which it finds
// by HOME.
func keepGo() error {
	home, err := os.UserHomeDir()
	if err != nil {
		return nil //nolint:nilerr // then it finds none either
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil //nolint:nilerr // the same
	}
	for name, dir := range map[string]string{"GOPATH": filepath.Join(home, "go"), "GOCACHE": filepath.Join(cache, "go-build")} {
		if _, set := os.LookupEnv(name); set {
			continue
		}
		if err := os.Setenv(name, dir); err != nil {
			return err
		}
	}
	return nil
}

// onlyRecords reports whether a store has nothing but the record of runs, which any run
// adds to.
func onlyRecords(store string) bool {
	only := true
	_ = filepath.WalkDir(store, func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(store, path)
		if err != nil || !d.IsDir() && name != "VERSION" && filepath.Dir(name) != "record" {
			only = false
			return fs.SkipAll
		}
		return nil
	})
	return only
}

// faults returns what the tests have left.
func (w *world) faults() []error {
	var used []string
	_ = filepath.WalkDir(w.home, func(path string, _ fs.DirEntry, err error) error {
		if err == nil && strings.Contains(filepath.Base(path), "envwrap") {
			if !onlyRecords(path) {
				used = append(used, path)
			}
			return fs.SkipDir
		}
		return nil
	})
	standIn, _ := filepath.Glob(filepath.Join(w.temp, "envwrap*"))
	var faults []error
	standIn = slices.DeleteFunc(standIn, onlyRecords)
	for _, path := range append(used, standIn...) {
		faults = append(faults, fmt.Errorf("a test used %q: give it a HOME, an XDG_STATE_HOME or a --store of its own", path))
	}
	awaitCollectors()
	for _, dir := range openDirectories() {
		if strings.HasPrefix(dir, w.temp) {
			faults = append(faults, fmt.Errorf("a test left directory %q open: close each store that it opens", dir))
		}
	}
	return faults
}

// awaitCollectors waits until no store collects in the background: Close of artifact.Store
// does not wait for that, which has the store's directory open.
func awaitCollectors() {
	stacks := make([]byte, 1<<20)
	for bytes.Contains(stacks[:runtime.Stack(stacks, true)], []byte("artifact.(*maintenance)")) {
		runtime.Gosched()
	}
}

// openDirectories lists the directories that this process has open, as a store has
// its own: none where the system does not show them (proc_pid_fd(5)).
func openDirectories() []string {
	const list = "/proc/self/fd/"
	entries, _ := os.ReadDir(list)
	var dirs []string
	for _, e := range entries {
		if info, err := os.Stat(list + e.Name()); err != nil || !info.IsDir() {
			continue
		}
		if name, err := os.Readlink(list + e.Name()); err == nil {
			dirs = append(dirs, name)
		}
	}
	return dirs
}
