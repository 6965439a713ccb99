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
	"github.com/envwrap/envwrap/internal/session"
	"github.com/envwrap/envwrap/internal/term"
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
			if o.cache.TTL == 0 {
				o.cache.TTL = math.MaxInt64 // what the entry was kept with
			}
			r := &runner{World: c.World, call: c, o: o}
			if err := r.outline(); err != nil {
				return err
			}
			if err := r.complete(); err != nil {
				return err
			}
			defer r.closeStdin()
			why, err := r.Session.Explain()
			if err != nil {
				return err
			}
			found := c.explained(why)
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

// explained is an explanation in JSON.
func (w *World) explained(of *session.Explanation) *explained {
	x := &explained{Result: of.Result, Changes: of.Changes, Why: of.Why, Key: of.Key}
	if x.Changes == nil {
		x.Changes = []cache.Change{}
	}
	if of.Known {
		age, left := of.Age.Milliseconds(), of.Left.Milliseconds()
		x.AgeMS, x.Left = &age, &left
	}
	if of.Nearest != nil {
		view := viewMemo(of.Nearest, w.Now())
		x.Nearest = &view
	}
	return x
}

func (x *explained) write(b *strings.Builder) {
	switch x.Result {
	case "never":
		fmt.Fprintf(b, "never: %s\n", x.Why)
		return
	case "hit", "stale":
		fmt.Fprintf(b, "%s: run %s ago", x.Result, term.Age(millis(*x.AgeMS)))
		if x.Result == "hit" {
			fmt.Fprintf(b, ", fresh for %s", term.Age(millis(*x.Left)))
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
		fmt.Fprintf(b, "  compared with %s, run %s ago: %s\n", shortID(string(n.Key)), term.Age(millis(n.AgeMS)), visible(shellLine(n.Argv...)))
	}
}

func millis(n int64) time.Duration { return time.Duration(n) * time.Millisecond }

// sortedNames are the keys of m; nil where there are none.
func sortedNames(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
