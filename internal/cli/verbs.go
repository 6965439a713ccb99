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
	Has     Shared          // options that many verbs have, before those of its own
	Options []*Option
	Verbs   []Row // second words
	Hidden  []Row // second words that only envwrap itself uses
	Run     func(ctx context.Context, c *Call) error
	Refuse  func(c *Call, err error) error // prints why the line is wrong; nil is a text on stderr and status 2
	Path    []string                       // the words that name it; dispatch fills it

	store     string
	json, raw bool
}

// Shared are options that many verbs have.
type Shared int

// A call answers for them by [Call.Store], [Call.JSON] and [Call.Raw].
const (
	HasStore Shared = 1 << iota
	HasJSON
	HasRaw
)

// A Row names a verb and makes it. Only the verb that is asked for is made.
type Row struct {
	Name string
	Make func(*World) *Verb
}

// Verb makes the verb with all of its options but --help.
func (r Row) Verb(w *World) *Verb {
	v := r.Make(w)
	var shared []*Option
	if v.Has&HasStore != 0 {
		shared = append(shared, ArchiveOption(&v.store))
	}
	if v.Has&HasJSON != 0 {
		shared = append(shared, &Option{Name: "json", NoEnv: true, Help: "print one JSON object", Set: Into(&v.json, Boolean)})
	}
	if v.Has&HasRaw != 0 {
		shared = append(shared, &Option{Name: "raw", NoEnv: true, Help: "print control characters as they are, on a terminal too", Set: Into(&v.raw, Boolean)})
	}
	v.Options = append(shared, v.Options...)
	return v
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

// Store returns the value of --store, "" where nobody named a store.
func (c *Call) Store() string { return c.Verb.store }

// JSON reports whether the answer is to be a JSON object.
func (c *Call) JSON() bool { return c.Verb.json }

// Raw reports whether a terminal gets control characters as they are.
func (c *Call) Raw() bool { return c.Verb.raw }

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
