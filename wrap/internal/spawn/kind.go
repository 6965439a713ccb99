// Package spawn starts a process, and says why one could not be started.
package spawn

// A Kind is a kind of error from starting a process.
type Kind int

const (
	Other     Kind = iota
	Missing        // the program or its interpreter
	NoFormat       // no format that the system executes
	TooLong        // the arguments and the environment
	Exhausted      // no room for a process
)
