package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/internal/shared/hints"
	"github.com/envwrap/envwrap/redact"
)

// CheckCommand returns a usage error if the line has no command, or has it in the place
// of a verb, with the call that was probably meant.
func (c *Call) CheckCommand() error {
	switch {
	case len(c.Words) > 0:
		return c.noVerb()
	case !c.dashed:
		return &UsageError{
			Text: "no command was given",
			Hint: "Put the command after --, as in `envwrap -- git status`. `envwrap help` says more.",
		}
	case len(c.Rest) == 0:
		return &UsageError{
			Text: "no command follows --",
			Hint: "Write it there, as in `envwrap -- git status`.",
		}
	}
	return nil
}

// strayWord returns a function that is called with each word of a line in turn and
// reports whether the word begins a command: it is the first word and no verb, or it
// follows run.
func strayWord(verbs []Row) func(word string) bool {
	first, run := true, false
	return func(word string) bool {
		_, isVerb := lookupRow(verbs, word)
		stray := run || first && !isVerb
		run, first = first && word == "run", false
		return stray
	}
}

// noVerb returns the error of a word that is no verb.
func (c *Call) noVerb() error {
	word := c.Words[0]
	if n := Nearest(word, VerbNames(c.Table.Verbs)); n != "" && c.dashed {
		return &UsageError{
			Text: fmt.Sprintf("no verb %q", word),
			Hint: fmt.Sprintf("Did you mean `envwrap %s`?", n),
		}
	}
	maybe := ""
	if n := Nearest(word, VerbNames(c.Table.Verbs)); n != "" {
		maybe = fmt.Sprintf("; is it `envwrap %s`?", n)
	}
	return &UsageError{
		Text: fmt.Sprintf("no verb %q", word) + maybe,
		Hint: fmt.Sprintf("To run it as a command, write `%s`.", c.meant()),
	}
}

// meant returns the line with the -- that is missing, secrets masked.
func (c *Call) meant() string {
	known := redact.New(redact.Options{Values: redact.EnvValues(c.Environ)})
	args, _ := known.Args(c.Args[min(1, len(c.Args)):])
	at := len(args) - len(c.Words)
	if c.dashed {
		at = slices.Index(args, "--") - len(c.Words)
	}
	at = max(at, 0)
	return ShellLine(append(append([]string{"envwrap"}, args[:at]...), append([]string{"--"}, args[at:]...)...)...)
}

// VerbNames returns the names of rows.
func VerbNames(rows []Row) []string { return mapped(rows, func(r Row) string { return r.Name }) }

// Option returns the option of the call's verb with a name.
func (c *Call) Option(name string) *Option {
	return cmp.Or(optionNamed(c.Verb.Options, name), &Option{Name: name})
}

// Nearest returns the name that a mistyped word most likely means: one that differs in
// at most two letters and in less than half of them, or else the only one that begins with
// three letters or more. It returns "" if none exists, or if two are equally near.
func Nearest(word string, names []string) string {
	word = strings.ToLower(word)
	best, found := min(3, (len(word)+1)/2), ""
	for _, n := range names {
		switch d := hints.Distance(word, n, best); {
		case d < best:
			best, found = d, n
		case d == best:
			found = ""
		}
	}
	if found == "" && len(word) > 2 {
		found = onlyLonger(word, names)
	}
	return found
}

// onlyLonger returns the only name that begins with word, or "".
func onlyLonger(word string, names []string) (found string) {
	for _, n := range names {
		switch {
		case !strings.HasPrefix(n, word):
		case found != "":
			return ""
		default:
			found = n
		}
	}
	return found
}

// ShellLine returns a command line, quoted for a POSIX shell.
func ShellLine(args ...string) string {
	return strings.Join(mapped(args, hints.Quote), " ")
}
