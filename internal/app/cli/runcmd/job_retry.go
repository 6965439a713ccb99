package runcmd

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/farend"
	"github.com/envwrap/envwrap/job"
)

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
		if members, err = retryOf(ctx, c); err != nil {
			return err
		}
		return submit(ctx, c)
	}
	return v
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

// retryOf makes c the submit of a group, as it was, and returns the members that failed.
func retryOf(ctx context.Context, c *cli.Call) (*job.Array, error) {
	settings, err := c.Settings()
	if err != nil {
		return nil, err
	}
	var named string
	store := cli.ArchiveOption(&named)
	store.Given = c.Option(store.Name).Given
	if err := store.Resolve(settings); err != nil {
		return nil, err
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
	own, err := MemberJobs(ctx, c.Env, s, rec, numbers, farend.AskState)
	if err != nil {
		return nil, err
	}
	for n, mine := range own {
		if !mine.State.Over() {
			return nil, fmt.Errorf("member %d of group %s goes on as job %s: %w", n, id, mine.ID, job.ErrRunning)
		}
	}
	numbers = slices.DeleteFunc(numbers, func(n int) bool { return own[n] != nil && own[n].State == job.OK })
	if len(numbers) == 0 {
		return nil, fmt.Errorf("no member of group %s failed: nothing was started", id)
	}
	a := new(*rec.Array)
	a.Of, a.Members, a.Only, a.Unkept = id, len(numbers), job.Ranges(numbers), nil
	return a, restoreSubmit(c, rec)
}

// MemberJobs is [job.Store.MemberJobs] after the runner was asked for those that are not over. The
// error names those that it does not know.
func MemberJobs(ctx context.Context, env *cli.Env, s *job.Store, group *job.Record, numbers []int, q farend.Question) (map[int]*job.Record, error) {
	own, fault := s.MemberJobs(group, numbers)
	for _, n := range slices.Sorted(maps.Keys(own)) {
		if own[n].State.Over() {
			continue
		}
		now, lost, err := AskRunner(ctx, env, s, own[n], q)
		if err == nil && lost != nil {
			err = &farend.UnknownError{Outcome: lost.Outcome}
		}
		if err != nil {
			fault = errors.Join(fault, fmt.Errorf("member %d of group %s, which has job %s of its own: %w", n, group.ID, own[n].ID, err))
			continue
		}
		own[n] = now
	}
	return own, fault
}
