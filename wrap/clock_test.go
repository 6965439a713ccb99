package wrap

import (
	"testing"
	"time"
)

// clockAt is a clock whose run began an hour ago, and which was last looked at
// so long ago.
func clockAt(limits Limits, ago time.Duration) *clock {
	now := time.Now()
	r := &run{c: &Command{Limits: limits}, started: now.Add(-time.Hour), stdout: &stream{}, stderr: &stream{}}
	c := newClock(r)
	c.last = now.Add(-ago)
	return c
}

// A time in which nobody could look counts in part only, whether or not
// SIGCONT was seen.
func TestClockLongGap(t *testing.T) {
	for name, limits := range map[string]Limits{
		"whole":       {Timeout: 2 * time.Second},
		"idle":        {IdleTimeout: 2 * time.Second},
		"short":       {Timeout: 40 * time.Millisecond},
		"short, idle": {IdleTimeout: 40 * time.Millisecond},
	} {
		c := clockAt(limits, time.Minute)
		if got := c.expired(); got != stopNone {
			t.Errorf("%s: expired (%v) after %v counted of a minute", name, got, c.wall)
		}
		c = clockAt(limits, time.Minute)
		if c.continued(); c.wall != 0 || c.idle != 0 {
			t.Errorf("%s: %v and %v counted of a minute before SIGCONT", name, c.wall, c.idle)
		}
		c = clockAt(limits, 0)
		for range (limits.Timeout + limits.IdleTimeout) / (lateTicks * c.every) {
			c.last = c.last.Add(-lateTicks * c.every)
			c.look()
		}
		if c.expired() == stopNone {
			t.Errorf("%s: not expired after gaps of %v", name, lateTicks*c.every)
		}
	}
}

// Output during or after a long gap leaves what came after it to count.
func TestClockIdleAfterLongGap(t *testing.T) {
	c := clockAt(Limits{IdleTimeout: 2 * time.Second}, 30*time.Minute)
	c.run.stdout.active.Store(int64(40 * time.Minute))
	c.look()
	if want := lateTicks * c.every; c.idle != want {
		t.Fatalf("%v idle after a gap with output in it, want %v", c.idle, want)
	}
	c.run.stderr.active.Store(int64(time.Since(c.run.started)))
	c.look()
	if c.idle >= time.Second {
		t.Fatalf("%v idle just after output", c.idle)
	}
	for range 4 {
		c.last = c.last.Add(-lateTicks * c.every)
		c.look()
	}
	if got := c.expired(); got != stopIdle {
		t.Fatalf("%v after four gaps without output", got)
	}
}
