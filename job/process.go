package job

// thisBoot identifies a process of this boot by its id. One that is no more,
// and one that cannot be seen, has no start.
func thisBoot(pid int) Process {
	return Process{PID: pid, Started: startOf(pid), Boot: bootID()}
}

// alive reports whether the process is there and is the one that was recorded.
// Where the system does not tell when a process started, it is known by its id
// alone, so ask only while the lock of its job is held.
func (p Process) alive() bool {
	return p.PID > 0 && p.Boot == bootID() && p.Started == startOf(p.PID)
}

// supervisorArgs begin the command line of every supervisor: by them it is known
// from outside.
func supervisorArgs() []string { return []string{"envwrap", "job", "supervise"} }
