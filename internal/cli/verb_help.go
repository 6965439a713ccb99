package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/internal/term"
)

func helpVerb(*World) *verb {
	var man bool
	return &verb{
		name:    "help",
		args:    "[VERB...]",
		choices: func() []string { return verbNames(verbs()) },
		summary: "show help for envwrap or for a verb",
		example: "envwrap help run\nenvwrap help --man artifact | man -l -",
		options: []*option{
			{name: "man", noEnv: true, help: "print it as a manual page, for man(1)", set: into(&man, boolean)},
		},
		run: func(_ context.Context, c *call) error {
			v, err := find(c.World, c.args())
			if err != nil {
				return err
			}
			if man {
				if _, err := io.WriteString(c.Stdout, manPage(c.World, v)); err != nil {
					return fmt.Errorf("print the manual page: %w", err)
				}
				return nil
			}
			return printHelp(c.World, v)
		},
	}
}

// find makes the verb that the words name; no word is envwrap itself.
func find(w *World, words []string) (*verb, error) {
	v := &verb{path: []string{}, verbs: verbs()}
	for i, word := range words {
		r, ok := lookupRow(v.verbs, word)
		if !ok {
			return nil, missingVerb(v, words[i:])
		}
		v = r.make(w)
		v.path = words[:i+1]
	}
	if len(words) == 0 {
		v = runVerb(w)
		v.path = []string{}
		v.options = append(v.options, helpOption(), versionOption())
	}
	return v, nil
}

func lookupRow(rows []row, name string) (row, bool) {
	for _, r := range rows {
		if r.name == name {
			return r, true
		}
	}
	return row{}, false
}

// missingVerb says that words do not begin with a verb of v.
func missingVerb(v *verb, words []string) error {
	var names []string
	for _, r := range v.verbs {
		names = append(names, r.name)
	}
	list := "Verbs are " + strings.Join(names, ", ") + "."
	if len(words) == 0 {
		return &usageError{text: "a verb is missing", hint: list}
	}
	if n := nearest(words[0], names); n != "" {
		list = "Did you mean " + n + "?"
	}
	return &usageError{text: fmt.Sprintf("no verb %q", words[0]), hint: list}
}

// printHelp prints the help of v on stdout: it was asked for.
func printHelp(w *World, v *verb) error {
	if !slices.ContainsFunc(v.options, func(o *option) bool { return o.name == "help" }) {
		v.options = append(v.options, helpOption())
	}
	var b strings.Builder
	if len(v.path) == 0 {
		overview(&b, w, v)
	} else {
		manual(&b, w, v)
	}
	if _, err := io.WriteString(w.Stdout, b.String()); err != nil {
		return fmt.Errorf("print help: %w", err)
	}
	return nil
}

// overview is the help of envwrap itself.
func overview(b *strings.Builder, w *World, run *verb) {
	s := w.screen()
	s.Prose(b, "envwrap runs a command and prints one JSON envelope about it.")
	fmt.Fprintf(b, "\nUsage:\n  envwrap [OPTIONS] -- COMMAND [ARG...]\n  envwrap VERB [OPTIONS] [ARG...]\n\n")
	writeVerbs(b, w, verbs(), s)
	writeOptions(b, run.options, s)
	fmt.Fprintf(b, "Examples:\n%s\n", indent(run.example))
}

// manual is the help of one verb.
func manual(b *strings.Builder, w *World, v *verb) {
	s := w.screen()
	name := "envwrap " + strings.Join(v.path, " ")
	s.Prose(b, name+": "+v.summary)
	fmt.Fprintf(b, "\nUsage:\n  %s\n\n", strings.TrimRight(name+" [OPTIONS] "+v.args, " "))
	if v.text != "" {
		s.Prose(b, strings.TrimSpace(v.text))
		b.WriteByte('\n')
	}
	if len(v.verbs) > 0 {
		writeVerbs(b, w, v.verbs, s)
	}
	writeOptions(b, v.options, s)
	fmt.Fprintf(b, "Examples:\n%s\n", indent(v.example))
}

func writeVerbs(b *strings.Builder, w *World, rows []row, s term.Screen) {
	t := &term.Table{Columns: []term.Column{{}, {Fit: term.Folded, Least: 10}}}
	for _, r := range rows {
		t.Add(fmt.Sprintf("  %-10s", r.name), r.make(w).summary)
	}
	b.WriteString("Verbs:\n")
	t.Write(b, s)
	b.WriteByte('\n')
}

// roomForHelp is the least width of what is said beside an option; where there
// is less, it stands below.
const roomForHelp = 30

// writeOptions lists options under the headings of their groups, all in the
// same columns.
func writeOptions(b *strings.Builder, options []*option, s term.Screen) {
	var groups []string
	rows := map[string][]*option{}
	width := 0
	for _, o := range options {
		if rows[o.group] == nil {
			groups = append(groups, o.group)
		}
		rows[o.group] = append(rows[o.group], o)
		width = max(width, len(helpName(o)))
	}
	for _, g := range groups {
		fmt.Fprintf(b, "%s:\n", cmp.Or(g, "Options"))
		for _, o := range rows[g] {
			writeOption(b, o, width, s)
		}
		b.WriteByte('\n')
	}
}

// writeOption is one option, whose name has a column of that width.
func writeOption(b *strings.Builder, o *option, width int, s term.Screen) {
	t := &term.Table{Columns: []term.Column{{}, {Fit: term.Folded}}}
	if s.Width > 0 && s.Width < width+2*len(term.Gap)+roomForHelp {
		fmt.Fprintf(b, "  %s\n", helpName(o))
		t.Add("      ", helpText(o))
	} else {
		t.Add(fmt.Sprintf("  %-*s", width, helpName(o)), helpText(o))
	}
	t.Write(b, s)
}

// helpName is the left column: -o, --output FILE.
func helpName(o *option) string {
	name := "    --" + o.name
	if o.short != "" {
		name = "-" + o.short + ", --" + o.name
	}
	return strings.TrimRight(name+" "+o.value, " ")
}

func helpText(o *option) string {
	if o.def == "" {
		return o.help
	}
	return o.help + " (default: " + o.def + ")"
}

func indent(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n  ") + "\n"
}
