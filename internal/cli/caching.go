package cli

import (
	"strings"
	"time"

	"github.com/envwrap/envwrap/internal/cache"
	"github.com/envwrap/envwrap/internal/session"
)

// caching are the options of remembered runs.
type caching struct{ session.Cache }

func (o *caching) options() []*option {
	const group = "Remembered runs"
	return []*option{
		{
			name: "cache", value: "TTL", def: "none", group: group,
			help: "answer from the same run where it is younger than TTL; else run it, and remember it", set: into(&o.TTL, duration),
		},
		{
			name: "cache-input", value: "FILE", many: true, separator: "\n", group: group,
			help: "what the command reads: a file, a directory, or a pattern (*, ?, [a-z], {a,b}, ** for any depth)", takes: aFile, set: each(inputName(&o.Inputs)),
		},
		{
			name: "cache-env", value: "NAME[,...]", many: true, group: group,
			help: "variables that the command looks at", takes: aVariable, set: each(namedVariables(&o.Env)),
		},
		{
			name: "cache-stale", value: "DURATION", def: "none", group: group,
			help: "for so long after TTL answer at once all the same, and run it anew in the background", set: into(&o.Stale, duration),
		},
		{
			name: "cache-failures", group: group,
			help: "remember runs that failed, too", set: into(&o.Failures, boolean),
		},
	}
}

// checkCaching finds an option of remembered runs on a line where nothing asks for
// one. In a variable or a file it waits for a line that does; --cache 0 is an
// answer, too.
func (c *call) checkCaching(ttl time.Duration) error {
	if ttl > 0 || len(c.option("cache").given) > 0 {
		return nil
	}
	for _, o := range (&caching{}).options() {
		if len(c.option(o.name).given) > 0 {
			return &usageError{text: "--" + o.name + " needs --cache", hint: "Say how old an answer may be, as in --cache 10m."}
		}
	}
	return nil
}

// inputName adds the name of a file, or a pattern, to a list.
func inputName(dst *[]string) func(string) error {
	return func(s string) error {
		if s == "" {
			return usagef("the value is empty")
		}
		if cache.BadPattern(s) {
			return badValue(s, "file or pattern", "Stars, question marks, [classes] and {alternatives} are read; a backslash takes their meaning away.")
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
				return &usageError{text: "the value is no name of a variable", hint: "Write the names alone, as in --cache-env GOFLAGS,CGO_ENABLED."}
			}
			*dst = append(*dst, name)
		}
		return nil
	}
}
