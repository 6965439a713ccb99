package envelope

import (
	"time"

	"github.com/envwrap/envwrap/envelope/internal/wire"
)

// sourceCache is the Source of a run that was remembered.
const sourceCache = "cache"

// wireCache says that a run was not made now, but remembered. protocol/v1 and
// foxctl/v1 have the key in meta.
type wireCache struct {
	Key   wire.Digest `json:"key,omitempty" doc:"what it is remembered under"`
	AgeMS wire.Count  `json:"age_ms" doc:"how long ago the run ended, in milliseconds"`
	Stale bool        `json:"stale,omitempty" doc:"true where it is older than was asked for, and is being made anew"`
	Rest  wire.Fields `json:",inline"`
}

// cache is nil for a run that was made now.
func (v *view) cache(key bool) *wireCache {
	if v.Source != sourceCache {
		return nil
	}
	w := &wireCache{AgeMS: wire.Count(max(v.CacheAge, 0).Milliseconds()), Stale: v.Stale}
	if key {
		w.Key = wire.Digest(v.CacheKey)
	}
	return w
}

// into takes what w says into r.
func (w *wireCache) into(r *Result) {
	if w == nil {
		return
	}
	r.Source, r.Stale = sourceCache, w.Stale
	r.CacheAge = time.Duration(min(int64(w.AgeMS), int64(1<<62/time.Millisecond))) * time.Millisecond
	if w.Key != "" {
		r.CacheKey = string(w.Key)
	}
}
