package cli

import (
	"fmt"
	"strings"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/wrap"
)

// dialect reads the name of an envelope format.
func dialect(s string) (envelope.Dialect, error) {
	if d, ok := envelope.Lookup(s); ok {
		return d, nil
	}
	var names []string
	for _, d := range envelope.Dialects() {
		names = append(names, d.Name())
	}
	return nil, badValue(s, "dialect", "Dialects are "+strings.Join(names, ", ")+".")
}

func parseMode() func(string) (envelope.Parse, error) {
	return choice(
		word[envelope.Parse]{"auto", envelope.ParseAuto},
		word[envelope.Parse]{"json", envelope.ParseJSON},
		word[envelope.Parse]{"ndjson", envelope.ParseNDJSON},
		word[envelope.Parse]{"text", envelope.ParseText},
	)
}

func overflow() func(string) (wrap.Overflow, error) {
	return choice(
		word[wrap.Overflow]{"error", wrap.OverflowError},
		word[wrap.Overflow]{"truncate", wrap.OverflowTruncate},
		word[wrap.Overflow]{"kill", wrap.OverflowKill},
	)
}

func redactMode() func(string) (redact.Mode, error) {
	return choice(
		word[redact.Mode]{"all", redact.All},
		word[redact.Mode]{"known", redact.Known},
		word[redact.Mode]{"off", redact.Off},
	)
}

func exitRules() func(string) (exitRule, error) {
	return choice(
		word[exitRule]{"child", exitChild},
		word[exitRule]{"envelope", exitEnvelope},
		word[exitRule]{"zero", exitZero},
	)
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

// String names the rule as the option does.
func (r exitRule) String() string {
	switch r {
	case exitChild:
		return "child"
	case exitEnvelope:
		return "envelope"
	case exitZero:
		return "zero"
	}
	return fmt.Sprintf("exitRule(%d)", int(r))
}
