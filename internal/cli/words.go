package cli

import (
	"fmt"
	"slices"

	"github.com/envwrap/envwrap/redact"
)

// checkCommand finds lines that name no command, or name it where a verb
// stands, and says which call was meant.
func (c *call) checkCommand() error {
	switch {
	case len(c.words) > 0:
		return c.noVerb()
	case !c.dashed:
		return &usageError{
			text: "no command was given",
			hint: "The command stands behind --, as in `envwrap -- git status`. `envwrap help` says more.",
		}
	case len(c.rest) == 0:
		return &usageError{
			text: "no command stands behind --",
			hint: "Write it there, as in `envwrap -- git status`.",
		}
	}
	return nil
}

// strayWord returns a function that is asked about each word of a line in turn
// and finds the one that begins a command: a first word that is no verb, and any
// word behind run.
func strayWord() func(word string) bool {
	first, run := true, false
	return func(word string) bool {
		_, isVerb := lookupRow(verbs(), word)
		stray := run || first && !isVerb
		run, first = first && word == "run", false
		return stray
	}
}

// noVerb is the error of a word that is no verb.
func (c *call) noVerb() error {
	word := c.words[0]
	if n := nearest(word, verbNames(verbs())); n != "" && c.dashed {
		return &usageError{
			text: fmt.Sprintf("no verb %q", word),
			hint: fmt.Sprintf("Did you mean `envwrap %s`?", n),
		}
	}
	maybe := ""
	if n := nearest(word, verbNames(verbs())); n != "" {
		maybe = fmt.Sprintf("; is it `envwrap %s`?", n)
	}
	return &usageError{
		text: fmt.Sprintf("no verb %q", word) + maybe,
		hint: fmt.Sprintf("To run it as a command, write `%s`.", c.meant()),
	}
}

// meant is the line with the -- that is missing, and with secrets masked.
func (c *call) meant() string {
	known := redact.New(redact.Options{Values: redact.EnvValues(c.Environ)})
	args, _ := known.Args(c.Args[min(1, len(c.Args)):])
	at := len(args) - len(c.words)
	if c.dashed {
		at = slices.Index(args, "--") - len(c.words)
	}
	at = max(at, 0)
	return shellLine(append(append([]string{"envwrap"}, args[:at]...), append([]string{"--"}, args[at:]...)...)...)
}

func verbNames(rows []row) []string {
	names := make([]string, len(rows))
	for i, r := range rows {
		names[i] = r.name
	}
	return names
}

// option finds an option of the call's verb by name.
func (c *call) option(name string) *option {
	i := slices.IndexFunc(c.verb.options, func(o *option) bool { return o.name == name })
	if i < 0 {
		return &option{name: name}
	}
	return c.verb.options[i]
}
