package wrap

import "github.com/envwrap/envwrap/envelope"

// Misused makes the record of a usage error. That is envwrap's own, whatever
// command was on the line: command exec/envwrap unless c has a Name, tool
// envwrap. Only the Redactor is required.
func Misused(c *Command, o envelope.Outcome) *envelope.Result {
	res := Refused(c, o)
	res.Command, res.Tool = commandName(c.Name, own), own
	return res
}

// own is the tool of what envwrap says of itself.
const own = "envwrap"

// Refused makes the record of a command that was not run for a reason outside
// wrap. Where Argv is empty it is envwrap's own record, as of a usage error.
// Only the Redactor is required.
func Refused(c *Command, o envelope.Outcome) *envelope.Result {
	r := newRun(c)
	now := r.now()
	res := &envelope.Result{
		Command:    commandName(c.Name, own),
		Tool:       own,
		Argv:       []string{},
		RequestID:  c.RequestID,
		TraceID:    r.text(c.TraceID),
		TraceMade:  c.TraceMade,
		Workspace:  r.text(c.Workspace),
		Agent:      c.Agent,
		Started:    now,
		Ended:      now,
		ExitStatus: statusSelf,
		Outcome:    o,
		Warnings:   r.masked(r.warnings),
	}
	if len(c.Argv) > 0 {
		argv, counts := r.redactor.Args(c.Argv)
		tool := toolName(c.Argv[0])
		res.Command, res.Tool, res.Argv = commandName(c.Name, tool), r.text(tool), argv
		res.Redactions = redactions(counts)
	}
	r.redactOutcome(&res.Outcome)
	return res
}
