package envelopecmd

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/shared/errtext"
	"github.com/envwrap/envwrap/internal/shared/exitcode"
)

// ExplainVerb returns the verb explain.
func ExplainVerb(*cli.Env) *cli.Verb {
	return &cli.Verb{
		Name:    "explain",
		Args:    "[CODE | TOOL [ARG...] [STATUS]]",
		Takes:   cli.AProgram,
		Choices: cli.CodeNames,
		Summary: "explain an error code or an exit status",
		Text: "CODE is one of the envelope's error codes; without it all are listed. TOOL is a\n" +
			"program, STATUS its exit status. Arguments distinguish calls whose statuses mean\n" +
			"different things; put them after -- where they begin with a dash.",
		Example: "envwrap explain ERATELIMIT\nenvwrap explain rsync 23\nenvwrap explain -- git diff --exit-code 1\nenvwrap explain curl",
		Has:     cli.HasJSON,
		Run: func(_ context.Context, c *cli.Call) error {
			words := slices.Clone(c.Operands())
			for i := range words {
				words[i] = c.Masked(words[i])
			}
			a, err := explain(words)
			if err != nil {
				return err
			}
			a.Tool, a.Note = errtext.Bound(a.Tool), errtext.Bound(a.Note)
			err = c.Answer(a, func(b *strings.Builder) { b.WriteString(a.text(c.Screen())) })
			if err == nil && a.unknown {
				err = cli.Status(cli.StatusFound)
			}
			return err
		},
	}
}

// explain answers a question: nothing, a code, a tool, or a call and its
// status.
func explain(words []string) (*answer, error) {
	switch len(words) {
	case 0:
		return &answer{Codes: codeAnswers("")}, nil
	case 1:
		return explainWord(words[0])
	}
	argv, last := words[:len(words)-1], words[len(words)-1]
	n, err := strconv.Atoi(last)
	if err != nil || n < 0 || n > 255 {
		return nil, cli.BadValue(last, "exit status", "Give the exit status (0 to 255) last: envwrap explain rsync 23")
	}
	return explainStatus(argv, n), nil
}

func explainWord(word string) (*answer, error) {
	if found := codeAnswers(word); found != nil {
		return &answer{Codes: found}, nil
	}
	if n, err := strconv.Atoi(word); err == nil && 0 <= n && n <= 255 {
		return explainStatus([]string{""}, n), nil
	}
	a := &answer{Tool: exitcode.Tool([]string{word})}
	for row := range exitcode.Rows(a.Tool) {
		a.add(row, row.Status, first(row.Status), "")
	}
	for row := range exitcode.TextRows(a.Tool) {
		if row.Tools != exitcode.EveryTool {
			a.add(row.Row, row.Status, first(row.Status), row.Text)
		}
	}
	if len(a.Statuses) == 0 {
		a.unknown = true
		if near := cli.Nearest(word, lower(envelope.Codes())); near != "" {
			return nil, cli.Usagef("no code %q; is it %s?", word, strings.ToUpper(near))
		}
		a.Note = fmt.Sprintf("The table of known tools has no %q; of its statuses only 0 is ok.", word)
	}
	return a, nil
}

// explainStatus says what the status of one call means. Where no arguments were
// given it says, too, what the status means of particular calls of the tool.
func explainStatus(argv []string, n int) *answer {
	a := &answer{Tool: exitcode.Tool(argv), Status: &n}
	best, ok := exitcode.Lookup(argv, n)
	if ok {
		a.Tool = best.Tool
		a.addMatch(best, strconv.Itoa(n), "")
	}
	if len(argv) == 1 {
		for row := range exitcode.Rows(a.Tool) {
			if row.Scope != "" {
				a.add(row, strconv.Itoa(n), n, "")
			}
		}
	}
	for row := range exitcode.TextRows(a.Tool) {
		if row.Tools != exitcode.EveryTool && (len(argv) == 1 || row.Of(argv)) {
			a.add(row.Row, strconv.Itoa(n), n, row.Text)
		}
	}
	if !ok {
		a.Note, a.unknown = conventionalMeaning(argv, n)
		a.unknown = a.unknown && len(a.Statuses) == 0
		if a.unknown {
			a.Note = strings.TrimPrefix(a.Note, "Otherwise ")
		}
	}
	return a
}

// conventionalMeaning returns the meaning of a status by convention (sysexits, shells), for a
// program without rows in the table. unknown reports whether none exists.
func conventionalMeaning(argv []string, n int) (note string, unknown bool) {
	sysexits, isSysexits := exitcode.Sysexits(n)
	shell := exitcode.MeaningOf("shell", n)
	switch {
	case n == 0:
		return "0 is success.", false
	case n > 128 && shell != "" || n >= 126 && exitcode.IsShell(argv):
		return fmt.Sprintf("To a shell, %d means: %s.", n, shell), false
	case isSysexits:
		return fmt.Sprintf("By convention (sysexits.h), %d is %s: %s.", n, sysexits.Code, sysexits.Row.Meaning), false
	}
	return fmt.Sprintf("Otherwise %d has no known meaning: it is ERUNTIME, and never ok.", n), true
}

func (a *answer) add(row exitcode.Row, spelled string, n int, text string) {
	if m, ok := row.Says(a.Tool, n); ok {
		a.addMatch(m, spelled, strings.Trim(strings.ReplaceAll(text, "{tool}", a.Tool), "^$ "))
	}
}

func (a *answer) addMatch(m exitcode.Match, spelled, text string) {
	a.Statuses = append(a.Statuses, statusAnswer{
		Status: spelled, Scope: m.Row.Scope, Text: text, Meaning: m.Row.Meaning,
		Outcome: m.Kind, Code: m.Code, Retryable: m.Retryable, Source: m.Row.Source,
	})
}

// first returns a status that a pattern of the table fits.
func first(pattern string) int {
	switch pattern {
	case "*":
		return 1
	case "128+n":
		return 129
	}
	digits := strings.TrimPrefix(pattern, "bit:")
	if i := strings.IndexAny(digits, ",-"); i > 0 {
		digits = digits[:i]
	}
	n, err := strconv.Atoi(digits)
	if err != nil {
		return -1
	}
	return n
}

// codeAnswers returns the texts of one code, whatever its case, or of all for "".
func codeAnswers(word string) []codeAnswer {
	var found []codeAnswer
	for _, t := range codeTexts() {
		if word == "" || strings.EqualFold(word, string(t.code)) {
			found = append(found, codeAnswer{t.code, t.means, t.when, t.retry, t.do})
		}
	}
	return found
}

// lower returns words in lower case, as [cli.Nearest] compares them.
func lower[T ~string](words []T) []string {
	plain := make([]string, len(words))
	for i, w := range words {
		plain[i] = strings.ToLower(string(w))
	}
	return plain
}
