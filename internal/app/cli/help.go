package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/internal/shared/term"
)

// Find returns the verb that the words name; no words name envwrap itself.
func Find(env *Env, words []string) (*Verb, error) {
	v := &Verb{Path: []string{}, Verbs: env.Table.Verbs}
	for i, word := range words {
		r, ok := lookupRow(v.Verbs, word)
		if !ok {
			return nil, missingVerb(v, words[i:])
		}
		v = r.Verb(env)
		v.Path = words[:i+1]
	}
	if len(words) == 0 {
		v = env.Table.Root(env)
		v.Path = []string{}
		v.Options = append(v.Options, rootOptions()...)
	}
	return v, nil
}

// missingVerb returns the error of words that do not begin with a verb of v.
func missingVerb(v *Verb, words []string) error {
	names := VerbNames(v.Verbs)
	list := "Verbs are " + strings.Join(names, ", ") + "."
	if len(words) == 0 {
		return &UsageError{Text: "a verb is missing", Hint: list}
	}
	if n := Nearest(words[0], names); n != "" {
		list = "Did you mean " + n + "?"
	}
	return &UsageError{Text: fmt.Sprintf("no verb %q", words[0]), Hint: list}
}

// PrintAllHelp prints the help of v as PrintHelp does with --all.
func PrintAllHelp(env *Env, v *Verb) error {
	if all := optionNamed(v.Options, "all"); all != nil {
		all.Given = []string{"true"}
	}
	return PrintHelp(env, v)
}

// PrintHelp prints the help of v on stdout: it was asked for.
func PrintHelp(env *Env, v *Verb) error {
	if optionNamed(v.Options, "help") == nil {
		v.Options = append(v.Options, helpOption())
	}
	var b strings.Builder
	if len(v.Path) == 0 {
		overview(&b, env, v)
	} else {
		manual(&b, env, v)
	}
	if _, err := io.WriteString(env.Stdout, b.String()); err != nil {
		return fmt.Errorf("print help: %w", err)
	}
	return nil
}

// usual are the options of a run that the overview shows: those that people use most.
var usual = [...]string{"format", "output", "whole", "timeout", "wait", "retries", "cache", "cwd", "env", "secret", "help", "all", "version"}

// helpWidth is the width of help in columns: in a file or pipe, and at most on a terminal.
const helpWidth = 80

// helpScreen returns the screen that help is written for.
func (env *Env) helpScreen() term.Screen {
	s := env.Screen()
	if s.Width == 0 || s.Width > helpWidth {
		s.Width = helpWidth
	}
	return s
}

// overview writes the help of envwrap itself: the verbs, and the usual options of a run,
// or all of them if --all is given.
func overview(b *strings.Builder, env *Env, run *Verb) {
	s := env.helpScreen()
	options, rest := run.Options, 0
	if !asked(options, "all") {
		options = nil
		for _, o := range run.Options {
			if slices.Contains(usual[:], o.Name) {
				shown := *o
				if o.Group != "Help" {
					shown.Group = ""
				}
				options = append(options, &shown)
			}
		}
		rest = len(run.Options) - len(options)
	}
	s.Prose(b, "envwrap runs a command and prints one JSON envelope about it.")
	fmt.Fprintf(b, "\nUsage:\n  envwrap [OPTIONS] -- COMMAND [ARG...]\n  envwrap VERB [OPTIONS] [ARG...]\n\n")
	writeVerbs(b, env, env.Table.Verbs, s)
	writeOptions(b, options, s)
	if rest > 0 {
		s.Prose(b, fmt.Sprintf("`envwrap --help --all` shows %d more options of a run.\n", rest))
	}
	fmt.Fprintf(b, "Examples:\n%s\n", indent(run.Example))
	s.Prose(b, "`envwrap help VERB` describes a verb and its options.")
}

// manual writes the help of one verb.
func manual(b *strings.Builder, env *Env, v *Verb) {
	s := env.helpScreen()
	name := "envwrap " + strings.Join(v.Path, " ")
	s.Prose(b, name+": "+v.Summary)
	fmt.Fprintf(b, "\nUsage:\n  %s\n\n", strings.TrimRight(name+" [OPTIONS] "+v.Args, " "))
	if v.Text != "" {
		s.Prose(b, strings.TrimSpace(v.Text))
		b.WriteByte('\n')
	}
	if len(v.Verbs) > 0 {
		writeVerbs(b, env, v.Verbs, s)
	}
	writeOptions(b, v.Options, s)
	fmt.Fprintf(b, "Examples:\n%s\n", indent(v.Example))
}

func writeVerbs(b *strings.Builder, env *Env, rows []Row, s term.Screen) {
	t := &term.Table{Columns: []term.Column{{}, {Fit: term.Folded, Least: 10}}}
	for _, r := range rows {
		t.Add(fmt.Sprintf("  %-10s", r.Name), r.Make(env).Summary)
	}
	b.WriteString("Verbs:\n")
	t.Write(b, s)
	b.WriteByte('\n')
}

// roomForHelp is the least width of the text beside an option. If there is less, the
// text goes below.
const roomForHelp = 30

// writeOptions lists options under the headings of their groups, all in the
// same columns.
func writeOptions(b *strings.Builder, options []*Option, s term.Screen) {
	var groups []string
	rows := map[string][]*Option{}
	width := 0
	for _, o := range options {
		if rows[o.Group] == nil {
			groups = append(groups, o.Group)
		}
		rows[o.Group] = append(rows[o.Group], o)
		width = max(width, len(HelpName(o)))
	}
	for _, g := range groups {
		fmt.Fprintf(b, "%s:\n", cmp.Or(g, "Options"))
		for _, o := range rows[g] {
			writeOption(b, o, width, s)
		}
		b.WriteByte('\n')
	}
}

// writeOption writes one option, whose name has a column of that width.
func writeOption(b *strings.Builder, o *Option, width int, s term.Screen) {
	t := &term.Table{Columns: []term.Column{{}, {Fit: term.Folded}}}
	if s.Width > 0 && s.Width < width+2*len(term.Gap)+roomForHelp {
		fmt.Fprintf(b, "  %s\n", HelpName(o))
		t.Add("      ", HelpText(o))
	} else {
		t.Add(fmt.Sprintf("  %-*s", width, HelpName(o)), HelpText(o))
	}
	t.Write(b, s)
}

// HelpName returns the left column of an option's help: -o, --output FILE.
func HelpName(o *Option) string {
	name := "    --" + o.Name
	if o.Short != "" {
		name = "-" + o.Short + ", --" + o.Name
	}
	return strings.TrimRight(name+" "+o.Value, " ")
}

// HelpText returns the right column of an option's help, with its default.
func HelpText(o *Option) string {
	if o.Def == "" {
		return o.Help
	}
	return o.Help + " (default: " + o.Def + ")"
}

func indent(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n  ") + "\n"
}

// A Node is a place on the command line where a word is expected: the verb so far, and
// what may follow.
type Node struct {
	Path    string // "artifact cat"; "" is envwrap itself
	Options []*Option
	Verbs   []Child
	Takes   ValueKind
	Words   []string // words that may follow beside verbs and options
}

// A Child is a verb below a [Node].
type Child struct{ Name, Summary string }

// Nodes returns the nodes of all verbs, beginning with envwrap itself.
func Nodes(env *Env) []Node {
	root, _ := Find(env, nil)
	list := []Node{{Options: root.Options, Takes: root.Takes}}
	children, list := verbsBelow(env, nil, env.Table.Verbs, list)
	list[0].Verbs = children
	return list
}

// verbsBelow appends the nodes of rows and returns them as children too.
func verbsBelow(env *Env, path []string, rows []Row, list []Node) ([]Child, []Node) {
	var children []Child
	for _, r := range rows {
		v := r.Verb(env)
		children = append(children, Child{r.Name, v.Summary})
		here := append(slices.Clone(path), r.Name)
		n := Node{Path: strings.Join(here, " "), Options: append(v.Options, helpOption()), Takes: v.Takes}
		if v.Choices != nil {
			n.Words = v.Choices()
		}
		list = append(list, n)
		at := len(list) - 1
		var under []Child
		under, list = verbsBelow(env, here, v.Verbs, list)
		list[at].Verbs = under
	}
	return children, list
}

// Spellings returns the option's names with their dashes.
func (o *Option) Spellings() []string {
	if o.Short == "" {
		return []string{"--" + o.Name}
	}
	return []string{"-" + o.Short, "--" + o.Name}
}

// Words returns the values that the option offers.
func (o *Option) Words() []string {
	if o.Choices == nil {
		return nil
	}
	return o.Choices()
}

// optionsOf returns the options among which those of a file's keys are found: the options of a
// run if they have all keys, else [KeyedOptions], which takes as long as a fifth of a short run.
func (env *Env) optionsOf(keys []string) []*Option {
	if len(keys) == 0 {
		return nil
	}
	root, _ := Find(env, nil)
	for _, key := range keys {
		if o := optionNamed(root.Options, key); o == nil || o.Env() == "" {
			return KeyedOptions(env)
		}
	}
	return root.Options
}

// KeyedOptions returns the options of all verbs that may be in a configuration: those
// that have a variable.
func KeyedOptions(env *Env) []*Option {
	var list []*Option
	for _, n := range Nodes(env) {
		for _, o := range n.Options {
			if o.Env() != "" && optionNamed(list, o.Name) == nil {
				list = append(list, o)
			}
		}
	}
	return list
}
