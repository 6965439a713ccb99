package wrap

import "time"

// A clock counts the time that the child had, for the two limits. A gap
// between two looks counts up to a limit only: a longer one has a process that
// was stopped, frozen with its container, or not given a processor. SIGCONT
// reports a stop, but may be seen only after later looks.
type clock struct {
	run    *run
	every  time.Duration // between two looks; 0 without limits
	last   time.Time     // of the last look
	wall   time.Duration // counted since the start
	idle   time.Duration // counted since the child's last output
	output time.Duration // when that was read, since the start
}

func newClock(r *run) *clock {
	return &clock{run: r, every: interval(r.c.Timeout, r.c.IdleTimeout), last: time.Now()}
}

// tick is how often the time limits are looked at, at the least.
const tick = 50 * time.Millisecond

// lateTicks is how many times the usual gap may be late and still count.
const lateTicks = 10

// interval returns how often to look, or 0 where there is no limit: short limits
// are kept more closely.
func interval(limits ...time.Duration) time.Duration {
	every := time.Duration(0)
	for _, limit := range limits {
		if limit > 0 && (every == 0 || limit < every) {
			every = limit
		}
	}
	if every == 0 {
		return 0
	}
	return max(min(every/20, tick), time.Millisecond)
}

// look counts what has passed since the last look.
func (c *clock) look() { c.count(lateTicks * c.every) }

// continued drops a long gap: envwrap was stopped in it.
func (c *clock) continued() {
	if time.Since(c.last) > lateTicks*c.every {
		c.count(0)
	}
}

// count counts what has passed since the last look, up to most.
func (c *clock) count(most time.Duration) {
	now := time.Now()
	gap := min(now.Sub(c.last), most)
	c.last = now
	c.wall += gap
	c.idle += gap
	c.forgive(now.Sub(c.run.started))
}

// forgive drops the idle time before the newest output. What is still being
// passed on is not idle.
func (c *clock) forgive(now time.Duration) {
	for _, s := range []*stream{c.run.stdout, c.run.stderr} {
		if s.busy.Load() {
			c.idle = 0
		}
		if output := time.Duration(s.active.Load()); output > c.output {
			c.output = output
			c.idle = min(c.idle, max(now-output, 0))
		}
	}
}

// expired names the limit that has passed, or stopNone.
func (c *clock) expired() cause {
	c.look()
	limits := c.run.c
	if limits.Timeout > 0 && c.wall >= limits.Timeout {
		return stopTimeout
	}
	if limits.IdleTimeout > 0 && c.idle >= limits.IdleTimeout {
		return stopIdle
	}
	return stopNone
}
