package runcmd

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/job"
)

// The members of a group, as a line names them.

// takeArray reads --array and --max-parallel. It returns an error for options that a group
// cannot have.
func (r *Runner) takeArray(a *job.Array) (err error) {
	o := r.O
	if a == nil && o.array == "" {
		if len(r.Call.Option("max-parallel").Given) > 0 {
			return &cli.UsageError{Text: "--max-parallel needs --array", Hint: "As in --array 1-100 --max-parallel 4."}
		}
		return nil
	}
	switch {
	case o.output != "":
		return &cli.UsageError{Text: "--output takes one envelope, and a group has many", Hint: "`envwrap job wait GROUP` prints all of them, one a line."}
	case o.stdin == "inherit":
		return &cli.UsageError{Text: "the members of a group cannot share envwrap's own stdin", Hint: "Name a file that each of them reads: --stdin FILE."}
	}
	if a == nil {
		if a, err = r.parseArray(o.array); err != nil {
			return err
		}
	}
	if a.Parallel = max(o.maxParallel, 1); r.arrayRow(a) != nil {
		if !r.Call.Option("max-parallel").IsSet {
			a.Parallel = a.Members
		}
		if o.queueTimeout > 0 {
			return &cli.UsageError{Text: "--queue-timeout cannot be used with a group that an engine holds", Hint: "`envwrap job cancel GROUP` gives up what has not started."}
		}
	}
	a.Options = r.memberOptions()
	for _, row := range r.Call.Verb.Options {
		if row.Name == "env" && len(row.Given) > 0 && !slices.Contains(a.Withheld, row.Name) {
			a.Withheld = append(a.Withheld, row.Name)
		}
	}
	o.members = a
	return nil
}

// arrayRow returns the runner of --on if its engine takes a group in one submission, else
// nil.
func (r *Runner) arrayRow(a *job.Array) *cli.RunnerRow {
	row, err := r.engineRow()
	if err != nil || row == nil || !row.Engine.Arrays() {
		return nil
	}
	if !row.Engine.Apart() {
		return row
	}
	var size int64
	if a.File != "" {
		if info, err := os.Stat(a.File); err == nil {
			size = info.Size()
		}
	}
	if a.Members > indexedMost || size > indexedLines {
		return nil
	}
	return row
}

// What a group may have that a Job of Kubernetes takes whole: a script is one argument of sh.
const (
	indexedMost  = 10_000
	indexedLines = 64 << 10 // bytes of the file with its lines
)

// parseArray reads the value of --array: A-B, or the name of a file.
func (r *Runner) parseArray(value string) (*job.Array, error) {
	from, to, isRange := strings.Cut(value, "-")
	first, firstErr := strconv.Atoi(from)
	last, lastErr := strconv.Atoi(to)
	if isRange && firstErr == nil && lastErr == nil {
		if first < 0 || last < first || last-first >= membersMost {
			return nil, &cli.UsageError{Text: fmt.Sprintf("option --array: %q is no range of at most %d numbers", value, membersMost), Hint: "Write A-B, as in 1-100; a file of that name is ./" + value + "."}
		}
		return &job.Array{First: first, Members: last - first + 1}, nil
	}
	a := &job.Array{First: 1, File: r.Path(value)}
	var err error
	if a.Members, a.Digest, err = countLines(a.File); err != nil {
		fault := &cli.UsageError{Text: fmt.Sprintf("option --array: %q: %v", value, err), Hint: "Write A-B, or the name of a file: each of its lines is a member."}
		for _, f := range linesFaults() {
			if errors.Is(err, f.is) {
				fault.Hint = f.hint
			}
		}
		return nil, fault
	}
	return a, nil
}

// Faults of a file with the lines of a group.
var (
	errNoLines = errors.New("it is empty")
	errNUL     = errors.New("it has a NUL byte, which no argument can have")
)

// linesFaults says what to do about each of them.
func linesFaults() []linesFault {
	return []linesFault{
		{errNoLines, "Write a line for each member into it."},
		{errNUL, `The lines end with LF. Of names that find -print0 printed, tr '\0' '\n' makes such a file.`},
		{job.ErrLongLine, "Write the name of a file in place of what is that long, and have the command read that file."},
	}
}

type linesFault struct {
	is   error
	hint string
}

// membersMost is the largest number of members.
const membersMost = 10_000_000

// countLines counts the lines of a file, which it checks, and returns its digest.
func countLines(path string) (n int, digest string, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, "", errors.Unwrap(err)
	}
	if !info.Mode().IsRegular() {
		return 0, "", errors.New("it is not a regular file")
	}
	f, err := os.Open(path)
	if err != nil {
		return 0, "", errors.Unwrap(err)
	}
	defer f.Close()
	sum := sha256.New()
	for line, err := range job.MemberLines(io.TeeReader(f, sum)) {
		switch n++; {
		case err != nil:
			return 0, "", fmt.Errorf("line %d: %w", n, err)
		case strings.Contains(line, "\x00"):
			return 0, "", fmt.Errorf("line %d: %w", n, errNUL)
		case n > membersMost:
			return 0, "", fmt.Errorf("it has more than %d lines", membersMost)
		}
	}
	if n == 0 {
		return 0, "", errNoLines
	}
	return n, hex.EncodeToString(sum.Sum(nil)), nil
}

// memberOptions returns the options of the members' runs, as they were given for the group.
func (r *Runner) memberOptions() (line []string) {
	fixed := []string{"store", "format", "detail", "budget", "pretty", "compact", "include-output", "exit-code", "emit", "output", "tee", "trace-id", "jobs"}
	for _, known := range r.Call.Verb.Options {
		if !known.InJob.OnSupervisorLine() || slices.Contains(fixed, known.Name) {
			continue
		}
		for _, value := range known.Given {
			line = append(line, "--"+known.Name+"="+value)
		}
	}
	if r.O.stdin != "auto" && r.O.stdin != "null" {
		return append(line, "--stdin="+r.Path(r.O.stdin))
	}
	return append(line, "--stdin=null")
}
