// Package cli is envwrap's command line: it reads options, calls the packages
// that do the work, and prints what they say.
//
// A verb is one file and one row of the table in verbs.go; an option is one
// row of its verb's table (option.go). Parsing, help, completion, environment
// variables and what is kept from the child all read these rows.
package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/envwrap/envwrap/internal/term"
	"github.com/envwrap/envwrap/redact"
)

// Exit statuses of envwrap itself. Those of a run are in status.go.
const (
	statusOK     = 0
	statusFound  = 1   // checked, and found wanting
	statusUsage  = 2   // wrong usage of a verb other than run
	statusFailed = 125 // a run's usage error, or no envelope could be written
)

// Main runs envwrap in w and returns its exit status.
func Main(w *World) int {
	if err := checkOpenFiles(w.filesNeeded()); err != nil {
		w.complain(err)
		return statusFailed
	}
	if len(w.Args) > 0 {
		w = w.shimmed()
	}
	err := dispatch(context.Background(), w)
	var st status
	var us *usageError
	switch {
	case err == nil:
		return statusOK
	case errors.As(err, &st):
		return int(st)
	case errors.As(err, &us):
		w.complain(us)
		return statusUsage
	}
	w.complain(err)
	return statusFound
}

// filesNeeded is how many files have to be free to be opened: a run that stores both
// streams has up to 17, and one that steps aside reads its configuration.
func (w *World) filesNeeded() int {
	if w.stepsAside() {
		return 6
	}
	return 20
}

// complain prints an error on stderr. Many errors have what a user or a file gave:
// secrets are masked, and what a terminal would obey is spelled out.
func (w *World) complain(err error) {
	_, _ = fmt.Fprintf(w.Stderr, "envwrap: %s\n", term.Text(w.masked(err.Error())))
}

// masked is a text in which nothing is left that envwrap itself takes for a
// secret.
func (w *World) masked(text string) string {
	text, _ = redact.New(redact.Options{Values: redact.EnvValues(w.Environ)}).String(text)
	return text
}

// A status is an error that says nothing more: envwrap ends with it.
type status int

func (s status) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// A usageError says what is wrong with the command line, and what to do.
type usageError struct {
	text string // one line, without "envwrap: "
	hint string // a sentence; "" where the text says it all
}

func (e *usageError) Error() string {
	if e.hint == "" {
		return e.text
	}
	return e.text + "\n" + e.hint
}

// usagef makes a usageError without a hint.
func usagef(format string, args ...any) error {
	return &usageError{text: fmt.Sprintf(format, args...)}
}
