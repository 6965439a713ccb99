// Package pipe makes the pipes that a command writes to, and inspects them.
package pipe

// A State is what can be known of a pipe without reading from it.
type State struct {
	Queued int  // bytes that wait in it
	Ended  bool // nobody can write to it any more
}
