package job

import (
	"os"

	"github.com/envwrap/envwrap/internal/platform/proc"
)

// A Process identifies a process. Its PID alone may belong to another process by now.
type Process struct {
	PID     int    `json:"pid"`
	Started string `json:"started,omitempty"` // in the system's units; "" if unknown
	Boot    string `json:"boot,omitempty"`    // id of the boot; "" if unknown
	Space   string `json:"space,omitempty"`   // PID namespace of PID; "" if unknown
}

// identify returns the process with an id in this boot. Started is "" if the process has
// ended or cannot be seen.
func identify(pid int) Process {
	return Process{PID: pid, Started: proc.Start(pid), Boot: proc.BootID(), Space: proc.Namespace()}
}

// dead reports whether the process is known to have ended. It returns false for a process
// of another boot, and for one that cannot be seen from here.
func (p Process) dead() bool {
	if p.PID <= 0 || p.Started == "" || p.Space == "" || p.Space != proc.Namespace() || p.Boot != proc.BootID() {
		return false
	}
	return proc.Gone(p.PID, p.Started)
}

// supervisorArgs returns the beginning of every supervisor's command line, by which
// IsSupervisor recognizes it.
func supervisorArgs() []string { return []string{"envwrap", "job", "supervise"} }

// IsSupervisor reports whether a process supervises a job, which means that it does not
// belong to the run that submitted the job. It returns false where processes cannot be
// seen.
func IsSupervisor(pid int) bool { return proc.HasArguments(pid, supervisorArgs()...) }

// A Launch says how a job's supervisor is started: Program is run as "envwrap job
// supervise" in the current directory, and calls [Supervise] with the id.
type Launch struct {
	Program string                   // path
	Args    func(id string) []string // the arguments that follow "supervise"
	Env     []string                 // its environment, from which it derives that of the command
	Stdin   *os.File                 // its standard input; nil means empty
}
