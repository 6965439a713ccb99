//go:build linux

// Command soak runs envwrap many times in a row, on a store of its own, and reports
// whether time, memory, files or processes grow. .ci/soak calls it.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// blocks is how many rows a table has. The last one is compared with the second,
// as the first one makes the store.
const blocks = 10

// Growth of a block's time, memory and descriptors above which it is a fault: other programs on
// the machine change both.
const (
	mostTime   = 1.5
	mostMemory = 1.25
	mostOpen   = 2 // descriptors
)

func main() {
	bin := flag.String("bin", "envwrap", "the program")
	runs := flag.Int("runs", 100_000, "runs in a row, one in ten of which stores its output")
	jobs := flag.Int("jobs", 10_000, "jobs, each submitted when the one before is over")
	flag.Parse()
	if err := soak(*bin, *runs, *jobs); err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

func soak(bin string, runs, jobs int) error {
	dir, err := os.MkdirTemp("", "soak-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	s := &soaked{bin: bin, dir: dir, store: filepath.Join(dir, "store")}
	err = errors.Join(s.table("runs", runs, s.run), s.table("jobs", jobs, s.job))
	if left := s.processes(); len(left) > 0 {
		err = errors.Join(err, fmt.Errorf("processes are left: %v", left))
	}
	return err
}

type soaked struct {
	bin, dir, store string
	memory          int64 // the most that a process of the block had, in KiB
}

// A block holds the cost of a part of the calls, and the files that they left.
type block struct {
	time   time.Duration // of the processors, a call
	memory int64
	open   int            // descriptors of a wrapper, or of a supervisor, while its command ran
	files  map[string]int // by directory of the store
}

// table makes n calls and prints a row for each tenth of them.
func (s *soaked) table(name string, n int, call func(script string) (string, error)) error {
	if n == 0 {
		return nil
	}
	fmt.Printf("%9s  CPU ms   MiB  descriptors  files\n", name)
	var all []block
	for b := range blocks {
		s.memory = 0
		begin, calls := childTime(), 0
		for i := b * n / blocks; i < (b+1)*n/blocks; i++ {
			if _, err := call(script(i)); err != nil {
				return fmt.Errorf("%s: call %d: %w", name, i, err)
			}
			calls++
		}
		cpu := childTime() - begin
		open, err := descriptors(call)
		if err != nil {
			return fmt.Errorf("%s: count descriptors: %w", name, err)
		}
		files, err := s.files()
		if err != nil {
			return err
		}
		now := block{cpu / time.Duration(max(calls, 1)), s.memory, open, files}
		all = append(all, now)
		fmt.Printf("%9d  %6.2f  %4.1f  %11d  %s\n", (b+1)*n/blocks, now.time.Seconds()*1e3, float64(now.memory)/1024, open, listed(files))
	}
	return compare(name, all[1], all[blocks-1])
}

// compare returns what grew that should not.
func compare(name string, early, late block) error {
	var err error
	if float64(late.time) > mostTime*float64(early.time) {
		err = errors.Join(err, fmt.Errorf("%s: a call took %v, and %v at the end", name, early.time, late.time))
	}
	if float64(late.memory) > mostMemory*float64(early.memory) {
		err = errors.Join(err, fmt.Errorf("%s: a process had %d KiB, and %d at the end", name, early.memory, late.memory))
	}
	if late.open > early.open+mostOpen {
		err = errors.Join(err, fmt.Errorf("%s: a process had %d descriptors, and %d at the end", name, early.open, late.open))
	}
	for _, dir := range []string{".", "part", "run", "quarantine"} { // the others keep what they are asked to keep
		if late.files[dir] > early.files[dir] {
			err = errors.Join(err, fmt.Errorf("%s: %q had %d files, and %d at the end", name, dir, early.files[dir], late.files[dir]))
		}
	}
	return err
}

// script returns what call i runs: one in ten prints enough to be stored.
func script(i int) string {
	if i%10 != 0 {
		return "echo " + strconv.Itoa(i)
	}
	return "echo " + strconv.Itoa(i) + "; head -c 40000 /dev/zero | tr '\\0' x"
}

// descriptors returns the fewest that a command saw open in the process that ran it:
// some come and go while it works.
func descriptors(call func(script string) (string, error)) (int, error) {
	fewest := math.MaxInt
	for range 10 {
		answer, err := call("ls /proc/$PPID/fd | wc -l")
		if err != nil {
			return 0, err
		}
		count, _, _ := strings.Cut(answer, "\n")
		n, err := strconv.Atoi(count)
		if err != nil {
			return 0, err
		}
		fewest = min(fewest, n)
	}
	return fewest, nil
}

func (s *soaked) run(script string) (string, error) {
	return s.call("-f", "brief", "--store", s.store, "--", "sh", "-c", script)
}

func (s *soaked) job(script string) (string, error) {
	answer, err := s.call("job", "submit", "--store", s.store, "--", "sh", "-c", script)
	if err != nil {
		return "", err
	}
	_, rest, _ := strings.Cut(answer, `"id":"`)
	id, _, _ := strings.Cut(rest, `"`)
	return s.call("job", "wait", "-f", "brief", "--store", s.store, id)
}

// call runs envwrap and returns its answer.
func (s *soaked) call(args ...string) (string, error) {
	cmd := exec.Command(s.bin, args...)
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "HOME="+s.dir, "XDG_STATE_HOME="+s.dir)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	answer, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%v: %w: %s", args, err, stderr.Bytes())
	}
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		s.memory = max(s.memory, usage.Maxrss)
	}
	return string(answer), nil
}

// childTime returns the processors' time of all calls so far.
func childTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_CHILDREN, &u) // cannot fail for this process
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// files counts the files of the store by directory.
func (s *soaked) files() (map[string]int, error) {
	files := map[string]int{}
	err := filepath.WalkDir(s.store, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err = filepath.Rel(s.store, name)
		top, _, below := strings.Cut(name, "/")
		if !below {
			top = "."
		}
		files[top]++
		return err
	})
	return files, err
}

func listed(files map[string]int) string {
	var b strings.Builder
	for _, dir := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(&b, "%s %d  ", dir, files[dir])
	}
	return strings.TrimSpace(b.String())
}

// processes returns those that still work for the store, with how many descriptors
// each has open. A supervisor that is on its way out has two seconds.
func (s *soaked) processes() []string {
	var left []string
	for end := time.Now().Add(2 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		left = nil
		lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
		for _, file := range lines {
			line, err := os.ReadFile(file)
			if err != nil || !bytes.Contains(line, []byte(s.store)) {
				continue
			}
			open, _ := os.ReadDir(filepath.Join(filepath.Dir(file), "fd"))
			left = append(left, fmt.Sprintf("%s (%d descriptors)", bytes.ReplaceAll(line, []byte{0}, []byte{' '}), len(open)))
		}
		if len(left) == 0 || time.Now().After(end) {
			return left
		}
	}
}
