package job

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// A fakeTarget is a supervisor that notes what is done to it.
type fakeTarget struct {
	there, cannot bool
	ended         bool // the job, not the supervisor
	log           []string
}

func (f *fakeTarget) interrupt() bool   { f.log = append(f.log, "interrupt"); return f.there }
func (f *fakeTarget) unreachable() bool { return f.cannot }
func (f *fakeTarget) kill()             { f.log = append(f.log, "kill") }

// The step that a cancellation takes in each state, for any time of the clock.
func TestCancellationSteps(t *testing.T) {
	ms := func(n int) time.Duration { return time.Duration(n) * time.Millisecond }
	for _, c := range []struct {
		name     string
		sup      fakeTarget
		writable bool
		at       []time.Duration
		want     string
	}{
		{"alive", fakeTarget{there: true}, true, []time.Duration{0, ms(50), ms(850)}, "interrupt"},
		{"interrupted again", fakeTarget{there: true}, true, []time.Duration{0, ms(899), ms(900), ms(950)}, "interrupt interrupt"},
		{"killed", fakeTarget{there: true}, true, []time.Duration{0, ms(900), ms(1599), ms(1600), ms(1650)}, "interrupt interrupt kill kill"},
		{"counted from the first signal", fakeTarget{there: true}, true, []time.Duration{ms(500), ms(1350), ms(1400), ms(2050), ms(2100)}, "interrupt interrupt kill"},
		{"not there yet", fakeTarget{}, true, []time.Duration{0, ms(50), ms(2000)}, "interrupt interrupt interrupt"},
		{"unreachable", fakeTarget{cannot: true}, true, []time.Duration{0, ms(50)}, "interrupt leave interrupt"},
		{"unreachable, and the disk is full", fakeTarget{cannot: true}, false, []time.Duration{0, ms(50)}, "interrupt leave interrupt leave"},
		{"on a runner", fakeTarget{there: true}, true, []time.Duration{0, ms(900), ms(1600), ms(11950)}, "interrupt"},
		{"on a runner, and killed", fakeTarget{there: true}, true, []time.Duration{0, ms(12000)}, "interrupt kill"},
		{"a group", fakeTarget{there: true}, true, []time.Duration{0, ms(900), ms(1600), ms(4399)}, "interrupt interrupt"},
		{"a group, killed", fakeTarget{there: true}, true, []time.Duration{0, ms(900), ms(4400)}, "interrupt interrupt kill"},
		{"ended, and its envelope is late", fakeTarget{there: true, ended: true}, true, []time.Duration{0, ms(900)}, "interrupt ended"},
		{"ended, and its envelope is not late yet", fakeTarget{there: true, ended: true}, true, []time.Duration{0, ms(899)}, "interrupt"},
		{"alive after all", fakeTarget{there: true, cannot: true}, true, []time.Duration{0}, "interrupt"},
	} {
		progress := cancellation{asked: -1, far: strings.HasPrefix(c.name, "on a runner"), group: strings.HasPrefix(c.name, "a group")}
		for _, waited := range c.at {
			leave := func() bool { c.sup.log = append(c.sup.log, "leave"); return c.writable }
			if progress.step(waited, func() target { return &c.sup }, leave, func() bool { return c.sup.ended }) {
				c.sup.log = append(c.sup.log, "ended")
			}
		}
		if !slices.Equal(c.sup.log, strings.Fields(c.want)) {
			t.Errorf("%s: %q, want %s", c.name, c.sup.log, c.want)
		}
	}
}
