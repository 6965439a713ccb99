// Package cli is what all verbs of envwrap's command line have in common: it finds the
// verb in a command line, reads its options from the line, the environment and the
// configuration, and prints help.
//
// A verb is one file and one row of the table in internal/cli/verbs; an option is one
// row of its verb's table ([Option]). Parsing, help, completion, environment variables
// and the removal of envwrap's variables from the child's environment all use these
// rows.
package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/envwrap/envwrap/internal/term"
	"github.com/envwrap/envwrap/redact"
)

// Exit statuses of envwrap itself, except those of a run.
const (
	StatusOK     = 0
	StatusFound  = 1   // a check found faults
	StatusUsage  = 2   // wrong usage of a verb other than run
	StatusFailed = 125 // a run's usage error, or no envelope could be written
)

// Main runs envwrap in w and returns its exit status.
func Main(w *World) int {
	if err := checkOpenFiles(w.filesNeeded()); err != nil {
		w.Complain(err)
		return StatusFailed
	}
	if len(w.Args) > 0 {
		w = w.shimmed()
	}
	err := dispatch(context.Background(), w)
	var st Status
	var us *UsageError
	switch {
	case err == nil:
		return StatusOK
	case errors.As(err, &st):
		return int(st)
	case errors.As(err, &us):
		w.Complain(us)
		return StatusUsage
	}
	w.Complain(err)
	return StatusFound
}

// filesNeeded returns how many files have to be free to be opened: a run that stores both
// streams has up to 17, and one with ENVWRAP=0 reads its configuration.
func (w *World) filesNeeded() int {
	if w.Disabled() {
		return 6
	}
	return 20
}

// Complain prints an error on stderr. Since errors may contain text of a user or a
// file, secrets are masked, and control characters made visible.
func (w *World) Complain(err error) {
	_, _ = fmt.Fprintf(w.Stderr, "envwrap: %s\n", term.Text(w.Masked(err.Error())))
}

// Masked returns a text with its secrets masked.
func (w *World) Masked(text string) string {
	text, _ = redact.New(redact.Options{Values: redact.EnvValues(w.Environ)}).String(text)
	return text
}

// A Status is an error without a message: envwrap exits with it.
type Status int

func (s Status) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// A UsageError is an error in the command line, and what to do.
type UsageError struct {
	Text string // one line, without "envwrap: "
	Hint string // a sentence, or ""
}

func (e *UsageError) Error() string {
	if e.Hint == "" {
		return e.Text
	}
	return e.Text + "\n" + e.Hint
}

// Usagef returns a [UsageError] without a hint.
func Usagef(format string, args ...any) error {
	return &UsageError{Text: fmt.Sprintf(format, args...)}
}

// Ended returns the error that carries an exit status.
func Ended(n int) error {
	if n == StatusOK {
		return nil
	}
	return Status(n)
}
