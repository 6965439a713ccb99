//go:build !unix

package job

func (p Process) interrupt() bool { return false }

func (p Process) kill() {}

// unreachable returns true: this system has no signals, so a supervisor reads
// cancelRequest.
func (p Process) unreachable() bool { return p.PID > 0 }
