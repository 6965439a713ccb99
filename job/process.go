package job

import "github.com/envwrap/envwrap/internal/proc"

// thisBoot identifies a process of this boot by its id. One that is no more,
// and one that cannot be seen, has no start.
func thisBoot(pid int) Process {
	return Process{PID: pid, Started: proc.Start(pid), Boot: proc.BootID()}
}

// supervisorArgs begin the command line of every supervisor: by them it is known
// from outside.
func supervisorArgs() []string { return []string{"envwrap", "job", "supervise"} }

// IsSupervisor reports whether a process supervises a job: it belongs to nobody
// else's run, whoever submitted the job. It cannot tell where processes cannot be
// seen.
func IsSupervisor(pid int) bool { return proc.HasArguments(pid, supervisorArgs()...) }
