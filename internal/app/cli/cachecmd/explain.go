package cachecmd

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/envwrap/envwrap/internal/app/cache"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/runcmd"
	"github.com/envwrap/envwrap/internal/app/session"
	"github.com/envwrap/envwrap/internal/shared/term"
)

func cacheExplainVerb(*cli.Env) *cli.Verb {
	o := runcmd.DefaultRunOptions()
	return &cli.Verb{
		Name:    "explain",
		Args:    "-- COMMAND [ARG...]",
		Takes:   cli.ACommand,
		Summary: "say whether a run would be answered from memory, and if not, why",
		Text: `It takes the options of the run, and runs nothing. A miss is explained by what
differs from the most similar remembered run: the command line, the directory, a
variable, an input, the program itself; or it has expired, or does not exist. For a
hit it says why the remembered run had to be made.`,
		Has:     cli.HasJSON,
		Example: "envwrap cache explain --cache 10m --cache-input go.mod -- go list -m all",
		Options: o.Table(),
		Run: func(_ context.Context, c *cli.Call) error {
			if err := c.CheckCommand(); err != nil {
				return err
			}
			if o.Cache.TTL == 0 {
				o.Cache.TTL = math.MaxInt64 // what the entry was kept with
			}
			r := &runcmd.Runner{Env: c.Env, Call: c, O: o}
			if err := r.MakeSession(); err != nil {
				return err
			}
			if err := r.PrepareSession(); err != nil {
				return err
			}
			defer r.CloseStdin()
			defer r.Session.Close()
			why, err := r.Session.Explain()
			if err != nil {
				return err
			}
			found := explainRun(c.Env, why)
			return c.Answer(found, found.write)
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
	Remote  string         `json:"remote,omitempty"` // what other machines remember of a miss
	Nearest *memoView      `json:"compared_with,omitempty"`
}

// explainRun returns an explanation in JSON.
func explainRun(env *cli.Env, of *session.Explanation) *explained {
	x := &explained{Result: of.Result, Changes: of.Changes, Why: of.Why, Key: of.Key, Remote: of.Remote}
	if x.Changes == nil {
		x.Changes = []cache.Change{}
	}
	if of.Known {
		age, left := of.Age.Milliseconds(), of.Left.Milliseconds()
		x.AgeMS, x.Left = &age, &left
	}
	if of.Nearest != nil {
		view := viewMemo(of.Nearest, env.Now())
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
	if x.Remote != "" {
		fmt.Fprintf(b, "  remote: %s\n", term.Visible(x.Remote))
	}
	if n := x.Nearest; n != nil {
		fmt.Fprintf(b, "  compared with %s, run %s ago: %s\n", cli.ShortID(string(n.Key)), term.Age(millis(n.AgeMS)), term.Visible(cli.ShellLine(n.Argv...)))
	}
}
