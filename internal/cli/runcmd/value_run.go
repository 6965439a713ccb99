package runcmd

import (
	"strings"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/cli"
	"github.com/envwrap/envwrap/internal/session"
	"github.com/envwrap/envwrap/wrap"
)

func parseWords() []cli.Word[envelope.Parse] {
	return []cli.Word[envelope.Parse]{
		{Name: "auto", Value: envelope.ParseAuto},
		{Name: "json", Value: envelope.ParseJSON},
		{Name: "ndjson", Value: envelope.ParseNDJSON},
		{Name: "text", Value: envelope.ParseText},
	}
}

func overflowWords() []cli.Word[wrap.Overflow] {
	return []cli.Word[wrap.Overflow]{
		{Name: "error", Value: wrap.OverflowError},
		{Name: "truncate", Value: wrap.OverflowTruncate},
		{Name: "kill", Value: wrap.OverflowKill},
	}
}

// include reads a switch whose unset state is the dialect's choice.
func include(s string) (envelope.Include, error) {
	on, err := cli.Boolean(s)
	if on {
		return envelope.IncludeAlways, err
	}
	return envelope.IncludeNever, err
}

// BudgetAuto lets the calling agent decide.
const BudgetAuto = -1

// budget reads a number of characters, or auto.
func budget(s string) (int, error) {
	if strings.EqualFold(s, "auto") {
		return BudgetAuto, nil
	}
	return cli.Characters(s)
}

// excerptAuto lets the outcome decide how many bytes of excerpt are shown.
const excerptAuto = 0

// excerptSize reads a number of bytes, or auto. The smallest excerpt is the line
// that says what is left out.
func excerptSize(s string) (int, error) {
	if strings.EqualFold(s, "auto") {
		return excerptAuto, nil
	}
	n, err := cli.Characters(s)
	return max(n, 1), err
}

// commandName reads namespace/verb.
func commandName(s string) (string, error) {
	ns, verb, ok := strings.Cut(s, "/")
	if !ok || !isName(ns) || !isName(verb) {
		return "", cli.BadValue(s, "command", "Write it like exec/git: lower-case letters, digits and dashes around one slash.")
	}
	return s, nil
}

// isName reports whether s is lower-case letters, digits and dashes, and does
// not begin with a dash.
func isName(s string) bool {
	return s != "" && s[0] != '-' && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

// assignment adds NAME=VALUE to a list. What was given is never repeated in an
// error, since it may be a secret.
func assignment(dst *[]string) func(string) error {
	return func(s string) error {
		name, value, ok := strings.Cut(s, "=")
		if !ok || name == "" {
			return &cli.UsageError{Text: "the value is no NAME=VALUE", Hint: "Write it like --env LANG=C."}
		}
		if strings.ContainsRune(name+value, 0) {
			return cli.Usagef("the value of %q holds a NUL byte", name)
		}
		*dst = append(*dst, s)
		return nil
	}
}

// traceID takes any plain word.
func traceID(s string) (string, error) {
	if !session.ValidTraceID(s) {
		return "", cli.BadValue(s, "trace id", "Write 32 hex digits (not all 0), a UUID, a ULID, or another word of at most 128 plain characters.")
	}
	return s, nil
}
