package envelope

import (
	"time"

	"github.com/envwrap/envwrap/envelope/internal/wire"
)

// sourceCache is the Source of a run that was remembered.
const sourceCache = "cache"

// cache is nil for a run that was made now.
func (v *view) cache(key bool) *wire.Cache {
	if v.Source != sourceCache {
		return nil
	}
	w := &wire.Cache{AgeMS: wire.Count(max(v.CacheAge, 0).Milliseconds()), Stale: v.Stale}
	if key {
		w.Key = wire.Digest(v.CacheKey)
	}
	return w
}

// into takes what w says into r.
func readCache(w *wire.Cache, r *Result) {
	if w == nil {
		return
	}
	r.Source, r.Stale = sourceCache, w.Stale
	r.CacheAge = time.Duration(min(int64(w.AgeMS), int64(1<<62/time.Millisecond))) * time.Millisecond
	if w.Key != "" {
		r.CacheKey = string(w.Key)
	}
}
