package runcmd

import (
	"testing"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/wrap"
)

// What contradicts --stream is an error, but a file that asks for events gives way.
func TestEventsSettle(t *testing.T) {
	helper, _ := envelope.Lookup("helper/v1")
	for _, c := range []struct {
		name          string
		stream, lines bool
		inFile        bool // that is what they are from
		change        func(*RunOptions)
		fault         bool
		events        bool // are written
	}{
		{name: "neither"},
		{name: "stream", stream: true, events: true},
		{name: "both", stream: true, lines: true, events: true},
		{name: "lines alone", lines: true, fault: true},
		{name: "lines alone in a file", lines: true, inFile: true},
		{name: "to stdout", stream: true, change: func(o *RunOptions) { o.output = "-" }, events: true},
		{name: "to a file", stream: true, change: func(o *RunOptions) { o.output = "x" }, fault: true, events: true},
		{name: "in a file, to a file", stream: true, lines: true, inFile: true, change: func(o *RunOptions) { o.output = "x" }},
		{name: "in another dialect", stream: true, change: func(o *RunOptions) { o.format = helper }, fault: true, events: true},
		{name: "in a file, in another dialect", stream: true, inFile: true, change: func(o *RunOptions) { o.format = helper }},
		{name: "in the usual dialect", stream: true, change: func(o *RunOptions) { o.format = envelope.Dialects()[0] }, events: true},
		{name: "with a wait", stream: true, change: func(o *RunOptions) { o.wait = time.Second }, fault: true, events: true},
		{name: "another dialect without events", change: func(o *RunOptions) { o.format, o.wait, o.output = helper, time.Second, "x" }},
	} {
		o := &RunOptions{pretty: true}
		if c.change != nil {
			c.change(o)
		}
		var stream, lines cli.Option
		if c.inFile {
			stream.From, lines.From = cli.InAFile, cli.InAFile
		}
		e := events{stream: c.stream, lines: c.lines}
		fault := e.settle(o, &stream, &lines)
		if (fault != nil) != c.fault || e.stream != c.events || o.compact != c.events || o.pretty == c.events || e.lines && c.inFile {
			t.Errorf("%s: %v; %+v, compact %t, pretty %t", c.name, fault, e, o.compact, o.pretty)
		}
	}
}

// A project's file that is not trusted says how the envelope looks, and nothing of
// what it means; events are of one dialect.
func TestSettleFormat(t *testing.T) {
	protocol := envelope.Dialects()[0]
	helper, _ := envelope.Lookup("helper/v1")
	text, _ := envelope.Lookup("brief/v1")
	for _, c := range []struct {
		name          string
		o             RunOptions
		format, rules envelope.Dialect
		overflow      wrap.Overflow
	}{
		{"nothing", RunOptions{}, protocol, protocol, wrap.OverflowError},
		{"a format", RunOptions{format: helper}, helper, helper, wrap.OverflowError},
		{"a look", RunOptions{look: helper}, helper, protocol, wrap.OverflowError},
		{"a look, and a format", RunOptions{format: text, look: helper}, helper, text, wrap.OverflowTruncate},
		{"a look, and events", RunOptions{look: helper, events: events{stream: true}}, protocol, protocol, wrap.OverflowError},
		{"a text", RunOptions{format: text}, text, text, wrap.OverflowTruncate},
		{"a text, and what becomes of too much", RunOptions{format: text, overflowGiven: true}, text, text, wrap.OverflowError},
		{"settled", RunOptions{format: helper, rules: protocol, look: text}, helper, protocol, wrap.OverflowError},
	} {
		o := c.o
		o.settleFormat()
		if o.format != c.format || o.rules != c.rules || o.OnOverflow != c.overflow {
			t.Errorf("%s: %s by the rules of %s, overflow %v", c.name, o.format.Name(), o.rules.Name(), o.OnOverflow)
		}
	}
}
