package cli

import "context"

// A verb is one word of the command line and what it does.
type verb struct {
	name    string
	args    string          // what follows the options in its usage line
	takes   kind            // what that names, for completion
	choices func() []string // the words that it may be; nil where it is none of some
	summary string          // a phrase, for lists
	text    string          // more lines for its own help
	example string          // command lines, for its own help
	options []*option
	verbs   []row // second words
	hidden  []row // second words that only envwrap itself uses
	run     func(ctx context.Context, c *call) error
	refuse  func(c *call, err error) error // prints why the line is wrong; nil is a text on stderr and status 2
	path    []string                       // the words that name it; dispatch fills it
}

// A row names a verb and makes it. Only the verb that is asked for is made.
type row struct {
	name string
	make func(*World) *verb
}

// A call is one use of a verb. Its options have been resolved.
type call struct {
	*World
	verb   *verb
	words  []string // what stands before the first --, without options
	rest   []string // what stands behind it
	dashed bool     // there is a --
	fault  error    // why the line could not be read; only run sees one
}

// args is what a verb other than run works on: words on both sides of --.
func (c *call) args() []string {
	words := append(append([]string(nil), c.words...), c.rest...)
	if c.verb.takes == anArtifact {
		c.resolveLast(words)
	}
	return words
}

// verbs is the table of verbs, in the order of help.
func verbs() []row {
	return []row{
		{"run", runVerb},
		{"validate", validateVerb},
		{"convert", convertVerb},
		{"schema", schemaVerb},
		{"explain", explainVerb},
		{"redact", redactVerb},
		{"detect", detectVerb},
		{"artifact", artifactVerb},
		{"last", lastVerb},
		{"history", historyVerb},
		{"job", jobVerb},
		{"cache", cacheVerb},
		{"remote", remoteVerb},
		{"config", configVerb},
		{"shim", shimVerb},
		{"hook", hookVerb},
		{"mcp", mcpVerb},
		{"completion", completionVerb},
		{"version", versionVerb},
		{"help", helpVerb},
	}
}
