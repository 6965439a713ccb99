package cli

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/envwrap/envwrap/internal/cache"
)

func cacheExplainVerb(*World) *verb {
	o := defaultRunOptions()
	var asJSON bool
	return &verb{
		name:    "explain",
		args:    "-- COMMAND [ARG...]",
		takes:   aCommand,
		summary: "say whether a run would be answered from memory, and why not",
		text: `It takes the options of the run, and runs nothing. A miss is explained by what
differs from the remembered run that is most like this one: the command line, the
directory, a variable, an input, the program itself; or it has expired, or there is
none. Of a hit it says why the run that is remembered was a miss in its day.`,
		example: "envwrap cache explain --cache 10m --cache-input go.mod -- go list -m all",
		options: append(o.table(), jsonOption(&asJSON)),
		run: func(_ context.Context, c *call) error {
			if err := c.checkCommand(); err != nil {
				return err
			}
			if o.cache.ttl == 0 {
				o.cache.ttl = math.MaxInt64 // what the entry was kept with
			}
			r := &runner{World: c.World, call: c, o: o}
			if err := r.outline(); err != nil {
				return err
			}
			if err := r.complete(); err != nil {
				return err
			}
			defer r.closeStdin()
			found, err := r.explainCache()
			if err != nil {
				return err
			}
			return c.answer(asJSON, found, found.write)
		},
	}
}

// An explained is why a run is a hit or a miss, in JSON.
type explained struct {
	Result  string         `json:"result"`  // hit, stale, miss, never
	Changes []cache.Change `json:"changes"` // why it is a miss; of a hit, why it was one
	Why     string         `json:"why,omitempty"`
	Key     cache.Key      `json:"cache_key,omitempty"`
	AgeMS   *int64         `json:"age_ms,omitempty"` // of the run of this key
	Left    *int64         `json:"expires_in_ms,omitempty"`
	Nearest *memoView      `json:"compared_with,omitempty"`
}

// explainCache looks as a run would, and then at what else is remembered.
func (r *runner) explainCache() (*explained, error) {
	r.stirs()
	call, why := r.cacheCall()
	if why != "" {
		return &explained{Result: "never", Why: why, Changes: []cache.Change{}}, nil
	}
	m := &recall{runner: r, of: call}
	defer m.close()
	if err := m.look(); err != nil {
		return &explained{Result: "never", Why: err.Error(), Changes: []cache.Change{}}, nil
	}
	for _, p := range m.places {
		if e := p.cache.Get(p.key); e != nil {
			return m.explainEntry(p, e)
		}
	}
	none := &explained{Result: "miss", Changes: []cache.Change{{Part: "never-run"}}}
	for _, p := range m.places {
		entries, err := p.cache.All()
		if err != nil {
			return nil, err
		}
		if near, changes := cache.Nearest(entries, p.parts, r.Now().Add(time.Hour)); near != nil {
			view := viewMemo(near, r.Now())
			return &explained{Result: "miss", Key: p.key, Changes: changes, Nearest: &view}, nil
		}
		none.Key = p.key
	}
	return none, nil
}

// explainEntry is about a run that is remembered under the very key.
func (m *recall) explainEntry(p *place, e *cache.Entry) (*explained, error) {
	now := m.Now()
	age, _ := e.Age(now)
	ms, left := age.Milliseconds(), max(min(m.o.cache.ttl, e.TTL)-age, 0).Milliseconds()
	x := &explained{Result: "hit", Key: p.key, AgeMS: &ms, Left: &left, Changes: []cache.Change{}}
	switch {
	case e.Fresh(now, m.o.cache.ttl) && m.retell(p, e, false) == nil:
		x.Result, x.Why = "miss", m.unfit(p, e)
		return x, nil
	case e.Fresh(now, m.o.cache.ttl):
	case m.o.cache.stale > 0 && e.FreshBut(now, m.o.cache.ttl, m.o.cache.stale):
		x.Result = "stale"
	default:
		x.Result, x.Changes = "miss", []cache.Change{{Part: "expired"}}
		return x, nil
	}
	if !e.Replaced.IsZero() {
		x.Changes = []cache.Change{{Part: "expired"}}
		return x, nil
	}
	entries, err := p.cache.All()
	if err != nil {
		return nil, err
	}
	if near, changes := cache.Nearest(entries, p.parts, e.Kept); near != nil {
		view := viewMemo(near, now)
		x.Changes, x.Nearest = changes, &view
	} else {
		x.Changes = []cache.Change{{Part: "never-run"}}
	}
	return x, nil
}

// unfit says why a fresh entry does not answer this call.
func (m *recall) unfit(p *place, e *cache.Entry) string {
	told, err := m.replay(p, e)
	switch {
	case err != nil:
		return err.Error()
	case !told.Result.Outcome.OK():
		return "it failed, and --cache-failures was not given"
	}
	return ""
}

func (x *explained) write(b *strings.Builder) {
	switch x.Result {
	case "never":
		fmt.Fprintf(b, "never: %s\n", x.Why)
		return
	case "hit", "stale":
		fmt.Fprintf(b, "%s: run %s ago", x.Result, ageText(millis(*x.AgeMS)))
		if x.Result == "hit" {
			fmt.Fprintf(b, ", fresh for %s", ageText(millis(*x.Left)))
		}
		fmt.Fprintf(b, "\n  key: %s\n", x.Key)
		for _, c := range x.Changes {
			fmt.Fprintf(b, "  that run was a miss: %s\n", c)
		}
	default:
		if x.Why != "" {
			fmt.Fprintf(b, "miss: %s\n", x.Why)
		}
		for _, c := range x.Changes {
			fmt.Fprintf(b, "miss: %s\n", c)
		}
	}
	if n := x.Nearest; n != nil {
		fmt.Fprintf(b, "  compared with %s, run %s ago: %s\n", shortID(string(n.Key)), ageText(millis(n.AgeMS)), visible(shellLine(n.Argv...)))
	}
}

func millis(n int64) time.Duration { return time.Duration(n) * time.Millisecond }

// sortedNames are the keys of m; nil where there are none.
func sortedNames(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
