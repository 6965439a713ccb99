package engine

import (
	"slices"
	"strings"
)

// slurm returns the engine Slurm (sbatch(1), squeue(1), sacct(1), scancel(1) of Slurm
// 22.05). The controller is asked first: sacct is silent for the first seconds of a job,
// and where accounting is switched off it answers nothing.
func slurm() *kind {
	return &kind{
		name:     "slurm",
		words:    []string{"partition", "time", "cpus", "memory", "gpus", "nodes", "account", "qos"},
		lists:    []string{"extra", "shared"},
		commands: slurmCommands,
	}
}

// slurmOptions has the options of sbatch for the words of a row.
const slurmOptions = "partition=partition time=time cpus=cpus-per-task memory=mem gpus=gpus nodes=nodes account=account qos=qos"

// slurmVariables has the variables that a job gets from its submitter. With the default
// of sbatch it would get all of them, and they would be kept in the controller's files.
const slurmVariables = "HOME,LANG,LOGNAME,PATH,SHELL,USER"

func slurmCommands(e *Engine) commands {
	submit := []string{
		"sbatch", "--parsable", "--no-requeue", "--job-name={name}", "--chdir={dir}", "--output={out}", "--error={err}",
		"--export=" + slurmVariables,
	}
	if e.apart { // the script makes the file of its output where sbatch is called
		submit = slices.Concat(submit[:4], []string{"--output=/dev/null"}, submit[7:])
	}
	for pair := range strings.FieldsSeq(slurmOptions) {
		key, option, _ := strings.Cut(pair, "=")
		if value := e.words[key]; value != "" {
			submit = append(submit, "--"+option+"="+value)
		}
	}
	c := commands{
		submit: append(append(submit, e.extra...), "{script}"),
		status: [][]string{
			{"squeue", "--noheader", "--jobs={id}", "--states=all", "--format=%i|%T (%r)"},
			// The default of sacct is since midnight.
			{"sacct", "--allocations", "--noheader", "--parsable2", "--jobs={id}", "--starttime=now-15days", "--format=JobIDRaw,State,ExitCode"},
		},
		cancel: []string{"scancel", "{id}"},
		// scancel without a signal waits for KillWait (30 s) before it kills, and the job
		// takes no signal meanwhile. The batch step is the far envwrap: it ends its command
		// at a TERM, and kills it at the INT that follows.
		stop: [][]string{
			{"scancel", "--batch", "--signal=TERM", "{id}"},
			{"scancel", "--batch", "--signal=INT", "{id}"},
			{"scancel", "--batch", "--signal=KILL", "{id}"},
		},
		find: [][]string{
			{"squeue", "--noheader", "--name={name}", "--states=all", "--format=%i"},
			{"sacct", "--allocations", "--noheader", "--parsable2", "--name={name}", "--starttime=now-15days", "--format=JobIDRaw"},
		},
		states: slurmStates(),
		causes: slurmCauses(),
		array:  []string{"--array={array}"},
		task:   "SLURM_ARRAY_TASK_ID",
		// Without --states=all: those that are over would be 10,000 lines.
		members: [][]string{{"squeue", "--noheader", "--jobs={id}", "--format=%i|%T (%r)"}},
		drop:    []string{"scancel", "--state=PENDING", "{id}"},
		absent:  []string{"Invalid job id specified", "accounting storage is disabled"},
		rejects: strings.Split(slurmRejects, "|"),
		explains: map[string]string{
			"Invalid job array specification": "the numbers of a group have to be below MaxArraySize of slurm.conf, mostly 1001: submit the group in parts",
		},
	}
	if e.apart {
		c.array, c.task, c.members, c.drop = nil, "", nil, nil
		c.logs, c.marked, c.forget = []string{"cat", "{out}"}, true, []string{"rm", "-f", "{out}"}
		c.cancel = []string{"scancel", "--state=PENDING", "{id}"} // it has no other means to leave alone what has just started
	}
	return c
}

// slurmRejects has parts of complaints of sbatch that leave no job.
const slurmRejects = "submission failed: Invalid|submission failed: Requested|submission failed: Access|submission failed: Job violates|invalid option|unrecognized option|Invalid |not found"

// slurmCauses returns why Slurm has ended a job, by its state, or by the reason of a job that
// failed (squeue(1), sections JOB STATE CODES and JOB REASON CODES).
func slurmCauses() map[string]Cause {
	return byWord(map[Cause]string{
		TimeLimit:  "TIMEOUT DEADLINE",
		Memory:     "OUT_OF_MEMORY",
		CancelWord: "CANCELLED",
		NodeLost:   "NODE_FAIL BOOT_FAIL",
		Impossible: "BadConstraints AccountNotAllowed InvalidAccount InvalidQOS QOSNotAllowed PartitionNodeLimit PartitionTimeLimit",
	})
}

// slurmStates returns the states of squeue(1) and sacct(1), section JOB STATE CODES.
func slurmStates() map[string]State {
	return byWord(map[State]string{
		Queued:    "PENDING CONFIGURING REQUEUED REQUEUE_FED REQUEUE_HOLD RESV_DEL_HOLD SPECIAL_EXIT",
		Running:   "RUNNING COMPLETING SUSPENDED STOPPED SIGNALING STAGE_OUT RESIZING",
		Succeeded: "COMPLETED",
		Failed:    "FAILED TIMEOUT CANCELLED NODE_FAIL OUT_OF_MEMORY BOOT_FAIL DEADLINE REVOKED",
		Preempted: "PREEMPTED",
	})
}

// byWord returns what each word of a list means.
func byWord[T comparable](lists map[T]string) map[string]T {
	of := map[string]T{}
	for meaning, words := range lists {
		for word := range strings.FieldsSeq(words) {
			of[word] = meaning
		}
	}
	return of
}
