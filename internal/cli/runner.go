package cli

import (
	"fmt"
	"os"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/wrap"
)

// outline makes what every envelope needs, that of a usage error too: who
// calls, from where, under which ids, and what is secret. All of it is made,
// also where an error is returned.
func (r *runner) outline() error {
	r.o.settleFormat()
	values, secretErr := knownValues(r.World, r.o)
	rules, rulesErr := r.redactRules(r.o.redactConfig)
	r.cmd = &wrap.Command{
		Argv:      r.call.rest,
		Redactor:  redact.New(redact.Options{Mode: r.o.redact, Values: values, Rules: rules}),
		Now:       r.Now,
		Name:      r.o.command,
		RequestID: r.newUUID(),
		TaskID:    firstOf(r.task, r.newULID()),
		TraceID:   r.o.traceID,
		Agent:     r.callingAgent(),
		Workspace: workspace(r.directory()),
	}
	r.bytes = r.wantsBytes()
	sinkErr := r.openOutput()
	requestErr := r.takeRequest()
	for _, err := range []error{secretErr, rulesErr, sinkErr, requestErr} {
		if err != nil {
			return err
		}
	}
	return nil
}

// openOutput finds where the envelope goes; stdout where --output fails.
func (r *runner) openOutput() error {
	s, err := r.openSink(r.o.output)
	if err != nil {
		r.sink = &sink{stream: r.Stdout, readers: r.readers}
		return outputError(r.o.output, err)
	}
	r.sink, s.readers = s, r.readers
	return nil
}

// takeRequest reads the request that the envelope answers, where its dialect
// has such a thing.
func (r *runner) takeRequest() error {
	if r.o.request == "" || r.o.format.Name() != "agent-response/v1" {
		return nil
	}
	id, err := r.requestID(r.o.request)
	if err == nil {
		r.cmd.RequestID = id
	}
	return err
}

// complete adds what only a run needs.
func (r *runner) complete() error {
	stdin, err := r.openStdin(r.o.stdin)
	if err != nil {
		return err
	}
	c, o := r.cmd, r.o
	t := r.trace()
	c.TraceID = t.id
	c.Env = unset(childEnv(r.Environ, r.call.verb.options, o, t, fmt.Sprintf("%s:%d", c.TaskID, os.Getpid())), refreshVariable)
	c.Stdin = stdin
	c.Terminal = r.Stdin != nil && isTerminal(r.Stdin)
	c.Subreaper, c.Spare = wrap.BecomeSubreaper(), spared
	if o.cwd != "" {
		c.Dir = r.path(o.cwd)
	}
	c.Merge, c.Parse, c.OnOverflow = o.merge, o.parse, o.onOverflow
	c.MaxCapture, c.MaxArtifact, c.InlineLimit, c.Excerpt = o.maxCapture, o.maxArtifact, o.inlineLimit, o.excerpt
	c.Timeout, c.IdleTimeout, c.KillAfter = o.timeout, o.idleTimeout, o.killAfter
	c.OkExit, c.ExitMap = o.okExit, o.exitMap
	if _, ok := o.exitMap[0]; ok {
		c.Warnings = append(c.Warnings, "--exit-map says something of status 0, which stays ok")
	}
	c.LiveStdout, c.LiveStderr = r.live(o, r.readers)
	if r.bytes {
		r.passBytes()
	}
	encoding := r.encoding()
	c.Keep = o.format.Keep(encoding)
	c.Fits = func(res *envelope.Result) bool { return envelope.Fits(o.format, res, encoding) }
	c.Store = r.storeOpener()
	c.Read = r.readCommand(o.store)
	return nil
}

func (r *runner) trace() trace {
	parent, _ := r.lookup("TRACEPARENT")
	return newTrace(r.o.traceID, parent, r.Random)
}

// encoding is how the envelope is spelled.
func (r *runner) encoding() envelope.EncodeOptions {
	budget := r.o.budget
	if budget == budgetAuto {
		budget = budgetOf(r.cmd.Agent)
	}
	terminal := r.sink.stream != nil && isTerminal(r.sink.stream)
	return envelope.EncodeOptions{
		Layout:        r.o.layout(terminal),
		IncludeOutput: r.o.includeOutput,
		Budget:        budget,
	}
}

// warnOff warns of --redact off on stderr and in the envelope.
func (r *runner) warnOff() {
	if r.o.redact != redact.Off {
		return
	}
	const text = "redaction is off: secrets in the output are shown and stored as they are"
	r.cmd.Warnings = append(r.cmd.Warnings, text)
	if !r.bytes {
		r.say(text)
	}
}
