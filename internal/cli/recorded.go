package cli

import (
	"cmp"
	"errors"
	"slices"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/runlog"
)

// Runs are the recorded envelopes, the newest first: those of the store that
// was named, or of the first of the usual places that has any.
func (w *World) Runs(named string) ([][]byte, error) {
	var faults []error
	for _, dir := range w.StoreDirs(named) {
		lines, err := runlog.Read(dir)
		if len(lines) > 0 {
			return lines, nil
		}
		faults = append(faults, err)
	}
	return nil, errors.Join(faults...)
}

// resolveLast replaces the words last, last:stdout and last:stderr among the ids
// of artifacts by those of the last recorded run that stored something. A word
// for which there is nothing stays as it is.
func (c *Call) resolveLast(words []string) {
	first := 0
	if c.Verb.Name == "grep" || c.Verb.Name == "query" {
		first = 1 // a pattern or an expression
	}
	for i := first; i < len(words); i++ {
		if slices.Contains([]string{"last", "last:stdout", "last:stderr"}, words[i]) {
			words[i] = cmp.Or(c.lastArtifact(words[i]), words[i])
		}
	}
}

// lastArtifact returns the digest that a word for the last run stands for, "" for
// none.
func (c *Call) lastArtifact(word string) string {
	store, _ := c.Lookup("ENVWRAP_STORE")
	if o := c.Option("store"); o != nil {
		store = cmp.Or(Last(o.Given), store)
	}
	runs, _ := c.Runs(store)
	for _, doc := range runs {
		r, err := envelope.Decode(envelope.Dialects()[0], doc)
		if err != nil || !r.HasStored() {
			continue
		}
		stdout, stderr := r.Stdout.Stored(), r.Stderr.Stored()
		if r.Exec != nil {
			stdout, stderr = cmp.Or(stdout, r.Exec.Stdout.Stored()), cmp.Or(stderr, r.Exec.Stderr.Stored())
		}
		switch word {
		case "last:stdout":
			return stdout
		case "last:stderr":
			return stderr
		}
		return cmp.Or(stdout, stderr)
	}
	return ""
}
