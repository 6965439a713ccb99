package cli

// jobVerb leads to the verbs of background jobs.
func jobVerb(*World) *verb {
	return &verb{
		name:    "job",
		args:    "VERB",
		summary: "run commands in the background, and ask about them",
		text: `A job goes on when its caller is gone, and is remembered for two weeks. There is
no daemon: each job has a supervisor of its own, and whoever looks finds out
what became of it. An ID is what submit answers, or any beginning of it that
fits one job only.`,
		example: "envwrap job submit -- make test\nenvwrap job wait --timeout 50s 01KDF3",
		verbs: []row{
			{"submit", jobSubmitVerb},
			{"wait", jobWaitVerb},
			{"results", jobResultsVerb},
			{"status", jobStatusVerb},
			{"tail", jobTailVerb},
			{"cancel", jobCancelVerb},
			{"ls", jobLsVerb},
			{"cleanup", jobCleanupVerb},
		},
		hidden: []row{{"supervise", jobSuperviseVerb}},
	}
}
