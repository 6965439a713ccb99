package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/internal/session"
	"github.com/envwrap/envwrap/redact"
)

// secretFileLimit is the most that is read of a --secret-file.
const secretFileLimit = 1 << 20

// secretOption is the option that names variables. What one source masks is
// masked whatever another says.
func (o *runOptions) secretOption(group string) *option {
	return &option{
		name: "secret", value: "NAME", many: true, separator: ",", group: group, adds: true,
		help: "mask the value of variable NAME", takes: aVariable,
		set: each(appendText(&o.secrets)), standing: each(appendName(&o.maybeSecrets)),
		project: anyValue, untrusted: each(appendName(&o.guests)),
	}
}

// secretFileOption is the option that names files of secrets.
func (o *runOptions) secretFileOption(group string) *option {
	return &option{
		name: "secret-file", value: "FILE", many: true, separator: "\n", group: group, adds: true,
		help: "mask each line of FILE", takes: aFile, set: each(appendText(&o.secretFiles)), reads: true,
	}
}

// knownValues are the secrets that are known beforehand: the values of
// variables whose names say so, here and in --env, and those that were named.
func knownValues(w *World, o *runOptions) ([]redact.Value, error) {
	values, err := namedSecrets(w, o)
	return slices.Concat(redact.EnvValues(w.Environ), redact.EnvValues(o.env), values), err
}

// namedSecrets are the secrets that the options name. What could be had is
// returned beside an error, whose envelope is masked too.
func namedSecrets(w *World, o *runOptions) ([]redact.Value, error) {
	var values []redact.Value
	var fault error
	for i, name := range slices.Concat(o.secrets, o.maybeSecrets) {
		found := named(name, w.Environ, o.env)
		values = append(values, found...)
		if len(found) == 0 && i < len(o.secrets) {
			fault = noVariable("option --secret: ")
		}
	}
	values = append(values, guestValues(o.guests, w.Environ, o.env)...)
	for _, file := range o.secretFiles {
		lines, err := w.secretLines(w.path(file))
		if err != nil && fault == nil {
			fault = &usageError{
				text: fmt.Sprintf("option --secret-file: %v", err),
				hint: "Name a text file that can be read, one secret a line.",
			}
		}
		for _, l := range lines {
			values = append(values, redact.Value{Rule: "secret-file", Secret: l})
		}
	}
	return values, fault
}

// named are the values of a variable, in our environment and in what the
// command is given beside it.
func named(name string, environs ...[]string) []redact.Value {
	var values []redact.Value
	for _, e := range slices.Concat(environs...) {
		if session.IsVariable(name)(e) {
			values = append(values, redact.Value{Rule: "env:" + name, Secret: e[len(name)+1:]})
		}
	}
	return values
}

// noVariable does not repeat the name, which may be the secret itself.
func noVariable(where string) error {
	return &usageError{
		text: where + "there is no such variable",
		hint: "--secret takes the NAME of a variable, not its value; --secret-file reads values.",
	}
}

// appendName adds the name of a variable, which need not be set: a file holds
// for all shells. What cannot be a name is taken for a value in its place.
func appendName(dst *[]string) func(string) error {
	return func(s string) error {
		if s == "" || strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") != "" {
			return noVariable("")
		}
		*dst = append(*dst, s)
		return nil
	}
}

// secretLines reads one secret a line; empty lines are none.
func (w *World) secretLines(path string) ([]string, error) {
	text, err := w.readNamed(path, secretFileLimit)
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", path, err)
	}
	var lines []string
	for l := range strings.Lines(string(text)) {
		if l = strings.TrimRight(l, "\r\n"); l != "" {
			lines = append(lines, l)
		}
	}
	return lines, nil
}
