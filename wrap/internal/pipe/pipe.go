// Package pipe makes the pipes that a command writes to, and inspects them.
package pipe

// A State describes a pipe, as far as it can be seen without reading from it.
type State struct {
	Queued int  // bytes that wait in it
	Ended  bool // nobody can write to it any more
}
