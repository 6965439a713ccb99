package cli

import (
	"context"
	"strings"
)

// A Verb is a command of envwrap, such as "artifact cat", or a group of them.
type Verb struct {
	Name    string
	Args    string          // what follows the options in its usage line
	Takes   ValueKind       // what Args names, for completion
	Choices func() []string // the words that it may be; nil if any
	Summary string          // a phrase for lists
	Text    string          // more lines for its own help
	Example string          // command lines, for its own help
	Has     Shared          // options that many verbs have, which precede its own
	Options []*Option
	Verbs   []Row         // second words
	Hidden  []Row         // second words that only envwrap itself uses
	Begin   func(c *Call) // is called before the configuration is read; nil does nothing
	Run     func(ctx context.Context, c *Call) error
	Prints  bool                           // it prints output of earlier runs, which is recorded where an agent reads it
	Strict  bool                           // a configuration with a key that is no option's is an error
	Refuse  func(c *Call, err error) error // reports an error in the line; nil prints it on stderr and exits with 2
	Path    []string                       // the words that name it; set when it is found

	store     string
	json, raw bool
}

// Shared is a set of options that many verbs have.
type Shared int

// The values of these options are [Call.Store], [Call.JSON] and [Call.Raw].
const (
	HasStore Shared = 1 << iota
	HasJSON
	HasJSONLines // --json prints one object a line
	HasRaw
)

// A Row has the name of a verb and the function that makes it, which is called only if
// the verb is used.
type Row struct {
	Name string
	Make func(*Env) *Verb
}

// Verb returns the verb with all of its options but --help.
func (r Row) Verb(env *Env) *Verb {
	v := r.Make(env)
	var shared []*Option
	if v.Has&HasStore != 0 {
		shared = append(shared, ArchiveOption(&v.store))
	}
	if v.Has&(HasJSON|HasJSONLines) != 0 {
		help := "print one JSON object"
		if v.Has&HasJSONLines != 0 {
			help += " a line (NDJSON)"
		}
		shared = append(shared, &Option{Name: "json", NoEnv: true, Help: help, Set: Into(&v.json, Boolean)})
	}
	if v.Has&HasRaw != 0 {
		shared = append(shared, &Option{Name: "raw", NoEnv: true, Help: "print control characters as they are, on a terminal too", Set: Into(&v.raw, Boolean)})
	}
	v.Options = append(shared, v.Options...)
	return v
}

// A Call is a call of a verb, whose options have been resolved.
type Call struct {
	*Env
	Verb    *Verb
	Words   []string // what precedes the first --, without options
	Rest    []string // what follows it
	dashed  bool     // there is a --
	InStore string   // the directory of the store that the verb read, where it is not that of Store
	Answers string   // the id of the job whose run's envelope the verb has printed
	Fault   error    // why the line is wrong; nil except for run
	// Applied are the settings that the options were read from; nil for run, which reads them itself.
	Applied *Settings
}

// Store returns the value of --store, or "".
func (c *Call) Store() string { return c.Verb.store }

// JSON reports whether --json asks for a JSON answer.
func (c *Call) JSON() bool { return c.Verb.json }

// Raw reports whether --raw asks for control characters unchanged on a terminal.
func (c *Call) Raw() bool { return c.Verb.raw }

// Operands returns the operands of a verb other than run: the words on both sides of
// --.
func (c *Call) Operands() []string {
	return append(append([]string(nil), c.Words...), c.Rest...)
}

// Each calls do for each operand. It continues after a failure, and returns the first one:
// it prints the others.
func (c *Call) Each(do func(operand string) error) error {
	var first error
	for _, operand := range c.Operands() {
		if err := do(operand); first == nil {
			first = err
		} else if err != nil {
			c.Complain(err)
		}
	}
	return first
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
	Root  func(*Env) *Verb // the verb of a line without one
	Verbs []Row            // in the order of help
}

func lookupRow(rows []Row, name string) (Row, bool) {
	for _, r := range rows {
		if r.Name == name {
			return r, true
		}
	}
	return Row{}, false
}
