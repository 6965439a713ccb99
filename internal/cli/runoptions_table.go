package cli

import (
	"slices"

	"github.com/envwrap/envwrap/envelope"
)

// table is every option of a run, in the order of help. docs/cli.md is held to
// it by a test.
func (o *runOptions) table() []*option {
	return slices.Concat(
		o.envelopeOptions(), o.outputOptions(), o.timeOptions(), o.events.options(), o.retries.options(), o.cache.options(),
		o.meaningOptions(), o.redactionOptions(), o.childOptions(), o.sharingOptions(),
	)
}

func (o *runOptions) envelopeOptions() []*option {
	const group = "Envelope"
	return []*option{
		{
			name: "format", short: "f", value: "DIALECT", def: "protocol/v1", group: group,
			help: "dialect of the envelope", choices: outputNames, set: into(&o.format, format),
			project: anyValue, untrusted: into(&o.look, format), inJob: looksOnly,
		},
		{
			name: "detail", value: "HOW", def: "auto", group: group,
			help: "full, or lean: without members that say nothing new; auto is lean where the agent itself reads stdout", choices: names(detailWords), set: into(&o.detail, choice(detailWords)),
			project: anyValue, inJob: looksOnly,
		},
		{
			name: "whole", group: group,
			help: "all output in the envelope whatever its size, for scripts: --inline-limit, --budget and --max-capture do not bind", set: into(&o.whole, boolean),
		},
		{
			name: "command", value: "NS/VERB", def: "exec/<program>", group: group,
			help: "the envelope's command", set: into(&o.command, commandName),
		},
		{
			name: "output", short: "o", value: "FILE", def: "stdout", group: group,
			help: "write the envelope to FILE, and show the command's output live", takes: aFile, set: into(&o.output, text),
			inJob: handedOver,
		},
		{
			name: "request", value: "FILE", group: group,
			help: "answer the request in FILE (agent-response)", takes: aFile, set: into(&o.request, text),
			reads: true, inJob: submitOnly,
		},
		{
			name: "include-output", def: "the dialect's", group: group,
			help: "inline the output of a completed command (delegator)", set: into(&o.includeOutput, include),
			inJob: looksOnly,
		},
		{
			name: "pretty", def: "the dialect's", group: group,
			help: "indent the envelope", set: into(&o.pretty, boolean),
			project: anyValue, inJob: looksOnly,
		},
		{
			name: "compact", def: "the dialect's", group: group,
			help: "write the envelope on one line", set: into(&o.compact, boolean),
			project: anyValue, inJob: looksOnly,
		},
		{
			name: "budget", value: "N", def: "auto", group: group,
			help: "most characters of the envelope; auto is what the agent that reads stdout does not cut, 0 no limit", set: into(&o.budget, budget),
			project: atMost(budgetRank), inJob: looksOnly,
		},
		{
			name: "emit", value: "WHEN", def: "always", group: group,
			help: "print an envelope always, for an agent, or only where the agent itself reads it (auto)", choices: names(emitWords), set: into(&o.emit, choice(emitWords)),
			inJob: foregroundOnly,
		},
		{
			name: "trace-id", value: "ID", def: "TRACEPARENT's, else new", group: group,
			help: "trace the run under ID", set: into(&o.traceID, traceID),
			inJob: submitOnly,
		},
	}
}

func (o *runOptions) outputOptions() []*option {
	const group = "Output"
	return []*option{
		{
			name: "tee", group: group,
			help: "also show the command's output live on stderr", set: into(&o.tee, boolean),
			inJob: foregroundOnly,
		},
		{
			name: "color", group: group,
			help: "keep colours, and all else that a terminal obeys, in what --tee and -o show", set: into(&o.color, boolean),
			inJob: foregroundOnly,
		},
		{
			name: "merge", group: group,
			help: "one pipe for both streams, in the order written", set: into(&o.merge, boolean),
		},
		{
			name: "parse", value: "HOW", def: "auto", group: group,
			help: "read stdout as auto, json, ndjson or text", choices: names(parseWords), set: into(&o.parse, choice(parseWords)),
		},
		{
			name: "inline-limit", value: "SIZE", def: "32KiB", group: group,
			help: "spill to the store above this", set: into(&o.inlineLimit, size),
			project: atMost(sizeRank),
		},
		{
			name: "excerpt", value: "SIZE", def: "auto", group: group,
			help: "excerpt shown of both streams, where one is not shown whole; auto is 8KiB of an error, else 2KiB", set: into(&o.excerpt, excerptSize),
			project: atMost(excerptRank),
		},
		{
			name: "max-capture", value: "SIZE", def: "1MiB", group: group,
			help: "stdout above this is EOUTPUT_TOO_LARGE; 0 is no limit", set: into(&o.maxCapture, size),
			project: atMost(limitRank),
		},
		{
			name: "max-artifact", value: "SIZE", def: "1GiB", group: group,
			help: "most of one stream that the store takes; 0 is no limit", set: into(&o.maxArtifact, size),
			project: atMost(limitRank),
		},
		{
			name: "on-overflow", value: "HOW", def: "error", group: group,
			help: "stdout above --max-capture: error, truncate or kill", choices: names(overflowWords), set: into(&o.onOverflow, choice(overflowWords)),
		},
		{
			name: "store", value: "DIR", def: "$XDG_STATE_HOME/envwrap", group: group,
			help: "where large output is kept", takes: aDir, set: into(&o.store, text),
			trusted: outsideWorkTrees, inJob: looksOnly,
		},
		{
			name: "store-sync", value: "HOW", def: "full", group: group,
			help: "what survives a power cut: full, data (the names may be lost) or off", choices: names(syncWords), set: into(&o.storeSync, choice(syncWords)),
		},
	}
}

func (o *runOptions) timeOptions() []*option {
	const group = "Time"
	return []*option{
		{
			name: "timeout", value: "DURATION", def: "none", group: group,
			help: "stop the command after this time", set: into(&o.timeout, duration),
			project: atMost(timeRank),
		},
		{
			name: "idle-timeout", value: "DURATION", def: "none", group: group,
			help: "stop the command after this time without output", set: into(&o.idleTimeout, duration),
			project: atMost(timeRank),
		},
		{
			name: "kill-after", value: "DURATION", def: "5s", group: group,
			help: "between SIGTERM and SIGKILL", set: into(&o.killAfter, duration),
			project: shorterKillAfter,
		},
		{
			name: "wait", value: "DURATION", def: "none", group: group,
			help: "after this time answer with the id of a job, and status 75; the command goes on", set: into(&o.wait, duration),
			inJob: foregroundOnly,
		},
	}
}

func (o *runOptions) meaningOptions() []*option {
	const group = "What an exit status means"
	return []*option{
		{
			name: "ok-exit", value: "N[,N...]", many: true, group: group,
			help: "exit statuses that mean success", set: each(exitStatuses(&o.okExit)),
		},
		{
			name: "exit-map", value: "N=WORD[,...]", many: true, group: group,
			help: "exit statuses that mean an outcome or a code: 23=partial,75=ERATELIMIT", set: each(exitMap(&o.exitMap)),
		},
		{
			name: "exit-code", value: "RULE", def: "child", group: group,
			help: "envwrap's own exit status: child, envelope or zero", choices: names(exitWords), set: into(&o.exitCode, choice(exitWords)),
			inJob: looksOnly,
		},
	}
}

func (o *runOptions) redactionOptions() []*option {
	const group = "Redaction"
	return []*option{
		{
			name: "redact", value: "WHAT", def: "all", group: group,
			help: "mask all secrets, only known values, or nothing: all, known, off", choices: names(redactWords), set: into(&o.redact, choice(redactWords)),
		},
		o.secretOption(group),
		o.secretFileOption(group),
		redactConfigOption(group, &o.redactConfig),
	}
}

func (o *runOptions) childOptions() []*option {
	const group = "The command's surroundings"
	return []*option{
		{
			name: "stdin", value: "SOURCE", def: "auto", group: group,
			help: "what the command reads: auto, inherit, null or a file", choices: stdinNames, takes: aFile, set: into(&o.stdin, text),
			reads: true, inJob: handedOver,
		},
		{
			name: "cwd", value: "DIR", group: group,
			help: "where the command runs", takes: aDir, set: into(&o.cwd, text),
		},
		{
			name: "env", value: "NAME=VALUE", many: true, separator: "\n", quotes: true, group: group,
			help: "set a variable for the command", set: each(assignment(&o.env)),
			inJob: handedOver,
		},
		{
			name: "clean-env", group: group,
			help: "give the command only the variables of --env", set: into(&o.cleanEnv, boolean),
		},
		{
			name: "non-interactive", group: group,
			help: "tell pagers, git, apt and the like that nobody is there", set: into(&o.nonInteractive, boolean),
		},
	}
}

// dialectNames are the formats that are read and written, outputNames all that
// are written.
func dialectNames() []string { return formatNames(envelope.Dialects()) }
func outputNames() []string  { return formatNames(envelope.Formats()) }

func formatNames(formats []envelope.Dialect) []string {
	var list []string
	for _, d := range formats {
		list = append(list, d.Name())
	}
	return list
}

func stdinNames() []string { return []string{"auto", "inherit", "null"} }
