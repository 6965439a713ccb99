//go:build !unix

package job

func (p Process) interrupt() bool { return false }

func (p Process) kill() {}

func (p Process) deaf() bool { return false }
