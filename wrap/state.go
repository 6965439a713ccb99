package wrap

import (
	"os"
	"slices"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/wrap/internal/nesting"
	"github.com/envwrap/envwrap/wrap/internal/proctree"
)

// A run is one execution of a Command.
type run struct {
	c     *Command
	mask  masker
	store *lazyStore

	stdin     *os.File
	ownsStdin bool
	streams
	printed chan struct{} // gets one when the child printed something

	exited chan *os.ProcessState // gets how it ended; nil where the system does not say

	family         proctree.Family // the child and what it starts
	probe          *probe          // asks a shell about the stages of its pipeline; nil where there is none to ask
	failure        *startFailure   // why there is no process
	end            end             // how the process ended
	usage          *envelope.Usage
	stopped        stop // why we stopped it
	gaveUp         bool // nobody waits for those who read the output any more
	echoed         bool // the terminal on stdin showed what is typed when the run began
	waitedForStdin bool // it was reading stdin when its time was over

	below  *nesting.Register // what envwraps below the child said
	nested Nesting           // of the envelope on stdout

	started, ended time.Time
	held           []proctree.Process // what kept the output open when reading it ended
	left           []envelope.Leftover
	warnings       []string
}

// end is how a process ended: with a status, or by a signal.
type end struct {
	code   int
	signal int    // 0 where it exited
	name   string // of the signal
	lost   bool   // the system did not say (another process reaped the child)
}

// newRun prepares a run. At a terminal the child stays in our process group, else
// reading the terminal would stop it (SIGTTIN).
func newRun(c *Command) *run {
	return &run{
		c:        c,
		family:   proctree.Family{Config: proctree.Config{OwnGroup: !c.Terminal, Subreaper: c.Subreaper, IsHelper: c.IsHelper}},
		mask:     masker{redactor: c.Redactor},
		store:    &lazyStore{open: c.Store},
		streams:  streams{pumped: make(chan struct{})},
		printed:  make(chan struct{}, 1),
		exited:   make(chan *os.ProcessState, 1),
		warnings: slices.Clone(c.Warnings),
	}
}

func (r *run) now() time.Time {
	if r.c.Now != nil {
		return r.c.Now()
	}
	return time.Now()
}

func (r *run) warn(text string) {
	if !slices.Contains(r.warnings, text) {
		r.warnings = append(r.warnings, text)
	}
}
