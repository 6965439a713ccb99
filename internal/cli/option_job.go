package cli

// A JobPart says what becomes of a run's option where the run is a job.
type JobPart int

const (
	// jobOption is given to the job's supervisor on its command line, and makes
	// two jobs different.
	jobOption JobPart = iota
	// LooksOnly is given to the supervisor. It says how a job is shown or where
	// it is kept, and makes no difference between two jobs.
	LooksOnly
	// HandedOver makes two jobs different. It reaches the supervisor in another
	// way than on its command line: in a variable, a descriptor or the record.
	HandedOver
	// SubmitOnly says how a job is submitted.
	SubmitOnly
	// ForegroundOnly has no meaning where nobody looks on: job submit does not
	// have it.
	ForegroundOnly
)

// OnSupervisorLine reports whether the option is repeated on the command line
// of the job's supervisor.
func (p JobPart) OnSupervisorLine() bool { return p == jobOption || p == LooksOnly }

// PartOfIdentity reports whether two jobs differ where the option does.
func (p JobPart) PartOfIdentity() bool { return p == jobOption || p == HandedOver }
