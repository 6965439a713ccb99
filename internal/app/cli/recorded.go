package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/detect"
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/runlog"
	"github.com/envwrap/envwrap/internal/app/toolanswer"
)

// recordDirs returns the stores that may have a record of this user's runs, that with the
// newest run first: in a sandbox of an agent runs are recorded in the place that stands in
// for the default store.
func (env *Env) recordDirs(named string) []string {
	dirs := env.StoreDirs(named)
	newest := make(map[string]time.Time, len(dirs))
	for _, dir := range slices.Backward(dirs) {
		if dir == dirs[0] && len(newest) == 0 {
			break // no other has one
		}
		_ = runlog.Walk(dir, time.Time{}, func(run *runlog.Run) bool { // who reads it gets the error
			isRun := run.Kind == runlog.RunBegun || run.Kind == runlog.RunEnded
			if isRun {
				newest[dir] = run.Time
			}
			return !isRun
		})
	}
	slices.SortStableFunc(dirs, func(a, b string) int { return newest[b].Compare(newest[a]) })
	return dirs
}

// Envelopes returns the envelopes that are kept of runs, the newest first: those of the
// store that was named, or of the first of the default stores that has any, that with the
// newest run before others.
func (env *Env) Envelopes(named string) ([]runlog.Envelope, error) {
	var faults []error
	for _, dir := range env.recordDirs(named) {
		list, err := runlog.Read(dir)
		if len(list) > 0 {
			return list, nil
		}
		faults = append(faults, err)
	}
	return nil, errors.Join(faults...)
}

// A Recorded is a run of the record.
type Recorded struct {
	*runlog.Run
	N     int           // how many runs back it is: 1 is the last one
	Store string        // the directory of the store whose record it is in
	Late  *runlog.Parts // what its command printed after the answer was out; nil is nothing
}

// Unfinished is the outcome of a run on record that has no end: it still runs, or envwrap
// was killed.
const Unfinished = "unfinished"

// Runs calls yield for the recorded runs, the last one first, until it returns false:
// those of the store that was named, or of the default store that has the newest.
// Days before since are not read, unless it is zero. An unfinished run has the outcome
// [Unfinished]. A run on a runner whose far end has the same record is yielded once. other, if
// not nil, gets the lines that are no runs.
func (env *Env) Runs(named string, since time.Time, yield func(Recorded) bool, other func(*runlog.Run)) error {
	var faults []error
	for _, dir := range env.recordDirs(named) {
		n, over, far, shown, late := 0, map[string]bool{}, map[string]bool{}, map[string]*runlog.Run{}, map[string]*runlog.Parts{}
		err := runlog.Walk(dir, since, func(run *runlog.Run) bool {
			if far[run.ID] {
				return true
			}
			switch run.Kind {
			case runlog.AnswerShown:
				if before := shown[run.ID]; before != nil {
					run.Shown, run.AgentReads = run.Shown+before.Shown, run.AgentReads || before.AgentReads
				}
				shown[run.ID] = run
				return true
			case runlog.OutputLate:
				late[run.ID] = run.Parts.With(late[run.ID])
				return true
			case runlog.RunBegun:
				if over[run.ID] {
					return true
				}
				run.Outcome, over[run.ID] = Unfinished, true // one line of several
			case runlog.RunEnded:
				over[run.ID] = true
				if run.Far != "" {
					far[run.Far] = true
				}
				if s := shown[run.ID]; s != nil {
					run.Shown, run.AgentReads, run.Agent = run.Shown+s.Shown, s.AgentReads, cmp.Or(run.Agent, s.Agent)
				}
			default:
				if other != nil {
					other(run)
				}
				return true
			}
			n++
			return yield(Recorded{run, n, dir, late[run.ID]})
		})
		if n > 0 {
			return err
		}
		faults = append(faults, err)
	}
	return errors.Join(faults...)
}

// RunByID returns the recorded run with an id, from any store that runs of this user may be
// in, or from the one that was named.
func (env *Env) RunByID(named, id string) (*Recorded, error) {
	var found *Recorded
	var faults []error
	for _, dir := range env.StoreDirs(named) {
		faults = append(faults, env.Runs(dir, time.Time{}, func(r Recorded) bool {
			if r.ID == id || r.Far == id {
				found = &r
			}
			return found == nil
		}, nil))
	}
	if found == nil {
		return nil, cmp.Or(errors.Join(faults...), fmt.Errorf("no run %s is recorded\n`envwrap history` lists the runs", id))
	}
	return found, nil
}

// resolveLast replaces the words last, last:stdout and last:stderr among the ids
// of artifacts by those of the last recorded run that stored a stream, or by the parts of
// one that is not over.
func (c *Call) resolveLast() error {
	words := c.Operands()
	first := 0
	if c.Verb.Name == "grep" || c.Verb.Name == "query" {
		first = 1 // a pattern or an expression
	}
	for i := first; i < len(words); i++ {
		switch words[i] {
		case "last", "last:stdout", "last:stderr":
			digest, err := c.lastArtifact(words[i])
			if err != nil {
				return err
			}
			words[i] = digest
		}
	}
	c.Words, c.Rest = words, nil
	return nil
}

// lastArtifact returns the digest that a word for the last run means.
func (c *Call) lastArtifact(word string) (string, error) {
	if part := c.lastPart(word); part != "" {
		return part, nil
	}
	kept, err := c.Envelopes(c.Store())
	if err != nil {
		return "", err
	}
	for _, e := range kept {
		r, err := envelope.Decode(envelope.Dialects()[0], e.Doc)
		if err != nil || len(r.StreamDigests()) == 0 {
			continue
		}
		digest := ""
		switch word {
		case "last":
			digest = r.StreamDigests()[0]
		case "last:stdout":
			digest = r.Stdout.Stored()
			if r.Exec != nil {
				digest = cmp.Or(digest, r.Exec.Stdout.Stored())
			}
		case "last:stderr":
			digest = r.Stderr.Stored()
			if r.Exec != nil {
				digest = cmp.Or(digest, r.Exec.Stderr.Stored())
			}
		}
		if digest == "" {
			return "", fmt.Errorf("%s: the last run that stored something (%s) stored none of that stream\n`envwrap last` shows what it printed there; `envwrap artifact ls` lists what is stored", word, ShellLine(sourceOf(r).Argv...))
		}
		return digest, nil
	}
	return "", fmt.Errorf("%s: no run on record has stored anything\n`envwrap history` lists the runs; small output is in the envelope alone, and `envwrap last` prints that", word)
}

// lastPart returns the part of the store that has the output of the last run, or "" if that
// run is over or has none.
func (c *Call) lastPart(word string) (part string) {
	_ = c.Runs(c.Store(), time.Time{}, func(r Recorded) bool {
		switch p := r.Parts; {
		case p == nil:
		case word == "last":
			part = p.First()
		case word == "last:stdout":
			part = p.Stdout
		default:
			part = p.Stderr
		}
		return false
	}, nil) // the envelopes are read next, from the same stores
	return part
}

// A Source describes the run that stored an artifact.
type Source struct {
	Argv      []string `json:"argv,omitempty"`
	Directory string   `json:"directory,omitempty"` // the workspace
	Outcome   string   `json:"outcome,omitempty"`
	ExitCode  *int     `json:"exit_code,omitempty"`
	Signal    string   `json:"signal,omitempty"`
}

// Sources returns the last recorded run that stored each artifact, by digest. Artifacts
// whose runs are no longer recorded are missing.
func (env *Env) Sources(store string) map[string]*Source {
	kept, _ := env.Envelopes(store) // the store itself is listed without them
	sources := map[string]*Source{}
	for _, e := range kept {
		r, err := envelope.Decode(envelope.Dialects()[0], e.Doc)
		if err != nil {
			continue
		}
		source := sourceOf(r)
		for _, digest := range r.Digests() {
			if sources[digest] == nil {
				sources[digest] = source
			}
		}
	}
	return sources
}

func sourceOf(r *envelope.Result) *Source {
	dir := r.Workspace
	if r.Exec != nil {
		r = r.Exec
	}
	return &Source{
		Argv: r.Argv, Directory: cmp.Or(dir, r.Workspace), Outcome: string(r.Outcome.Kind),
		ExitCode: r.Outcome.ExitCode, Signal: r.Outcome.Signal,
	}
}

// Status returns the exit status or the signal, or "-".
func (s *Source) Status() string {
	switch {
	case s == nil:
		return "-"
	case s.ExitCode != nil:
		return strconv.Itoa(*s.ExitCode)
	}
	return cmp.Or(s.Signal, s.Outcome, "-")
}

// recordRead adds to the record what an agent read of earlier runs: what a verb has
// printed is weighed against what the agent did not have to read of their output. Calls of
// tools are not weighed: how much of an answer a client shows is not known.
func (c *Call) recordRead() {
	agent, tools := c.CallingAgent(), c.ToolFormat() != nil
	if c.printed == 0 || c.Applied.Record.Off || c.Answers == "" && tools || agent == "" && !tools {
		return
	}
	line := &runlog.Run{Kind: runlog.OutputRead, Time: c.Now(), Agent: agent, Command: strings.Join(c.Verb.Path, "/"), Shown: c.printed}
	line.Session, line.Call = c.SessionOf(agent, c.Masked)
	line.AgentReads = c.AgentReadsStdout()
	if c.Answers != "" {
		line.Kind, line.ID = runlog.AnswerShown, c.Answers
	}
	c.AddRecord(c.InStore, c.Store(), line, c.Applied.Record)
}

// SessionOf is [detect.SessionOf] in env.Environ, with the values of the variables masked. Ids
// that the agent sends to a server of tools with its call precede them.
func (env *Env) SessionOf(agent string, mask func(text string) string) (session, call string) {
	session, call = detect.SessionOf(func(name string) (string, bool) {
		value, ok := env.Lookup(name)
		return mask(value), ok
	}, agent)
	if caller, _ := toolanswer.CallerOf(env.Lookup); caller.Agent == agent {
		session = cmp.Or(detect.ID(mask(caller.Session)), session)
		call = cmp.Or(detect.ID(mask(caller.Call)), call)
	}
	return session, call
}

// AddRecord adds a line to the record of runs, and returns the directory of the store
// that has it, or "" if none can be written. used is the store that the run used, or "";
// named is the store that was named.
func (env *Env) AddRecord(used, named string, line *runlog.Run, limits runlog.Limits) string {
	dir := cmp.Or(used, env.Session().FirstStore(named))
	if dir != "" {
		err := runlog.Record(dir, line, limits)
		if err == nil {
			return dir
		}
	}
	store, _, err := env.OpenFirst(artifact.Options{Now: env.Now, NoMaintenance: true}, cmp.Or(used, named))
	if err != nil {
		return ""
	}
	defer store.Close()
	if runlog.RecordFirst(store.Dir(), line, limits) != nil {
		return ""
	}
	return store.Dir()
}

// SinceOption returns the option --since of verbs that read the record of runs.
func SinceOption(env *Env, dst *time.Time) *Option {
	return &Option{
		Name: "since", Value: "WHEN", NoEnv: true,
		Help: "only runs since then: 7d, 12h, 30m, or a date such as 2026-11-20; 0 is all",
		Set:  Into(dst, func(s string) (time.Time, error) { return since(s, env.Now()) }),
	}
}

// since parses how long before now a time is, such as 7d or 12h, or a date in UTC. It
// returns the zero time for 0.
func since(s string, now time.Time) (time.Time, error) {
	if day, err := time.Parse(time.DateOnly, s); err == nil {
		return day, nil
	}
	if days, ok := strings.CutSuffix(s, "d"); ok {
		if n, err := strconv.Atoi(days); err == nil && n > 0 && n < 100_000 {
			return now.AddDate(0, 0, -n), nil
		}
	}
	d, err := Duration(s)
	if err != nil {
		return time.Time{}, BadValue(s, "time", "Write it like 7d, 12h, 30m or 2026-11-20.")
	}
	if d == 0 {
		return time.Time{}, nil
	}
	return now.Add(-d), nil
}
