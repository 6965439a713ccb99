package runcmd

import (
	"slices"
	"strconv"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/redactcmd"
)

// Table returns every option of a run, in the order of help. A test compares
// docs/reference/options.md with it.
func (o *RunOptions) Table() []*cli.Option {
	return slices.Concat(
		o.envelopeOptions(), o.outputOptions(), o.timeOptions(), o.events.options(), o.retryOptions(), o.cacheOptions(),
		o.meaningOptions(), o.redactionOptions(), o.childOptions(), o.sharingOptions(),
	)
}

func (o *RunOptions) envelopeOptions() []*cli.Option {
	const group = "Envelope"
	return []*cli.Option{
		{
			Name: "format", Short: "f", Value: "DIALECT", Def: "protocol/v1", Group: group, Key: cli.NotInKey,
			Help: "dialect of the envelope", Choices: cli.OutputNames, Set: cli.Into(&o.Format, cli.Format),
			Project: cli.AnyValue, Untrusted: cli.Into(&o.untrustedFormat, cli.Format), InJob: cli.ViewOnly, View: cli.InView, ViewDef: "the job's, else protocol/v1",
		},
		{
			Name: "detail", Value: "HOW", Def: "auto", Group: group, Key: cli.NotInKey,
			Help: "full, or lean (leaves out members that repeat others or have default values); auto is lean where the agent itself reads stdout", Choices: cli.Names(detailWords), Set: cli.Into(&o.detail, cli.Choice(detailWords)),
			Project: cli.AnyValue, InJob: cli.ViewOnly, View: cli.InView, ViewDef: "auto",
		},
		{
			Name: "whole", Group: group, Key: cli.NotInKey,
			Help: "put all output into the envelope, for scripts: --inline-limit, --budget and --max-capture do not apply", Set: cli.Into(&o.whole, cli.Boolean),
		},
		{
			Name: "command", Value: "NS/VERB", Def: "exec/<program>", Group: group, Key: cli.InCall,
			Help: "the envelope's command", Set: cli.Into(&o.Name, commandName),
		},
		{
			Name: "output", Short: "o", Value: "FILE", Def: "stdout", Group: group, Key: cli.NotInKey,
			Help: "write the envelope to FILE, and show the command's output live", Takes: cli.AFile, Set: cli.Into(&o.output, cli.Text),
			InJob: cli.PassedIndirectly,
		},
		{
			Name: "request", Value: "FILE", Group: group, Key: cli.NotInKey,
			Help: "answer the request in FILE (agent-response)", Takes: cli.AFile, Set: cli.Into(&o.request, cli.Text),
			Reads: true, InJob: cli.SubmitOnly,
		},
		{
			Name: "include-output", Def: "the dialect's", Group: group, Key: cli.NotInKey,
			Help: "inline the output of a completed command (delegator)", Set: cli.Into(&o.includeOutput, include),
			InJob: cli.ViewOnly, View: cli.InRunView, ViewDef: "the job's",
		},
		{
			Name: "pretty", Def: "the dialect's", Group: group, Key: cli.NotInKey,
			Help: "indent the envelope", Set: cli.Into(&o.Pretty, cli.Boolean),
			Project: contradicts("compact"), InJob: cli.ViewOnly, View: cli.InView, ViewDef: "the job's",
		},
		{
			Name: "compact", Def: "the dialect's", Group: group, Key: cli.NotInKey,
			Help: "write the envelope on one line", Set: cli.Into(&o.Compact, cli.Boolean),
			Project: contradicts("pretty"), InJob: cli.ViewOnly, View: cli.InView, ViewDef: "the job's",
		},
		{
			Name: "budget", Value: "N", Def: "auto", Group: group, Key: cli.NotInKey,
			Help: "most characters of the envelope; auto is the limit of the agent that reads stdout, 0 no limit", Set: cli.Into(&o.budget, budget),
			Project: cli.AtMost(budgetRank), InJob: cli.ViewOnly, View: cli.InView, ViewDef: "the job's, else auto",
		},
		{
			Name: "emit", Value: "WHEN", Def: "always", Group: group, Key: cli.NotInKey,
			Help: "print an envelope always, if an agent calls, or only where the agent itself reads it (auto); else the command's own output", Choices: cli.Names(emitWords), Set: cli.Into(&o.emit, cli.Choice(emitWords)),
			InJob: cli.ForegroundOnly,
		},
		{
			Name: "below", Value: "CLIENT", Group: group, Key: cli.NotInKey,
			Help: "print only what the agent CLIENT does not already show about the command; the links of `envwrap hook install` give it", Choices: clientNames, Set: cli.Into(&o.below, clientName),
			InJob: cli.ForegroundOnly,
		},
		{
			Name: "trace-id", Value: "ID", Def: "TRACEPARENT's, else new", Group: group, Key: cli.NotInKey,
			Help: "trace the run under ID", Set: cli.Into(&o.TraceID, traceID),
			InJob: cli.SubmitOnly,
		},
	}
}

func (o *RunOptions) outputOptions() []*cli.Option {
	const group = "Output"
	return []*cli.Option{
		{
			Name: "tee", Group: group, Key: cli.NotInKey,
			Help: "also show the command's output live on stderr", Set: cli.Into(&o.tee, cli.Boolean),
			InJob: cli.ForegroundOnly,
		},
		{
			Name: "color", Group: group, Key: cli.NotInKey,
			Help: "keep colours and other terminal control codes in what --tee and -o show", Set: cli.Into(&o.color, cli.Boolean),
			InJob: cli.ForegroundOnly,
		},
		{
			Name: "merge", Group: group, Key: cli.InKey, KeyValue: cli.KeySwitch(&o.Merge),
			Help: "read both streams from one pipe, in the order written", Set: cli.Into(&o.Merge, cli.Boolean),
		},
		{
			Name: "parse", Value: "HOW", Def: "auto", Group: group, Key: cli.NotInKey,
			Help: "read stdout as auto, json, ndjson or text", Choices: cli.Names(parseWords), Set: cli.Into(&o.Parse, cli.Choice(parseWords)),
		},
		{
			Name: "inline-limit", Value: "SIZE", Def: "32KiB", Group: group, Key: cli.NotInKey,
			Help: "store output above this size instead of showing it whole", Set: cli.Into(&o.InlineLimit, cli.Size),
			Project: cli.AtMost(sizeRank),
		},
		{
			Name: "excerpt", Value: "SIZE", Def: "auto", Group: group, Key: cli.NotInKey,
			Help: "size of the excerpts of output that is not shown whole; auto is 8KiB for an error, else what --inline-limit and --budget leave, 8KiB at least", Set: cli.Into(&o.Excerpt, excerptSize),
			Project: cli.AtMost(excerptRank),
		},
		{
			Name: "max-capture", Value: "SIZE", Def: "1MiB", Group: group, Key: cli.NotInKey,
			Help: "report stdout above this size as EOUTPUT_TOO_LARGE; 0 is no limit", Set: cli.Into(&o.MaxCapture, cli.Size),
			Project: cli.AtMost(limitRank),
		},
		{
			Name: "max-artifact", Value: "SIZE", Def: "1GiB", Group: group, Key: cli.NotInKey,
			Help: "store at most this much of each stream; 0 is no limit", Set: cli.Into(&o.MaxArtifact, cli.Size),
			Project: cli.AtMost(limitRank),
		},
		{
			Name: "on-overflow", Value: "HOW", Def: "error", Group: group, Key: cli.NotInKey,
			Help: "what to do with stdout above --max-capture: error, truncate or kill", Choices: cli.Names(overflowWords), Set: cli.Into(&o.OnOverflow, cli.Choice(overflowWords)),
		},
		{
			Name: "keep-pipes", Value: "HOW", Def: "on", Group: group, Key: cli.NotInKey,
			Help: "store what the first stage of a pipeline in bash -c prints, if later stages such as head, tail and grep only look at it: on or off", Choices: cli.Names(switchWords), Set: cli.Into(&o.KeepPipes, cli.Choice(switchWords)),
		},
		{
			Name: "store", Value: "DIR", Def: "$XDG_STATE_HOME/envwrap", Group: group, Key: cli.NotInKey,
			Help: "where large output is kept", Takes: cli.ADir, Set: cli.Into(&o.Store, cli.Text),
			Trusted: outsideWorkTrees, InJob: cli.ViewOnly,
		},
		{
			Name: "store-sync", Value: "HOW", Def: "full", Group: group, Key: cli.NotInKey,
			Help: "durability after a power cut: full, data (names may be lost) or off", Choices: cli.Names(cli.SyncWords), Set: cli.Into(&o.StoreSync, cli.Choice(cli.SyncWords)),
		},
		cli.StoreMaxOption(&o.StoreMax, group),
	}
}

func (o *RunOptions) timeOptions() []*cli.Option {
	const group = "Time"
	return []*cli.Option{
		{
			Name: "timeout", Value: "DURATION", Def: "none", Group: group, Key: cli.NotInKey,
			Help: "stop the command after this time", Set: cli.Into(&o.Timeout, cli.Duration),
			Project: cli.AtMost(timeRank),
		},
		{
			Name: "idle-timeout", Value: "DURATION", Def: "none", Group: group, Key: cli.NotInKey,
			Help: "stop the command after this time without output", Set: cli.Into(&o.IdleTimeout, cli.Duration),
			Project: cli.AtMost(timeRank),
		},
		{
			Name: "kill-after", Value: "DURATION", Def: "5s", Group: group, Key: cli.NotInKey,
			Help: "how long to wait after SIGTERM before SIGKILL", Set: cli.Into(&o.KillAfter, cli.Duration),
			Project: shorterKillAfter,
		},
		{
			Name: "wait", Value: "DURATION", Def: "none", Group: group, Key: cli.NotInKey,
			Help: "after this time print the id of a job and end with 75; the command goes on", Set: cli.Into(&o.wait, cli.Duration),
			InJob: cli.ForegroundOnly,
		},
		{Name: "id", Value: "ULID", Group: "Time", Help: "id of the job; a job with that id is not run a second time; a run also needs --wait", Set: cli.Into(&o.id, jobID), Key: cli.NotInKey, InJob: cli.SubmitOnly},
		{Name: "if-mark", Value: "ULID", Group: "Time", Help: "run nothing unless the store has the mark ULID, which a run with --on leaves at the far end; a run also needs --wait", Set: cli.Into(&o.ifMark, jobID), Key: cli.NotInKey, InJob: cli.SubmitOnly},
	}
}

func (e *events) options() []*cli.Option {
	const group = "Events"
	return []*cli.Option{
		{
			Name: "stream", Group: group, Key: cli.NotInKey,
			Help: "print progress events during the run, one JSON line each (protocol/v1)", Set: cli.Into(&e.stream, cli.Boolean),
			InJob: cli.ForegroundOnly,
		},
		{
			Name: "stream-lines", Group: group, Key: cli.NotInKey,
			Help: "with --stream, make each line of output an event", Set: cli.Into(&e.lines, cli.Boolean),
			InJob: cli.ForegroundOnly,
		},
		{
			Name: "progress", Value: "WHEN", Def: "auto", Group: group, Key: cli.NotInKey,
			Help: "draw a live line on stderr: auto (on a terminal), on or off", Choices: cli.Names(shownWords), Set: cli.Into(&e.line, cli.Choice(shownWords)),
			InJob: cli.ForegroundOnly,
		},
		{
			Name: "progress-interval", Value: "DURATION", Def: "1s", Group: group, Key: cli.NotInKey,
			Help: "time between two progress events", Set: cli.Into(&e.every, cli.Duration),
			InJob: cli.ForegroundOnly,
		},
	}
}

// retryOptions returns the options that let a command run again.
func (o *RunOptions) retryOptions() []*cli.Option {
	const group = "Retries"
	return []*cli.Option{
		{
			Name: "retries", Value: "N", Def: "0", Group: group, Key: cli.NotInKey,
			Help: "run the command up to N more times if it fails", Set: cli.Into(&o.Retry.Times, cli.Number),
		},
		{
			Name: "retry-on", Value: "CODE[,...]", Def: "ERATELIMIT,ETIMEOUT, temporary ERUNTIME", Many: true, Group: group, Key: cli.NotInKey,
			Help: "error codes that are retried", Choices: cli.CodeNames, Set: cli.Each(cli.ErrorCodes(&o.Retry.On)),
		},
		{
			Name: "retry-delay", Value: "DURATION", Def: "250ms", Group: group, Key: cli.NotInKey,
			Help: "how long to wait before the second run; doubled each time, with jitter", Set: cli.Into(&o.Retry.Delay, cli.Duration),
		},
		{
			Name: "retry-max-delay", Value: "DURATION", Def: "8s", Group: group, Key: cli.NotInKey,
			Help: "longest wait between runs; a server that asks for more ends the retries", Set: cli.Into(&o.Retry.MaxDelay, cli.Duration),
		},
		{
			Name: "deadline", Value: "DURATION", Def: "none", Group: group, Key: cli.NotInKey,
			Help: "start no retry after this time (--timeout is for each run)", Set: cli.Into(&o.Retry.Deadline, cli.Duration),
		},
	}
}

// cacheGroup is the heading of the options of remembered runs.
const cacheGroup = "Remembered runs"

func (o *RunOptions) cacheOptions() []*cli.Option {
	const group = cacheGroup
	return []*cli.Option{
		{
			Name: "cache", Value: "TTL", Def: "none", Group: group, Key: cli.NotInKey,
			Help: "answer from memory if the same command ran within TTL; else run it and remember it", Set: cli.Into(&o.Cache.TTL, cli.Duration),
		},
		{
			Name: "cache-input", Value: "FILE", Many: true, Separator: "\n", Group: group, Key: cli.InCall,
			Help: "file that the command reads: a file, a directory, or a pattern (*, ?, [a-z], {a,b}, ** for any depth)", Takes: cli.AFile, Set: cli.Each(inputName(&o.Cache.Inputs)),
		},
		{
			Name: "cache-env", Value: "NAME[,...]", Many: true, Group: group, Key: cli.InCall,
			Help: "variables that the result depends on", Takes: cli.AVariable, Set: cli.Each(namedVariables(&o.Cache.Env)),
		},
		{
			Name: "cache-stale", Value: "DURATION", Def: "none", Group: group, Key: cli.NotInKey,
			Help: "for this long after TTL answer from memory, and run the command again in the background", Set: cli.Into(&o.Cache.Stale, cli.Duration),
		},
		{
			Name: "cache-failures", Group: group, Key: cli.NotInKey,
			Help: "also remember runs that failed", Set: cli.Into(&o.Cache.Failures, cli.Boolean),
		},
		{
			Name: "cache-remote", Group: group, Key: cli.NotInKey,
			Help: "share remembered runs with other machines through --remote, signed; used only if the key is trusted", Set: cli.Into(&o.sharing.remote, cli.Boolean),
		},
		{
			Name: "cache-key", Value: "FILE", Group: group, Key: cli.NotInKey,
			Help: "private key that signs shared runs (envwrap cache keygen); without it they are only read", Takes: cli.AFile, Set: cli.Into(&o.sharing.key, cli.Text),
			InJob: cli.ViewOnly,
		},
		{
			Name: "trusted-keys", Value: "KEY[,...]", Many: true, Separator: ",", Group: group, Key: cli.NotInKey,
			Help: "public keys whose shared runs are used, in addition to that of --cache-key", Set: cli.Each(publicKeys(&o.sharing.trusted)),
			InJob: cli.ViewOnly,
		},
		{
			Name: "revoked-keys", Value: "KEY[,...]", Many: true, Separator: ",", Group: group, Key: cli.NotInKey,
			Help: "public keys whose runs are not used any more, whatever trusts them, and also where they were taken before", Set: cli.Each(publicKeys(&o.Cache.Revoked)),
			Project: cli.AnyValue, InJob: cli.ViewOnly,
		},
	}
}

func (o *RunOptions) meaningOptions() []*cli.Option {
	const group = "What an exit status means"
	return []*cli.Option{
		{
			Name: "ok-exit", Value: "N[,N...]", Many: true, Group: group, Key: cli.NotInKey,
			Help: "exit statuses that mean success", Set: cli.Each(exitStatuses(&o.OkExit)),
		},
		{
			Name: "exit-map", Value: "N=WORD[,...]", Many: true, Group: group, Key: cli.NotInKey,
			Help: "exit statuses that mean an outcome or a code: 23=partial,75=ERATELIMIT", Set: cli.Each(exitMap(&o.ExitMap)),
		},
		{
			Name: "exit-code", Value: "RULE", Def: "child", Group: group, Key: cli.NotInKey,
			Help: "envwrap's own exit status: child, envelope or zero", Choices: cli.Names(exitWords), Set: cli.Into(&o.exitCode, cli.Choice(exitWords)),
			InJob: cli.ViewOnly, View: cli.InRunView, ViewDef: "the job's, else child",
		},
	}
}

func (o *RunOptions) redactionOptions() []*cli.Option {
	const group = "Redaction"
	return []*cli.Option{
		{
			Name: "redact", Value: "WHAT", Def: "all", Group: group, Key: cli.InKey, KeyValue: cli.KeyWord(&o.Redact, redactcmd.RedactWords),
			Help: "mask all secrets, only known values, or nothing: all, known, off", Choices: cli.Names(redactcmd.RedactWords), Set: cli.Into(&o.Redact, cli.Choice(redactcmd.RedactWords)),
		},
		o.redaction.SecretOption(group),
		o.redaction.SecretFileOption(group),
		redactcmd.RedactConfigOption(group, &o.redaction.Rules),
	}
}

func (o *RunOptions) childOptions() []*cli.Option {
	const group = "The command's surroundings"
	return []*cli.Option{
		{
			Name: "stdin", Value: "SOURCE", Def: "auto", Group: group, Key: cli.InCall,
			Help: "standard input of the command: auto, inherit, null or a file", Choices: stdinNames, Takes: cli.AFile, Set: cli.Into(&o.stdin, cli.Text),
			Reads: true, InJob: cli.PassedIndirectly,
		},
		{
			Name: "cwd", Value: "DIR", Group: group, Key: cli.InCall,
			Help: "run the command in this directory", Takes: cli.ADir, Set: cli.Into(&o.Dir, cli.Text),
		},
		{
			Name: "env", Value: "NAME=VALUE", Many: true, Separator: "\n", Quotes: true, Group: group, Key: cli.InCall,
			Help: "set a variable for the command", Set: cli.Each(assignment(&o.Env)),
			InJob: cli.PassedIndirectly,
		},
		{
			Name: "clean-env", Group: group, Key: cli.InKey, KeyValue: cli.KeySwitch(&o.CleanEnv),
			Help: "give the command only the variables of --env", Set: cli.Into(&o.CleanEnv, cli.Boolean),
		},
		{
			Name: "non-interactive", Group: group, Key: cli.InKey, KeyValue: cli.KeySwitch(&o.NonInteractive),
			Help: "set variables that keep pagers, git, apt and the like from asking", Set: cli.Into(&o.NonInteractive, cli.Boolean),
		},
	}
}

func stdinNames() []string { return []string{"auto", "inherit", "null"} }

// sharingOptions returns those of a run whose output goes elsewhere.
func (o *RunOptions) sharingOptions() []*cli.Option {
	on := &cli.Option{Name: "on", Value: "NAME", Group: "Remote", Help: "run the command on the runner [runner.NAME] of your configuration", Set: cli.Into(&o.on, cli.Text), Key: cli.NotInKey}
	push := &cli.Option{Name: "push", Group: "Remote", Help: "send stored output to the remote before the envelope is printed", Set: cli.Into(&o.push, cli.Boolean), Key: cli.NotInKey}
	resources := &cli.Option{Name: "resources", Value: "KEY=VALUE[,...]", Many: true, Separator: ",", Group: "Remote", Help: "what the engine of the runner is to give the run, instead of what its row says: cpus=4,memory=8G", Set: cli.Each(func(v string) error {
		o.resources = append(o.resources, v)
		return nil
	}), Key: cli.NotInKey}
	queue := &cli.Option{Name: "queue-timeout", Value: "DURATION", Def: "none", Group: "Remote", Help: "give up if the engine of the runner has not started the command after this time", Set: cli.Into(&o.queueTimeout, cli.Duration), Key: cli.NotInKey}
	return append([]*cli.Option{on, push, resources, queue}, cli.RemoteOptions(&o.remote)...)
}

// backgroundOptions returns the options of a run that hold for a job.
func backgroundOptions(o *RunOptions) []*cli.Option {
	return slices.DeleteFunc(o.Table(), func(opt *cli.Option) bool { return opt.InJob == cli.ForegroundOnly })
}

// DefaultMaxJobs is the default of --max-jobs: how many jobs run at a time.
const DefaultMaxJobs = 10

// submitOptions returns the options of job submit: those of a job, and those that say
// whether and when there is one.
func submitOptions(o *RunOptions, same *bool) []*cli.Option {
	return append(
		backgroundOptions(o),
		&cli.Option{Name: "max-jobs", Value: "N", Def: strconv.Itoa(DefaultMaxJobs), Help: "start when fewer than N jobs run; 0 starts at once", Set: cli.Into(&o.maxJobs, cli.Number), InJob: cli.SubmitOnly},
		&cli.Option{Name: "name", Value: "NAME", NoEnv: true, Help: "name of the job, by which the other verbs know it as by its id; the last job of a name has it", Set: cli.Into(&o.jobName, jobName), InJob: cli.SubmitOnly},
		&cli.Option{Name: "array", Value: "A-B|FILE", NoEnv: true, Group: "Many", Help: "run the command once for each number from A to B, or for each line of FILE, which replaces {} in its arguments", Takes: cli.AFile, Set: cli.Into(&o.array, cli.Text), InJob: cli.PassedIndirectly},
		&cli.Option{Name: "max-parallel", Value: "N", Def: "the processors", Group: "Many", Help: "with --array, run at most N members at a time", Set: cli.Into(&o.maxParallel, cli.Number), InJob: cli.SubmitOnly},
		&cli.Option{Name: "dedupe", Help: "if the same job is queued or running, answer with that one", Set: cli.Into(same, cli.Boolean), InJob: cli.SubmitOnly},
	)
}
