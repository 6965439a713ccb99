package cli

import (
	"cmp"
	"slices"

	"github.com/envwrap/envwrap/envelope"
)

// resolveLast replaces the words last, last:stdout and last:stderr among the ids
// of artifacts by those of the last recorded run that stored something. A word
// for which there is nothing stays as it is.
func (c *call) resolveLast(words []string) {
	first := 0
	if c.verb.name == "grep" || c.verb.name == "query" {
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
func (c *call) lastArtifact(word string) string {
	store, _ := c.lookup("ENVWRAP_STORE")
	if o := c.option("store"); o != nil {
		store = cmp.Or(last(o.given), store)
	}
	runs, _ := c.runs(store)
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
