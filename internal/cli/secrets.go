package cli

import (
	"fmt"
	"strings"

	"github.com/envwrap/envwrap/redact"
)

// secretFileLimit is the most that is read of a --secret-file.
const secretFileLimit = 1 << 20

// knownValues are the secrets that are known beforehand: the values of
// variables whose names say so, here and in --env, and those that were named.
func knownValues(w *World, o *runOptions) ([]redact.Value, error) {
	values := redact.EnvValues(w.Environ)
	values = append(values, redact.EnvValues(o.env)...)
	for _, name := range o.secrets {
		secret, ok := w.lookup(name)
		if !ok && !w.isSet(name) {
			// The name is not repeated: it may be the secret itself.
			return nil, &usageError{
				text: "option --secret: there is no such variable",
				hint: "--secret takes the NAME of a variable, not its value; --secret-file reads values.",
			}
		}
		if ok {
			values = append(values, redact.Value{Rule: "env:" + name, Secret: secret})
		}
	}
	for _, file := range o.secretFiles {
		lines, err := secretLines(w.path(file))
		if err != nil {
			return nil, usagef("option --secret-file: %v", err)
		}
		for _, l := range lines {
			values = append(values, redact.Value{Rule: "secret-file", Secret: l})
		}
	}
	return values, nil
}

// secretLines reads one secret a line; empty lines are none.
func secretLines(path string) ([]string, error) {
	text, err := readSmall(path, secretFileLimit)
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
