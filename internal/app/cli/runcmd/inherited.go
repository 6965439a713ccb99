package runcmd

import (
	"slices"
	"strings"
	"sync"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/remoteconfig"
	"github.com/envwrap/envwrap/internal/app/toolanswer"
)

// ownVariables returns a function that reports whether a variable is one of
// envwrap's options, which a command does not inherit: one that calls envwrap
// itself is not changed by what was meant for this run.
func ownVariables(options []*cli.Option) func(name string) bool {
	others := sync.OnceValue(optionVariables)
	return func(name string) bool {
		option, ours := strings.CutPrefix(name, cli.EnvPrefix)
		if !ours || option == "CTX" { // each command has this one
			return false
		}
		option = strings.ReplaceAll(strings.ToLower(option), "_", "-")
		return slices.ContainsFunc(options, func(o *cli.Option) bool { return o.Name == option && o.Env() == name }) || others()[name]
	}
}

// optionVariables returns the variables of all options of a job and of a run, those with
// envwrap's own bearer tokens, and that of a server of tools.
func optionVariables() map[string]bool {
	own := map[string]bool{remoteconfig.TokenVariable: true, remoteconfig.ServerTokenVariable: true, toolanswer.Variable: true}
	for _, o := range slices.Concat(DefaultRunOptions().Table(), submitOptions(DefaultRunOptions(), new(bool))) {
		own[o.Env()] = true
	}
	return own
}

// callEnviron returns the environment of commands that ask a runner or an engine. Like the
// command that starts a run, they inherit none of envwrap's own options, so that an envwrap
// at the far end finds the same store.
func callEnviron(env *cli.Env) (environ []string) {
	own := ownVariables(nil)
	for _, v := range env.Environ {
		if name, _, _ := strings.Cut(v, "="); !own(name) {
			environ = append(environ, v)
		}
	}
	return environ
}

// farOptions returns the options that affect the command, as they were given here, without
// those named in skip.
func (r *Runner) farOptions(skip ...string) (line []string) {
	o := r.O
	skip = append(skip, "on", "push", "jobs", "command", "resources", "queue-timeout")
	for _, known := range r.Call.Verb.Options {
		if !known.InJob.OnSupervisorLine() || known.InJob == cli.ViewOnly || slices.Contains(skip, known.Name) || strings.HasPrefix(known.Name, "cache") {
			continue
		}
		for _, value := range known.Given {
			line = append(line, "--"+known.Name+"="+value)
		}
	}
	if o.Timeout > 0 && len(r.Call.Option("timeout").Given) == 0 {
		line = append(line, "--timeout="+o.Timeout.String())
	}
	if o.push && o.remote.URL != "" {
		line = append(line, "--push", "--remote="+o.remote.URL)
		for name, value := range map[string]string{"endpoint": o.remote.Endpoint, "region": o.remote.Region, "profile": o.remote.Profile} {
			if value != "" {
				line = append(line, "--remote-"+name+"="+value)
			}
		}
	}
	return line
}
