package wrap

import (
	"testing"
	"time"
)

// clockAt is a clock whose run began an hour ago, and which was last counted at
// so long ago.
func clockAt(limits Limits, ago time.Duration) *clock {
	now := time.Now()
	r := &run{c: &Command{Limits: limits}, started: now.Add(-time.Hour), streams: streams{stdout: &stream{}, stderr: &stream{}}}
	c := newClock(r)
	c.last = now.Add(-ago)
	return c
}

// A time in which nobody could look counts in part only, and not at all where
// SIGCONT is seen, before the look that follows it or after.
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
		for _, looks := range []int{0, 1} {
			c = clockAt(limits, time.Minute)
			for range looks {
				c.advance()
			}
			c.continued()
			if late := lateTicks * c.every; c.held != 0 || c.wall >= late || c.idle >= late {
				t.Errorf("%s: %v and %v counted, %v held of a minute before SIGCONT, seen after %d looks", name, c.wall, c.idle, c.held, looks)
			}
		}
		c = clockAt(limits, 0)
		for range (limits.Timeout + limits.IdleTimeout) / (lateTicks * c.every) {
			c.last = c.last.Add(-lateTicks * c.every)
			c.advance()
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
	c.advance()
	c.advance()
	if want := lateTicks * c.every; c.idle < want || c.idle > 2*want {
		t.Fatalf("%v idle after a gap with output in it, want about %v", c.idle, want)
	}
	c.run.stderr.active.Store(int64(time.Since(c.run.started)))
	c.advance()
	if c.idle >= time.Second {
		t.Fatalf("%v idle just after output", c.idle)
	}
	for range 5 {
		c.run.started = c.run.started.Add(-lateTicks * c.every)
		c.last = c.last.Add(-lateTicks * c.every)
		c.advance()
	}
	if got := c.expired(); got != stopIdle {
		t.Fatalf("%v after five gaps without output", got)
	}
}

// The shorter of two limits says how often to count.
func TestInterval(t *testing.T) {
	for _, c := range []struct{ a, b, want time.Duration }{
		{0, 0, 0},
		{200 * time.Millisecond, 0, 10 * time.Millisecond},
		{0, 200 * time.Millisecond, 10 * time.Millisecond},
		{time.Hour, 200 * time.Millisecond, 10 * time.Millisecond},
		{time.Hour, 0, tick},
		{time.Microsecond, 0, time.Millisecond},
	} {
		if got := interval(c.a, c.b); got != c.want {
			t.Errorf("limits of %v and %v: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}
