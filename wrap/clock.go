package wrap

import (
	"slices"
	"time"
)

// A clock measures how long the child has been running, for the two limits. Of
// a gap between two counts only a limited part counts: after a longer gap the process
// was stopped, frozen with its container, or not given a processor. SIGCONT
// reports a stop, but may be seen only after the count that ends it: what counts
// of a long gap is therefore held until the next count.
type clock struct {
	run    *run
	every  time.Duration // between two counts; 0 without limits
	last   time.Time     // of the last count
	held   time.Duration // of a long gap before the last count, not counted yet
	wall   time.Duration // counted since the start
	idle   time.Duration // counted since the child's last output
	output time.Duration // when that was read, since the start
}

func newClock(r *run) *clock {
	return &clock{run: r, every: interval(r.c.Timeout, r.c.IdleTimeout), last: time.Now()}
}

// tick is how often the time limits are checked, at the least.
const tick = 50 * time.Millisecond

// lateTicks is how many times the usual gap may be late and still count.
const lateTicks = 10

// interval returns how often to count, or 0 where there is no limit: short limits
// are kept more closely.
func interval(limits ...time.Duration) time.Duration {
	limits = slices.DeleteFunc(limits, func(limit time.Duration) bool { return limit <= 0 })
	if len(limits) == 0 {
		return 0
	}
	return max(min(slices.Min(limits)/20, tick), time.Millisecond)
}

// advance counts the time since the last count.
func (c *clock) advance() {
	now := time.Now()
	gap, most := now.Sub(c.last), lateTicks*c.every
	counted := c.held
	if c.held = 0; gap > most {
		c.held = most
	} else {
		counted += gap
	}
	c.last = now
	c.wall += counted
	c.idle += counted
	c.resetIdle(now.Sub(c.run.started))
}

// continued drops a long gap, before or after the last count: envwrap was stopped in it.
func (c *clock) continued() {
	c.held = 0
	c.advance()
	c.held = 0
}

// resetIdle drops the idle time before the newest output. A stream whose output is still
// being passed on is not idle.
func (c *clock) resetIdle(now time.Duration) {
	for _, s := range c.run.both() {
		if s.busy.Load() {
			c.idle = 0
		}
		c.output = max(c.output, time.Duration(s.active.Load()))
	}
	c.idle = min(c.idle, max(now-c.output, 0))
}

// expired names the limit that has passed, or stopNone.
func (c *clock) expired() cause {
	c.advance()
	limits := c.run.c
	if limits.Timeout > 0 && c.wall >= limits.Timeout {
		return stopTimeout
	}
	if limits.IdleTimeout > 0 && c.idle >= limits.IdleTimeout {
		return stopIdle
	}
	return stopNone
}
