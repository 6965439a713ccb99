package cli

import (
	"context"
	"strings"
)

// A Verb is one word of the command line and what it does.
type Verb struct {
	Name    string
	Args    string          // what follows the options in its usage line
	Takes   Kind            // what that names, for completion
	Choices func() []string // the words that it may be; nil where it is none of some
	Summary string          // a phrase, for lists
	Text    string          // more lines for its own help
	Example string          // command lines, for its own help
	Options []*Option
	Verbs   []Row // second words
	Hidden  []Row // second words that only envwrap itself uses
	Run     func(ctx context.Context, c *Call) error
	Refuse  func(c *Call, err error) error // prints why the line is wrong; nil is a text on stderr and status 2
	Path    []string                       // the words that name it; dispatch fills it
}

// A Row names a verb and makes it. Only the verb that is asked for is made.
type Row struct {
	Name string
	Make func(*World) *Verb
}

// A Call is one use of a verb. Its options have been resolved.
type Call struct {
	*World
	Verb   *Verb
	Words  []string // what precedes the first --, without options
	Rest   []string // what follows it
	dashed bool     // there is a --
	Fault  error    // why the line could not be read; only run sees one
}

// Operands returns what a verb other than run works on: words on both sides of --.
func (c *Call) Operands() []string {
	return append(append([]string(nil), c.Words...), c.Rest...)
}

// checkWords refuses words that do not fit Args, where NAME is one word, [NAME] one
// that may be missing, and NAME... any number of them. A command line and
// alternatives are left to the verb, as is a verb of a verb.
func (c *Call) checkWords() error {
	words, args := c.Operands(), strings.Fields(c.Verb.Args)
	if len(c.Verb.Verbs) > 0 {
		args = nil
	}
	var required []string
	for _, arg := range args {
		switch {
		case arg == "--" || arg == "|":
			return nil
		case arg[0] != '[':
			required = append(required, strings.TrimSuffix(arg, "..."))
		}
	}
	if len(words) < len(required) {
		return Usagef("%s is missing", required[len(words)])
	}
	if len(words) > len(args) && !strings.Contains(c.Verb.Args, "...") {
		return Usagef("unexpected word %q", words[len(args)])
	}
	return nil
}

// A Table is the verbs of a program.
type Table struct {
	Root  func(*World) *Verb // what happens without a verb
	Verbs []Row              // in the order of help
}

func lookupRow(rows []Row, name string) (Row, bool) {
	for _, r := range rows {
		if r.Name == name {
			return r, true
		}
	}
	return Row{}, false
}
