package cli

import "fmt"

// Exit statuses of envwrap itself, except those of a run.
const (
	StatusOK     = 0
	StatusFound  = 1   // a check found faults
	StatusUsage  = 2   // wrong usage of a verb other than run
	StatusFailed = 125 // a run's usage error, or no envelope could be written
)

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
