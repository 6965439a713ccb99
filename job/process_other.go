//go:build !linux

package job

// bootID is not known here: a process is known by its id alone.
func bootID() string { return "" }

// startOf is not known here.
func startOf(int) string { return "" }

// killTree leaves all alone: without its start a process cannot be told from
// another that got its id since.
func killTree(Process, string) {}

// IsSupervisor cannot tell here.
func IsSupervisor(int) bool { return false }
