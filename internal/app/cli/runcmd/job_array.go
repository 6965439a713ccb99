package runcmd

import (
	"context"
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

// The members of a group: as a line names them, and as job retry takes them over.

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

// JobRetryVerb returns the verb job retry.
func JobRetryVerb(*cli.Env) *cli.Verb {
	var failed bool
	var members *job.Array
	v := submitVerb(&members)
	submit := v.Run
	v.Name, v.Args, v.Takes = "retry", "GROUP", cli.AJob
	v.Summary = "run the members of a group that failed again, as a new group"
	v.Text = `Submits the members that ended with an error, were canceled, or did not run, with the
command and the options of the group; options that are given hold instead. The answer
is an acknowledgement with the id of the new group.`
	v.Example = "envwrap job retry --failed 01KDF3\nenvwrap job retry --failed --timeout 1h 01KDF3"
	v.Options = slices.DeleteFunc(v.Options, func(o *cli.Option) bool { return slices.Contains([]string{"array", "dedupe"}, o.Name) })
	v.Options = append(v.Options, &cli.Option{Name: "failed", NoEnv: true, Help: "run those that failed; it must be given", Set: cli.Into(&failed, cli.Boolean), InJob: cli.SubmitOnly})
	v.Run = func(ctx context.Context, c *cli.Call) (err error) {
		if !failed {
			return &cli.UsageError{Text: "job retry needs --failed", Hint: "`envwrap job retry --failed GROUP` runs the members that failed."}
		}
		if members, err = retryOf(c); err != nil {
			return err
		}
		return submit(ctx, c)
	}
	return v
}

// retryOf makes c the submit of a group, as it was, and returns the members that failed.
func retryOf(c *cli.Call) (*job.Array, error) {
	var named string
	if given := c.Option("store").Given; len(given) > 0 {
		named = given[0]
	}
	stores, err := OpenJobStores(c.Env, named)
	if err != nil {
		return nil, err
	}
	defer stores.Close()
	s, id, err := stores.Find(c.Operands()[0])
	if err != nil {
		return nil, err
	}
	rec, err := s.Get(id)
	switch {
	case err != nil:
		return nil, err
	case rec.Array == nil:
		return nil, &cli.UsageError{Text: "job " + id + " is no group", Hint: "A group is what `envwrap job submit --array` makes."}
	case !rec.State.Over():
		return nil, fmt.Errorf("group %s: %w", id, job.ErrRunning)
	}
	ends, err := s.Ends(rec)
	if err != nil {
		return nil, err
	}
	defer ends.Close()
	var numbers []int
	for m := range ends.All() {
		if m.State != job.OK {
			numbers = append(numbers, m.Number)
		}
	}
	if len(numbers) == 0 {
		return nil, fmt.Errorf("no member of group %s failed: nothing was started", id)
	}
	a := new(*rec.Array)
	a.Of, a.Members, a.Only = id, len(numbers), job.Ranges(numbers)
	return a, restoreSubmit(c, rec)
}

// restoreSubmit makes c the command line of a group's submit, with the options that c was
// given in place of those.
func restoreSubmit(c *cli.Call, rec *job.Record) error {
	a := rec.Array
	given := map[string][]string{"max-parallel": {strconv.Itoa(a.Parallel)}, "cwd": {rec.Dir}}
	for _, option := range a.Options {
		name, value, _ := strings.Cut(strings.TrimPrefix(option, "--"), "=")
		if name == "cwd" { // which Dir has
			continue
		}
		given[name] = append(given[name], value)
	}
	for _, words := range [][]string{rec.Argv, a.Options, {a.File, rec.Dir}} {
		if slices.ContainsFunc(words, func(word string) bool { return strings.Contains(word, "***") }) {
			return &cli.UsageError{Text: "the command line of group " + rec.ID + " had a secret, which is not kept", Hint: "Submit the members again, with `envwrap job submit --array`."}
		}
	}
	for _, name := range a.Withheld {
		if len(c.Option(name).Given) == 0 {
			return &cli.UsageError{Text: "group " + rec.ID + " was submitted with --" + name + ", whose value is not kept", Hint: "Give it again."}
		}
	}
	if a.File != "" {
		if _, digest, err := countLines(a.File); err != nil || digest != a.Digest {
			return &cli.UsageError{Text: fmt.Sprintf("%q is not what it was when group %s was submitted", a.File, rec.ID), Hint: "Submit the members again, with `envwrap job submit --array`."}
		}
	}
	for _, row := range c.Verb.Options {
		if len(row.Given) > 0 || given[row.Name] == nil {
			continue
		}
		if err := row.Set(given[row.Name]); err != nil {
			return fmt.Errorf("take option --%s over from group %s: %w", row.Name, rec.ID, err)
		}
		row.Given, row.IsSet = given[row.Name], true
	}
	c.Words, c.Rest = nil, rec.Argv
	return nil
}
