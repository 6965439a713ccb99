package cli

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/runlog"
)

// Runs returns the recorded envelopes, the newest first: those of the store that was
// named, or of the first of the default stores that has any.
func (env *Env) Runs(named string) ([][]byte, error) {
	var faults []error
	for _, dir := range env.StoreDirs(named) {
		lines, err := runlog.Read(dir)
		if len(lines) > 0 {
			return lines, nil
		}
		faults = append(faults, err)
	}
	return nil, errors.Join(faults...)
}

// resolveLast replaces the words last, last:stdout and last:stderr among the ids
// of artifacts by those of the last recorded run that stored something.
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
	runs, err := c.Runs(c.Store())
	if err != nil {
		return "", err
	}
	for _, doc := range runs {
		r, err := envelope.Decode(envelope.Dialects()[0], doc)
		if err != nil || !r.HasStored() {
			continue
		}
		digest := ""
		switch word {
		case "last":
			digest = r.Digests()[0]
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

// A Source is what is known about the run that stored an artifact.
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
	docs, _ := env.Runs(store) // the store itself is listed without them
	sources := map[string]*Source{}
	for _, doc := range docs {
		r, err := envelope.Decode(envelope.Dialects()[0], doc)
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
