package runcmd

import (
	"strings"
	"time"

	"github.com/envwrap/envwrap/internal/cache"
	"github.com/envwrap/envwrap/internal/cli"
	"github.com/envwrap/envwrap/internal/session"
)

// caching are the options of remembered runs.
type caching struct{ session.Cache }

func (o *caching) options() []*cli.Option {
	const group = "Remembered runs"
	return []*cli.Option{
		{
			Name: "cache", Value: "TTL", Def: "none", Group: group,
			Help: "answer from the same run where it is younger than TTL; else run it, and remember it", Set: cli.Into(&o.TTL, cli.Duration),
		},
		{
			Name: "cache-input", Value: "FILE", Many: true, Separator: "\n", Group: group,
			Help: "what the command reads: a file, a directory, or a pattern (*, ?, [a-z], {a,b}, ** for any depth)", Takes: cli.AFile, Set: cli.Each(inputName(&o.Inputs)),
		},
		{
			Name: "cache-env", Value: "NAME[,...]", Many: true, Group: group,
			Help: "variables that the command looks at", Takes: cli.AVariable, Set: cli.Each(namedVariables(&o.Env)),
		},
		{
			Name: "cache-stale", Value: "DURATION", Def: "none", Group: group,
			Help: "for so long after TTL answer at once all the same, and run it anew in the background", Set: cli.Into(&o.Stale, cli.Duration),
		},
		{
			Name: "cache-failures", Group: group,
			Help: "remember runs that failed, too", Set: cli.Into(&o.Failures, cli.Boolean),
		},
	}
}

// checkCaching finds an option of remembered runs on a line where nothing asks for
// one. In a variable or a file it waits for a line that does; --cache 0 is an
// answer, too.
func checkCaching(c *cli.Call, ttl time.Duration) error {
	if ttl > 0 || len(c.Option("cache").Given) > 0 {
		return nil
	}
	for _, o := range (&caching{}).options() {
		if len(c.Option(o.Name).Given) > 0 {
			return &cli.UsageError{Text: "--" + o.Name + " needs --cache", Hint: "Say how old an answer may be, as in --cache 10m."}
		}
	}
	return nil
}

// inputName adds the name of a file, or a pattern, to a list.
func inputName(dst *[]string) func(string) error {
	return func(s string) error {
		if s == "" {
			return cli.Usagef("the value is empty")
		}
		if cache.BadPattern(s) {
			return cli.BadValue(s, "file or pattern", "Stars, question marks, [classes] and {alternatives} are read; a backslash takes their meaning away.")
		}
		*dst = append(*dst, s)
		return nil
	}
}

// namedVariables adds the names of variables to a list: NAME[,NAME...]. What was
// given is not repeated in an error: behind an equals sign it may be a secret.
func namedVariables(dst *[]string) func(string) error {
	return func(s string) error {
		for name := range strings.SplitSeq(s, ",") {
			if name = strings.TrimSpace(name); name == "" || strings.ContainsAny(name, "=\x00") {
				return &cli.UsageError{Text: "the value is no name of a variable", Hint: "Write the names alone, as in --cache-env GOFLAGS,CGO_ENABLED."}
			}
			*dst = append(*dst, name)
		}
		return nil
	}
}
