package runcmd

import (
	"testing"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/cli"
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
