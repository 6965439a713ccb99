package cli

import (
	"github.com/envwrap/envwrap/internal/proc"
	"github.com/envwrap/envwrap/job"
)

// spared reports whether a process that descends from a command is none of it:
// one that supervises a job, or makes a remembered run anew. The command may have
// begun it, and it may go on when the command has ended.
func spared(pid int) bool { return job.IsSupervisor(pid) || refreshes(pid) }

// refreshes knows an envwrap that makes a remembered run anew by its variable,
// which no command of it inherits. Where processes cannot be seen it knows none.
func refreshes(pid int) bool { return proc.HasVariable(pid, refreshVariable+"=") }
