package redactcmd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/shared/term"
	"github.com/envwrap/envwrap/redact"
)

// Limits of all files of --secret-file together: each secret is looked for in a dozen
// spellings, and at the limits the tables for that take 0.1 s and 40 MB.
const (
	mostSecretBytes = 128 << 10
	mostSecretLines = 4000
)

// SecretOption returns the option --secret, which names variables. The values of all
// its sources are combined.
func (o *Redaction) SecretOption(group string) *cli.Option {
	return &cli.Option{
		Name: "secret", Value: "NAME", Many: true, Separator: ",", Group: group, Adds: true, Key: cli.NotInKey,
		Help: "mask the value of variable NAME (from 4 bytes on)", Takes: cli.AVariable,
		Set: cli.Each(cli.AppendText(&o.Secrets)), Standing: cli.Each(appendName(&o.optionalSecrets)),
		Project: cli.AnyValue, Untrusted: cli.Each(appendName(&o.UntrustedSecrets)),
	}
}

// SecretFileOption returns the option --secret-file, which names files of secrets.
func (o *Redaction) SecretFileOption(group string) *cli.Option {
	return &cli.Option{
		Name: "secret-file", Value: "FILE", Many: true, Separator: "\n", Group: group, Adds: true, Key: cli.NotInKey,
		Help: "mask each line of FILE (from 4 bytes on)", Takes: cli.AFile, Set: cli.Each(cli.AppendText(&o.SecretFiles)), Reads: true,
	}
}

// knownValues returns the secrets that are known beforehand: the values of
// variables whose names say so, and those that were named.
func knownValues(env *cli.Env, o *Redaction) ([]redact.Value, error) {
	values, err := NamedSecrets(env, o, nil)
	return slices.Concat(redact.EnvValues(env.Environ), values), err
}

// NamedSecrets returns the secrets that the options name, from envwrap's environment
// and from childEnv, the command's. With an error it also returns those that could be
// read, with which the error's envelope is masked.
func NamedSecrets(env *cli.Env, o *Redaction, childEnv []string) ([]redact.Value, error) {
	var values []redact.Value
	var fault error
	for i, name := range slices.Concat(o.Secrets, o.optionalSecrets) {
		found := named(name, env.Environ, childEnv)
		values = append(values, found...)
		if len(found) == 0 && i < len(o.Secrets) {
			fault = noVariable("option --secret: ")
		}
	}
	values = append(values, guestValues(o.UntrustedSecrets, env.Environ, childEnv)...)
	room, count := int64(mostSecretBytes), 0
	for _, file := range o.SecretFiles {
		more, err := secretLines(env, env.Path(file), room)
		if count += len(more); count > mostSecretLines {
			more, err = nil, fmt.Errorf("read %q: with it there are more than %d secrets", file, mostSecretLines)
		}
		if err != nil && fault == nil {
			fault = &cli.UsageError{
				Text: fmt.Sprintf("option --secret-file: %v", err),
				Hint: fmt.Sprintf("Name text files that can be read, with one secret a line and at most %s together.", term.Bytes(mostSecretBytes)),
			}
		}
		for _, l := range more {
			values = append(values, redact.Value{Rule: "secret-file", Secret: l})
			room -= int64(len(l))
		}
	}
	return values, fault
}

// noVariable returns the error of a variable that is not set, without the name, which
// may be the secret itself.
func noVariable(where string) error {
	return &cli.UsageError{
		Text: where + "there is no such variable",
		Hint: "--secret takes the NAME of a variable, not its value; --secret-file reads values. On a runner it has to be set there: by --env, or env of the runner's table.",
	}
}

// appendName adds the name of a variable, which need not be set, since a configuration
// holds for all shells. It refuses what cannot be a name: that may be the value itself.
func appendName(dst *[]string) func(string) error {
	return func(s string) error {
		if s == "" || strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") != "" {
			return noVariable("")
		}
		*dst = append(*dst, s)
		return nil
	}
}

// secretLines reads one secret a line, from a file of at most limit bytes, and skips
// empty lines.
func secretLines(env *cli.Env, path string, limit int64) ([]string, error) {
	text, err := env.ReadNamed(path, limit)
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

// A Redaction is the values of the options about secrets.
type Redaction struct {
	Secrets          []string // names of variables
	optionalSecrets  []string // variables named in a file; unset ones are skipped
	UntrustedSecrets []string // names of variables from a project's file that is not trusted
	SecretFiles      []string
	Rules            string // the file of --redact-config
}

// RedactWords returns the values of --redact.
func RedactWords() []cli.Word[redact.Mode] {
	return []cli.Word[redact.Mode]{
		{Name: "all", Value: redact.All},
		{Name: "known", Value: redact.Known},
		{Name: "off", Value: redact.Off},
	}
}
