// Package spawn starts a process, and says why one could not be started.
package spawn

// A Failure is the reason why a process could not be started.
type Failure int

const (
	Other     Failure = iota
	Missing           // the program or its interpreter
	NoFormat          // no format that the system executes
	TooLong           // the arguments and the environment
	Exhausted         // no room for a process
)
