package runcmd

import (
	"slices"
	"strings"
	"sync"

	"github.com/envwrap/envwrap/internal/cli"
	"github.com/envwrap/envwrap/internal/sharing"
)

// ownVariables returns a function that reports whether a variable is one of
// envwrap's options, which a command does not inherit: one that calls envwrap
// itself is not changed by what was meant for the outer run.
func ownVariables(options []*cli.Option) func(name string) bool {
	own := sync.OnceValue(func() map[string]bool { return optionVariables(options) })
	return func(name string) bool { return strings.HasPrefix(name, cli.EnvPrefix) && own()[name] }
}

// optionVariables are the variables of all options of a job and of a run,
// whichever of the two options are.
func optionVariables(options []*cli.Option) map[string]bool {
	own := map[string]bool{sharing.TokenVariable: true}
	for _, o := range slices.Concat(options, DefaultRunOptions().Table(), JobSubmitVerb(nil).Options) {
		own[o.Env()] = true
	}
	return own
}
