package cli

import (
	"bytes"
	"fmt"
	"os"

	"github.com/envwrap/envwrap/job"
)

// spared reports whether a process that descends from a command is none of it:
// one that supervises a job, or makes a remembered run anew. The command may have
// begun it, and it may go on when the command has ended.
func spared(pid int) bool { return job.IsSupervisor(pid) || refreshes(pid) }

// refreshes knows an envwrap that makes a remembered run anew by its variable,
// which no command of it inherits. Where there is no /proc it knows none.
func refreshes(pid int) bool {
	env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	mark := []byte(refreshVariable + "=")
	return err == nil && (bytes.HasPrefix(env, mark) || bytes.Contains(env, append([]byte{0}, mark...)))
}
