package cli

import (
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/wrap"
)

// layout chooses between one line and indentation: what was asked for, else
// indented where the envelope goes to a terminal, else the dialect's own.
func (o *runOptions) layout(terminal bool) envelope.Layout {
	switch {
	case o.pretty:
		return envelope.LayoutPretty
	case o.compact:
		return envelope.LayoutCompact
	case terminal:
		return envelope.LayoutPretty
	}
	return envelope.LayoutDefault
}

// settleLayout finds --pretty and --compact together. The nearer one holds;
// two from one source contradict each other.
func (o *runOptions) settleLayout(pretty, compact *option) error {
	if !o.pretty || !o.compact {
		return nil
	}
	if pretty.from == compact.from {
		return &usageError{text: "--pretty and --compact contradict each other", hint: "Give one of them."}
	}
	o.pretty, o.compact = pretty.from < compact.from, compact.from < pretty.from
	return nil
}

// settleWhole lifts the limits that --whole does away with.
func (o *runOptions) settleWhole() {
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
func (o *runOptions) settleFormat() {
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
