package runcmd

import (
	"testing"

	"github.com/envwrap/envwrap/envelope"
)

// envwrap's exit status in its three forms, by what became of the run.
func TestExitRule(t *testing.T) {
	ok := envelope.Outcome{Kind: envelope.Success}
	failure := envelope.Outcome{Kind: envelope.Failure, Code: envelope.ERUNTIME}
	partial := envelope.Outcome{Kind: envelope.Partial, Code: envelope.ERUNTIME}
	missing := envelope.Outcome{Kind: envelope.NotStarted, Code: envelope.ENOTFOUND}
	ofChild := func(status int, o envelope.Outcome) *envelope.Result {
		return &envelope.Result{ExitStatus: status, Outcome: o}
	}
	for _, c := range []struct {
		name            string
		dialect         string
		result          *envelope.Result
		child, envelope int
	}{
		{"success", "protocol/v1", ofChild(0, ok), 0, 0},
		{"grep found nothing", "protocol/v1", ofChild(1, envelope.Outcome{Kind: envelope.Negative}), 1, 0},
		{"failure", "protocol/v1", ofChild(7, failure), 7, 1},
		{"failure", "delegator/v3.6", ofChild(7, failure), 7, 1},
		{"partial is an error there", "protocol/v1", ofChild(23, partial), 23, 1},
		{"partial is a status there", "helper/v1", ofChild(23, partial), 23, 0},
		{"no such program", "protocol/v1", ofChild(127, missing), 127, 1},
		{"no such program", "helper/v1", ofChild(127, missing), 127, 0},
		{"too much output", "protocol/v1", ofChild(0, envelope.Outcome{Kind: envelope.Failure, Code: envelope.EOUTPUTTOOLARGE}), 0, 1},
		{"timeout", "protocol/v1", ofChild(124, envelope.Outcome{Kind: envelope.Timeout, Code: envelope.ETIMEOUT}), 124, 1},
		{
			"the command's own envelope says error, the command ended with 0", "protocol/v1",
			&envelope.Result{Outcome: failure, Exec: ofChild(0, ok)}, 0, 1,
		},
		{
			"the command's own envelope says ok, the command ended with 3", "protocol/v1",
			&envelope.Result{Outcome: ok, Exec: ofChild(3, failure)}, 3, 0,
		},
	} {
		d, found := envelope.Lookup(c.dialect)
		if !found {
			t.Fatalf("no dialect %q", c.dialect)
		}
		for rule, want := range map[exitRule]int{exitChild: c.child, exitEnvelope: c.envelope, exitZero: 0} {
			if got := rule.Status(c.result, d); got != want {
				t.Errorf("%s, %s, rule %d: got %d, want %d", c.name, c.dialect, rule, got, want)
			}
		}
	}
}
