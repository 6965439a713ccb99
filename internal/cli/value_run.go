package cli

import (
	"slices"
	"strings"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/session"
	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/wrap"
)

// format reads the name of a format that envelopes are written in.
func format(s string) (envelope.Dialect, error) { return formatOf(s, envelope.Formats()) }

// dialect reads the name of a format that envelopes are read in as well.
func dialect(s string) (envelope.Dialect, error) { return formatOf(s, envelope.Dialects()) }

func formatOf(s string, known []envelope.Dialect) (envelope.Dialect, error) {
	names := formatNames(known)
	if d, ok := envelope.Lookup(s); ok && slices.Contains(names, d.Name()) {
		return d, nil
	}
	hint := "Dialects are " + strings.Join(names, ", ") + "."
	for _, n := range names {
		short, _, _ := strings.Cut(n, "/")
		names = append(names, short)
	}
	if n := nearest(s, names); n != "" {
		d, _ := envelope.Lookup(n)
		hint = "Did you mean " + d.Name() + "? " + hint
	}
	return nil, badValue(s, "dialect", hint)
}

func parseWords() []word[envelope.Parse] {
	return []word[envelope.Parse]{
		{"auto", envelope.ParseAuto},
		{"json", envelope.ParseJSON},
		{"ndjson", envelope.ParseNDJSON},
		{"text", envelope.ParseText},
	}
}

func overflowWords() []word[wrap.Overflow] {
	return []word[wrap.Overflow]{
		{"error", wrap.OverflowError},
		{"truncate", wrap.OverflowTruncate},
		{"kill", wrap.OverflowKill},
	}
}

func redactWords() []word[redact.Mode] {
	return []word[redact.Mode]{
		{"all", redact.All},
		{"known", redact.Known},
		{"off", redact.Off},
	}
}

func exitWords() []word[exitRule] {
	return []word[exitRule]{
		{"child", exitChild},
		{"envelope", exitEnvelope},
		{"zero", exitZero},
	}
}

// include reads a switch whose unset state is the dialect's choice.
func include(s string) (envelope.Include, error) {
	on, err := boolean(s)
	if on {
		return envelope.IncludeAlways, err
	}
	return envelope.IncludeNever, err
}

// budgetAuto lets the calling agent decide.
const budgetAuto = -1

// budget reads a number of characters, or auto.
func budget(s string) (int, error) {
	if strings.EqualFold(s, "auto") {
		return budgetAuto, nil
	}
	return characters(s)
}

// excerptAuto lets the outcome decide how many bytes of excerpt are shown.
const excerptAuto = 0

// excerptSize reads a number of bytes, or auto. The smallest excerpt is the line
// that says what is left out.
func excerptSize(s string) (int, error) {
	if strings.EqualFold(s, "auto") {
		return excerptAuto, nil
	}
	n, err := characters(s)
	return max(n, 1), err
}

// commandName reads namespace/verb.
func commandName(s string) (string, error) {
	ns, verb, ok := strings.Cut(s, "/")
	if !ok || !isName(ns) || !isName(verb) {
		return "", badValue(s, "command", "Write it like exec/git: lower-case letters, digits and dashes around one slash.")
	}
	return s, nil
}

// isName reports whether s is lower-case letters, digits and dashes, and does
// not begin with a dash.
func isName(s string) bool {
	return s != "" && s[0] != '-' && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

// appendText adds a value that is not empty to a list.
func appendText(dst *[]string) func(string) error {
	return func(s string) error {
		if s == "" {
			return usagef("the value is empty")
		}
		*dst = append(*dst, s)
		return nil
	}
}

// assignment adds NAME=VALUE to a list. What was given is never repeated in an
// error, since it may be a secret.
func assignment(dst *[]string) func(string) error {
	return func(s string) error {
		name, value, ok := strings.Cut(s, "=")
		if !ok || name == "" {
			return &usageError{text: "the value is no NAME=VALUE", hint: "Write it like --env LANG=C."}
		}
		if strings.ContainsRune(name+value, 0) {
			return usagef("the value of %q holds a NUL byte", name)
		}
		*dst = append(*dst, s)
		return nil
	}
}

// traceID takes any plain word.
func traceID(s string) (string, error) {
	if !session.ValidTraceID(s) {
		return "", badValue(s, "trace id", "Write 32 hex digits (not all 0), a UUID, a ULID, or another word of at most 128 plain characters.")
	}
	return s, nil
}
