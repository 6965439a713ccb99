//go:build linux

// Command bench measures envwrap beside other programs and prints the tables of
// docs/performance.md.
//
//	.ci/bench [-n ROUNDS] [-mb SIZE] [-artifacts N] [-jobs N] [GROUP...]
//
// Each round runs every command of a table once, in an order that rotates, so
// that what else the machine does meets all of them alike. A cell is the median
// of the rounds, and the middle half of them is beside it. Processor time is that
// of the command and all that it waited for, user and system. Memory is the most
// that the command had at a time in a run that is not timed. A peer that is not
// installed has no row, and its name is printed at the end.
//
// The commands run in a home directory of their own with no variables but PATH.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

func main() {
	b := &bench{}
	flag.StringVar(&b.bin, "bin", "", "directory of the programs")
	flag.IntVar(&b.rounds, "n", 41, "rounds")
	mb := flag.Int64("mb", 1024, "size of the large inputs, in MB")
	flag.IntVar(&b.artifacts, "artifacts", 100_000, "artifacts in the store of group lists")
	flag.IntVar(&b.jobs, "jobs", 10_000, "jobs in the store of group lists")
	flag.Parse()
	b.size = *mb << 20
	if err := b.run(os.Stdout, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run prints the tables of the groups, or all of them.
func (b *bench) run(w io.Writer, groups []string) (err error) {
	for _, g := range groups {
		if !slices.ContainsFunc(tables, func(t table) bool { return t.group == g }) {
			return fmt.Errorf("no group %q: there are start, store, record, stacked, run, redact, grep, lists", g)
		}
	}
	if b.dir, err = os.MkdirTemp("", "bench-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, removeAll(b.dir)) }()
	if err := os.Setenv("PATH", b.bin+":"+os.Getenv("PATH")); err != nil {
		return err
	}
	b.env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + b.dir, "TMPDIR=" + b.dir}
	fmt.Fprintf(w, "%s, %d processors, %s/%s, load %s at the start\n", runtime.Version(), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, load())
	for _, t := range tables {
		if len(groups) > 0 && !slices.Contains(groups, t.group) {
			continue
		}
		if err := b.measure(w, t); err != nil {
			return fmt.Errorf("%s: %w", t.title, err)
		}
	}
	if len(b.missing) > 0 {
		fmt.Fprintf(w, "\nNot installed here: %s.\n", strings.Join(b.missing, ", "))
	}
	return nil
}

// load returns the number of processes that ran in the last minute.
func load() string {
	data, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	first, _, _ := strings.Cut(string(data), " ")
	return first
}

// removeAll removes a directory in which a store has files without write rights.
func removeAll(dir string) error {
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err == nil && e.IsDir() {
			return os.Chmod(path, 0o700)
		}
		return err
	})
	return errors.Join(err, os.RemoveAll(dir))
}
