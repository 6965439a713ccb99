package envelope

import "time"

// An Attempt is one run of a command that was tried several times.
type Attempt struct {
	Code     Code // "" where it went well
	ExitCode *int // nil where there is none
	Signal   string
	Duration time.Duration
	Waited   time.Duration // before it began
}

// Attempts are all tries of a command, the last included, in order. It is
// empty where nobody asked for retries or the first one went well.
type Attempts struct {
	Tries   []Attempt
	Backoff string // how the waits were chosen, for instance "exponential"
	// RetryAfter is how long the output asked to wait, the last time it did;
	// nil where it never did.
	RetryAfter *time.Duration
}
