//go:build !unix

package job

func (p Process) interrupt() bool { return false }

func (p Process) kill() {}

// unreachable reports true: there are no signals, so a supervisor looks for a word of
// who cancels.
func (p Process) unreachable() bool { return p.PID > 0 }
