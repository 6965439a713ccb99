//go:build linux

package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// measure runs the commands of a table in turns and prints it.
func (b *bench) measure(w io.Writer, t table) error {
	if t.setup != nil {
		fmt.Fprintf(os.Stderr, "bench: preparing %s\n", t.title)
		if err := t.setup(b); err != nil {
			return err
		}
	}
	var commands []command
	for _, c := range t.commands(b) {
		if _, err := exec.LookPath(c.argv[0]); c.peer && err != nil {
			if !slices.Contains(b.missing, c.argv[0]) {
				b.missing = append(b.missing, c.argv[0])
			}
			continue
		}
		commands = append(commands, c)
	}
	rounds := b.rounds
	if t.rounds > 0 {
		rounds = min(rounds, t.rounds)
	}
	samples := make([][]sample, len(commands))
	memory := make([]int64, len(commands))
	for i, c := range commands {
		var err error
		if memory[i], err = b.memory(c); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	for r := range rounds + 1 { // the first fills the caches, and is not counted
		if r%max(1, rounds/5) == 0 {
			fmt.Fprintf(os.Stderr, "bench: %s, round %d of %d\n", t.title, r, rounds)
		}
		for i := range commands {
			k := (i + r) % len(commands)
			s, err := b.once(commands[k])
			if err != nil {
				return fmt.Errorf("%s: %w", commands[k].name, err)
			}
			if r > 0 {
				samples[k] = append(samples[k], s)
			}
		}
	}
	return write(w, t, commands, samples, memory)
}

// once runs a command with its output thrown away.
func (b *bench) once(c command) (sample, error) {
	cmd := exec.Command(c.argv[0], c.argv[1:]...)
	cmd.Env, cmd.Dir = b.env, b.dir
	if c.stdin != "" {
		f, err := os.Open(c.stdin)
		if err != nil {
			return sample{}, err
		}
		defer f.Close()
		cmd.Stdin = f
	}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	began := time.Now()
	err := cmd.Run()
	wall := time.Since(began)
	if err != nil && (!c.fails || cmd.ProcessState == nil) {
		return sample{}, fmt.Errorf("%s: %w: %s", strings.Join(c.argv, " "), err, stderr.String())
	}
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	return sample{wall, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), usage.Minflt}, nil
}

// memory runs a command and returns the most memory that it had at a time, in KiB.
// The kernel counts what a process had before it became another program, so that a
// child of ours has no less than we have. A shell starts it: that is small, ends at
// once, and leaves its child to us (PR_SET_CHILD_SUBREAPER).
func (b *bench) memory(c command) (int64, error) {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return 0, fmt.Errorf("become a subreaper: %w", err)
	}
	cmd := exec.Command("sh", append([]string{"-c", `in=$1; shift; { read _ <&3; exec "$@" 3<&-; } <"$in" >/dev/null 2>&1 & echo $!`, "sh", cmp.Or(c.stdin, os.DevNull)}, c.argv...)...)
	wait, end, err := os.Pipe() // the shell must not see the command end
	if err != nil {
		return 0, err
	}
	defer wait.Close()
	defer end.Close()
	cmd.Env, cmd.Dir, cmd.ExtraFiles = b.env, b.dir, []*os.File{wait}
	out, err := cmd.Output()
	_ = end.Close()
	_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0) // jobs are not ours
	if err != nil {
		return 0, fmt.Errorf("start %s in a shell: %w", c.argv[0], err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(out)))
	if err != nil {
		return 0, err
	}
	var usage unix.Rusage
	for {
		_, err := unix.Wait4(pid, nil, 0, &usage)
		if !errors.Is(err, unix.EINTR) {
			return usage.Maxrss, err
		}
	}
}
