package runcmd

import (
	"testing"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/wrap"
)

// An option that contradicts --stream is an error; a file that asks for events yields.
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
		{name: "in another dialect", stream: true, change: func(o *RunOptions) { o.Format = helper }, fault: true, events: true},
		{name: "in a file, in another dialect", stream: true, inFile: true, change: func(o *RunOptions) { o.Format = helper }},
		{name: "in the usual dialect", stream: true, change: func(o *RunOptions) { o.Format = envelope.Dialects()[0] }, events: true},
		{name: "with a wait", stream: true, change: func(o *RunOptions) { o.wait = time.Second }, fault: true, events: true},
		{name: "another dialect without events", change: func(o *RunOptions) { o.Format, o.wait, o.output = helper, time.Second, "x" }},
	} {
		o := &RunOptions{Pretty: true}
		if c.change != nil {
			c.change(o)
		}
		var stream, lines cli.Option
		if c.inFile {
			stream.From, lines.From = cli.InAFile, cli.InAFile
		}
		e := events{stream: c.stream, lines: c.lines}
		fault := e.checkWith(o, &stream, &lines)
		if (fault != nil) != c.fault || e.stream != c.events || o.Compact != c.events || o.Pretty == c.events || e.lines && c.inFile {
			t.Errorf("%s: %v; %+v, compact %t, pretty %t", c.name, fault, e, o.Compact, o.Pretty)
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
		{"a format", RunOptions{Format: helper}, helper, helper, wrap.OverflowError},
		{"a look", RunOptions{untrustedFormat: helper}, helper, protocol, wrap.OverflowError},
		{"a look, and a format", RunOptions{Format: text, untrustedFormat: helper}, helper, text, wrap.OverflowTruncate},
		{"a look, and events", RunOptions{untrustedFormat: helper, events: events{stream: true}}, protocol, protocol, wrap.OverflowError},
		{"a text", RunOptions{Format: text}, text, text, wrap.OverflowTruncate},
		{"a text, and what becomes of too much", RunOptions{Format: text, overflowGiven: true}, text, text, wrap.OverflowError},
		{"settled", RunOptions{Format: helper, rules: protocol, untrustedFormat: text}, helper, protocol, wrap.OverflowError},
	} {
		o := c.o
		o.chooseFormat()
		if o.Format != c.format || o.rules != c.rules || o.OnOverflow != c.overflow {
			t.Errorf("%s: %s by the rules of %s, overflow %v", c.name, o.Format.Name(), o.rules.Name(), o.OnOverflow)
		}
	}
}
