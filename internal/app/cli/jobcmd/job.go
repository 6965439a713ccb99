// Package jobcmd has the verbs that list, follow, await, cancel and remove background
// jobs.
package jobcmd

import (
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/runcmd"
)

// Verb returns the group of verbs about background jobs.
func Verb(*cli.Env) *cli.Verb {
	return &cli.Verb{
		Name:    "job",
		Args:    "VERB",
		Summary: "run commands in the background",
		Text: `A job continues after its caller has ended, and its record is kept for two weeks.
There is no daemon: each job has a supervisor of its own, and the next verb that
reads a job whose supervisor was killed records it as lost. An ID is the id that
submit prints, or a prefix of it that fits one job only, the name that submit --name
gave, or last.`,
		Example: "envwrap job submit -- make test\nenvwrap job wait --timeout 50s 01KDF3",
		Verbs: []cli.Row{
			{Name: "submit", Make: runcmd.JobSubmitVerb},
			{Name: "wait", Make: jobWaitVerb},
			{Name: "results", Make: jobResultsVerb},
			{Name: "status", Make: jobStatusVerb},
			{Name: "tail", Make: jobTailVerb},
			{Name: "cancel", Make: jobCancelVerb},
			{Name: "retry", Make: runcmd.JobRetryVerb},
			{Name: "ls", Make: jobLsVerb},
			{Name: "cleanup", Make: jobCleanupVerb},
		},
		// Other words for ls and tail, and what envwrap itself calls.
		Hidden: []cli.Row{{Name: "list", Make: jobLsVerb}, {Name: "logs", Make: jobTailVerb}, {Name: "supervise", Make: runcmd.JobSuperviseVerb}, {Name: "mark", Make: jobMarkVerb}},
	}
}
