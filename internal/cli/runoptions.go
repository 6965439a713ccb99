package cli

import (
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/wrap"
)

// runOptions are the options of a run, read. Those whose meaning needs the
// world (files, variables) are judged when the command is made.
type runOptions struct {
	format  envelope.Dialect
	command string
	output  string
	tee     bool

	inlineLimit, maxCapture, maxArtifact int64

	excerpt    int
	onOverflow wrap.Overflow
	parse      envelope.Parse
	merge      bool

	timeout, idleTimeout, killAfter time.Duration

	okExit   []int
	exitMap  map[int]wrap.Mapping
	exitCode exitRule

	redact      redact.Mode
	secrets     []string
	secretFiles []string

	stdin          string
	cwd            string
	env            []string
	cleanEnv       bool
	nonInteractive bool

	request       string
	includeOutput envelope.Include
	pretty        bool
	compact       bool
	store         string
	traceID       string
	budget        int // -1 is auto
}

// defaultRunOptions are the documented defaults.
func defaultRunOptions() *runOptions {
	return &runOptions{
		inlineLimit: 32 << 10,
		maxCapture:  1 << 20,
		maxArtifact: 1 << 30,
		excerpt:     4 << 10,
		killAfter:   5 * time.Second,
		stdin:       "auto",
		budget:      budgetAuto,
	}
}

// Headings of the options in help.
const (
	groupEnvelope  = "Envelope"
	groupOutput    = "Output"
	groupTime      = "Time"
	groupMeaning   = "What an exit status means"
	groupRedaction = "Redaction"
	groupChild     = "The command's surroundings"
)

// table is every option of a run. docs/cli.md is held to it by a test.
func (o *runOptions) table() []*option {
	return []*option{
		{
			name: "format", short: "f", value: "DIALECT", def: "protocol/v1", group: groupEnvelope,
			help: "dialect of the envelope", set: into(&o.format, dialect),
		},
		{
			name: "command", value: "NS/VERB", def: "exec/<program>", group: groupEnvelope,
			help: "the envelope's command", set: into(&o.command, commandName),
		},
		{
			name: "output", short: "o", value: "FILE", def: "stdout", group: groupEnvelope,
			help: "write the envelope to FILE, and show the command's output live", set: into(&o.output, text),
		},
		{
			name: "request", value: "FILE", group: groupEnvelope,
			help: "agent-response: answer the request in FILE", set: into(&o.request, text),
		},
		{
			name: "include-output", def: "the dialect's", group: groupEnvelope,
			help: "delegator: inline the output of a completed command", set: into(&o.includeOutput, include),
		},
		{
			name: "pretty", def: "the dialect's", group: groupEnvelope,
			help: "indent the envelope", set: into(&o.pretty, boolean),
		},
		{
			name: "compact", def: "the dialect's", group: groupEnvelope,
			help: "write the envelope on one line", set: into(&o.compact, boolean),
		},
		{
			name: "budget", value: "N", def: "auto", group: groupEnvelope,
			help: "most characters of the envelope; auto is what the calling agent will not cut, 0 is no limit", set: into(&o.budget, budget),
		},
		{
			name: "trace-id", value: "ID", def: "TRACEPARENT's, else new", group: groupEnvelope,
			help: "trace the run under ID", set: into(&o.traceID, traceID),
		},

		{
			name: "tee", group: groupOutput,
			help: "also show the command's output live on stderr", set: into(&o.tee, boolean),
		},
		{
			name: "merge", group: groupOutput,
			help: "one pipe for both streams, in the order written", set: into(&o.merge, boolean),
		},
		{
			name: "parse", value: "HOW", def: "auto", group: groupOutput,
			help: "read stdout as auto, json, ndjson or text", set: into(&o.parse, parseMode()),
		},
		{
			name: "inline-limit", value: "SIZE", def: "32KiB", group: groupOutput,
			help: "spill to the store above this", set: into(&o.inlineLimit, size),
		},
		{
			name: "excerpt", value: "SIZE", def: "4KiB", group: groupOutput,
			help: "head and tail shown of a spilled stream", set: into(&o.excerpt, characters),
		},
		{
			name: "max-capture", value: "SIZE", def: "1MiB", group: groupOutput,
			help: "stdout above this is EOUTPUT_TOO_LARGE; 0 is no limit", set: into(&o.maxCapture, size),
		},
		{
			name: "max-artifact", value: "SIZE", def: "1GiB", group: groupOutput,
			help: "most of one stream that the store takes; 0 is no limit", set: into(&o.maxArtifact, size),
		},
		{
			name: "on-overflow", value: "HOW", def: "error", group: groupOutput,
			help: "stdout above --max-capture: error, truncate or kill", set: into(&o.onOverflow, overflow()),
		},
		{
			name: "store", value: "DIR", def: "$XDG_STATE_HOME/envwrap", group: groupOutput,
			help: "where large output is kept", set: into(&o.store, text),
		},

		{
			name: "timeout", value: "DURATION", def: "none", group: groupTime,
			help: "stop the command after this time", set: into(&o.timeout, duration),
		},
		{
			name: "idle-timeout", value: "DURATION", def: "none", group: groupTime,
			help: "stop the command after this time without output", set: into(&o.idleTimeout, duration),
		},
		{
			name: "kill-after", value: "DURATION", def: "5s", group: groupTime,
			help: "between SIGTERM and SIGKILL", set: into(&o.killAfter, duration),
		},

		{
			name: "ok-exit", value: "N[,N...]", many: true, group: groupMeaning,
			help: "exit statuses that mean success", set: each(exitStatuses(&o.okExit)),
		},
		{
			name: "exit-map", value: "N=WORD[,...]", many: true, group: groupMeaning,
			help: "exit statuses that mean an outcome or a code", set: each(exitMap(&o.exitMap)),
		},
		{
			name: "exit-code", value: "RULE", def: "child", group: groupMeaning,
			help: "envwrap's own exit status: child, envelope or zero", set: into(&o.exitCode, exitRules()),
		},

		{
			name: "redact", value: "WHAT", def: "all", group: groupRedaction,
			help: "mask all secrets, only known values, or nothing (off)", set: into(&o.redact, redactMode()),
		},
		{
			name: "secret", value: "NAME", many: true, separator: ",", group: groupRedaction,
			help: "mask the value of variable NAME", set: each(appendText(&o.secrets)),
		},
		{
			name: "secret-file", value: "FILE", many: true, separator: "\n", group: groupRedaction,
			help: "mask each line of FILE", set: each(appendText(&o.secretFiles)),
		},

		{
			name: "stdin", value: "SOURCE", def: "auto", group: groupChild,
			help: "what the command reads: auto, inherit, null or a file", set: into(&o.stdin, text),
		},
		{
			name: "cwd", value: "DIR", group: groupChild,
			help: "where the command runs", set: into(&o.cwd, text),
		},
		{
			name: "env", value: "NAME=VALUE", many: true, separator: "\n", group: groupChild,
			help: "set a variable for the command", set: each(assignment(&o.env)),
		},
		{
			name: "clean-env", group: groupChild,
			help: "give the command only the variables of --env", set: into(&o.cleanEnv, boolean),
		},
		{
			name: "non-interactive", group: groupChild,
			help: "ask pagers, git, apt and the like not to wait for a person", set: into(&o.nonInteractive, boolean),
		},
	}
}
