package wrap

import "time"

// A clock counts the time that the child had, for the two limits. Time in
// which envwrap itself was stopped does not count.
type clock struct {
	run     *run
	last    time.Time     // of the last look
	wall    time.Duration // counted since the start
	skipped time.Duration // not counted since the start
	late    time.Duration // counted only when a second look comes without SIGCONT
}

// lateTick is a gap between two looks that only a stopped (or starved)
// process has.
const lateTick = 10 * tick

func newClock(r *run) *clock { return &clock{run: r, last: time.Now()} }

// interval is how often to look, or 0 where there is no limit: short limits
// are kept more closely.
func (c *clock) interval() time.Duration {
	every := time.Duration(0)
	for _, limit := range []time.Duration{c.run.c.Timeout, c.run.c.IdleTimeout} {
		if limit > 0 && (every == 0 || limit < every) {
			every = limit
		}
	}
	if every == 0 {
		return 0
	}
	return max(min(every/20, tick), time.Millisecond)
}

// look counts what has passed. A long gap is held back until the next look:
// if envwrap was stopped, SIGCONT is seen in between.
func (c *clock) look() {
	now := time.Now()
	gap := now.Sub(c.last)
	c.last = now
	c.wall += c.late
	c.late = 0
	if gap > lateTick {
		c.late = gap
		return
	}
	c.wall += gap
}

// continued drops a long gap: envwrap was stopped in it.
func (c *clock) continued() {
	now := time.Now()
	gap := now.Sub(c.last)
	c.last = now
	if gap > lateTick {
		c.late += gap
	} else {
		c.wall += gap
	}
	c.skipped += c.late
	c.late = 0
}

// expired names the limit that has passed, or stopNone.
func (c *clock) expired() cause {
	c.look()
	limits := c.run.c
	if limits.Timeout > 0 && c.wall >= limits.Timeout {
		return stopTimeout
	}
	if limits.IdleTimeout > 0 && c.idle() >= limits.IdleTimeout {
		return stopIdle
	}
	return stopNone
}

// idle is how long nothing was read, in counted time. What is still being
// passed on is not idle.
func (c *clock) idle() time.Duration {
	var active time.Duration
	for _, s := range []*stream{c.run.stdout, c.run.stderr} {
		if s.busy.Load() {
			return 0
		}
		active = max(active, time.Duration(s.active.Load()))
	}
	return time.Since(c.run.started) - c.skipped - c.late - active
}

// tick is how often the time limits are looked at, at the least. A gap in
// which envwrap itself was stopped is seen as a late tick followed by SIGCONT.
const tick = 50 * time.Millisecond
