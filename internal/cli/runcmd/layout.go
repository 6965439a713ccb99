package runcmd

import (
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/cli"
	"github.com/envwrap/envwrap/wrap"
)

// settleLayout finds --pretty and --compact together. The nearer one holds;
// two from one source contradict each other.
func (o *RunOptions) settleLayout(pretty, compact *cli.Option) error {
	if !o.pretty || !o.compact {
		return nil
	}
	if pretty.From == compact.From {
		return &cli.UsageError{Text: "--pretty and --compact contradict each other", Hint: "Give one of them."}
	}
	o.pretty, o.compact = pretty.From < compact.From, compact.From < pretty.From
	return nil
}

// settleWhole lifts the limits that --whole does away with.
func (o *RunOptions) settleWhole() {
	if !o.whole {
		return
	}
	o.inlineLimit, o.budget, o.maxCapture = noInlineLimit, 0, 0
	if o.includeOutput == envelope.IncludeDefault {
		o.includeOutput = envelope.IncludeAlways
	}
}

// noInlineLimit is more than any data has.
const noInlineLimit = 1 << 50

// briefName is the format that is text for a model to read.
const briefName = "brief/v1"

// settleFormat chooses the dialect. That of a project's file that is not trusted
// is how the envelope looks and nothing more: what the options need, and whether
// a run has failed, is judged by the dialect that holds without that file.
func (o *RunOptions) settleFormat() {
	if o.rules != nil {
		return
	}
	if o.format == nil {
		o.format = envelope.Dialects()[0]
	}
	o.rules = o.format
	if o.rules.Name() == briefName && !o.overflowGiven { // a text for a model has what matters of any output
		o.onOverflow = wrap.OverflowTruncate
	}
	if o.look != nil && !o.events.stream { // events are of one dialect only
		o.format = o.look
	}
}
