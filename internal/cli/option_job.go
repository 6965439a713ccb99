package cli

// A jobPart says what becomes of a run's option where the run is a job.
type jobPart int

const (
	// jobOption is given to the job's supervisor on its command line, and makes
	// two jobs different.
	jobOption jobPart = iota
	// looksOnly is given to the supervisor. It says how a job is shown or where
	// it is kept, and makes no difference between two jobs.
	looksOnly
	// handedOver makes two jobs different. It reaches the supervisor in another
	// way than on its command line: in a variable, a descriptor or the record.
	handedOver
	// submitOnly says how a job is submitted.
	submitOnly
	// foregroundOnly has no meaning where nobody looks on: job submit does not
	// have it.
	foregroundOnly
)

// onSupervisorLine reports whether the option is repeated on the command line
// of the job's supervisor.
func (p jobPart) onSupervisorLine() bool { return p == jobOption || p == looksOnly }

// partOfIdentity reports whether two jobs differ where the option does.
func (p jobPart) partOfIdentity() bool { return p == jobOption || p == handedOver }
