package artifact

import (
	"time"
)

// Limits of [DefaultPolicy].
const (
	DefaultMaxAge  = 14 * 24 * time.Hour
	DefaultMaxSize = 10 << 30
	DefaultGrace   = 24 * time.Hour
)

// A Policy says what the collector removes. An object's age is the time since it was
// last stored. An object that is pinned, or younger than Grace, is never removed.
type Policy struct {
	MaxAge  time.Duration // older objects are removed; 0 is no limit
	MaxSize int64         // bytes of all objects; the oldest are removed first; 0 is no limit
	Grace   time.Duration // younger objects stay whatever the limits
	DryRun  bool          // only report what would be removed
}

// DefaultPolicy returns the policy of automatic collections: two weeks, 10 GiB, and a
// grace of a day.
func DefaultPolicy() Policy {
	return Policy{MaxAge: DefaultMaxAge, MaxSize: DefaultMaxSize, Grace: DefaultGrace}
}

// A Collection describes what [Store.Collect] removed, or would remove with DryRun.
type Collection struct {
	Objects int   // before the collection
	Bytes   int64 // on disk before the collection
	Removed []Removal
	Freed   int64 // bytes
	Kept    Kept  // what the limits would have removed otherwise
	Parts   int   // part files of dead writers that were removed
	Largest int64 // bytes on disk of the largest object before the collection
}

// Kept counts the objects that a limit would have removed and that stayed, by reason.
type Kept struct {
	Pinned int // pinned
	Young  int // younger than the grace period
	Busy   int // in a directory that another process had locked
}

// A Removal is an object that the collector removed.
type Removal struct {
	Digest string `json:"digest"`
	Size   int64  `json:"size_bytes"` // on disk
	Reason string `json:"reason"`     // age, size, free
}

// against returns the limit that an object exceeds, or "".
func (p *Policy) against(age time.Duration, left int64) string {
	switch {
	case p.MaxAge > 0 && age > p.MaxAge:
		return "age"
	case p.MaxSize > 0 && left > p.MaxSize:
		return "size"
	}
	return ""
}

func (c *Collection) removed(h *shardObject) {
	c.Removed = append(c.Removed, Removal{digestPrefix + h.name, h.size, h.reason})
	c.Freed += h.size
}

// outlived reports whether a part file is too old to be worth keeping.
func (p *Policy) outlived(age time.Duration) bool {
	return p.MaxAge > 0 && age > p.MaxAge && age > p.Grace
}
