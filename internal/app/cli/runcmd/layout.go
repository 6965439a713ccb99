package runcmd

import (
	"math"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/below"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/session"
	"github.com/envwrap/envwrap/internal/shared/term"
	"github.com/envwrap/envwrap/wrap"
)

// resolveLayout finds --pretty and --compact together. The nearer one holds;
// two from one source contradict each other.
func (o *RunOptions) resolveLayout(pretty, compact *cli.Option) error {
	if !o.Pretty || !o.Compact {
		return nil
	}
	if pretty.From == compact.From {
		return &cli.UsageError{Text: "--pretty and --compact contradict each other", Hint: "Give one of them."}
	}
	o.Pretty, o.Compact = pretty.From < compact.From, compact.From < pretty.From
	return nil
}

// liftLimits lifts the limits that --whole does away with.
func (o *RunOptions) liftLimits() {
	if !o.whole {
		return
	}
	o.InlineLimit, o.budget, o.MaxCapture = noInlineLimit, 0, 0
	if o.includeOutput == envelope.IncludeDefault {
		o.includeOutput = envelope.IncludeAlways
	}
}

// noInlineLimit is more than any data has.
const noInlineLimit = 1 << 50

// chooseFormat chooses the dialect. That of a project's file that is not trusted
// is how the envelope looks and nothing more: what the options need, and whether
// a run has failed, is judged by the dialect that holds without that file.
func (o *RunOptions) chooseFormat() {
	if o.rules != nil {
		return
	}
	if o.Format == nil {
		o.Format = envelope.Dialects()[0]
	}
	o.rules = o.Format
	if o.rules.IsText() && !o.overflowGiven { // a text for a model has what matters of any output
		o.OnOverflow = wrap.OverflowTruncate
	}
	if o.untrustedFormat != nil && !o.events.stream { // events are of one dialect only
		o.Format = o.untrustedFormat
	}
}

// checkWith checks --stream against the other options. Events that only a file asks for are
// given up in a conflict, since the file is about all runs and not about this one.
func (e *events) checkWith(o *RunOptions, stream, lines *cli.Option) error {
	e.lines = e.lines && (e.stream || lines.From < cli.InAFile)
	fault := e.against(o)
	if fault != nil && e.stream && stream.From >= cli.InAFile {
		e.stream, e.lines = false, false
		return nil
	}
	if e.stream {
		o.Pretty, o.Compact = false, true
	}
	return fault
}

// against finds what events cannot go together with.
func (e *events) against(o *RunOptions) error {
	switch {
	case e.lines && !e.stream:
		return &cli.UsageError{Text: "--stream-lines needs --stream", Hint: "Add --stream."}
	case e.stream && o.Format != nil && !o.Format.Events():
		return &cli.UsageError{Text: "--stream has no meaning in " + o.Format.Name(), Hint: "Progress events are part of protocol/v1; leave --format out."}
	case e.stream && o.wait > 0:
		return &cli.UsageError{Text: "--stream and --wait contradict each other", Hint: "Leave one out, or follow a job: envwrap job submit, then envwrap job tail -f."}
	case e.stream && o.output != "" && o.output != "-":
		return &cli.UsageError{Text: "--stream and --output contradict each other", Hint: "Events go to stdout as they happen; redirect it with > FILE."}
	}
	return nil
}

// budgetFor returns the budget in characters, 0 for none. That of an agent binds only
// where the agent itself reads the envelope.
func budgetFor(n int, reads bool, agent string) int {
	switch {
	case n != BudgetAuto:
		return n
	case reads:
		return session.BudgetOf(agent)
	}
	return 0
}

// encodeOptions returns how the envelope is spelled.
func (r *Runner) encodeOptions() envelope.EncodeOptions {
	reads := r.sink.Stream == r.Stdout && r.AgentReadsStdout()
	terminal := r.sink.Stream != nil && term.IsTerminal(r.sink.Stream)
	most := 0
	if r.O.whole {
		most = math.MaxInt32
	}
	o := envelope.EncodeOptions{
		Whole:         r.O.whole,
		MaxOutput:     most,
		Detail:        r.O.detail.of(reads),
		Layout:        cli.Layout(r.O.Pretty, r.O.Compact, terminal),
		IncludeOutput: r.O.includeOutput,
		Budget:        budgetFor(r.O.budget, reads, r.cmd.Agent),
	}
	o.Shown = r.shown
	if client, ok := below.Lookup(r.O.below); ok && r.O.Format.IsText() {
		o.Below = true
		if r.O.budget == BudgetAuto {
			o.Budget, o.FailureBudget = client.Limit, client.FailureLimit
		}
	}
	return o
}
