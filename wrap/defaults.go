package wrap

import "time"

// What holds where a Command says nothing.
const (
	defaultKillAfter   = 5 * time.Second
	defaultInlineLimit = 32 << 10 // without a store
)

// killAfter returns the time from SIGTERM to SIGKILL.
func (c *Command) killAfter() time.Duration {
	if c.KillAfter == 0 {
		return defaultKillAfter
	}
	return max(c.KillAfter, 0)
}

// inlineLimit returns how many bytes of the record's data may stay in it.
func (c *Command) inlineLimit() int64 {
	if c.InlineLimit == 0 && c.Store == nil {
		return defaultInlineLimit
	}
	return c.InlineLimit
}
