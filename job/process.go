package job

// thisBoot identifies a process of this boot by its id. One that is no more,
// and one that cannot be seen, has no start.
func thisBoot(pid int) Process {
	return Process{PID: pid, Started: startOf(pid), Boot: bootID()}
}

// supervisorArgs begin the command line of every supervisor: by them it is known
// from outside.
func supervisorArgs() []string { return []string{"envwrap", "job", "supervise"} }
